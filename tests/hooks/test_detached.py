"""What runs in the background outlives the host and its own end, and holds nobody up."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.followups import talks
from tests.followups.talks import RETRY
from tests.hooks import kit
from tests.hooks.kit import SESSION
from tests.support import child_environment, each
from wrapgen.errors import PublishError
from wrapgen.hooks import detach, worker
from wrapgen.hooks.detach import GUARD, Request, hand_over, wait_for
from wrapgen.regular_files import take
from wrapgen.vault import session_registry
from wrapgen.vault.lock import OTHER_LOCKS, LockWait, file_lock
from wrapgen.workflows.app import App

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="process groups are those of POSIX")


@pytest.fixture
def ended(code):
    """The event of a session that ended."""
    file = code / "talk.jsonl"
    file.write_bytes(talks.claude(talks.said(RETRY), cwd=str(code)))
    return {"session_id": SESSION, "cwd": str(code), "transcript_path": str(file)}


def requests(notes):
    return list(notes.path(".wrapgen/state/hooks/requests").glob("*.json"))


@pytest.mark.slow
@POSIX
def test_the_host_is_not_kept_waiting_and_may_end_all_of_its_own(notes, ended):
    child = subprocess.Popen(
        [sys.executable, "-m", "wrapgen", "hook", "SessionEnd"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=child_environment(),
        start_new_session=True,
    )
    with App(vault=notes.root).locked():  # so the background cannot be done before the host is told
        assert child.communicate(json.dumps(ended).encode(), timeout=kit.PATIENCE) == (b"", b"")
        with pytest.raises(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        assert requests(notes)
    kit.settle(notes)
    assert kit.pending_in(notes) == [RETRY]


@pytest.mark.slow
@POSIX
def test_a_background_run_that_is_killed_is_made_up_for(notes, ended, started):
    hand_over(str(notes.root), Request(SESSION, ended["transcript_path"], "", ended["cwd"]))
    assert started
    with App(vault=notes.root).locked():
        command = [sys.executable, "-m", "wrapgen.hooks.worker", str(notes.root)]
        child = subprocess.Popen(command, env=child_environment())
        lock = notes.path(".wrapgen/locks/hooks.lock.holder")
        deadline = time.monotonic() + kit.PATIENCE
        while not lock.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        child.kill()
        child.wait()
    assert len(requests(notes)) == 1
    session_registry.tell(
        str(notes.root), session_registry.RegisteredSession(SESSION, ended["transcript_path"], ended["cwd"])
    )
    worker.main([str(notes.root)])
    assert kit.pending_in(notes) == [RETRY]
    assert requests(notes) == []


def test_what_the_background_is_given(notes, monkeypatch):
    """Nothing of the host's streams, no module of the working folder, and the word that it is inside of a hook."""
    calls = []

    class Child:
        def __init__(self, command, **options):
            calls.append((command, options))
            self.returncode = None

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def wait(self, timeout=None):
            del timeout
            return 0

    monkeypatch.setattr(subprocess, "Popen", Child)
    hand_over(str(notes.root), Request())
    ((command, options),) = calls
    assert command[-6:-1] == [sys.executable, "-P", "-m", "wrapgen.hooks.worker", str(notes.root)]
    assert {options[name] for name in ("stdin", "stdout", "stderr")} == {subprocess.DEVNULL}
    assert options["env"][GUARD] == "1"
    assert options["cwd"] == str(notes.root)
    assert options.get("start_new_session", False) is (sys.platform != "win32")


def test_on_windows_it_has_no_console_and_leaves_the_hosts_job_where_it_may(notes, monkeypatch):
    calls = []

    class Child:
        def __init__(self, _command, *, creationflags, **_options):
            calls.append(creationflags)
            if creationflags & 0x01000000:
                raise PermissionError(5, "the job does not let go")
            self.returncode = None

    monkeypatch.setattr(subprocess, "Popen", Child)
    monkeypatch.setattr(sys, "platform", "win32")
    hand_over(str(notes.root), Request())
    assert [bool(flags & 0x01000000) for flags in calls] == [True, False]
    assert all(flags & 0x00000008 for flags in calls)


def test_no_process_can_be_started(notes, monkeypatch):
    def refuse(*_, **__):
        raise OSError(11, "no more processes")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(OSError, match="no more processes"):
        hand_over(str(notes.root), Request())
    assert len(requests(notes)) == 1  # the next one takes it


def test_waiting_for_what_is_done_and_for_what_is_not(tmp_path):
    assert wait_for(str(tmp_path / "gone"), 0)
    (tmp_path / "there").touch()
    assert not wait_for(str(tmp_path / "there"), 0.01)


ODD = {"session": 3, "search": "no", "hurry": 1, "cwd": None, "new": 2}


@each([None, [], "x", {}, ODD])
def test_a_request_of_any_kind(fields):
    assert Request.of(fields) == Request()


def test_a_request_comes_back_as_it_was(notes, started):
    request = Request("s", "/t.jsonl", "한글 \ud800", "/code", search=False, hurry=True)
    file = hand_over(str(notes.root), request)
    assert Request.of(json.loads(Path(file).read_bytes())) == request
    assert started == [str(notes.root)]


@POSIX
def test_a_folder_that_leads_out_of_the_vault_is_not_written_to(notes, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = notes.path(".wrapgen/state/hooks")
    folder.mkdir(parents=True)
    (folder / "requests").symlink_to(outside)
    with pytest.raises(PublishError, match="leads outside the vault"):
        detach.requests_folder(str(notes.root))
    assert list(outside.iterdir()) == []


@pytest.fixture
def starts(monkeypatch):
    """How many background runs were really started."""
    counted, start = [], detach._start

    def count(root, *place):
        counted.append(root)
        start(root, *place)

    monkeypatch.setattr(detach, "_start", count)
    return counted


@POSIX
@pytest.mark.slow
def test_behind_a_run_that_is_stuck_one_waits_however_many_turns_end(notes, ended, starts):
    told = session_registry.RegisteredSession(SESSION, ended["transcript_path"], ended["cwd"])
    session_registry.tell(str(notes.root), told)
    wait = LockWait("the test", 0, "nothing")
    with file_lock(notes.root / OTHER_LOCKS / worker.LOCK_NAME, wait, root=notes.root):
        for number in range(5):
            hand_over(str(notes.root), Request(f"s{number}", ended["transcript_path"], "", ended["cwd"]))
        assert starts == [str(notes.root)]
        assert len(requests(notes)) == 5
    kit.settle(notes)
    assert kit.pending_in(notes) == [RETRY]
    assert starts == [str(notes.root)]


@POSIX
def test_a_run_that_died_while_it_waited_is_made_up_for(notes, ended, started):
    for number in range(2):
        hand_over(str(notes.root), Request(f"s{number}", ended["transcript_path"], "", ended["cwd"]))
    assert started == [str(notes.root)] * 2  # none of them is there to hold the place


def test_the_place_of_those_who_wait_is_held_by_one(tmp_path):
    place = take(str(tmp_path / "requests"))
    assert place is not None
    assert take(str(tmp_path / "requests")) is None
    os.close(place)
    again = take(str(tmp_path / "requests"))
    assert again is not None
    os.close(again)


def test_a_second_one_that_waits_ends_at_once(notes, monkeypatch):
    monkeypatch.setattr(worker, "_work", lambda *_: pytest.fail("it waits, too"))
    place = take(detach.requests_folder(str(notes.root)))
    assert worker.main([str(notes.root)]) == 0
    os.close(place)
