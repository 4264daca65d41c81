"""Changing a file that others write: editors at work, ends at any system call, full disks, links, modes."""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import stat
import subprocess
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import THOROUGH
from wrapgen.errors import PublishError
from wrapgen.vault import leftovers, writers
from wrapgen.vault import rewrite as module
from wrapgen.vault.rewrite import discard, rewrite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

resource = pytest.importorskip("resource", reason="the editors here are processes with signals")

HERE = Path(__file__).parent
OLD = b"# d\n\n## Next\n\n- a\n\n## Log\n\n"
OURS = b"- [ ] ours\n"
NEW = OLD.replace(b"- a\n", b"- a\n" + OURS)
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="exchange and leases are services of Linux")


def add(data: bytes | None) -> bytes | None:
    """Put our line in, once."""
    if data is None:
        return b"# d\n\n" + OURS
    return None if OURS in data else data.replace(b"- a\n", b"- a\n" + OURS)


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "vault" / "note.md"
    file.parent.mkdir()
    file.write_bytes(OLD)
    return file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def editing(file: Path, manner: str, pause: float) -> Iterator[Callable[[], int]]:
    """An editor at work; what is yielded ends it and tells how many lines it wrote."""
    command = [sys.executable, str(HERE / "editor.py"), str(file), manner, str(pause)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None

        def end() -> int:
            process.send_signal(signal.SIGTERM)
            return int(process.communicate(timeout=60)[0])

        try:
            assert process.stdout.readline() == "ready\n"
            yield end
        finally:
            process.kill()


# --- what is written


def test_a_file_is_changed(note: Path):
    result = rewrite(note, add, root=note.parent)
    assert (result.former, result.data, result.changed) == (OLD, NEW, True)
    assert result.rescued == ()
    assert note.read_bytes() == NEW
    assert names(note.parent) == ["note.md"]


@pytest.mark.parametrize("transform", [lambda _: None, lambda data: data])
def test_a_file_is_left_as_it_is(note: Path, transform: Callable[[bytes | None], bytes | None]):
    before = note.stat()
    assert not rewrite(note, transform, root=note.parent).changed
    assert (note.stat().st_ino, note.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_new_file_with_its_folders(tmp_path: Path):
    file = tmp_path / "journals" / "2026" / "d.md"
    umask = os.umask(0o027)
    try:
        result = rewrite(file, add, root=tmp_path)
    finally:
        os.umask(umask)
    assert (result.former, result.changed) == (None, True)
    assert file.read_bytes() == b"# d\n\n" + OURS
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(file.parent) == ["d.md"]


def test_no_file_is_made_for_nothing(tmp_path: Path):
    assert rewrite(tmp_path / "a" / "d.md", lambda _: None, root=tmp_path).data is None
    assert names(tmp_path) == []


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path):
    file = tmp_path / "d.md"

    def slow(data: bytes | None) -> bytes | None:
        if data is None:
            file.write_bytes(OLD)
        return add(data)

    assert rewrite(file, slow, root=tmp_path).former == OLD
    assert file.read_bytes() == NEW
    assert names(tmp_path) == ["d.md"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_stays(note: Path, mode: int):
    note.chmod(mode)
    rewrite(note, add, root=note.parent)
    assert stat.S_IMODE(note.stat().st_mode) == mode


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(note: Path):
    os.chown(note, 1234, 1234)
    rewrite(note, add, root=note.parent)
    assert (note.stat().st_uid, note.stat().st_gid) == (1234, 1234)


def test_a_very_long_name(tmp_path: Path):
    file = tmp_path / ("ê" * 126 + ".md")
    file.write_bytes(OLD)
    rewrite(file, add, root=tmp_path)
    assert file.read_bytes() == NEW
    assert names(tmp_path) == [file.name]


# --- links


def test_a_link_inside_the_vault_is_followed(note: Path):
    link = note.parent / "link.md"
    link.symlink_to("note.md")
    rewrite(link, add, root=note.parent)
    assert link.is_symlink()
    assert note.read_bytes() == NEW


def test_a_link_to_nothing_makes_what_it_names(note: Path):
    link = note.parent / "link.md"
    link.symlink_to("new.md")
    rewrite(link, add, root=note.parent)
    assert (note.parent / "new.md").read_bytes() == b"# d\n\n" + OURS


@pytest.mark.parametrize("through", ["file", "folder"])
def test_a_link_out_of_the_vault_is_refused(note: Path, tmp_path: Path, through: str):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "note.md").write_bytes(OLD)
    link = note.parent / "link"
    link.symlink_to(outside if through == "folder" else outside / "note.md")
    with pytest.raises(PublishError, match="outside the vault"):
        rewrite(link / "note.md" if through == "folder" else link, add, root=note.parent)
    assert (outside / "note.md").read_bytes() == OLD


def test_a_vault_that_is_itself_reached_through_a_link(note: Path, tmp_path: Path):
    alias = tmp_path / "alias"
    alias.symlink_to(note.parent)
    rewrite(alias / "note.md", add, root=alias)
    assert note.read_bytes() == NEW


def test_a_folder_or_a_pipe_is_no_file(note: Path):
    pipe = note.parent / "pipe"
    os.mkfifo(pipe)
    for file in (note.parent / ".." / "vault", pipe):
        with pytest.raises(PublishError, match="not a regular file"):
            rewrite(file, add, root=note.parent)


# --- editors at work


LINES = 10


def _inserting(file: Path, runs: int) -> None:
    """Insert a numbered line, again and again.

    An editor that loses the processor while it has the file open may keep it open for as long as the machine likes:
    what is refused then is tried again, as its user would.
    """
    for number in range(runs):
        line = f"- ours {number}\n".encode()

        def transform(data: bytes | None, line: bytes = line) -> bytes | None:
            return None if data is None else data.replace(b"\n## Log", line + b"\n## Log", 1)

        for _ in range(50):
            try:
                rewrite(file, transform, root=file.parent)
                break
            except PublishError as error:
                refusal = str(error)
                assert "is open for writing" in refusal
        else:
            raise AssertionError(refusal)


@pytest.mark.slow
@pytest.mark.parametrize(("services", "pause"), [("all", 0.0), ("all", 0.0005), ("all", 0.005), ("plain", 0.005)])
def test_an_editor_appends(note: Path, monkeypatch: pytest.MonkeyPatch, pause: float, services: str):
    if services == "plain":
        monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)
        monkeypatch.setattr(writers, "exchange", lambda *_: False)
    with editing(note, "append", pause) as end:
        _inserting(note, LINES)
        editors = end()
    lines = Counter(note.read_text().splitlines())
    assert {lines[f"- ours {number}"] for number in range(LINES)} == {1}
    assert {lines[f"- editor {number}"] for number in range(editors)} <= {1}
    assert names(note.parent) == ["note.md"]


