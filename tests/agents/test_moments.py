"""What hooks will call: starts, stops and tools, with a store and without one."""

import json
from dataclasses import replace

import pytest

from tests.agents.conftest import NOON, WEB
from wrapgen.agents.moments import AgentEvent, EventSetting, on_start, on_stop, on_tool
from wrapgen.config import Agents
from wrapgen.errors import StoreError
from wrapgen.host_reply import HookReply

START = {"session_id": "s1", "agent_id": "a1", "agent_type": "worker", "cwd": "/code/web"}
GOOD = "[COMPRESSED] agent_type: worker\nChanged files: a.ts\nResult: done"
BLOCK = Agents(contract={"worker": "block"})


@pytest.fixture
def store(opened):
    with opened() as made:
        yield made


@pytest.fixture
def setting(store):
    return EventSetting(store.do, lambda asking: (store.find(asking), ""), Agents(), WEB, NOON)


@pytest.fixture
def broken():
    def refuse(_):
        raise StoreError("the store is locked")

    return EventSetting(refuse, refuse, BLOCK, WEB, NOON)


def stop(setting, **fields):
    return on_stop(AgentEvent.of(START | fields), setting)


@pytest.fixture
def rows(store):
    return lambda statement: store.rows(statement, {})


@pytest.mark.slow
def test_the_next_agent_is_given_what_the_first_one_found(setting):
    assert on_start(AgentEvent.of(START), setting) == HookReply()
    assert stop(setting, last_assistant_message=GOOD).exit_code == 0
    given = on_start(AgentEvent.of(START | {"agent_id": "a2"}), setting).context
    assert given.startswith(
        "[smart context for worker]\n\n## Sibling Agent Results\n- [worker] [COMPRESSED] agent_type"
    )


@pytest.mark.slow
def test_an_answer_that_does_not_meet_the_contract_is_sent_back_once(setting, rows):
    strict = replace(setting, agents=BLOCK)
    first = stop(strict, last_assistant_message="I did it all.")
    assert first.exit_code == 2
    assert "[COMPRESSED] agent_type: <type>" in first.stderr
    second = stop(strict, last_assistant_message="No, really.", stop_hook_active=True)
    assert (second.exit_code, second.stderr) == (0, "")
    assert rows("SELECT content FROM outputs ORDER BY id") == [("I did it all.",), ("No, really.",)]


def test_a_type_that_the_contract_does_not_name(setting):
    assert (
        stop(replace(setting, agents=Agents(contract={"other": "warn"})), last_assistant_message="Done.") == HookReply()
    )
    everybody = replace(setting, agents=Agents(contract={"*": "warn"}))
    reply = stop(everybody, last_assistant_message="I did it all.")
    assert reply.exit_code == 0
    assert "must be the marker" in reply.document("SubagentStop", "claude")["systemMessage"]


def test_the_marker_in_a_prompt_or_deep_in_the_transcript_does_not_count(setting, tmp_path):
    transcript = tmp_path / "agent-a1.jsonl"
    said = [("user", f"Begin with {GOOD}"), ("assistant", GOOD), ("assistant", "Well, as I said.")]
    rows_ = [{"type": role, "message": {"content": [{"type": "text", "text": text}]}} for role, text in said]
    transcript.write_text("\n".join(map(json.dumps, rows_)) + '\n{"type": "assist', encoding="utf-8")
    reply = stop(replace(setting, agents=BLOCK), agent_transcript_path=str(transcript))
    assert reply.exit_code == 2


@pytest.mark.slow
def test_the_message_of_the_host_comes_before_the_transcript(setting, tmp_path, rows):
    transcript = tmp_path / "agent-a1.jsonl"
    transcript.write_text(
        json.dumps({"type": "assistant", "message": {"content": "one turn behind", "usage": {"input_tokens": 3}}})
    )
    assert stop(setting, last_assistant_message=GOOD, agent_transcript_path=str(transcript)) == HookReply()
    assert rows("SELECT context_summary, input_tokens FROM agents") == [(GOOD, 3)]


