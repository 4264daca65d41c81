"""What `wrap doctor` says of the store of sub-agents, and what `--fix` does about it."""

import importlib.util
from datetime import datetime

import pytest

from tests.commands.test_doctor import doctor, findings
from tests.support import wrap
from wrapgen.agents.operations import KeepOutput
from wrapgen.agents.spool import Spool

SECRET = "s3cret-word"
NOWHERE = f"postgresql://ann:{SECRET}@127.0.0.1:1/x"

on_server = pytest.mark.xdist_group("postgres")


@pytest.fixture
def built(vault):
    """A vault in which nothing else is wrong."""
    made = vault()
    assert wrap("trust", vault=made).code == 0
    assert wrap("regen", vault=made).code == 0
    return made


def record(built, text="a word", **options):
    result = wrap("agent", "record", "--session", "s1", text, vault=built, **options)
    assert result.code == 0, result.err


def said(built, check="store"):
    (found,) = (one for one in doctor(built).json["findings"] if one["check"] == check)
    return found


def test_no_server_is_named(built):
    assert said(built)["level"] == "ok"


@pytest.mark.slow
@on_server
def test_a_server_that_answers(built, monkeypatch, team):
    monkeypatch.setenv("WRAPGEN_STORE", team)
    record(built)
    found = said(built)
    assert (found["level"], found["what"]) == ("ok", "answers")
    assert ":***@" in found["where"]


def test_a_server_that_is_down_and_what_waits_for_it(built, monkeypatch):
    monkeypatch.setenv("WRAPGEN_STORE", NOWHERE)
    record(built)
    record(built)
    result = doctor(built, "--fix")
    (found,) = findings(result, "store")
    assert result.code == 3
    assert "cannot be used" in found["what"]
    assert found["what"].endswith("; 2 changes of sub-agents wait here")
    assert "wrap doctor --fix" in found["mend"]
    assert SECRET not in result.out + result.err


@pytest.mark.slow
@on_server
def test_what_waits_is_sent_on(built, monkeypatch, team):
    monkeypatch.setenv("WRAPGEN_STORE", NOWHERE)
    record(built, "one")
    record(built, "two")
    monkeypatch.setenv("WRAPGEN_STORE", team)
    found = said(built)
    assert (found["level"], found["what"]) == ("wrong", "2 changes of sub-agents wait here")
    assert (found["mend"], found["fixable"]) == ("wrap doctor --fix", True)
    result = doctor(built, "--fix")
    assert (result.code, result.json["mended"]) == (0, ["stored 2 changes of sub-agents"])
    listed = wrap("agent", "list", "entries", vault=built)
    assert listed.out == "2  [note] two\n1  [note] one\nentries: 2\n"


def test_without_psycopg(built, monkeypatch):
    monkeypatch.setenv("WRAPGEN_STORE", NOWHERE)
    record(built)
    look = importlib.util.find_spec
    monkeypatch.setattr(
        "wrapgen.workflows.doctor.vault.find_spec", lambda name: None if name == "psycopg" else look(name)
    )
    found = said(built)
    assert (found["level"], found["mend"]) == ("wrong", "pip install 'wrapgen[postgres]'")
    assert found["what"] == "psycopg is not installed; 1 change of sub-agents waits here"


@pytest.mark.slow
def test_a_server_that_is_named_no_more(built, monkeypatch):
    monkeypatch.setenv("WRAPGEN_STORE", NOWHERE)
    record(built)
    monkeypatch.delenv("WRAPGEN_STORE")
    assert (said(built)["level"], said(built)["what"]) == ("note", "1 change of sub-agents waits here")
    result = doctor(built, "--fix")
    assert (result.json["mended"], "WRAPGEN_STORE" in result.err) == (["stored 0 changes of sub-agents"], True)


@pytest.mark.slow
@on_server
def test_what_the_server_does_not_take(built, monkeypatch, team):
    monkeypatch.setenv("WRAPGEN_STORE", team)
    session = "".join(chr(0x4E00 + number) for number in range(9_000))
    assert wrap("agent", "record", "--session", session, "a word", vault=built).code == 0
    (found,) = findings(doctor(built), "store", "warning")
    assert "1 change rejected by the store, kept only here: " in found["what"]
    assert "index row" in found["what"]


@pytest.mark.slow
@on_server
def test_a_wrong_address(built, monkeypatch):
    monkeypatch.setenv("WRAPGEN_STORE", f"mysql://ann:{SECRET}@db/x")
    result = doctor(built)
    (found,) = findings(result, "store")
    assert "is not the address of a PostgreSQL server" in found["what"]
    assert SECRET not in result.out


@pytest.mark.slow
@pytest.mark.parametrize("manner", ["sqlite", pytest.param("postgres", marks=on_server)])
def test_what_is_older_than_it_is_kept(built, monkeypatch, manner, request):
    if manner == "postgres":
        monkeypatch.setenv("WRAPGEN_STORE", request.getfixturevalue("team"))
    record(built, "old", today="2026-01-01")
    record(built, "new")
    stores = 1 if manner == "sqlite" else 2  # what was done here is known here too
    notes = findings(doctor(built), "store", "note")
    assert [one["what"] for one in notes] == ["1 row about sub-agents older than 90 days"] * stores
    mended = doctor(built, "--fix").json["mended"]
    assert len(mended) == stores
    assert mended[0].startswith("forgot 1 row about sub-agents from ")
    assert wrap("agent", "list", "entries", vault=built).out == "2  [note] new\nentries: 1\n"
    assert said(built)["level"] == "ok"


def test_what_nobody_has_drained_yet(built):
    Spool(built.root).append(KeepOutput("s1", "a1", "the door is blue", None, datetime.now().astimezone()))
    waits = said(built)
    assert (waits["level"], waits["what"]) == ("note", "1 change of sub-agents waits here")
    assert doctor(built, "--fix").code == 0
    assert "the door is blue" in wrap("agent", "list", "outputs", "--agent", "a1", vault=built).out
    assert said(built)["level"] == "ok"
