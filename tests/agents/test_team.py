"""A server that goes and comes back: what was done meanwhile gets there in order, once, and nothing is lost."""

import json
import threading
import time

import pytest

from tests.agents.conftest import NOON, WEB
from tests.support import wrap
from wrapgen.agents import circuit_breaker, sql
from wrapgen.agents.circuit_breaker import Outage
from wrapgen.agents.context import Asking
from wrapgen.agents.database import Joined
from wrapgen.agents.events import AgentEvent, ToolEvent
from wrapgen.agents.moments import EventSetting, on_start, on_stop, on_tool
from wrapgen.agents.operations import AddEntry, AddFileChange, KeepOutput, Start, Stop, Usage, Who, read, written
from wrapgen.agents.outbox import Outbox
from wrapgen.agents.postgres import open_postgres
from wrapgen.agents.sqlite import open_sqlite
from wrapgen.agents.store import Store
from wrapgen.agents.team import TeamStore
from wrapgen.agents.timeouts import OF_A_HOOK, Timeouts
from wrapgen.config import Agents
from wrapgen.errors import StoreError, UnavailableError
from wrapgen.host_reply import HookReply
from wrapgen.workflows import user_config

pytestmark = pytest.mark.xdist_group("postgres")

NOWHERE = "postgresql://ann@127.0.0.1:1/x"
SECRET = "ghp_" + "a1B2" * 9
WHO = Who("a1", "s1", "worker", "worker", "lead")
PATIENT = Timeouts(60, 60, 60)


def entry(text, session="s1"):
    return AddEntry(session=session, kind="note", text=text, place=WEB, agent=None, tags=("all",), now=NOON)


def contents(address):
    with Store(open_postgres(address)) as store:
        return [text for (text,) in store.database.rows("SELECT content FROM context_entries ORDER BY id", {})]


def waiting(root):
    with Store(open_sqlite(root)) as store:
        return Outbox(store.database).waiting()


@pytest.fixture
def box(tmp_path):
    with Store(open_sqlite(tmp_path)) as store:
        yield Outbox(store.database)


@pytest.mark.parametrize(
    "operation",
    [
        Start(WHO, WEB, NOON),
        Start(Who("\ud800", "\0", "이름 😀"), None, NOON),
        Stop(who=WHO, text="done", place=None, usage=Usage(10**30, -4), accepted=False, finished="completed", now=NOON),
        KeepOutput("s1", "a1", "words\n\ud800", WEB, NOON),
        entry("a word"),
        AddFileChange("s1", None, "a.ts", "edit", NOON),
    ],
)
def test_what_is_written_down_is_read_again(operation):
    assert read(written(operation)) == operation


@pytest.mark.parametrize("text", ["", "{", "[]", '{"type": "unheard of"}', '{"type": "start"}', "[" * 100_000])
def test_what_cannot_be_read_says_so(text):
    with pytest.raises(StoreError, match="cannot be read"):
        read(text)


class TestWhileItIsUp:
    def test_what_is_done_is_done_there_at_once(self, tmp_path, team):
        with TeamStore(tmp_path, team) as store:
            assert [store.do(entry("one")), store.do(entry("two"))] == [1, 2]
            assert store.trouble == ""
        assert (contents(team), waiting(tmp_path)) == (["one", "two"], 0)

    @pytest.mark.slow
    def test_another_computer_is_told(self, tmp_path, team):
        with TeamStore(tmp_path / "a", team) as one, TeamStore(tmp_path / "b", team) as other:
            one.do(Stop(who=WHO, text="found it", place=WEB, accepted=True, finished="completed", now=NOON))
            found = other.find(Asking("s2", "worker", "worker"))
            assert found.siblings == ()
            other.do(Start(Who("a2", "s2", "worker", "worker"), WEB, NOON))
            assert [one.summary for one in other.find(Asking("s2", "worker", "worker")).same_type] == ["found it"]

    def test_secrets_are_neither_sent_nor_kept_here(self, tmp_path, team):
        with TeamStore(tmp_path, NOWHERE) as store:
            store.do(entry(f"the key {SECRET}"))
        assert SECRET.encode() not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.db*"))


