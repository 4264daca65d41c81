"""Chapter 7 as hosts call it: one block, context and brief for a new agent, long answers shortened."""

import json

import pytest

from tests.hooks import kit
from tests.hooks.kit import SESSION, hook, moment
from tests.support import wrap
from wrapgen.agents.context import CHARACTERS
from wrapgen.hooks.subagents import brief, on_post_tool_use, on_subagent_start, on_subagent_stop, remember_state
from wrapgen.text.tokens import utf16_length

GOOD = "[COMPRESSED] agent_type: worker\nChanged files: (none)\nResult: the retry works"


@pytest.fixture
def strict(notes):
    notes.write("wrapgen.toml", '[agents]\ncontract = { worker = "block" }\n')
    return notes


def stop(code, message, **fields):
    common = {"session_id": SESSION, "cwd": str(code), "agent_id": "a1", "agent_type": "worker"}
    return {**common, "stop_hook_active": False, "last_assistant_message": message, **fields}


def app_of(notes):
    from wrapgen.workflows.app import App

    return App(vault=notes.root)


def test_without_a_contract_nobody_is_told_of_one_and_nobody_complains(notes, code, started):
    start = on_subagent_start(moment("SubagentStart", notes, agent_id="a1", agent_type="worker"))
    end = on_subagent_stop(moment("SubagentStop", notes, **{**stop(code, "I did it."), "cwd": code}))
    assert "[COMPRESSED]" not in start.context
    assert (end.warning, end.exit_code, end.stderr) == ("", 0, "")
    assert started


def test_a_contract_is_stated_and_its_breach_is_named_once_a_session(notes, code, started):
    notes.write("wrapgen.toml", '[agents]\ncontract = { worker = "warn" }\n')
    for kind, told in (("worker", True), ("other", False)):
        fields = {"agent_id": kind, "agent_type": kind}
        assert ("at most 10 lines" in on_subagent_start(moment("SubagentStart", notes, **fields)).context) is told
        fields = {**stop(code, "I did it.", **fields), "cwd": code}
        warnings = [on_subagent_stop(moment("SubagentStop", notes, **fields)).warning for _ in range(2)]
        assert ["must be the marker" in one for one in warnings] == [told, False]
    assert started


@pytest.mark.slow
def test_the_first_stop_is_sent_back_and_the_second_passes(strict, code):
    first = hook("SubagentStop", stop(code, "I did it."))
    assert (first.code, first.out) == (2, "")
    assert "[COMPRESSED]" in first.err
    assert "at most 10 lines" in first.err
    second = hook("SubagentStop", stop(code, GOOD, stop_hook_active=True))
    assert (second.code, second.out, second.err) == (0, "", "")
    rows = wrap("agent", "list", "--session", SESSION, "--json", vault=strict, today=None).out
    assert "the retry works" in rows


@pytest.mark.slow
def test_who_was_sent_back_once_passes_whatever_it_says(strict, code):
    result = hook("SubagentStop", stop(code, "Still prose.", stop_hook_active=True))
    assert (result.code, result.out, result.err) == (0, "", "")


@pytest.mark.slow
def test_a_stop_that_reaches_two_copies_is_sent_back_by_one(strict, code):
    children = [kit.start_hook("hook", "SubagentStop") for _ in range(2)]
    for child in children:
        child.stdin.write(json.dumps(stop(code, "I did it.")).encode())
        child.stdin.flush()
    for child in children:
        child.communicate(timeout=kit.PATIENCE)
    assert sorted(child.returncode for child in children) == [0, 2]
    assert len(wrap("agent", "list", "--session", SESSION, "--json", vault=strict, today=None).json["rows"]) == 1


@pytest.mark.slow
def test_a_store_that_is_damaged_changes_nothing_for_the_agent(strict, code):
    strict.write(".wrapgen/state/agents.db", b"not a database" * 100)
    passed = hook("SubagentStop", stop(code, GOOD))
    assert (passed.code, passed.out, passed.err) == (0, "", "")
    start = hook("SubagentStart", {**stop(code, None), "agent_id": "a2"})
    assert start.code == 0
    assert "agents.db" in start.err
    assert "agents.db" in kit.log_of(strict)
    blocked = hook("SubagentStop", stop(code, "I did it."))
    assert blocked.code == 2
    assert "[COMPRESSED]" in blocked.err


