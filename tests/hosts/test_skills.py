"""The skills that agents are taught: what their host reads of them, and that every command in them exists."""

import json
import re
import shlex

import click
import pytest
import yaml

from tests.support import each
from wrapgen.cli import COMMANDS, wrap
from wrapgen.hosts.places import skills
from wrapgen.session.reading import decode_reviewed
from wrapgen.triage.claims import decode_triaged

NAMES = ("wrap", "stage-snapshot", "session-brief", "query-cold", "compress-output", "compress-review")
TEXTS = skills(("wrap",))
LONGEST = 1_536  # characters that Claude Code reads of description and when_to_use together
KEYS = {"name", "description", "when_to_use", "argument-hint", "allowed-tools", "user-invocable"}
# What a line of code puts on a command's stdin.
STDIN = re.compile(r"\s*(?:<<'\w+'|<<< '[^']*')$")


def front(name):
    return yaml.safe_load(TEXTS[name].split("---\n")[1])


def commands(text):
    """The commands of a text: lines of code, and inline code."""
    body = text.split("---\n", 2)[2]
    lines = re.findall(r"^ *(wrap .*)$", body, re.MULTILINE)
    inline = re.findall(r"`(wrap(?: [^`]*)?)`", re.sub(r"^ *```.*?^ *```", "", body, flags=re.DOTALL | re.MULTILINE))
    return [STDIN.sub("", line) for line in lines] + inline


CALLS = [(name, line) for name in NAMES for line in commands(TEXTS[name])]


def test_all_of_them_are_there():
    assert set(TEXTS) == set(NAMES)


@each(NAMES)
def test_the_front_matter(name):
    said = front(name)
    assert said["name"] == name
    assert set(said) <= KEYS
    assert len(said["description"]) >= 40
    assert len(said["description"]) + len(said.get("when_to_use", "")) <= LONGEST
    assert all(isinstance(value, (str, bool)) for value in said.values())


@pytest.mark.parametrize(("name", "line"), CALLS, ids=[f"{name}: {line}" for name, line in CALLS])
def test_every_command_is_one(name, line):
    words = shlex.split(line)[1:]
    if words and words[0] in ("track",) and words[0] not in COMMANDS:
        pytest.skip("wrap track is not there yet")
    context, command = click.Context(wrap, info_name="wrap"), wrap
    while isinstance(command, click.Group):
        arguments = command.make_context(command.name, list(words), parent=context, resilient_parsing=True)
        rest = [*getattr(arguments, "_protected_args", []), *arguments.args]  # click puts the command's name aside
        if not rest:
            assert command is wrap, f"{line}: no command chosen"
            return
        chosen = command.get_command(arguments, rest[0])
        assert chosen is not None, f"{line}: no such command"
        context, command, words = arguments, chosen, rest[1:]
    command.make_context(command.name, list(words), parent=context)


@each(NAMES)
def test_a_skill_is_short_and_begins_with_what_one_gets_from_it(name):
    body = TEXTS[name].split("---\n", 2)[2].strip()
    assert len(TEXTS[name].splitlines()) <= 60
    assert re.match(r"(?:The user (?:gets|can)|Whoever started you gets) ", body)


def test_most_of_them_are_checked():
    assert {name for name, _ in CALLS} == set(NAMES)
    assert len(CALLS) >= 14


@each(NAMES)
def test_the_tools_that_are_allowed_are_those_that_are_used(name):
    allowed = re.findall(r"Bash\((wrap [\w-]+):\*\)", front(name).get("allowed-tools", ""))
    used = {" ".join(shlex.split(line)[:2]) for one, line in CALLS if one == name}
    assert set(allowed) <= used | {"wrap audit"}
    assert len(allowed) == front(name).get("allowed-tools", "").count("Bash(")


def test_another_program_is_named_wherever_it_is_called():
    for name, text in skills(("/my venv/bin/wrap",)).items():
        said = front(name).get("allowed-tools", "")
        assert len(re.findall(r"'/my venv/bin/wrap'", text)) >= len(commands(TEXTS[name])), name
        assert ("wrap" in said) == ("'/my venv/bin/wrap'" in text.split("---\n")[1]), name
        assert yaml.safe_load(text.split("---\n")[1])["description"] == front(name)["description"]


def test_the_review_and_the_answer_that_the_skill_shows_are_such():
    review, answer, verdicts = re.findall(r"<<< '([^']*)'", TEXTS["wrap"])
    assert set(json.loads(review)) == {"follow_ups", "drop", "dead_ends", "decisions"}
    assert decode_reviewed(review.encode(), "the skill").refused == []
    assert list(json.loads(answer)) == ["answers"]
    assert set(json.loads(verdicts)) == {"next", "items", "sources"}
    assert decode_triaged(verdicts.encode(), "the skill").refused == []
