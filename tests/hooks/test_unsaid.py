"""A session that did work and ended without saying what is next is named once, to the next one of its project."""

import json

import pytest

from tests.hooks.kit import moment
from tests.support import wrap
from wrapgen.hooks.ending import on_ending
from wrapgen.hooks.start import on_session_start

LINE = "did not say what is next: `wrap triage --review --next`"
WRITE = '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Edit","input":{}}]}}\n'
TALK = '{"type":"user","message":{"content":"hello"}}\n'


def session(notes, name, text, event="SessionEnd"):
    transcript = notes.path(f"../{name}.jsonl")
    transcript.write_text(text, encoding="utf-8")
    on_ending(moment(event, notes, session_id=name, transcript_path=str(transcript)))


def start(notes, **fields):
    answer = on_session_start(moment("SessionStart", notes, **{"source": "startup", "session_id": "new", **fields}))
    assert answer.trouble == ""
    return answer.context


def test_it_is_named_once(notes):
    session(notes, "old", WRITE)
    assert LINE in start(notes)
    assert LINE not in start(notes, session_id="newer")


@pytest.mark.parametrize(("text", "event"), [(TALK, "SessionEnd"), (WRITE, "Stop")])
def test_one_that_wrote_nothing_or_goes_on_is_not(notes, text, event):
    session(notes, "old", text, event)
    assert LINE not in start(notes)


def test_one_that_said_it_is_not(notes, monkeypatch):
    session(notes, "old", WRITE)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "old")
    answer = notes.write("../answer.json", json.dumps({"next": []}))
    assert wrap("triage", "--reviewed", answer, vault=notes).code == 0
    assert LINE not in start(notes)


def test_a_session_is_not_told_of_itself_nor_after_a_compaction(notes):
    session(notes, "old", WRITE)
    assert LINE not in start(notes, session_id="old", source="resume")
    session(notes, "old", WRITE)
    assert LINE not in start(notes, source="compact")


def test_another_projects_session_is_not_told(notes, tmp_path):
    session(notes, "old", WRITE)
    other = tmp_path / "elsewhere"
    other.mkdir()
    answer = on_session_start(moment("SessionStart", notes, cwd=other, source="startup", session_id="new"))
    assert LINE not in answer.context
