"""The background run hands conversations to the reader that the user has named: each piece once, one at a time."""

import json
import os
import subprocess
import sys
import time

import pytest

from tests.followups import talks
from tests.followups.readers import How, Reader
from tests.followups.talks import RETRY
from tests.hooks import kit
from tests.hooks.kit import SESSION, moment
from tests.support import child_environment
from wrapgen.hooks import worker
from wrapgen.hooks.detach import Request
from wrapgen.hooks.ending import on_ending
from wrapgen.hooks.tracks import on_pre_compact
from wrapgen.session.folders import FOLDER_PREFIX
from wrapgen.workflows import compaction, reader_run

MEND = "mend the cellar lamp"
LAMP = "The cellar lamp flickers, somebody should see to it."
TURNS = [("user", "Please fix the form."), ("assistant", f"It works again. Next session: {RETRY}."), ("user", LAMP)]
FILLER = [("assistant", f"Step {number}: " + "the form was changed once more. " * 60) for number in range(4)]
GOOD = {"follow_ups": [{"quote": LAMP, "text": MEND}]}


@pytest.fixture
def reader(tmp_path, notes):
    one = Reader(tmp_path / "reader")
    one.answers(GOOD)
    one.name()
    assert notes
    return one


@pytest.fixture
def transcript(code):
    def write(turns=TURNS, session=SESSION, cwd=None):
        file = code.with_name("host") / f"{session}.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(talks.claude(turns, sessionId=session, cwd=str(cwd or code)))
        os.utime(file, (time.time() - 60,) * 2)
        return file

    return write


@pytest.fixture
def ends(notes, code, started):
    """A turn or a session ends, and the background run that this starts."""

    def end(event, file, session=SESSION, work=True):
        told = moment(event, notes, cwd=code, transcript_path=str(file), session_id=session)
        (on_pre_compact if event == "PreCompact" else on_ending)(told)
        assert started
        if work:
            worker.main([str(notes.root)])

    return end


def queue(notes):
    return [json.loads(file.read_bytes()) for file in sorted(notes.path(".wrapgen/state/hooks/to-read").glob("*.json"))]


def wait_for(what):
    deadline = time.monotonic() + kit.PATIENCE
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
def test_a_session_that_ended_is_read_to_its_end(notes, reader, transcript, ends):
    ends("SessionEnd", transcript())
    assert sorted(kit.pending_in(notes)) == sorted([RETRY, MEND])
    assert len(reader.calls) == 1
    assert kit.log_of(notes) == ""
    assert queue(notes) == []
    assert "2 follow-ups mentioned in chat" in notes.page


@pytest.mark.slow
def test_after_a_turn_only_pieces_that_can_grow_no_more_are_read(notes, reader, transcript, ends, monkeypatch):
    ends("Stop", transcript())
    assert reader.calls == []
    monkeypatch.setattr(reader_run, "WINDOW_TOKENS", 1_000)
    ends("Stop", transcript([*TURNS, *FILLER]))
    assert reader.calls
    prompts = "".join(call["prompt"] for call in reader.calls)
    assert "Step 0:" in prompts
    assert "Step 3:" not in prompts
    assert MEND in kit.pending_in(notes)
    number = len(reader.calls)
    ends("SessionEnd", transcript([*TURNS, *FILLER]))
    assert len(reader.calls) == number + 1
    assert "Step 3:" in reader.calls[-1]["prompt"]


@pytest.mark.slow
def test_what_is_about_to_be_compacted_is_read(notes, reader, transcript, ends, monkeypatch):
    monkeypatch.setattr(compaction, "fold_noted", lambda *_: None)
    ends("PreCompact", transcript())
    assert len(reader.calls) == 1
    assert MEND in kit.pending_in(notes)


@pytest.mark.slow
def test_what_was_read_is_not_read_again(notes, reader, transcript, ends):
    file = transcript()
    for _ in range(2):
        file.touch()
        ends("SessionEnd", file)
    assert len(reader.calls) == 1
    assert kit.log_of(notes) == ""


def test_one_that_was_asked_for_to_its_end_is_read_to_its_end_though_a_turn_ends_too(notes, reader, transcript):
    file = str(transcript())
    app = worker.App(vault=notes.root, quiet=True)
    worker.queue_for_reading(app, [Request(SESSION, file, ended=True)])
    worker.queue_for_reading(app, [Request(SESSION, file)])
    assert [one["to_the_end"] for one in queue(notes)] == [True]
    assert list(worker.read_queued(app)) == []
    assert len(reader.calls) == 1


@pytest.mark.slow
def test_nobody_is_named(notes, transcript, ends):
    ends("SessionEnd", transcript())
    assert kit.pending_in(notes) == [RETRY]
    assert queue(notes) == []
    assert kit.log_of(notes) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said"), [(How(exit=3, complain="no key"), "no key"), ("nonsense", "no JSON document")]
)
def test_a_reader_that_fails_leaves_what_rules_found_and_a_line_in_the_log(notes, reader, transcript, ends, how, said):
    reader.answers(how)
    file = transcript()
    ends("SessionEnd", file)
    assert kit.pending_in(notes) == [RETRY]
    (line,) = kit.log_of(notes).splitlines()
    assert "reader: " in line
    assert str(file) in line
    assert said in line


@pytest.mark.slow
def test_one_that_fails_keeps_no_other_waiting(notes, reader, transcript, ends):
    reader.answers(How(exit=1), GOOD)
    first, second = transcript(session="a"), transcript([*TURNS, ("assistant", "Bye.")], session="b")
    ends("SessionEnd", first, session="a", work=False)
    ends("SessionEnd", second, session="b")
    assert len(reader.calls) == 2
    assert MEND in kit.pending_in(notes)


