"""The store is locked: a hook does not wait for it, and nothing that was said is lost."""

import json
import sqlite3
from contextlib import suppress

import pytest

from tests.agents.conftest import NOON, WEB
from wrapgen.agents.events import AgentEvent, ToolEvent
from wrapgen.agents.moments import EventSetting, on_start, on_stop, on_tool
from wrapgen.agents.operations import Start, Who
from wrapgen.agents.spool import FOLDER, Spool
from wrapgen.agents.sqlite import open_sqlite
from wrapgen.agents.store import Store
from wrapgen.config import Agents
from wrapgen.errors import StoreError, UnavailableError
from wrapgen.host_reply import HookReply
from wrapgen.vault.state import state_file

STOP = {"session_id": "s1", "agent_id": "a1", "agent_type": "worker", "last_assistant_message": "The door is blue."}
EDIT = {"session_id": "s1", "tool_name": "Edit", "tool_input": {"file_path": "a.ts"}}


@pytest.fixture
def spool(tmp_path):
    return Spool(tmp_path)


@pytest.fixture
def setting(tmp_path, spool):
    def opened():
        store = Store(open_sqlite(tmp_path, at_most=0.05))
        with suppress(StoreError):
            spool.take_up(store)
        return store

    return EventSetting(opened, Agents(contract={"*": "warn"}), WEB, NOON, spool)


@pytest.fixture
def writer(tmp_path):
    open_sqlite(tmp_path).close()
    connection = sqlite3.connect(state_file(tmp_path, "agents.db"), isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    yield connection
    connection.close()


def outputs(setting):
    with setting.open_store() as store:
        return [text for (text,) in store.database.rows("SELECT content FROM outputs ORDER BY id", {})]


def stop(setting, **fields):
    return on_stop(AgentEvent.of(STOP | fields), setting)


def test_an_answer_waits_in_a_file_and_the_next_hook_takes_it_up(setting, spool, writer):
    assert stop(setting) == HookReply(warning=stop(setting).warning, behind=True)
    assert len(spool.waiting()) == 2
    writer.execute("ROLLBACK")
    given = on_start(AgentEvent.of({**STOP, "agent_id": "a2"}), setting)
    assert "The door is blue." in given.context
    assert spool.waiting() == []
    assert outputs(setting) == ["The door is blue."]


def test_what_comes_later_does_not_overtake_it(setting, spool, writer, monkeypatch):
    on_start(AgentEvent.of(STOP), setting)
    writer.execute("ROLLBACK")
    monkeypatch.setattr(spool, "take_up", lambda *_: None)  # another process is at it
    assert stop(setting).behind
    assert len(spool.waiting()) == 2
    monkeypatch.undo()
    with setting.open_store() as store:
        assert store.database.rows("SELECT status FROM agents", {}) == [("completed",)]
    assert spool.waiting() == []


def test_a_new_agent_is_given_what_is_known_although_it_cannot_be_noted(setting, writer):
    writer.execute("ROLLBACK")
    stop(setting)
    writer.execute("BEGIN IMMEDIATE")
    given = on_start(AgentEvent.of({**STOP, "agent_id": "a2"}), setting)
    assert "The door is blue." in given.context
    assert (given.trouble, given.behind) == ("", True)


def test_files_and_long_answers_wait_too(setting, spool, writer):
    assert on_tool(ToolEvent.of(EDIT), setting) == HookReply(behind=True)
    long = {**EDIT, "tool_name": "Task", "tool_use_id": "t", "tool_response": "word " * 3000}
    assert on_tool(ToolEvent.of(long), setting).output
    writer.execute("ROLLBACK")
    assert outputs(setting) == [("word " * 3000)]
    assert spool.waiting() == []


def test_secrets_do_not_wait_with_it(setting, spool, writer):
    stop(setting, last_assistant_message="key AKIAQ3EGRZ7K2MNB4XWT")
    (file,) = spool.waiting()
    assert "AKIAQ3EGRZ7K2MNB4XWT" not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_kept_it_is_said(setting, spool, writer, tmp_path):
    state_file(tmp_path, FOLDER).touch()
    assert "locked" in stop(setting).trouble
    long = {**EDIT, "tool_name": "Task", "tool_use_id": "t", "tool_response": "word " * 3000}
    assert on_tool(ToolEvent.of(long), setting).output is None


def test_a_damaged_file_is_put_aside(setting, spool, writer):
    stop(setting)
    writer.execute("ROLLBACK")
    (file,) = spool.waiting()
    file.with_name("0.json").write_text(json.dumps({"type": "what"}))
    assert outputs(setting) == ["The door is blue."]
    assert [one.name for one in file.parent.iterdir() if one.name != ".gitignore"] == ["0.refused"]


def test_one_takes_it_up_at_a_time(spool, tmp_path, monkeypatch):
    spool.put(Start(Who("a", "s", "n", None, None), None, NOON))

    class Taking:
        def keep(self, _):
            with pytest.raises(UnavailableError, match="another process"):
                spool.take_up(self)

    spool.take_up(Taking())
    assert spool.waiting() == []


def test_waiting_is_bounded_for_all_statements_together(tmp_path, writer):
    writer.execute("ROLLBACK")
    with Store(open_sqlite(tmp_path, at_most=0.0)) as store:
        assert store.database.rows("PRAGMA busy_timeout", {}) == [(0,)]
    with Store(open_sqlite(tmp_path)) as store:
        assert store.database.rows("PRAGMA busy_timeout", {}) == [(10_000,)]
