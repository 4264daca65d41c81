"""Remembered is what was read of each conversation: nothing is passed over that was not, and nothing read twice."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE
from tests.followups.test_discovery import NOW, built, code, session
from tests.support import TODAY, wrap
from wrapgen.vault import disk
from wrapgen.workflows import unread_sessions

__all__ = ["built", "code", "session"]
STATE = ".wrapgen/state/conversations.jsonl"


def ended(vault, *words, today=TODAY):
    """Run the end of a session; what it found is forgotten, so that only what is read again is found again."""
    result = wrap("--no-prompt", *words, vault=vault, today=today)
    assert result.code == 0, result.err
    found = talks.pending(vault)
    vault.path(".wrapgen/state/pending.jsonl").unlink(missing_ok=True)
    return found, result.err


def changed(file, days_ago):
    moment = (NOW - timedelta(days=days_ago)).timestamp()
    os.utime(file, (moment, moment))


def test_one_that_was_named_is_not_all(built, code, session):
    first = session(code, RETRY, name="first", days_ago=2)
    session(code, ROTATE, name="second", days_ago=3)
    assert ended(built, "--transcript", first)[0] == [RETRY]
    assert ended(built)[0] == [ROTATE]
    assert ended(built)[0] == []


@pytest.mark.parametrize("days", [5, 400])
def test_a_copy_with_its_old_time(built, code, session, days):
    session(code, RETRY)
    ended(built)
    session(code, ROTATE, name="copy", days_ago=days)
    assert ended(built)[0] == [ROTATE]


def test_a_clock_that_was_ahead_once(built, code, session):
    ended(built, today="2030-01-01")
    session(code, RETRY)
    assert ended(built)[0] == [RETRY]


def test_a_folder_that_is_named_later(built, code, session, tmp_path):
    session(tmp_path / "other", RETRY, name="other", days_ago=20)
    session(tmp_path / "other", GUIDE, name="old", days_ago=31)
    assert ended(built)[0] == []
    built.write("wrapgen.toml", f"[projects.web]\npaths = ['{code}', '{tmp_path / 'other'}']\n")
    assert ended(built)[0] == [RETRY]
    assert ended(built)[0] == []


def test_a_folder_that_could_not_be_listed_once(built, code, session, monkeypatch):
    session(code, RETRY)
    ended(built)
    session(code, ROTATE, name="second", days_ago=1)
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refusing(os.scandir, f"/{str(code).replace('/', '-')}"))
        found, said = ended(built)
    assert found == []
    assert "cannot be looked at (no access)" in said
    assert ended(built)[0] == [ROTATE]


def refusing(function, ending):
    """A function of the system that refuses one path."""

    def refuse(path, *words, **options):
        if str(path).endswith(ending):
            raise PermissionError(13, "no access", str(path))
        return function(path, *words, **options)

    return refuse


def test_one_that_could_not_be_opened_once(built, code, session, monkeypatch):
    session(code, RETRY)
    with monkeypatch.context() as patch:
        patch.setattr(disk, "opened", refusing(disk.opened, "5e551011.jsonl"))
        found, said = ended(built)
        assert found == []
        assert "cannot be read (no access)" in said
        doctor = wrap("doctor", "--json", vault=built).json
        assert any("cannot be read (no access)" in one["what"] for one in doctor["findings"])
    assert ended(built)[0] == [RETRY]


def test_what_was_read_is_not_read_again_however_it_is_touched(built, code, session, monkeypatch):
    file = session(code, RETRY)
    ended(built)
    changed(file, -3)
    assert ended(built)[0] == []
    shutil.copy(file, f"{file}.new")
    shutil.move(f"{file}.new", file)
    assert ended(built)[0] == []
    monkeypatch.setattr(disk, "opened", refusing(disk.opened, file.name))
    assert ended(built) == ([], "")  # unchanged, it is not even opened


def test_what_grows_is_read_again(built, code, session):
    file = session(code, RETRY)
    ended(built)
    file.write_bytes(file.read_bytes() + talks.claude(talks.said(ROTATE), cwd=str(code)))
    changed(file, 0)
    assert ROTATE in ended(built)[0]


def test_another_one_of_the_same_size_is_read(built, code, session):
    file = session(code, RETRY)
    ended(built)
    file.write_bytes(file.read_bytes().replace(b"uploader", b"unloader"))
    assert ended(built)[0] == [RETRY.replace("uploader", "unloader")]


class TestTheFirstTime:
    def test_what_is_older_is_left_and_said_once(self, built, code, session):
        old = session(code, RETRY, name="old", days_ago=31)
        found, said = ended(built)
        assert (found, "1 conversation older than 30 days (`lookback_days`) left unread" in said) == ([], True)
        changed(old, 0)
        assert ended(built) == ([], "")
        old.write_bytes(old.read_bytes() + talks.claude(talks.said(ROTATE), cwd=str(code)))
        assert ROTATE in ended(built)[0]

    def test_naming_one_first_leaves_what_is_old(self, built, code, session):
        first = session(code, RETRY, name="first")
        session(code, ROTATE, name="old", days_ago=31)
        ended(built, "--transcript", first)
        assert ended(built)[0] == []


@pytest.mark.slow
def test_what_is_remembered_stays_small(built, code, session):
    folder = session(code, RETRY).parent
    for number in range(3_000):
        (folder / f"{number:08}-0000-4000-8000-000000000000.jsonl").write_bytes(b"")
    ended(built)
    assert built.path(STATE).stat().st_size < 100 * 3_000
    assert len(unread_sessions.load_marks(built.root)) == 2
    shutil.rmtree(folder)
    ended(built)
    assert built.path(STATE).stat().st_size < 1_000


def test_a_line_that_is_damaged_is_set_aside_and_read_again(built, code, session):
    session(code, RETRY, days_ago=1)
    ended(built)
    built.write(STATE, b"\x00" + built.path(STATE).read_bytes())
    assert ended(built)[0] == [RETRY]
    wrap("doctor", "--fix", vault=built)  # which keeps what the host deletes soon, too
    built.path(".wrapgen/state/pending.jsonl").unlink()
    assert ended(built)[0] == []
