"""Turns and sessions end: what was only said is found in the background, once, and waits."""

import json
import os
import shutil
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE
from tests.hooks import kit
from tests.hooks.kit import SESSION, hook, moment
from tests.support import wrap
from wrapgen.hooks import detach, worker
from wrapgen.hooks.ending import on_ending
from wrapgen.vault import session_registry


@pytest.fixture
def transcript(code):
    """Writes the session's own transcript, where the host keeps none of its others.

    It was written a while ago: who looks through it need not wait until its host writes no more.
    """

    def write(*tasks, turns=None):
        file = code.with_name("host") / f"{SESSION}.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(talks.claude(turns or talks.said(*tasks), cwd=str(code)))
        os.utime(file, (time.time() - 60,) * 2)
        return file

    return write


def ending(event, notes, code, file, **fields):
    return moment(event, notes, cwd=code, transcript_path=str(file), **fields)


def event(code, file, **fields):
    return {"session_id": SESSION, "cwd": str(code), "transcript_path": str(file), **fields}


@pytest.fixture
def ends(notes, started):
    """A turn or a session ends, and what that starts in the background: here without a process of its own."""

    def end(told):
        assert on_ending(told).exit_code == 0
        assert started
        worker.main([str(notes.root)])

    return end


@pytest.mark.slow
def test_a_session_ends_in_a_folder_of_the_default_vault(notes, code, transcript):
    result = hook("SessionEnd", event(code, transcript(RETRY), reason="other"))
    assert (result.code, result.out, result.err) == (0, "", "")
    kit.settle(notes)
    assert kit.pending_in(notes) == [RETRY]
    assert "1 follow-up mentioned in chat" in notes.page
    assert kit.log_of(notes) == ""


@pytest.mark.slow
def test_a_turn_ends_and_the_last_words_come_late(notes, code, transcript):
    """Claude Code issue 15812: at a stop the transcript lacks the turn that ended."""
    file = transcript(RETRY)
    whole = file.read_bytes()
    turns = [*talks.said(RETRY)[:-1], ("assistant", f"Well then. Next session: {ROTATE}.")]
    result = hook("Stop", event(code, file, stop_hook_active=False, last_assistant_message="Well then."))
    time.sleep(0.1)
    file.write_bytes(whole + talks.claude(turns).splitlines(keepends=True)[-1])
    assert (result.code, result.out) == (0, "")
    kit.settle(notes)
    assert sorted(kit.pending_in(notes)) == [RETRY, ROTATE]


def test_nothing_new_is_not_looked_at_again(notes, code, transcript, started):
    stop = ending("Stop", notes, code, transcript(RETRY), last_assistant_message="Done.")
    on_ending(stop)
    on_ending(stop)
    assert started == [str(notes.root)]
    with Path(stop.fields["transcript_path"]).open("ab") as file:
        file.write(b"{}\n")
    on_ending(stop)
    on_ending(stop._replace(event="SessionEnd"))
    assert len(started) == 3


def test_a_very_large_transcript_is_not_read_after_each_turn(notes, code, started):
    file = code / "large.jsonl"
    with file.open("wb") as data:
        data.truncate(100 << 20)
    on_ending(ending("Stop", notes, code, file))
    with file.open("r+b") as data:
        data.truncate((100 << 20) + 1000)
    on_ending(ending("Stop", notes, code, file))
    assert len(started) == 1
    with file.open("r+b") as data:
        data.truncate(110 << 20)
    on_ending(ending("Stop", notes, code, file))
    assert len(started) == 2


def test_a_turn_without_a_session_is_nobodys(notes, started):
    on_ending(moment("Stop", notes, session_id=None))
    assert started == []


@pytest.mark.parametrize("fields", [{"stop_hook_active": True}, {"agent_id": "a1"}])
def test_a_stop_that_is_none_of_ours(notes, code, transcript, fields):
    result = hook("Stop", event(code, transcript(RETRY), **fields))
    assert (result.code, result.out, result.err) == (0, "", "")
    assert not notes.path(".wrapgen/state/hooks").exists()


@pytest.mark.slow
def test_a_host_that_keeps_no_transcript(notes, code):
    said = f"The form works again. Next session: {RETRY}."
    result = hook("Stop", {"session_id": SESSION, "cwd": str(code), "last_assistant_message": said})
    assert (result.code, result.out) == (0, "")
    kit.settle(notes)
    assert kit.pending_in(notes) == [RETRY]