@pytest.mark.slow
def test_an_editor_replaces_the_file(note: Path):
    with editing(note, "rename", 0.003) as end:
        _inserting(note, LINES)
        editors = end()
    lines = Counter(note.read_text().splitlines())
    # It may put a stale copy over a line of ours, which nothing can prevent; never the other way round.
    assert {lines[f"- editor {number}"] for number in range(editors)} <= {1}
    assert set(lines.values()) - {lines[""]} <= {1}
    assert set(names(note.parent)) <= {"note.md", ".wrapgen"}, "a copy may be kept of what was saved in the last moment"


@pytest.mark.slow
@LINUX
def test_a_file_that_somebody_keeps_open_for_writing_is_left_alone(note: Path):
    with editing(note, "hold", 0.002) as end:
        with pytest.raises(PublishError, match="is open for writing in another program; nothing was added"):
            rewrite(note, add, root=note.parent)
        editors = end()
    assert note.read_text() == OLD.decode() + "".join(f"- editor {number}\n" for number in range(editors))
    rewrite(note, add, root=note.parent)
    assert note.read_bytes().count(OURS) == 1


def _meddling(monkeypatch: pytest.MonkeyPatch, step: str, action: Callable[[], None], times: int = 1) -> None:
    """Let an editor act just before the exchange, or just after it."""
    exchange = writers.exchange
    left = [times]

    def meddled(one: Path, other: Path) -> bool:
        act = left[0] > 0
        left[0] -= 1
        if act and step == "before":
            action()
        done = exchange(one, other)
        if act and step == "after":
            action()
        return done

    monkeypatch.setattr(writers, "exchange", meddled)


