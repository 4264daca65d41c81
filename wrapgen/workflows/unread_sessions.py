"""Which conversations are to be searched: those of which something was not read yet.

A conversation is known by where it is, and as it was by its size and its first and last bytes. Its time of change
proves nothing: it may be that of a copy, or of a clock that was wrong.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

import msgspec

from wrapgen.days import moved
from wrapgen.errors import ConfigError, WrapgenError, remedy
from wrapgen.session.discover import (
    HostFolder,
    SessionFile,
    host_folders,
    host_sessions,
    is_gone,
    named_folders,
    working_folder,
)
from wrapgen.session.readers import PACKED, can_unpack, is_packed
from wrapgen.session.transcript import NoSuchTranscriptError
from wrapgen.text.display import count
from wrapgen.vault import disk, session_registry, state
from wrapgen.vault.git import note_worktrees
from wrapgen.vault.layout import is_trusted
from wrapgen.vault.walk import conversations
from wrapgen.workflows.app import App

MARKS_FILE = "conversations.jsonl"
ELSEWHERE = ""
"""The root of conversations that no host's folder holds."""
_ENDS = 4_096  # bytes
_MOST_ELSEWHERE = 2_000  # nothing else says which of them are gone


class ReadMark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A conversation as it was when it was last looked at."""

    size: int  # bytes; what was read of it ends there
    changed: int = 0  # its time of change, in nanoseconds: while that and the size stay, it is not even opened
    # digest of its first and last bytes; "" if nothing was read: another vault's, or old at the first run
    ends: str = ""

    def is_read(self, path: str, size: int, changed: int) -> bool:
        """Whether a conversation that was read is still the same, however often it was copied or touched."""
        return self.size == size and (self.changed == changed or self.ends == _ends_of(path, size))


class HostMarks(msgspec.Struct):
    """The conversations in one host's folder."""

    root: str  # the folder; `ELSEWHERE` for all conversations in no host's folder
    judged: str  # by which folders of the vault those not read were found to be another vault's, as a digest
    marks: dict[str, ReadMark] = {}  # by `key_of`


def key_of(name: str) -> str:
    """What a conversation is filed under: folders of other projects are nothing that a vault must name."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def mark_of(path: Path) -> ReadMark:
    """What a file is now; what is appended from here on has not been read."""
    status = os.stat(path)  # noqa: PTH116 - before its bytes: one that grows in between is read once more
    return ReadMark(status.st_size, status.st_mtime_ns, _ends_of(os.fspath(path), status.st_size))


def _ends_of(path: str, size: int) -> str:
    with disk.opened(path) as descriptor:
        digest = blake2b(os.read(descriptor, min(_ENDS, size)), digest_size=8)
        os.lseek(descriptor, max(0, size - _ENDS), os.SEEK_SET)
        digest.update(os.read(descriptor, min(_ENDS, size)))
    return digest.hexdigest()


def load_marks(root: Path) -> dict[str, HostMarks]:
    """What is remembered, by the hosts' folders; a line that cannot be read is a folder never looked at."""
    return {one.root: one for one in state.load(root, MARKS_FILE, HostMarks).records}


def _save_marks(root: Path, lines: Iterable[HostMarks]) -> None:
    """Replace what is remembered; the caller holds the vault's lock."""
    kept = list(lines)
    for one in kept:
        if one.root == ELSEWHERE:
            one.marks = dict(list(one.marks.items())[-_MOST_ELSEWHERE:])
    state.save(root, MARKS_FILE, kept, keep=state.load(root, MARKS_FILE, HostMarks).unreadable)


_RUNNING = "CLAUDE_CODE_SESSION_ID"
"""The variable with the session id for programs that Claude Code's agent runs."""
_NEWEST = 200
"""Conversations whose beginning is read to find one of a folder."""
_SECOND = 10**9


@dataclass(slots=True)
class _Listed:
    """The conversations in one host's folder, as they are now and as they are remembered."""

    root: str  # its real path; `ELSEWHERE` for those in no host's folder
    former: HostMarks | None  # what is remembered; None when the folder was never looked at
    files: dict[str, SessionFile]  # by real path
    whole: bool = True  # whether these are all that there are: what is remembered of others can be forgotten

    def key(self, real: str) -> str:
        return key_of(real.removeprefix(self.root))