class TestWhileItIsDown:
    def test_everything_waits_and_is_known_here(self, tmp_path):
        with TeamStore(tmp_path, NOWHERE, timeouts=OF_A_HOOK) as store:
            assert store.do(Start(WHO, WEB, NOON)) is None
            stop = Stop(who=WHO, text="found it", place=WEB, accepted=True, finished="completed", now=NOON)
            store.do(stop)
            assert "cannot be used" in store.trouble
            assert [one.summary for one in store.find(Asking("s1", "bob", "worker", "lead")).siblings] == ["found it"]
        assert waiting(tmp_path) == 2

    def test_it_is_not_asked_again_for_a_minute(self, tmp_path, monkeypatch):
        asked = []

        def refuse(*_):
            asked.append(1)
            raise UnavailableError("away")

        monkeypatch.setattr("wrapgen.agents.team.open_postgres", refuse)
        clock = [1_000.0]
        monkeypatch.setattr(circuit_breaker.time, "time", lambda: clock[0])
        troubles = []
        for seconds in (0, 1, 58, 2, 1):
            clock[0] += seconds
            with TeamStore(tmp_path, NOWHERE, timeouts=OF_A_HOOK) as store:
                store.do(entry("word"))
                troubles.append(bool(store.trouble))
        assert (len(asked), troubles) == (2, [True, False, False, True, False])
        assert Outage(tmp_path, NOWHERE).why() == "away"

    def test_silence_counts_for_longer_each_time(self, tmp_path, monkeypatch):
        noted, clock = Outage(tmp_path, NOWHERE), [time.time()]
        monkeypatch.setattr(circuit_breaker.time, "time", lambda: clock[0])
        for seconds in (3, 6, 12, 24, 48, 60, 60):
            noted.note("busy", silent=True)
            clock[0] += seconds - 0.5
            assert not noted.is_over()
            clock[0] += 1
            assert noted.is_over()
        noted.forget()
        noted.note("busy", silent=True)
        clock[0] += 3.5
        assert noted.is_over()

    def test_a_clock_that_was_set_back_does_not_make_it_longer(self, tmp_path, monkeypatch):
        Outage(tmp_path, NOWHERE).note("away")
        now = time.time()
        monkeypatch.setattr(circuit_breaker.time, "time", lambda: now - 3_600)
        assert Outage(tmp_path, NOWHERE).is_over()

    def test_one_process_tries_it_when_the_minute_is_over(self, tmp_path, monkeypatch):
        first, second = Outage(tmp_path, NOWHERE), Outage(tmp_path, NOWHERE)
        first.note("away")
        now = time.time()
        monkeypatch.setattr(circuit_breaker.time, "time", lambda: now + 61)
        assert [first.is_over(), second.is_over()] == [True, False]

    def test_another_address_is_another_server(self, tmp_path):
        Outage(tmp_path, NOWHERE).note("away")
        assert Outage(tmp_path, NOWHERE + "y").is_over()

    @pytest.mark.parametrize("rubbish", [b"", b"{", b"[]", b'{"until": "x"}', b"\xff"])
    def test_a_torn_note_is_none(self, tmp_path, rubbish):
        noted = Outage(tmp_path, NOWHERE)
        noted.note("away")
        (file,) = (tmp_path / ".wrapgen/state/hooks/store").iterdir()
        file.write_bytes(rubbish)
        assert noted.is_over()

    @pytest.mark.slow
    def test_a_command_tries_it_all_the_same(self, tmp_path, team):
        Outage(tmp_path, team).note("away")
        with TeamStore(tmp_path, team) as store:
            assert store.do(entry("word")) == 1
        assert Outage(tmp_path, team).why() is None

    def test_without_psycopg_everything_waits(self, tmp_path, monkeypatch):
        monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
        with TeamStore(tmp_path, NOWHERE, timeouts=OF_A_HOOK) as store:
            store.do(entry("word"))
            assert "pip install 'wrapgen[postgres]'" in store.trouble
        assert waiting(tmp_path) == 1