@pytest.mark.slow
@LINUX
def test_a_file_that_is_renamed_into_place_in_the_last_moment(note: Path, monkeypatch: pytest.MonkeyPatch):
    def editor() -> None:
        (note.parent / "copy").write_bytes(b"Theirs.\n" + OLD)
        (note.parent / "copy").replace(note)

    _meddling(monkeypatch, "before", editor)
    result = rewrite(note, add, root=note.parent)
    assert note.read_bytes() == b"Theirs.\n" + NEW
    assert result.former == b"Theirs.\n" + OLD
    assert result.rescued == ()
    assert names(note.parent) == ["note.md"]


@pytest.mark.slow
@LINUX
def test_what_cannot_be_copied_gets_its_place_back_all_the_same(note: Path, monkeypatch: pytest.MonkeyPatch):
    def somebody() -> None:
        note.unlink()
        os.mkfifo(note)

    _meddling(monkeypatch, "before", somebody)
    with pytest.raises(PublishError, match="not a regular file"):
        rewrite(note, add, root=note.parent)
    assert note.is_fifo()


@pytest.mark.slow
@LINUX
def test_a_file_that_is_written_anew_in_the_last_moment(note: Path, monkeypatch: pytest.MonkeyPatch):
    editor = threading.Thread(target=lambda: note.write_bytes(b"Theirs.\n" + OLD))

    def begin() -> None:
        editor.start()
        editor.join(0.2)  # it may have to wait until the file has its place back

    _meddling(monkeypatch, "before", begin)
    rewrite(note, add, root=note.parent)
    editor.join()
    assert note.read_bytes() == b"Theirs.\n" + NEW
    assert names(note.parent) == ["note.md"]


@LINUX
def test_a_file_that_is_removed_in_the_last_moment(note: Path, monkeypatch: pytest.MonkeyPatch):
    _meddling(monkeypatch, "before", note.unlink)
    rewrite(note, add, root=note.parent)
    assert note.read_bytes() == b"# d\n\n" + OURS
    assert names(note.parent) == ["note.md"]


def _append(descriptor: int, words: bytes) -> None:
    os.write(descriptor, words)
    os.close(descriptor)


@LINUX
def test_words_written_through_the_old_file(note: Path, monkeypatch: pytest.MonkeyPatch):
    """Opened before the exchange, written after it: carried over in place."""
    opened = [os.open(note, os.O_WRONLY | os.O_APPEND)]
    monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)  # or the open file would be noticed in time
    _meddling(monkeypatch, "after", lambda: _append(opened.pop(), b"- theirs\n"))
    result = rewrite(note, add, root=note.parent)
    assert note.read_bytes() == NEW + b"- theirs\n"
    assert (result.data, result.rescued) == (NEW, ())
    assert names(note.parent) == ["note.md"]


@LINUX
def test_words_that_continue_an_unfinished_line(note: Path, monkeypatch: pytest.MonkeyPatch):
    note.write_bytes(OLD + b"Half a")
    opened = [os.open(note, os.O_WRONLY | os.O_APPEND)]
    monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)
    _meddling(monkeypatch, "after", lambda: _append(opened.pop(), b" line.\n"))
    result = rewrite(note, lambda data: None if data is None else data + b"\n" + OURS, root=note.parent)
    assert note.read_bytes() == OLD + b"Half a\n" + OURS
    assert [path.read_bytes() for path in result.rescued] == [OLD + b"Half a line.\n"]
    assert result.rescued[0].parent == note.parent / leftovers.RESCUED
    assert stat.S_IMODE(result.rescued[0].stat().st_mode) == 0o600
    assert (note.parent / ".wrapgen" / ".gitignore").read_text() == "*\n!/said.jsonl\n"


