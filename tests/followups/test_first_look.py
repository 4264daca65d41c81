"""`wrap orphans` in a folder that is no vault: what its last conversations put off, and nothing is written."""

from __future__ import annotations

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, said
from tests.followups.test_discovery import code, session
from tests.support import wrap

__all__ = ["code", "session"]


@pytest.fixture
def here(code, monkeypatch):
    monkeypatch.chdir(code)
    return code


def snapshot(*folders):
    return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}


def look(*options):
    result = wrap("orphans", "--json", *options)
    assert result.code == 0, result.err
    return [one["text"] for one in result.json["orphans"]]


def test_it_says_what_is_in_no_markdown_file_and_writes_nothing(here, session, home):
    session(here, RETRY, ROTATE, GUIDE)
    (here / "docs").mkdir()
    (here / "docs" / "plan.md").write_text(f"# Plan\n\nWe {ROTATE} once a month.\n", "utf-8")
    (here / "NOTES.md").write_text(f"1. [x] {GUIDE.capitalize()}\n", "utf-8")
    before = snapshot(here, home)
    result = wrap("orphans")
    assert (result.code, result.err) == (0, "")
    assert RETRY in result.out
    assert ROTATE not in result.out
    assert GUIDE not in result.out
    assert "1 conversation read: 1 follow-up in no Markdown file below this folder" in result.out
    assert "wrap init" in result.out.splitlines()[-1]
    assert snapshot(here, home) == before


def test_the_json_document_says_which_line_holds_the_others(here, session):
    session(here, RETRY, ROTATE)
    (here / "NOTES.md").write_text(f"# Notes\n\n- {ROTATE}\n", "utf-8")
    document = wrap("orphans", "--json").json
    assert [(one["text"], one["sure"]) for one in document["orphans"]] == [(RETRY, True)]
    (held,) = [one for one in document["dismissed"] if one["text"] == ROTATE]
    assert (held["reason"], held["held_by"]) == ("already durable", "NOTES.md:3")


def test_the_last_ten_of_the_folder_are_read_or_as_many_as_are_wanted(here, session, tmp_path):
    for number in range(12):
        session(here, f"sweep the chimney of house {number}", name=f"talk{number}", days_ago=number)
    session(tmp_path / "elsewhere", RETRY, name="other")
    assert look() == [f"sweep the chimney of house {number}" for number in range(10)]
    assert look("--last", "2") == ["sweep the chimney of house 0", "sweep the chimney of house 1"]


def test_a_conversation_can_be_named(here, talk):
    path = talk(talks.neutral(said(RETRY)))
    assert look("--transcript", path) == [RETRY]


def test_without_conversations_it_says_so(here):
    result = wrap("orphans")
    assert result.code == 0
    assert "0 conversations read" in result.out
    assert "wrap init" in result.out


@pytest.mark.parametrize("options", [["--all"], ["--ask"], ["--review"], ["--restore", "3f2a"]])
def test_what_needs_a_vault_says_that_there_is_none(here, options):
    result = wrap("orphans", *options)
    assert (result.code, result.out) == (1, "")
    assert "no vault here" in result.err


def test_a_folder_that_is_named_must_be_a_vault(here, session):
    session(here, RETRY)
    result = wrap("orphans", vault=here)
    assert result.code == 1
    assert "is not a vault" in result.err


def test_in_a_vault_last_is_refused(vault):
    result = wrap("orphans", "--last", "3", vault=vault())
    assert result.code == 2
    assert "--transcript" in result.err


def test_what_is_only_unsure_is_counted_as_that(here, session):
    turns = [("user", "Don't forget to rotate the staging keys."), ("assistant", "The form works.")]
    session(here, data=talks.claude(turns, cwd=str(here)))
    out = wrap("orphans").out
    assert "1 unsure follow-up in no Markdown file below this folder" in out
    assert "0 follow-ups" not in out
    assert "5e551011.jsonl:1" in out
    assert str(here.parent) not in out.splitlines()[1]
