"""A team's server as commands and hooks meet it: up, down, silent; what is done meanwhile is known here and sent on."""

import json

import pytest

from tests.agents.conftest import NOON, WEB
from tests.postgres import silent
from tests.support import wrap
from wrapgen.agents.databases import PostgresStore
from wrapgen.agents.operations import AddEntry, AddFileChange, KeepOutput, Start, Stop, Usage, read, written
from wrapgen.agents.rows import Who
from wrapgen.errors import StoreError
from wrapgen.workflows import user_config
from wrapgen.workflows.agent_store import drain, look, record, spool_of
from wrapgen.workflows.app import App

pytestmark = pytest.mark.xdist_group("postgres")

NOWHERE = "postgresql://ann@127.0.0.1:1/x"
SECRET = "ghp_" + "a1B2" * 9
WHO = Who("a1", "s1", "worker", "worker", "lead")
STOP = Stop(who=WHO, text="found it", place=WEB, accepted=True, finished="completed", now=NOON)


def entry(text, session="s1"):
    return AddEntry(session=session, kind="note", text=text, place=WEB, agent=None, tags=("all",), now=NOON)


def contents(address):
    with PostgresStore(address) as store:
        return [text for (text,) in store.rows("SELECT content FROM context_entries ORDER BY id", {})]


@pytest.fixture
def app(vault, monkeypatch):
    """Gives a vault's run, with a server of this address."""
    roots = {}

    def opened(address, name="here"):
        monkeypatch.setenv("WRAPGEN_STORE", address)
        built = roots.setdefault(name, None) or vault(name=name)
        roots[name] = built
        return App(vault=built.root)

    return opened


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
    assert read(json.loads(written(operation))) == operation


@pytest.mark.parametrize("document", [None, {}, [], {"type": "unheard of"}, {"type": "start"}])
def test_what_cannot_be_read_says_so(document):
    with pytest.raises(StoreError, match="cannot be read"):
        read(document)


@pytest.mark.slow
def test_what_is_done_is_done_there_at_once_and_another_computer_is_told(app, team):
    here = app(team)
    assert [record(here, entry(text))[0] for text in ("one", "two")] == [1, 2]
    record(here, STOP)
    assert contents(team)[:2] == ["one", "two"]
    other = app(team, "other")
    record(other, Start(Who("a2", "s2", "worker", "worker"), WEB, NOON))
    found, away = look(other, Who("", "s2", "worker", "worker"), "web")
    assert ([one.summary for one in found.same_type], away) == (["found it"], None)


def test_secrets_are_neither_sent_nor_kept_here(app):
    here = app(NOWHERE)
    record(here, entry(f"the key {SECRET}"))
    kept = [path.read_bytes() for path in (here.root / ".wrapgen/state").rglob("*") if path.is_file()]
    assert SECRET.encode() not in b"".join(kept)


def test_while_it_is_down_everything_waits_and_is_known_here(app):
    here = app(NOWHERE)
    assert record(here, Start(WHO, WEB, NOON))[0] is None
    result, waits = record(here, STOP)
    assert (result, "cannot be used" in waits.what) == (None, True)
    found, away = look(here, Who("", "s1", "bob", "worker", "lead"), "web")
    assert ([one.summary for one in found.siblings], "cannot be used" in away.what) == (["found it"], True)
    assert spool_of(here).waiting() == 2


def test_a_hook_waits_for_a_silent_server_for_a_moment_only(app):
    with silent() as address:
        here = app(address)
        spool_of(here).append(STOP)
        found, away = look(here, Who("", "s1", "bob", "worker", "lead"), "web")
    assert ([one.summary for one in found.siblings], away.what) == (
        ["found it"],
        "the team's server did not answer in time",
    )


def test_without_psycopg_everything_waits(app, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    here = app(NOWHERE)
    assert "pip install 'wrapgen[postgres]'" in str(record(here, entry("word"))[1])
    assert spool_of(here).waiting() == 1


@pytest.mark.slow
def test_what_waited_goes_first_and_in_its_order(app, team):
    for number in range(5):
        record(app(NOWHERE), entry(f"early {number}"))
    assert record(app(team), entry("late"))[0] == 6
    assert contents(team) == [*(f"early {number}" for number in range(5)), "late"]


@pytest.mark.slow
def test_what_the_server_does_not_take_holds_nobody_up(app, team):
    here = app(team)
    long = "".join(chr(0x4E00 + number) for number in range(9_000))
    for operation in (entry("one"), entry("none", session=long), entry("two")):
        spool_of(here).append(operation)
    assert drain(here, spool_of(here)).trouble is None
    assert ["index row" in why for why in spool_of(here).refused()] == [True]
    assert contents(team) == ["one", "two"]


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
        with PostgresStore(team) as store:
            projects = dict(store.rows("SELECT id, project_id FROM sessions", {}))
        assert projects["one named"] == projects["other named"] == "web"
        assert projects["third named"] == "api"
        assert projects["one ."] != projects["other ."]

    def test_context_of_what_is_known_here(self, built):
        wrap("agent", "record", "--session", "s1", "--kind", "decision", "keep UTF-8", vault=built)
        shown = wrap("agent", "context", "--session", "s1", "--name", "bob", vault=built)
        assert "- [decision] keep UTF-8" in shown.out
        assert "only what this computer knows" in shown.err
