"""Hooks of a vault whose store is a team's: the server comes and goes, and no session notices."""

import os

import pytest

from tests.hooks import kit
from tests.hooks.kit import SESSION, hook
from tests.postgres import silent
from tests.support import CHECKOUT, wrap

pytestmark = pytest.mark.xdist_group("postgres")

GOOD = "[COMPRESSED] agent_type: worker\nChanged files: (none)\nResult: the retry works"


def event(code, agent="a1", **fields):
    return {"session_id": SESSION, "cwd": str(code), "agent_id": agent, "agent_type": "worker", **fields}


@pytest.fixture
def away():
    with silent() as address:
        yield address


@pytest.mark.slow
def test_a_server_that_is_silent_and_then_another_that_is_not(notes, code, team, monkeypatch, away):
    monkeypatch.setenv("WRAPGEN_STORE", away)
    for number in range(3):
        result = hook("SubagentStop", event(code, f"a{number}", last_assistant_message=GOOD))
        assert (result.code, result.out, result.err) == (0, "", "")  # nobody asks it
    started = [hook("SubagentStart", event(code, f"b{number}", agent_name="bob")) for number in range(2)]
    assert ["did not answer" in one.err for one in started] == [True, False]  # said once a session
    assert kit.fired(started[1]).count("the retry works") == 3
    assert "s3cret-word" not in started[0].err + kit.log_of(notes)
    monkeypatch.setenv("WRAPGEN_STORE", team)
    hook("SubagentStop", event(code, "a3", last_assistant_message=GOOD))
    kit.settle(notes)
    rows = wrap("agent", "list", "outputs", "--agent", "a0", vault=notes, today=None).out
    assert rows.count("the retry works") == 1
    agents = wrap("agent", "list", "--session", SESSION, "--json", vault=notes, today=None).json["rows"]
    assert {one["id"]: one["status"] for one in agents} == {
        **{f"a{number}": "completed" for number in range(4)},
        **{f"b{number}": "active" for number in range(2)},
    }


@pytest.mark.slow
def test_without_psycopg_hooks_go_on(notes, code, monkeypatch, tmp_path):
    (tmp_path / "psycopg.py").write_text("raise ImportError('No module named psycopg')\n")
    monkeypatch.setenv("WRAPGEN_STORE", "postgresql://ann@127.0.0.1:1/x")
    monkeypatch.setattr("tests.support.CHECKOUT", f"{tmp_path}{os.pathsep}{CHECKOUT}")
    result = hook("SubagentStart", event(code))
    assert (result.code, result.out) == (0, "")
    assert "pip install 'wrapgen[postgres]'" in result.err
    kit.settle(notes)
