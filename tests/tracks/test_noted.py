"""Automatic snapshots never stop anybody; what went wrong stands in `wrap doctor` until it is over."""

import json
import subprocess
import sys

import pytest

from tests.support import Vault, child_environment, wrap
from tests.tracks.kit import CONTEXT, Talk
from wrapgen.errors import WrapgenError
from wrapgen.session.transcript import NoSuchTranscriptError
from wrapgen.workflows import compaction
from wrapgen.workflows.app import App
from wrapgen.workflows.compaction import fold_noted


@pytest.fixture
def built(tmp_path):
    return Vault(tmp_path / "vault")


@pytest.fixture
def file(tmp_path):
    return Talk().user("hello").to(tmp_path / "t.jsonl")


def findings(built):
    told = wrap("doctor", "--json", vault=built).json
    return [one for one in told["findings"] if one["check"] == "conversations"]


def pre_compact(built, transcript, monkeypatch):
    """What the host's event comes to."""
    event = {
        "hook_event_name": "PreCompact",
        "session_id": "s1",
        "cwd": str(built.root),
        "transcript_path": str(transcript),
    }
    assert wrap("trust", vault=built).code == 0
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    done = subprocess.run(
        [sys.executable, "-m", "wrapgen", "hook", "PreCompact"], input=json.dumps(event).encode(), capture_output=True,
        env=child_environment(), timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.slow
def test_a_compaction_leaves_its_tracks_and_says_nothing(built, file, monkeypatch):
    assert pre_compact(built, file, monkeypatch) == (0, b"", "")
    assert (built.root / CONTEXT / "HOT_TRACK.md").exists()


@pytest.mark.slow
def test_a_compaction_that_cannot_is_one_line_and_exit_0(built, tmp_path, monkeypatch):
    code, out, err = pre_compact(built, tmp_path / "gone away.jsonl", monkeypatch)
    assert (code, out, err.count("\n")) == (0, b"", 1)
    assert "no such transcript" in err
    assert [one["level"] for one in findings(built)] == ["wrong"]


def test_one_that_works_leaves_no_trace(built, file):
    fold_noted(App(vault=built.root), file, built.root)
    assert [one["level"] for one in findings(built)] == ["ok"]
    assert not list((built.root / ".wrapgen" / "state").rglob("unsaved"))


def test_a_failure_stands_in_doctor_until_it_is_over(built, tmp_path):
    missing = tmp_path / "gone away.jsonl"
    with pytest.raises(NoSuchTranscriptError):
        fold_noted(App(vault=built.root), missing, built.root)
    (found,) = findings(built)
    assert found["level"] == "wrong"
    assert "no such transcript" in found["what"]
    assert found["mend"] == f"wrap track snapshot --transcript '{missing}' --dir {built.root}"
    assert wrap("doctor", vault=built).code == 3
    fold_noted(App(vault=built.root), Talk().user("hello").to(missing), built.root)
    assert [one["level"] for one in findings(built)] == ["ok"]


def test_a_defect_is_remembered_as_one(built, file, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("x\ny")

    monkeypatch.setattr(compaction, "read_steps", broken)
    with pytest.raises(ZeroDivisionError):
        fold_noted(App(vault=built.root), file, built.root)
    assert "unexpected ZeroDivisionError: x y" in findings(built)[0]["what"]


def test_outside_of_every_vault_nothing_is_remembered(tmp_path, file):
    (tmp_path / "project").mkdir()
    fold_noted(App(), file, tmp_path / "project")
    with pytest.raises(WrapgenError, match="no such folder"):
        fold_noted(App(), file, tmp_path / "nowhere")


def test_of_each_project_the_last_failure_is_remembered(built, tmp_path):
    for number in range(6):
        with pytest.raises(WrapgenError):
            fold_noted(App(vault=built.root), tmp_path / f"none {number}", tmp_path / str(number % 3))
    assert sorted(one["where"] for one in findings(built)) == [str(tmp_path / str(number)) for number in range(3)]
    assert {one["mend"].rpartition(" --dir")[0][-2] for one in findings(built)} == {"3", "4", "5"}