class TestWhenItIsBack:
    @pytest.mark.slow
    def test_what_waited_goes_first_and_in_its_order(self, tmp_path, team):
        for number in range(5):
            with TeamStore(tmp_path, NOWHERE, timeouts=OF_A_HOOK) as store:
                store.do(entry(f"early {number}"))
        with TeamStore(tmp_path, team) as store:
            assert store.do(entry("late")) == 6
        assert contents(team) == [*(f"early {number}" for number in range(5)), "late"]

    @pytest.mark.slow
    def test_a_resumed_agent_ends_as_it_ended(self, tmp_path, team):
        stop = Stop(who=WHO, text="done", place=WEB, accepted=True, finished="completed", now=NOON)
        with TeamStore(tmp_path, NOWHERE) as store:
            store.do(Start(WHO, WEB, NOON))
        with TeamStore(tmp_path, team) as store:
            store.do(stop)
        with Store(open_postgres(team)) as store:
            assert store.database.rows("SELECT status FROM agents", {}) == [("completed",)]

    @pytest.mark.slow
    def test_what_was_done_there_and_not_forgotten_here_is_not_done_twice(self, box, team):
        server = open_postgres(team)
        first = box.do(entry("one"))
        box.do(entry("two"))
        with server.writing():  # the process that did so was killed here
            assert server.rows(sql.MARK_SENT, {"id": first}) == [(first,)]
            entry("one").do(Store(Joined(server)))
        assert list(box.send(server).values()) == [2]
        assert box.waiting() == 0
        server.close()
        assert contents(team) == ["one", "two"]

    @pytest.mark.slow
    def test_many_who_send_at_once_send_once(self, tmp_path, box, team):
        texts = [f"word {number}" for number in range(30)]
        for text in texts:
            box.do(entry(text))
        failed = []

        def send():
            try:
                with TeamStore(tmp_path, team) as store:
                    store.server()
            except StoreError as error:
                failed.append(error)

        threads = [threading.Thread(target=send) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (failed, contents(team), waiting(tmp_path)) == ([], texts, 0)

    @pytest.mark.slow
    def test_what_the_server_does_not_take_holds_nobody_up(self, box, team):
        long = "".join(chr(0x4E00 + number) for number in range(9_000))
        for operation in (entry("one"), entry("none", session=long), entry("two")):
            box.do(operation)
        box._file.rows("INSERT INTO waiting (id, since, operation) VALUES ('x', 0, '{}')", {})
        server = open_postgres(team)
        box.send(server)
        server.close()
        assert box.waiting() == 0
        assert ["index row" in why or "cannot be read" in why for why in box.refused()] == [True, True]
        assert contents(team) == ["one", "two"]

    @pytest.mark.slow
    def test_a_hook_with_much_to_send_leaves_time_to_ask(self, box, team):
        for number in range(5):
            box.do(entry(f"word {number}"))
        server, asked = open_postgres(team), iter([False, False, True])
        assert list(box.send(server, lambda: next(asked)).values()) == [1, 2]
        assert box.waiting() == 3
        server.close()


START = {"session_id": "s1", "agent_id": "a1", "agent_type": "worker", "cwd": "/code/web"}


class TestHooks:
    def setting(self, root, address, **agents):
        return EventSetting(lambda: TeamStore(root, address, timeouts=PATIENT), Agents(**agents), WEB, NOON)

    def test_a_start_and_a_stop_while_it_is_down(self, tmp_path):
        away = self.setting(tmp_path, NOWHERE)
        assert "wrap doctor --fix" in on_start(AgentEvent.of(START), away).trouble
        stop = on_stop(AgentEvent.of(START | {"last_assistant_message": "found it"}), away)
        assert (stop.exit_code, stop.trouble) == (0, "")  # that it is down was said a moment ago
        given = on_start(AgentEvent.of(START | {"agent_id": "a2"}), away)
        assert "- [worker] found it" in given.context

    @pytest.mark.slow
    def test_a_file_that_was_written_goes_with_what_is_done_next(self, tmp_path, team):
        setting = self.setting(tmp_path, team)
        edit = {"session_id": "s1", "tool_name": "Edit", "tool_input": {"file_path": "a.ts"}}
        assert on_tool(ToolEvent.of(edit), setting) == HookReply()
        assert waiting(tmp_path) == 1
        on_start(AgentEvent.of(START), setting)
        with Store(open_postgres(team)) as store:
            assert store.database.rows("SELECT file_path FROM file_changes", {}) == [("a.ts",)]

    def test_a_long_answer_is_still_to_be_had(self, tmp_path, vault, monkeypatch):
        built = vault()
        monkeypatch.setenv("WRAPGEN_STORE", NOWHERE)
        text = "\n".join(f"line {number}" for number in range(2_000))
        response = {"agentId": "a1", "content": [{"type": "text", "text": text}]}
        event = {"session_id": "s1", "tool_name": "Agent", "tool_use_id": "t1", "tool_response": response}
        short = on_tool(ToolEvent.of(event), self.setting(built.root, NOWHERE, contract={"*": "warn"})).output
        assert "wrap agent list outputs --agent a1" in short["content"][0]["text"]
        shown = wrap("agent", "list", "outputs", "--agent", "a1", vault=built)
        assert (shown.code, "line 1999" in shown.out) == (0, True)
        assert "only what this computer knows" in shown.err

    @pytest.mark.slow
    def test_what_waits_for_long_is_for_somebody_with_more_time(self, tmp_path, team, monkeypatch):
        clock = [time.time()]
        monkeypatch.setattr("wrapgen.agents.outbox.time.time", lambda: clock[0])
        with TeamStore(tmp_path, NOWHERE) as store:
            store.do(entry("word"))
            assert not store.behind
            clock[0] += 3
            assert store.behind
        with TeamStore(tmp_path, NOWHERE, timeouts=OF_A_HOOK) as store:
            store.do(entry("word"))
            assert not store.behind  # it was down a moment ago
        with TeamStore(tmp_path, team) as store:
            store.do(entry("word"))
            assert not store.behind

    @pytest.mark.slow
    def test_a_server_that_lets_in_and_is_busy_is_not_down(self, tmp_path, team):
        holder = open_postgres(team)
        with holder.writing(alone=True), TeamStore(tmp_path, team, timeouts=Timeouts(60, 0.3)) as store:
            assert store.do(entry("word")) is None
            assert store.trouble == ""
        holder.close()
        assert Outage(tmp_path, team).why() is None
        with TeamStore(tmp_path, team) as store:
            assert store.do(entry("more")) == 2


class TestCommands:
    @pytest.fixture
    def built(self, vault, monkeypatch):
        monkeypatch.setenv("WRAPGEN_STORE", NOWHERE)
        return vault()

    @pytest.mark.slow
    def test_what_is_recorded_waits(self, built, monkeypatch, team):
        result = wrap("agent", "record", "--session", "s1", "a word", vault=built)
        assert result.code == 0
        assert result.out.startswith("recorded note locally, not sent yet: ")
        result = wrap("agent", "record", "--session", "s1", "--json", "more", vault=built)
        assert json.loads(result.out)["id"] is None
        monkeypatch.setenv("WRAPGEN_STORE", team)
        shown = wrap("agent", "list", "entries", vault=built)
        assert shown.err == ""
        assert shown.out == "2  [note] more\n1  [note] a word\nentries: 2\n"

    @pytest.mark.parametrize("words", [["task", "add", "T"], ["task", "set", "1", "--status", "idea"], ["export"]])
    def test_what_cannot_wait_says_so(self, built, words):
        result = wrap("agent", *words, vault=built)
        assert result.code == 1
        assert "the team's server cannot be used" in result.err
        assert "wrap doctor --fix" in result.err

    @pytest.mark.slow
    def test_one_path_on_two_computers_is_two_projects_and_one_name_is_one(self, built, monkeypatch, tmp_path, team):
        monkeypatch.setenv("WRAPGEN_STORE", team)
        user_config.trust(built.root)
        (tmp_path / "named").mkdir()
        for computer, name in (("one", "web"), ("other", "web"), ("third", "api")):
            built.write("wrapgen.toml", f'[projects.{name}]\npaths = ["{tmp_path / "named"}"]\n')
            monkeypatch.setattr("platform.node", lambda computer=computer: computer)
            for folder in ("named", "."):
                words = ("--session", f"{computer} {folder}", "--kind", "decision", "--cwd", tmp_path / folder)
                assert wrap("agent", "record", *words, "word", vault=built).code == 0
        with Store(open_postgres(team)) as store:
            projects = dict(store.database.rows("SELECT id, project_id FROM sessions", {}))
        assert projects["one named"] == projects["other named"] == "web"
        assert projects["third named"] == "api"
        assert projects["one ."] != projects["other ."]

    def test_context_of_what_is_known_here(self, built):
        wrap("agent", "record", "--session", "s1", "--kind", "decision", "keep UTF-8", vault=built)
        shown = wrap("agent", "context", "--session", "s1", "--name", "bob", vault=built)
        assert "- [decision] keep UTF-8" in shown.out
        assert "only what this computer knows" in shown.err