@LINUX
def test_words_for_both_files_at_once_are_kept(note: Path, monkeypatch: pytest.MonkeyPatch):
    """An editor in the old file, and another one that rewrites the new file."""
    opened = [os.open(note, os.O_WRONLY | os.O_APPEND)]
    monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)

    def both() -> None:
        note.write_bytes(b"Written anew.\n")
        _append(opened.pop(), b"- theirs\n")

    _meddling(monkeypatch, "after", both)
    result = rewrite(note, add, root=note.parent)
    assert note.read_bytes() == b"Written anew.\n- theirs\n"
    assert result.rescued == ()


def test_a_file_that_never_stands_still(note: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_LONGEST_TIME", 0.1)
    monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)  # or the writer would wait in the end

    def transform(data: bytes | None) -> bytes | None:
        note.write_bytes(b"x" + (data or b""))
        return add(data)

    with pytest.raises(PublishError, match="keeps changing while it is read; nothing was added"):
        rewrite(note, transform, root=note.parent)
    assert note.read_bytes().endswith(b"x" + OLD)
    assert names(note.parent) == ["note.md"]


WRITES_OVER = """
import sys, time
from pathlib import Path
note = Path(sys.argv[1])
text = note.read_bytes()
with note.open("r+b") as file:  # opened in the last moment, and written when the file has lost its place
    print("opened", flush=True)
    sys.stdin.readline()
    file.write(text + b"- theirs 1\\n")
text = note.read_bytes()
time.sleep(0.2)
note.write_bytes(text + b"- theirs 2\\n")
"""


@pytest.mark.slow
@LINUX
def test_an_editor_that_writes_over_the_file_finds_its_own_words_there(note: Path, monkeypatch: pytest.MonkeyPatch):
    """Between the exchange and the way back it must not get to see a file without them."""
    exchange = writers.exchange
    command = [sys.executable, "-c", WRITES_OVER, str(note)]
    editor: list[subprocess.Popen[str]] = []

    def meddled(one: Path, other: Path) -> bool:
        if editor:
            return exchange(one, other)
        editor.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        select.select([editor[0].stdout], [], [], 1)  # it has opened the note, or waits until it may
        done = exchange(one, other)
        editor[0].stdin.write("\n")
        editor[0].stdin.flush()
        return done

    monkeypatch.setattr(writers, "exchange", meddled)
    rewrite(note, add, root=note.parent)
    with editor[0]:
        pass
    assert editor[0].returncode == 0
    assert note.read_bytes().endswith(b"- theirs 1\n- theirs 2\n")
    assert names(note.parent) == ["note.md"]


# --- ends at any moment


STEPS = ("3", "4") if THOROUGH else ("6", "7")  # see killed.py


def _killed(tmp_path: Path, scenario: str) -> list[dict[str, object]]:
    command = [sys.executable, str(HERE / "killed.py"), str(tmp_path), scenario, *STEPS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    runs: list[dict[str, object]] = json.loads(done.stdout)
    assert runs[-1]["code"] == 0
    assert len(runs) > 15
    return runs


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["change", "change-plain", "create", "create-plain", "discard", "discard-plain"])
def test_killed_before_any_system_call(tmp_path: Path, scenario: str):
    runs = _killed(tmp_path, scenario)
    first, last = runs[0]["then"], runs[-1]["then"]
    assert first != last
    for run in runs:
        assert run["then"] in (first, last)
        assert run["after"] == last
        assert run["left"] == run["rescued"] == []


# --- what the system refuses

CALLS = ("open", "write", "fsync", "chmod", "rename", "access", "lseek", "read", "unlink", "exchange")


