"""What the README says is what the program does."""

import re
import shlex

import click
import pytest

from tests.readme import CHECKOUT, README, SAMPLE_DAY, block, rendered
from wrapgen import cli

TEXT = README.read_text(encoding="utf-8")


def test_what_the_program_makes_is_up_to_date() -> None:
    assert rendered(TEXT) == TEXT, "run `python -m tests.readme`"


def test_before_is_a_journal_of_the_sample_vault() -> None:
    journal = CHECKOUT / "sample_vault" / "journals" / "2026" / "04" / "2026-04-23.md"
    assert str(journal.relative_to(CHECKOUT / "sample_vault")) in TEXT.replace("/", "/")
    assert block(TEXT, "before") in journal.read_text(encoding="utf-8")


def test_the_sample_vault_ends_on_the_day_shown() -> None:
    days = [path.name[:10] for path in (CHECKOUT / "sample_vault" / "journals").rglob("*.md")]
    assert max(days) == SAMPLE_DAY.isoformat()


@pytest.mark.parametrize("words", sorted(set(re.findall(r"`(wrap(?: [^`]*)?)`", TEXT))))
def test_every_command_named_exists_with_its_options(words: str) -> None:
    group = cli.wrap
    context = click.Context(group)
    command: click.Command = group
    for word in shlex.split(words)[1:]:
        if command is group and word in cli.COMMANDS:
            found = group.get_command(context, word)
            assert found is not None
            command = found
        elif isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
        elif word.startswith("-"):
            names = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
            assert word.partition("=")[0] in names | {"--help"}, f"{command.name} has no {word}"


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_commands_first_help_line_says_what_the_list_of_commands_says(name: str) -> None:
    command = cli.wrap.get_command(click.Context(cli.wrap), name)
    assert command is not None
    assert (command.help or "").partition("\n")[0] == cli.COMMANDS[name]


def test_every_json_document_is_described() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "wrapgen").rglob("*.py"))
    schemas = set(re.findall(r"\"wrapgen(\.[a-z-]+/[0-9]+)\"", source))
    assert len(schemas) > 10
    page = (CHECKOUT / "docs" / "json.md").read_text(encoding="utf-8")
    assert [schema for schema in sorted(schemas) if f"{schema}`" not in page] == []