@pytest.mark.slow
def test_an_agent_without_a_transcript(strict, code):
    """Claude Code issue 88995: stops of agents that never were."""
    result = hook("SubagentStop", stop(code, None, agent_transcript_path=str(code / "agent-a1.jsonl")))
    assert (result.code, result.out, result.err) == (0, "", "")
    assert kit.log_of(strict) == ""


def test_a_new_agent_is_given_what_others_found_and_the_brief(strict, code, started):

    fields = {name: value for name, value in stop(code, GOOD).items() if name != "cwd"}
    on_subagent_stop(moment("SubagentStop", strict, cwd=code, **fields))
    remember_state(app_of(strict), str(code))
    fields = {"agent_id": "a2", "agent_type": "worker"}
    text = on_subagent_start(moment("SubagentStart", strict, cwd=code, **fields)).context
    assert text.index("the retry works") < text.index("<session-context>")
    assert "Water the plants" in text
    assert utf16_length(text) <= CHARACTERS
    assert started == []


@pytest.mark.slow
def test_a_brief_that_was_not_made_yet_is_made_for_the_next_agent(strict, code):
    fields = {"session_id": SESSION, "cwd": str(code), "agent_id": "a2", "agent_type": "worker"}
    assert "<session-context>" not in kit.fired(hook("SubagentStart", fields))
    kit.settle(strict)
    text = kit.fired(hook("SubagentStart", {**fields, "agent_id": "a3"}))
    assert "Water the plants" in text


def test_no_brief_where_there_is_no_room_for_it(strict, code):
    app = app_of(strict)
    remember_state(app, str(code))
    assert brief(app, str(code), 99, 9000) == ""
    assert brief(app, str(code), 1000, 50) == ""
    assert "Water" in (brief(app, str(code), 1000, 9000) or "")
    assert brief(app, "/elsewhere", 1000, 9000) is None


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"pending": 3, "files": "x", "task_description": []}'])
def test_a_brief_that_is_damaged(strict, code, data, started):
    remember_state(app_of(strict), str(code))
    (file,) = (path for path in strict.path(".wrapgen/state/hooks/brief").iterdir())
    file.write_bytes(data)
    answer = on_subagent_start(moment("SubagentStart", strict, cwd=code, agent_id="a", agent_type="worker"))
    assert answer.exit_code == 0
    assert len(started) <= 1


@pytest.mark.slow
def test_a_changed_file_is_noted(strict, code):
    fields = {"tool_name": "Write", "tool_input": {"file_path": "a.py"}, "tool_use_id": "t1"}
    result = hook("PostToolUse", {"session_id": SESSION, "cwd": str(code), **fields})
    assert (result.code, result.out, result.err) == (0, "", "")
    exported = json.loads(wrap("agent", "export", vault=strict, today=None).out)
    assert "a.py" in json.dumps(exported)


def test_a_long_answer_is_shortened_for_claude_alone(strict, code):
    response = {"agentId": "a9", "content": [{"type": "text", "text": "a line of a long answer\n" * 1000}]}
    fields = {"tool_name": "Agent", "tool_use_id": "t", "tool_response": response}
    answer = on_post_tool_use(moment("PostToolUse", strict, cwd=code, **fields))
    document = answer.document("PostToolUse", "claude")
    short = document["hookSpecificOutput"]["updatedToolOutput"]["content"][0]["text"]
    assert "wrap agent list outputs --agent a9" in short
    assert len(short) < 1000
    assert answer.document("PostToolUse", "codex") == {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("tool", ["Read", "Bash", "", None, 3, ["Write"]])
def test_other_tools_are_none_of_our_business(strict, code, tool):
    fields = {"session_id": SESSION, "cwd": str(code), "tool_name": tool, "tool_input": {"file_path": "a"}}
    assert hook("PostToolUse", fields) == hook("PostToolUse", {**fields, "tool_input": None})
    assert not strict.path(".wrapgen/state").exists()