@pytest.mark.slow
def test_secrets_in_kept_words_are_taken_out(notes, code, ends):
    key = "ghp_" + "Ab1" * 12
    said = f"Use {key}. Next session: {RETRY}."
    ends(moment("Stop", notes, cwd=code, last_assistant_message=said))
    assert kit.pending_in(notes) == [RETRY]
    kept = [path for path in notes.root.rglob("*") if path.is_file() and key.encode() in path.read_bytes()]
    assert kept == []


@pytest.mark.slow
def test_words_that_the_transcript_has_are_not_kept_twice(notes, code, transcript, ends):
    last = f"The login form works again. Next session: {RETRY}."
    ends(ending("Stop", notes, code, transcript(RETRY), last_assistant_message=last))
    assert not notes.path(".wrapgen/state/hooks/words").exists()
    assert kit.pending_in(notes) == [RETRY]


@pytest.mark.slow
def test_words_that_the_host_writes_when_its_hooks_have_ended_are_not_kept_twice(notes, code, transcript, ends):
    file = transcript(GUIDE)
    whole = talks.claude([*talks.said(GUIDE), ("assistant", f"Next session: {RETRY}.")], cwd=str(code))
    late = threading.Timer(0.5, file.write_bytes, [whole])
    late.start()
    ends(ending("Stop", notes, code, file, last_assistant_message=f"Next session: {RETRY}."))
    late.join()
    assert not notes.path(".wrapgen/state/hooks/words").exists()
    assert sorted(kit.pending_in(notes)) == sorted([GUIDE, RETRY])


@pytest.mark.slow
def test_a_transcript_that_is_gone(notes, code, ends):
    ends(ending("SessionEnd", notes, code, code / "gone.jsonl"))
    assert kit.log_of(notes) == ""


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 100, b'{"type": "chat", "messages": []}', b"{" * 3000])
def test_a_transcript_in_a_form_that_nobody_knows_does_not_keep_others_waiting(notes, code, transcript, ends, data):
    odd = code / "chat.json"
    odd.write_bytes(data)
    session_registry.tell(
        str(notes.root), session_registry.RegisteredSession("odd", transcript=str(odd), cwd=str(code))
    )
    ends(ending("SessionEnd", notes, code, transcript(RETRY)))
    assert kit.pending_in(notes) == [RETRY]
    assert notes.path(f"{talks.STATE}/conversations.jsonl").exists()


@pytest.mark.slow
def test_what_is_taken_up_later_in_the_session_waits_no_more(notes, code, transcript, started):
    """A turn's end is not the session's: what was put off may be done in the next turn."""
    turns = [("user", "Mend the form."), ("assistant", f"Mended. Next session: {RETRY}."), ("user", "Thanks.")]
    file = transcript(turns=turns)
    on_ending(ending("Stop", notes, code, file))
    worker.main([str(notes.root)])
    assert kit.pending_in(notes) == [RETRY]
    more = [("user", f"Do it now: {RETRY}."), ("assistant", f"Done: {RETRY}. The retry works, tests pass.")]
    transcript(turns=[*turns, *more])
    on_ending(ending("Stop", notes, code, file))
    worker.main([str(notes.root)])
    assert started
    assert kit.pending_in(notes) == []


@pytest.mark.slow
def test_what_a_reader_found_stays_though_rules_do_not_find_it(notes, code, transcript, started):
    turns = [("user", "The gizmo is a bit rusty, by the way."), ("assistant", f"Right. Next session: {RETRY}.")]
    file = transcript(turns=turns)
    finds = code / "finds.json"
    finds.write_text(
        json.dumps({"follow_ups": [{"quote": "The gizmo is a bit rusty", "text": "mend the rusty gizmo"}]})
    )
    assert wrap("orphans", "--transcript", file, "--reviewed", finds, vault=notes, today=None).code == 0
    assert sorted(kit.pending_in(notes)) == [RETRY, "mend the rusty gizmo"]
    on_ending(ending("Stop", notes, code, file))
    worker.main([str(notes.root)])
    assert started
    assert sorted(kit.pending_in(notes)) == [RETRY, "mend the rusty gizmo"]


@pytest.mark.slow
def test_six_sessions_that_end_at_once(notes, code):
    tasks = [f"paint wall number {number} of the {name}" for number, name in enumerate("abcdef")]
    children = [kit.start_hook("hook", "SessionEnd") for _ in tasks]
    for number, (child, task) in enumerate(zip(children, tasks, strict=True)):
        file = code / f"s{number}.jsonl"
        file.write_bytes(talks.claude(talks.said(task), sessionId=f"s{number}", cwd=str(code)))
        fields = {"session_id": f"s{number}", "cwd": str(code), "transcript_path": str(file)}
        child.stdin.write(json.dumps(fields).encode())
        child.stdin.flush()
    for child in children:
        assert child.communicate(timeout=kit.PATIENCE) == (b"", b"")
        assert child.returncode == 0
    kit.settle(notes)
    assert sorted(kit.pending_in(notes)) == sorted(tasks)
    assert kit.log_of(notes) == ""


