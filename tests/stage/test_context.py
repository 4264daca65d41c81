"""Where snapshots were taken is kept beside them, within bounds, and never in the way."""

import json

import pytest

from tests.stage.kit import TASK, written
from tests.support import wrap
from wrapgen.stage import context
from wrapgen.stage.context import CommandContext, Taken, contexts, remember

STATE = ".wrapgen/state/stage.jsonl"


def test_the_file_is_not_in_the_front_matter_but_beside(vault):
    built = vault()
    data = written(built)
    assert b"branch" not in data
    (line,) = built.path(STATE).read_text("utf-8").splitlines()
    assert json.loads(line)["task"] == TASK


@pytest.mark.slow
def test_old_records_go_when_there_are_too_many(vault, monkeypatch):
    monkeypatch.setattr(context, "_LARGE", 10_000)
    built = vault()
    for number in range(300):
        remember(
            built.root, Taken(task=TASK, digest=f"{number:016x}", context=CommandContext(branch=f"branch-{number}"))
        )
        assert built.path(STATE).stat().st_size <= 10_000
    known = contexts(built.root)
    assert known[f"{299:016x}"].branch == "branch-299"
    assert f"{0:016x}" not in known


def test_a_torn_line_costs_its_own_record_only(vault):
    built = vault()
    written(built, "one")
    with built.path(STATE).open("ab") as file:
        file.write(b'{"task": "TU')
    written(built, "two")
    assert len(contexts(built.root)) == 2
    assert wrap("stage", "show", TASK, vault=built).code == 0


def test_branches_differ_only_within_one_repository():
    taken = CommandContext(branch="main", repository="/a/.git")
    assert CommandContext(branch="other", repository="/a/.git").leads_away_from(taken)
    assert CommandContext(branch=None, repository="/a/.git").leads_away_from(taken)
    assert not CommandContext(branch="main", repository="/a/.git").leads_away_from(taken)
    assert not CommandContext(branch="other", repository="/b/.git").leads_away_from(taken)
    assert not CommandContext().leads_away_from(taken)
    assert not CommandContext(branch="other", repository="/a/.git").leads_away_from(CommandContext())
