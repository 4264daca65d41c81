"""Automatic snapshots never stop anybody; what went wrong stands in `wrap doctor` until it is over."""

import json

import pytest

from tests.support import Vault, wrap
from tests.tracks.kit import CONTEXT, Talk
from wrapgen.commands import tracking
from wrapgen.commands.app import App
from wrapgen.commands.track_failures import fold_quietly


@pytest.fixture
def built(tmp_path):
    return Vault(tmp_path / "vault")


@pytest.fixture
def file(tmp_path):
    return Talk().user("hello").to(tmp_path / "t.jsonl")


def findings(built):
    told = wrap("doctor", "--json", vault=built).json
    return [one for one in told["findings"] if one["check"] == "tracks"]


def test_one_that_works_says_nothing(built, file, capsys):
    assert fold_quietly(App(vault=built.root), file, built.root)
    assert capsys.readouterr() == ("", "")
    assert (built.root / CONTEXT / "HOT_TRACK.md").exists()
    assert not (built.root / ".wrapgen" / "state" / "tracks.jsonl").exists()


def test_a_failure_is_one_line_and_stands_in_doctor_until_it_is_over(built, tmp_path, capsys):
    missing = tmp_path / "gone away.jsonl"
    assert not fold_quietly(App(vault=built.root), missing, built.root)
    err = capsys.readouterr().err
    assert err.startswith("wrap: the conversation was not folded")
    assert err.count("\n") == 1
    (found,) = findings(built)
    assert found["level"] == "wrong"
    assert "no such transcript" in found["what"]
    assert found["mend"] == f"wrap track snapshot --transcript '{missing}' --dir {built.root}"
    assert wrap("doctor", vault=built).code == 3
    Talk().user("hello").to(missing)
    assert fold_quietly(App(vault=built.root), missing, built.root)
    assert [one["level"] for one in findings(built)] == ["ok"]


def test_a_defect_is_told_as_one(built, file, monkeypatch, capsys):
    def broken(*_):
        raise ZeroDivisionError("x\ny\x1b[2J")

    monkeypatch.setattr(tracking, "read_steps", broken)
    assert not fold_quietly(App(vault=built.root), file, built.root)
    err = capsys.readouterr().err
    assert "unexpected ZeroDivisionError: x y\\x1b[2J" in err
    assert err.count("\n") == 1


def test_outside_of_every_vault_it_works_and_fails_quietly_too(tmp_path, file, capsys):
    (tmp_path / "project").mkdir()
    assert fold_quietly(App(), file, tmp_path / "project")
    assert not fold_quietly(App(), file, tmp_path / "nowhere")
    assert "no such folder" in capsys.readouterr().err


def test_what_is_remembered_is_bounded(built, tmp_path, capsys):
    for number in range(205):
        assert not fold_quietly(App(vault=built.root), tmp_path / "none", tmp_path / str(number % 3))
    capsys.readouterr()
    lines = (built.root / ".wrapgen" / "state" / "tracks.jsonl").read_bytes().splitlines()
    assert 100 <= len(lines) <= 200
    assert {json.loads(line)["project"] for line in lines} == {str(tmp_path / str(number)) for number in range(3)}
    assert len(findings(built)) == 3
