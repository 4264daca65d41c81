"""What hosts say, in whatever shape."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.agents.moments import AgentEvent

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = [
    "session_id", "agent_id", "agent_type", "agent_name", "cwd", "stop_hook_active", "last_assistant_message",
    "agent_transcript_path", "parent_agent_id", "tool_name", "tool_input", "tool_response", "tool_use_id",
]  # fmt: skip


def test_an_agent_is_called_by_its_type_and_started_by_the_leader():
    event = AgentEvent.of({"session_id": "s", "agent_id": "a", "agent_type": "worker", "cwd": "/x"})
    assert (event.name, event.type, event.parent, event.active) == ("worker", "worker", "s", False)


def test_the_transcript_names_an_agent_that_the_host_does_not():
    assert AgentEvent.of({"agent_transcript_path": "/x/s/subagents/agent-a1b2.jsonl"}).agent == "a1b2"


@pytest.mark.parametrize(("value", "active"), [(True, True), ("true", True), (1, True), (False, False), (None, False)])
def test_who_was_sent_back_once(value, active):
    assert AgentEvent.of({"stop_hook_active": value}).active == active


@each([None, [], "x", 3, {}])
def test_payloads_that_say_nothing(payload):
    assert AgentEvent.of(payload).session is None
    assert AgentEvent.of(payload).tool == ""


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON)
def test_whatever_a_host_says_is_read(payload):
    event = AgentEvent.of(payload)
    assert event.name
    assert isinstance(AgentEvent.of(payload).input, dict)
