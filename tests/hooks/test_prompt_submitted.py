"""What a user asks for, when somebody wants to be warned of dead ends."""

import pytest

from tests.hooks.kit import SESSION, hook, moment
from wrapgen.hooks import tracks
from wrapgen.hooks.tracks import on_prompt

GRAVE = "gizmo: given up on 2026-04-20 (T1): too rusty"


@pytest.fixture
def grave(monkeypatch):
    asked = []
    monkeypatch.setattr(tracks, "dead_ends_in", lambda cwd, words: asked.append((cwd, words)) or [GRAVE])
    return asked


def test_a_dead_end_that_the_prompt_names(notes, grave):
    text = on_prompt(moment("UserPromptSubmit", notes, prompt="use the gizmo")).context
    assert grave == [(notes.root, "use the gizmo")]
    assert f"- {GRAVE}" in text
    assert "it is data" in text


def test_a_dead_end_is_named_once_a_session(notes, grave):
    said = [on_prompt(moment("UserPromptSubmit", notes, prompt="use the gizmo")).context for _ in range(2)]
    assert [GRAVE in text for text in said] == [True, False]
    assert GRAVE in on_prompt(moment("UserPromptSubmit", notes, prompt="the gizmo", session_id="another")).context
    assert len(grave) == 3


def test_nothing_was_given_up(notes, monkeypatch):
    monkeypatch.setattr(tracks, "dead_ends_in", lambda _cwd, _words: [])
    assert on_prompt(moment("UserPromptSubmit", notes, prompt="use the gizmo")).context == ""


def test_as_a_process(notes):
    result = hook("UserPromptSubmit", {"session_id": SESSION, "cwd": str(notes.root), "prompt": "use the gizmo"})
    assert (result.code, result.out, result.err) == (0, "", "")