@pytest.mark.sampled(21)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EMFILE])
@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_fails_leaves_the_old_file_or_the_new_one(
    note: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
):
    for nth in range(12):
        note.write_bytes(OLD)
        with monkeypatch.context() as patch:
            made = _failing(patch, call, nth, number)
            refusal = ""
            try:
                assert rewrite(note, add, root=note.parent).changed
            except PublishError as error:
                refusal = str(error)
        assert note.read_bytes() == (OLD if refusal else NEW), (call, nth)
        if refusal:
            assert refusal.startswith(f"{note}: cannot be written; the existing file is unchanged (")
        rewrite(note, add, root=note.parent)
        assert note.read_bytes() == NEW
        assert names(note.parent) == ["note.md"]
        if made[0] <= nth:
            break


def _failing(patch: pytest.MonkeyPatch, call: str, nth: int, number: int) -> list[int]:
    """Let the n-th call fail, once."""
    where, name = (writers, "exchange") if call == "exchange" else (os, call)
    real = getattr(where, name)
    made = [0]

    def fails(*args: object, **named: object) -> object:
        made[0] += 1
        if made[0] == nth + 1:
            raise OSError(number, os.strerror(number))
        return real(*args, **named)

    patch.setattr(where, name, fails)
    return made


def test_a_disk_that_takes_no_more(note: Path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(OLD) + 3, limits[1]))
    try:
        with pytest.raises(PublishError, match="cannot be written; the existing file is unchanged"):
            rewrite(note, add, root=note.parent)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert note.read_bytes() == OLD
    assert names(note.parent) == ["note.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_is_read_only_is_refused(note: Path, what: str):
    locked = note.parent if what == "folder" else note
    mode = locked.stat().st_mode
    locked.chmod(0o500 if what == "folder" else 0o400)
    try:
        with pytest.raises(PublishError, match="Change the permissions"):
            rewrite(note, add, root=note.parent)
    finally:
        locked.chmod(mode)
    assert note.read_bytes() == OLD


def test_an_error_of_the_transform_goes_through(note: Path):
    def broken(_: bytes | None) -> bytes | None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        rewrite(note, broken, root=note.parent)
    assert names(note.parent) == ["note.md"]


# --- taking a new file away again


def test_a_file_that_holds_nothing_else_is_discarded(note: Path):
    assert discard(note, OLD, root=note.parent).changed
    assert names(note.parent) == []


def test_a_file_that_holds_more_is_not_discarded(note: Path):
    result = discard(note, b"# d\n", root=note.parent)
    assert (result.changed, result.data) == (False, OLD)
    assert note.read_bytes() == OLD


def test_there_is_nothing_to_discard(note: Path):
    assert not discard(note.parent / "none.md", b"", root=note.parent).changed


@pytest.mark.parametrize(
    ("theirs", "after", "kept"),
    [(OLD, NEW, []), (OLD + b"more\n", NEW + b"more\n", []), (b"Anew.\n", NEW, [b"Anew.\n"])],
)
def test_without_exchange_and_links(
    note: Path, monkeypatch: pytest.MonkeyPatch, theirs: bytes, after: bytes, kept: list[bytes]
):
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    def no_exchange(*_: object) -> bool:
        return False

    replace = os.replace

    def replaced(one: str, other: str, **named: int) -> None:
        with note.open("r+b") as old:
            replace(one, other, **named)
            old.write(theirs)
            old.truncate()

    monkeypatch.setattr(writers, "exchange", no_exchange)
    monkeypatch.setattr(writers, "_lease", lambda *_, **__: None)  # or nobody could have the file open at that moment
    monkeypatch.setattr(os, "link", no_links)
    rewrite(note.with_name("new.md"), add, root=note.parent)
    monkeypatch.setattr(os, "replace", replaced)
    result = rewrite(note, add, root=note.parent)
    assert note.with_name("new.md").read_bytes() == b"# d\n\n" + OURS
    assert note.read_bytes() == after
    assert [path.read_bytes() for path in result.rescued] == kept


def test_files_of_other_programs_stay(note: Path):
    for name in (".note.md.swp", "note.md~", ".note.md.tmp", ".note.md.wrapgen-both", ".other.md.1.wrapgen-tmp"):
        (note.parent / name).write_bytes(b"x")
    before = names(note.parent)
    rewrite(note, add, root=note.parent)
    assert names(note.parent) == before