class UnreadSessions:
    """The conversations of which something was not read yet, of whatever vault.

    The first time, those within the look-back; what is older is passed over, until it grows. None but touched
    conversations are opened.
    """

    def __init__(self, app: App) -> None:
        known = load_marks(app.root)
        self._folders = app.folders
        note_worktrees([str(app.root), *(path for path, _ in self._folders.projects)])
        hosts = list(host_folders(Path.home(), os.environ))
        self._groups = [_group_of(host, known) for host in hosts]
        told = _told_of(app.root) | _files(conversations(app.root, app.config))
        self._told = told.keys()
        listed = {real for group in self._groups for real in group.files}
        elsewhere = {real: file for real, file in told.items() if real not in listed}
        self._groups.append(_Listed(ELSEWHERE, known.get(ELSEWHERE), elsewhere, whole=False))
        judged = repr((self._folders, app.config.lookback_days)).encode("utf-8", "replace")
        self._judged = blake2b(judged, digest_size=6).hexdigest()
        # what cannot be listed or opened, so that nobody knows whether it is to be read
        self.troubles = [_unlisted(folder, error) for host in hosts for folder, error in host.troubles.items()]
        self.older = 0  # how many were passed over now because they are older than the look-back
        # conversations whose folder is gone and was never seen as a worktree, with that folder: nobody knows whose
        self.unplaced: list[tuple[Path, str]] = []
        self.packed: list[Path] = []  # those packed in a form that cannot be read here
        self._foreign: set[str] = set()
        self._same: dict[str, ReadMark] = {}
        # the conversations, unreported ones first, each group oldest change first; none was read yet
        self.candidates = self._candidates(_look_back(app))

    def _candidates(self, oldest: int) -> tuple[Path, ...]:
        unread: list[tuple[bool, int, str]] = []
        for group in self._groups:
            for real, file in group.files.items():
                if group.former is None:
                    new = file.changed >= oldest
                    self.older += not new
                else:
                    new = self._is_new(group.former, group, real, file, oldest)
                if new:
                    unread.append((real in self._told, file.changed, file.path))
        return tuple(Path(path) for _, _, path in sorted(unread))

    def _is_new(self, former: HostMarks, group: _Listed, real: str, file: SessionFile, oldest: int) -> bool:
        mark = former.marks.get(group.key(real))
        if mark is None and is_packed(real):
            mark = former.marks.get(group.key(real.removesuffix(PACKED)))
            return mark is None or not mark.ends
        if mark is None:
            return True
        if not mark.ends:  # passed over
            return mark.size != file.size or (former.judged != self._judged and file.changed >= oldest)
        try:
            same = mark.is_read(file.path, file.size, file.changed)
        except OSError:
            return True
        if same and mark.changed != file.changed:
            self._same[real] = ReadMark(file.size, file.changed, mark.ends)
        return not same

    def ours(self) -> list[Path]:
        """Those of this vault: run in its folders by hosts, kept in it, or reported to hooks."""
        found = [path for path in self.candidates if self.is_ours(path)]
        if self.packed:
            what = f"{count(len(self.packed), 'conversation')} packed with zstd cannot be read here"
            step = "Run `pip install 'wrapgen[zstd]'`, or unpack them: `zstd -d FILE`."
            self.troubles.append(WrapgenError(what, where=str(self.packed[0]), next_step=step))
        return found

    @property
    def left(self) -> list[WrapgenError]:
        """What could not be read, and in one line those whose folder is gone."""
        if not self.unplaced:
            return self.troubles
        (path, folder), *others = self.unplaced[::-1]
        more = f" and {count(len(others), 'other')}" if others else ""
        what = f"this conversation ran in a folder that is gone ({folder}), so nobody knows whose it is{more}"
        step = f"Read it all the same: `wrap orphans --transcript {shlex.quote(str(path))}`."
        return [*self.troubles, WrapgenError(what, where=str(path), next_step=step)]

    def is_ours(self, path: Path) -> bool:
        """Whether a candidate is a conversation of this vault; its beginning is read."""
        real = os.path.realpath(path)
        if is_packed(path) and not can_unpack():
            self.packed.append(path)
            return False
        told = real in self._told
        try:
            folders = named_folders(path)
        except NoSuchTranscriptError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                self.troubles.append(error)
            return False
        except WrapgenError:  # no conversation, so far
            folders, told = [], False
        ours = told or any(self._folders.project_of(one)[0] for one in folders)
        if not ours:
            self._foreign.add(real)
            if folders and is_gone(folders[0]):
                self.unplaced.append((path, folders[0]))
        return ours

    def remember(self, app: App, read: Mapping[Path, ReadMark]) -> None:
        """Record what was read, and what need not be looked at again; the caller holds the lock."""
        known = load_marks(app.root)  # another run may have ended meanwhile
        left = {os.path.realpath(path): mark for path, mark in read.items()}
        unread = {os.path.realpath(path) for path in self.candidates}
        judged_all = all(real in left or real in self._foreign for real in unread)
        for group in self._groups:
            line = known.setdefault(group.root, HostMarks(group.root, self._judged))
            if judged_all:
                line.judged = self._judged
            former, line.marks = line.marks, {} if group.whole else line.marks.copy()
            for real, file in group.files.items():
                key = group.key(real)
                mark = left.pop(real, None) or self._same.get(real) or former.get(key)
                if real in self._foreign or (mark is None and real not in unread):
                    mark = ReadMark(file.size)
                if mark is not None:
                    line.marks[key] = mark
            if group.root == ELSEWHERE:
                line.marks |= {group.key(real): mark for real, mark in left.items()}
        _save_marks(app.root, known.values())