@pytest.mark.parametrize(
    "fields", [{"agent_transcript_path": "/nowhere/agent-a1.jsonl"}, {"last_assistant_message": None}]
)
def test_a_stop_of_which_nothing_is_known_passes(setting, fields):
    assert stop(replace(setting, agents=BLOCK), **fields) == HookReply()


def test_the_summary_of_a_compaction_is_no_answer_of_a_sub_agent(setting, rows):
    strict = replace(setting, agents=Agents(contract={"": "block"}))
    assert stop(strict, agent_type="", last_assistant_message="<summary>We talked.</summary>") == HookReply()
    assert rows("SELECT * FROM agents") == []


@pytest.mark.parametrize("payload", [None, [], "x", {}, {"agent_id": "a1"}, {"session_id": "s1"}])
def test_payloads_that_say_little_change_nothing(setting, payload, rows):
    assert on_start(AgentEvent.of(payload), setting) == HookReply()
    assert on_stop(AgentEvent.of(payload), setting) == HookReply()
    assert on_tool(AgentEvent.of(payload), setting) == HookReply()
    assert rows("SELECT * FROM agents") == []


def test_without_its_store_a_hook_says_so_and_judges_all_the_same(broken):
    said = "what a sub-agent did was not kept: the store is locked."
    assert on_start(AgentEvent.of(START), broken).trouble == f"{said}; the store is locked."
    assert stop(broken, last_assistant_message=GOOD) == HookReply(trouble=said)
    assert stop(broken, last_assistant_message="no").exit_code == 2
    edit = {"session_id": "s1", "tool_name": "Edit", "tool_input": {"file_path": "a.ts"}}
    assert on_tool(AgentEvent.of(edit), broken) == HookReply(trouble=said)


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "state"), [(GOOD, "completed"), (f"{GOOD}\nBlockers: no key", "needs_review")])
def test_what_becomes_of_its_task(setting, store, rows, answer, state):
    project = store.project_at(WEB, NOON)
    store.rows(
        "INSERT INTO tasks (project_id, title, status, assigned_to, created_at, updated_at)"
        " VALUES (:p, 'T', 'pending', 'worker', :now, :now)",
        {"p": project, "now": "2026-04-24 12:00:00"},
    )
    assert "- [in_progress] T" in on_start(AgentEvent.of(START), setting).context
    stop(setting, last_assistant_message=answer)
    assert rows("SELECT status FROM tasks") == [(state,)]


class TestTools:
    @pytest.mark.slow
    @pytest.mark.parametrize(("tool", "change"), [("Write", "create"), ("Edit", "edit"), ("Read", None)])
    def test_files_that_were_written(self, setting, tool, change, rows):
        event = {"session_id": "s1", "agent_id": "a1", "tool_name": tool, "tool_input": {"file_path": "a.ts"}}
        assert on_tool(AgentEvent.of(event), setting) == HookReply()
        assert rows("SELECT file_path, change_type FROM file_changes") == ([("a.ts", change)] if change else [])

    def agent_answer(self, text, **more):
        response = {"agentId": "a1", "content": [{"type": "text", "text": text}]}
        return AgentEvent.of(
            {"session_id": "s1", "tool_name": "Agent", "tool_use_id": "t1", "tool_response": response} | more
        )

    def test_nothing_is_shortened_without_a_contract(self, setting):
        assert on_tool(self.agent_answer("x\n" * 9_000), setting) == HookReply()

    def test_a_long_answer_is_shortened_and_kept(self, setting, rows):
        text = "\n".join(f"line {number}" for number in range(2_000))
        short = replace(setting, agents=Agents(contract={"*": "warn"}))
        output = on_tool(self.agent_answer(text), short).output
        assert "wrap agent list outputs --agent a1" in output["content"][0]["text"]
        assert len(output["content"][0]["text"]) < 12_000
        assert rows("SELECT agent_id, content FROM outputs") == [("a1", text)]
        assert on_tool(self.agent_answer("short"), short) == HookReply()

    def test_what_cannot_be_kept_is_not_taken_away(self, broken):
        reply = on_tool(self.agent_answer("x\n" * 9_000), replace(broken, agents=Agents(contract={"*": "warn"})))
        assert reply.output is None
        assert "locked" in reply.trouble
