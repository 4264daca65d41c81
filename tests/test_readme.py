"""What the README says is what the program does."""

import re
import shlex

import click
import pytest

from tests.readme import CHECKOUT, DOCS, PAGES, README, SAMPLE_DAY, block, made
from tests.support import each
from wrapgen import cli

TEXT = README.read_text(encoding="utf-8")
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
LONGEST = 160  # lines


def commands():
    """What the pages show as typed: in backticks, and in blocks for a shell."""
    for page, text in TEXTS.items():
        inline = re.findall(r"`(wrap(?: [^`]*)?)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
        shell = "\n".join(re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
        for words in {*inline, *re.findall(r"\bwrap (?:'[^'\n]*'|[^|&<>#)\"\n])*", shell)}:
            yield f"{page.name}: {words}"


def headings(text):
    """What links behind a # can name."""
    lines = (line.lstrip("# ") for line in text.splitlines() if line.startswith("#"))
    return {re.sub(r"[^\w -]", "", line).strip().replace(" ", "-").lower() for line in lines}


@pytest.mark.slow
def test_what_the_program_makes_is_up_to_date() -> None:
    stale = [file.name for file, text in made().items() if text != file.read_text(encoding="utf-8")]
    assert stale == [], "run `python -m tests.readme`"


def test_the_front_page_is_short() -> None:
    assert len(TEXT.splitlines()) <= LONGEST, "longer parts belong to a page below docs/"


def test_the_front_page_names_every_other_page() -> None:
    further = TEXT.partition("## Further\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"\]\((docs/[\w-]+\.md)\)", further)) == {f"docs/{page.name}" for page in PAGES[1:]}


def test_every_link_leads_somewhere() -> None:
    for page, text in TEXTS.items():
        prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            file, _, anchor = target.partition("#")
            if not file.startswith("https://"):
                assert (page.parent / file).exists(), f"{page.name}: {target}"
                if anchor:
                    other = (page.parent / file).read_text(encoding="utf-8") if file else text
                    assert anchor in headings(other), f"{page.name}: {target}"


def test_before_is_from_the_conversation_of_the_sample_vault() -> None:
    conversation = CHECKOUT / "sample_vault" / "conversations" / "2026-04-24-class-times.md"
    assert block(TEXT, "before") in conversation.read_text(encoding="utf-8")


def test_the_sample_vault_ends_on_the_day_shown() -> None:
    days = [path.name[:10] for path in (CHECKOUT / "sample_vault" / "journals").rglob("*.md")]
    assert max(days) == SAMPLE_DAY.isoformat()


@each(sorted(commands()))
def test_every_command_named_exists_with_its_options(words: str) -> None:
    words = words.partition(": ")[2]
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
        elif word.startswith("-") and word != "-":
            names = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
            assert word.partition("=")[0] in names | {"--help"}, f"{command.name} has no {word}"


@each(cli.COMMANDS)
def test_every_commands_first_help_line_says_what_the_list_of_commands_says(name: str) -> None:
    command = cli.wrap.get_command(click.Context(cli.wrap), name)
    assert command is not None
    assert (command.help or "").partition("\n")[0] == cli.COMMANDS[name]


@pytest.mark.slow
def test_every_json_document_is_described() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "wrapgen").rglob("*.py"))
    schemas = set(re.findall(r"\"wrapgen(\.[a-z-]+/[0-9]+)\"", source))
    assert len(schemas) > 10
    page = (DOCS / "json.md").read_text(encoding="utf-8")
    assert [schema for schema in sorted(schemas) if f"{schema}`" not in page] == []