@pytest.mark.slow
def test_a_run_begins_while_a_session_is_noted(notes, code, transcript, started, monkeypatch):
    """The run is newer than the note, which it has not seen."""
    put = os.replace

    def replace(source, target, **folders):
        if "/hooks/sessions/" in str(target):
            time.sleep(0.05)
            assert wrap("--no-prompt", vault=notes, today=None).code == 0
        put(source, target, **folders)

    monkeypatch.setattr(os, "replace", replace)
    on_ending(ending("SessionEnd", notes, code, transcript(RETRY)))
    assert kit.pending_in(notes) == []
    worker.main([str(notes.root)])
    assert kit.pending_in(notes) == [RETRY]


@pytest.mark.slow
def test_requests_that_wait_are_done_in_one_run(notes, code, transcript, started, monkeypatch):
    file = transcript(RETRY, ROTATE, GUIDE)
    for number in range(10):
        on_ending(ending("SessionEnd", notes, code, file, session_id=f"s{number}"))
    assert len(started) == 10
    runs = []
    monkeypatch.setattr(worker, "end_session", lambda app: runs.append(app) or SimpleNamespace(errors=[]))
    for root in started:
        worker.main([root])
    assert len(runs) == 1


@pytest.mark.slow
def test_a_run_that_fails_is_tried_again_at_the_next_event(notes, code, transcript, started):
    on_ending(ending("SessionEnd", notes, code, transcript(RETRY)))
    notes.write("wrapgen.toml", "cap = 0\n")
    worker.main(started[:1])
    assert "cap" in kit.log_of(notes)
    assert len(list(notes.path(".wrapgen/state/hooks/requests").iterdir())) == 1
    notes.write("wrapgen.toml", "")
    worker.main(started[:1])
    assert kit.pending_in(notes) == [RETRY]
    assert list(notes.path(".wrapgen/state/hooks/requests").iterdir()) == []


@pytest.mark.slow
def test_a_request_that_always_fails_is_given_up_after_a_day(notes, code, transcript, started, monkeypatch):
    on_ending(ending("SessionEnd", notes, code, transcript(RETRY)))
    (request,) = notes.path(".wrapgen/state/hooks/requests").iterdir()
    monkeypatch.setattr(worker, "end_session", lambda _: SimpleNamespace(errors=["unreadable"]))
    worker.main(started[:1])
    assert request.exists()
    os.utime(request, (0, 0))
    worker.main(started[:1])
    assert not request.exists()


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{", b'{"session": 3, "transcript": [], "cwd": {}}'])
def test_a_request_that_is_damaged(notes, started, data):
    folder = detach.requests_folder(str(notes.root))
    notes.write(f"{folder}/1.json", data)
    worker.main([str(notes.root)])
    assert started == []
    assert not notes.path(f"{folder}/1.json").exists()
    assert kit.log_of(notes) == ""


@pytest.mark.slow
def test_somebody_holds_the_vaults_lock(notes, code, transcript, started):
    from wrapgen.workflows.app import App

    notes.write("wrapgen.toml", "lock_timeout = 0.05\n")
    on_ending(ending("SessionEnd", notes, code, transcript(RETRY)))
    with App(vault=notes.root).locked():
        worker.main(started[:1])
    assert "locked by" in kit.log_of(notes)
    worker.main(started[:1])
    assert kit.pending_in(notes) == [RETRY]


def test_a_vault_that_is_gone_before_the_background_run(notes, code, transcript, started):
    on_ending(ending("SessionEnd", notes, code, transcript(RETRY)))
    shutil.rmtree(notes.root)
    assert worker.main(started[:1]) == 0


def test_what_was_told_long_ago_is_forgotten(notes, code, started):
    for name in ("old", "new"):
        session_registry.tell(str(notes.root), session_registry.RegisteredSession(name, cwd=str(code)))
    old = next(path for path in notes.path(".wrapgen/state/hooks/sessions").iterdir() if b'"old"' in path.read_bytes())
    os.utime(old, (0, 0))
    session_registry.forget(str(notes.root))
    assert [one.session for one in session_registry.sessions(str(notes.root))] == ["new"]
    assert started == []