@pytest.mark.slow
def test_a_users_file_that_is_broken_is_said_and_rules_do_their_work(notes, reader, transcript, ends):
    reader.name("nobody-knows-it")
    ends("SessionEnd", transcript())
    assert reader.calls == []
    assert "nobody-knows-it" in kit.log_of(notes)


def test_a_transcript_that_is_gone_is_not_waited_for(notes, reader, transcript, ends):
    file = transcript()
    app = worker.App(vault=notes.root, quiet=True)
    worker.queue_for_reading(app, [Request(SESSION, str(file), ended=True)])
    file.unlink()
    (line,) = worker.read_queued(app)
    assert str(file) in line
    assert queue(notes) == []
    assert ends


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b"{", b'{"transcript": 3, "to_the_end": 3}'])
def test_a_note_that_is_damaged_goes(notes, reader, data):
    notes.write(".wrapgen/state/hooks/to-read/x.json", data)
    list(worker.read_queued(worker.App(vault=notes.root, quiet=True)))
    assert queue(notes) == []
    assert reader.calls == []


@pytest.mark.slow
def test_a_readers_own_session_is_never_read(vault, home, tmp_path, started):
    own = tmp_path / f"{FOLDER_PREFIX}x1"
    own.mkdir()
    built = kit.trusted(vault(config=f"[projects.web]\npaths = [{json.dumps(str(tmp_path))}]\n"))
    reader = Reader(tmp_path / "reader")
    reader.name()
    sessions = home / ".claude" / "projects" / "p"
    sessions.mkdir(parents=True)
    for name, cwd in (("own", own), ("ours", tmp_path)):
        file = sessions / f"{name}.jsonl"
        file.write_bytes(talks.claude([*TURNS, ("user", f"I am {name}.")], sessionId=name, cwd=str(cwd)))
        os.utime(file, (time.time() - 7_200,) * 2)
    app = worker.App(vault=built.root, quiet=True)
    worker.queue_for_reading(app, [])
    assert list(worker.read_queued(app)) == []
    (call,) = reader.calls
    assert "I am ours." in call["prompt"]
    assert started == []


def test_a_readers_own_session_starts_no_hooks(notes, reader, transcript):
    """What it runs in says so; see `wrapgen.session.reading`."""
    fields = {"session_id": SESSION, "cwd": str(notes.root), "transcript_path": str(transcript())}
    result = kit.hook("SessionEnd", fields, environment={"WRAPGEN_DISABLE": "1"})
    assert (result.code, result.out, result.err) == (0, "", "")
    assert not notes.path(".wrapgen/state/hooks").exists()
    assert reader.calls == []


class TestProcesses:
    @pytest.fixture
    def busy(self, notes, reader, tmp_path):
        """A background run whose reader reads until it is let go; what lets it go, and the run."""
        children = []

        def start():
            gate = tmp_path / "gate"
            reader.answers(How(until=str(gate), say=json.dumps(GOOD)), {})
            command = [sys.executable, "-m", "wrapgen.hooks.worker", str(notes.root)]
            children.append(subprocess.Popen(command, env=child_environment()))
            wait_for(lambda: reader.calls)
            return gate, children[-1]

        yield start
        (tmp_path / "gate").touch()
        for child in children:
            child.wait(timeout=kit.PATIENCE)

    @pytest.mark.slow
    def test_what_was_queued_survives_a_run_that_is_killed(self, notes, reader, transcript, ends, busy):
        ends("SessionEnd", transcript(), work=False)
        gate, child = busy()
        child.kill()
        child.wait()
        gate.touch()  # its reader, which nobody waits for any more, ends before the folder goes
        assert len(queue(notes)) == 1
        assert kit.pending_in(notes) == [RETRY]
        reader.answers(GOOD)
        worker.main([str(notes.root)])
        assert len(reader.calls) == 1
        assert sorted(kit.pending_in(notes)) == sorted([RETRY, MEND])
        assert queue(notes) == []

    @pytest.mark.slow
    def test_a_second_run_starts_no_second_reader_and_its_sessions_are_read_by_the_first(
        self, notes, reader, transcript, ends, busy
    ):
        ends("SessionEnd", transcript(), work=False)
        gate, child = busy()
        ends("SessionEnd", transcript([*TURNS, ("assistant", "Bye.")], session="b"), session="b")
        assert len(reader.calls) == 1
        assert len(queue(notes)) == 2
        gate.touch()
        assert child.wait(timeout=kit.PATIENCE) == 0
        assert len(reader.calls) == 2
        assert queue(notes) == []
        assert kit.log_of(notes) == ""

    @pytest.mark.slow
    def test_nothing_is_locked_while_it_reads(self, notes, transcript, ends, busy):
        ends("SessionEnd", transcript(), work=False)
        gate, child = busy()
        with worker.App(vault=notes.root).locked():
            pass
        gate.touch()
        assert child.wait(timeout=kit.PATIENCE) == 0
        assert MEND in kit.pending_in(notes)


@pytest.mark.slow
def test_what_the_reader_failed_on_is_tried_again_after_an_hour(notes, reader, transcript, ends, monkeypatch):
    reader.answers("I would rather not.")
    ends("SessionEnd", transcript())
    assert len(queue(notes)) == 1
    calls = len(reader.calls)
    app = worker.App(vault=notes.root, quiet=True)
    assert list(worker.read_queued(app)) == [], "not at once"
    assert len(reader.calls) == calls
    monkeypatch.setattr(worker, "_AGAIN_SECONDS", 0)
    reader.answers(GOOD)
    assert list(worker.read_queued(app)) == []
    assert len(reader.calls) == 1
    assert queue(notes) == []
