"""Events under all their names, and replies in the form of each host."""

from tests.support import each
from wrapgen.hooks.events import EVENTS, Moment, event_named
from wrapgen.host_reply import HookReply


@each(EVENTS)
def test_each_event_by_its_names(event):
    dashed = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in event).strip("-")
    assert {event_named(name) for name in (event, dashed, event.lower(), event.upper(), dashed.replace("-", "_"))} == {
        event
    }


def test_names_of_gemini():
    assert [event_named(name) for name in ("PreCompress", "AfterTool", "BeforeAgent", "AfterAgent")] == [
        "PreCompact", "PostToolUse", "UserPromptSubmit", "Stop",
    ]  # fmt: skip


@each(["", "Notification", "stopp", "세션", "../SessionStart/.."])
def test_what_is_no_event(name):
    expected = "SessionStart" if "SessionStart" in name else None
    assert event_named(name) == expected


def test_nothing_to_say_is_nothing():
    assert HookReply(trouble="the disk is full", stderr="no").document("Stop", "claude") == {}


def test_context_and_warning():
    assert HookReply(context="facts", warning="look").document("SessionStart", "codex") == {
        "systemMessage": "look",
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "facts"},
    }


def test_another_tool_output_is_for_claude_alone():
    answer = HookReply(output={"content": "short"})
    assert answer.document("PostToolUse", "claude")["hookSpecificOutput"]["updatedToolOutput"] == {"content": "short"}
    assert answer.document("PostToolUse", "codex") == answer.document("PostToolUse", "gemini") == {}


def test_gemini_is_answered_by_its_own_names():
    document = HookReply(context="facts").document("PostToolUse", "gemini")
    assert document["hookSpecificOutput"]["hookEventName"] == "AfterTool"


@each([None, 3, ["a"], {"a": 1}, True])
def test_a_field_of_another_kind_is_absent(value):
    moment = Moment("Stop", "claude", "", "", {"session_id": value, "source": value})
    assert (moment.session, moment.text("source"), moment.text("missing")) == ("", "", "")
