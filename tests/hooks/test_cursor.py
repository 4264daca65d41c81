"""Events as Cursor sends them: other names, a flat reply, and no transcript that could be read."""

import json

import pytest

from tests.hooks import kit
from tests.hooks.kit import hook
from tests.support import wrap
from wrapgen.hooks.events import event_named, from_cursor, host_of
from wrapgen.host_reply import HookReply
from wrapgen.vault.keyed_files import last_fired

CHAT = "0b0dcafe"


def cursor(notes, event, **fields):
    """The fields that every event has."""
    common = {
        "conversation_id": CHAT,
        "generation_id": "g1",
        "model": "auto",
        "hook_event_name": event,
        "cursor_version": "3.7.21",
        "workspace_roots": [str(notes.root)],
        "user_email": None,
        "transcript_path": str(notes.root / "chat.jsonl"),
    }
    return {**common, **fields}


def test_a_session_starts(notes):
    assert wrap("regen", vault=notes, today=None).code == 0
    fields = cursor(notes, "sessionStart", session_id=CHAT, is_background_agent=False, composer_mode="agent")
    result = hook("session-start", fields, "--host", "cursor")
    assert (result.code, result.err) == (0, "")
    assert list(result.json) == ["additional_context"]
    assert "Water the plants" in result.json["additional_context"]


@pytest.mark.slow
def test_what_its_agent_says_is_kept_and_found(notes):
    """Its transcript may hold the words, but in a form that nobody reads."""
    words = "Done. Next session: add retry to the uploader."
    lines = {"role": "assistant", "message": {"content": [{"type": "text", "text": words}]}}
    notes.write("chat.jsonl", json.dumps(lines) + "\n")
    for event, more in (("afterAgentResponse", {"text": words}), ("sessionEnd", {"reason": "user_close"})):
        result = hook(event, cursor(notes, event, **more), "--host", "cursor")
        assert (result.code, result.out, result.err) == (0, "", "")
    kit.settle(notes)
    assert kit.pending_in(notes) == ["add retry to the uploader"]


def test_hooks_that_cursor_takes_from_claude_codes_settings(notes):
    result = hook("session-start", cursor(notes, "sessionStart"))
    assert "hookSpecificOutput" not in result.out
    assert list(last_fired(str(notes.root))) == ["SessionStart"]


def test_names_and_replies():
    assert [event_named(name) for name in ("sessionStart", "afterAgentResponse", "sessionEnd")] == [
        "SessionStart",
        "Stop",
        "SessionEnd",
    ]
    assert host_of("cursor", {}) == "cursor"
    assert host_of("", {"cursor_version": "3"}) == "cursor"
    assert HookReply(context="c", warning="w").document("SubagentStart", "cursor") == {}


@pytest.mark.parametrize("fields", [{}, {"workspace_roots": []}, {"workspace_roots": "x", "text": 3}])
def test_fields_that_are_missing(fields):
    assert from_cursor(fields)["cwd"] is None
    assert from_cursor(fields)["transcript_path"] == ""