def running_session(root: Path, folder: Path) -> str:
    """The id of the session that runs this program in a folder, as far as its host says; "" where nobody knows."""
    return os.environ.get(_RUNNING) or session_registry.newest_in(str(root), str(folder))


def newest_session_here() -> Path:
    """The newest conversation of the current folder: the one that runs here, as far as the host says."""
    here = Path(os.path.realpath(Path.cwd()))
    running = os.environ.get(_RUNNING, "")
    sessions = list(host_sessions(0, Path.home(), os.environ))[::-1]
    if known := [path for path in sessions if running and path.stem == running]:
        return known[0]
    for path in sessions[:_NEWEST]:
        cwd = working_folder(path)
        if cwd is not None and Path(os.path.realpath(cwd)) in (here, *here.parents):
            return path
    raise WrapgenError(
        "no conversation found for this folder", where=str(here), next_step="Name one with --transcript FILE."
    )


def marks_of(paths: Iterable[Path]) -> dict[Path, ReadMark]:
    """What conversations are before they are read; those that cannot be read are left out."""
    marks: dict[Path, ReadMark] = {}
    for path in paths:
        with suppress(OSError, ValueError):
            marks[path] = mark_of(path)
    return marks


def _group_of(host: HostFolder, known: Mapping[str, HostMarks]) -> _Listed:
    root = os.path.realpath(host.root)
    files = {root + file.path.removeprefix(str(host.root)): file for file in host.files}
    return _Listed(root, known.get(root), files, whole=not host.troubles)


def _unlisted(folder: str, error: OSError) -> WrapgenError:
    what = f"conversations in it cannot be looked at ({error.strerror or error}), so they are not searched"
    return WrapgenError(what, where=folder, next_step=remedy(error))


def _look_back(app: App) -> int:
    first = moved(app.day, -app.config.lookback_days)
    return int(datetime(max(first.year, 1970), first.month, first.day).astimezone().timestamp()) * _SECOND


def _told_of(root: Path) -> dict[str, SessionFile]:
    """Conversations reported to hooks, by real path; only a trusted vault's, as they may be anyone's."""
    heard = {os.path.realpath(one) for one in session_registry.transcripts(str(root)) if "\0" not in one}
    with suppress(ConfigError):  # of the user's own file: then nothing is known to be trusted
        if heard and is_trusted(root):
            return _files(heard)
    return {}


def _files(paths: Iterable[str]) -> dict[str, SessionFile]:
    found: dict[str, SessionFile] = {}
    for path in paths:
        with suppress(OSError):  # gone, as all are after some time
            status = os.stat(path)  # noqa: PTH116 - of many files
            found[path] = SessionFile(path, status.st_size, status.st_mtime_ns)
    return found
