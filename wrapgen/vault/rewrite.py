"""Changes a file that an editor may be writing at the same moment, without losing text.

The file is read again just before, and the change computed anew when it is another one. The new text is written beside
it and put in its place in one step; the old file stays open and is looked at once more: what an editor appended in
between is carried over, what it wrote otherwise is kept. A file that another program keeps open for writing is left
alone, because its next write would go to the old file. What has several names, or belongs to somebody else, is written
where it is, after a copy beside it. `wrapgen.vault.leftovers` finishes what a killed run left.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from wrapgen.errors import PublishError
from wrapgen.vault import disk, leftovers, writers
from wrapgen.vault.held import HeldFile, held
from wrapgen.vault.writers import Writers

Transform = Callable[[bytes | None], bytes | None]
_LONGEST_TIME = 4.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.001, 0.02
# From this attempt on editors have to wait, where they can be told to, from the first look at the file to its
# replacement: one that appends without a pause would otherwise be ahead each time.
_HOLD_FROM = 4
# Editors that move the old file away before writing the new one leave a moment with no file.
_MISSING_PAUSE = 0.02
_NEW_FOLDER = 0o777
_UNCHANGED = "cannot be written; the existing file is unchanged"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of a file."""

    former: bytes | None  # what it held, None when there was none
    data: bytes | None  # what it was given, None when there is none
    changed: bool  # whether the two differ
    # where words are kept that could not be put back into the file; empty as good as always
    rescued: tuple[Path, ...] = ()
    doubt: str = ""  # why the file, which is written, may be gone after a power cut; empty as good as always


def rewrite(file: Path, transform: Transform, *, root: Path) -> Rewritten:
    """Change a file in one step; the caller holds the vault's lock. Folders above it are made when missing.

    Args:
        transform: gives the new content for the present one (None: there is no file), or None to leave it as it is.
            It is called again whenever the file changed meanwhile; what its last call gave is what was written.

    Raises:
        PublishError: it cannot be written, a link leads outside the vault, somebody keeps it open for writing, or it
            keeps changing while it is read. The previous file stands, with whatever editors wrote.
    """
    with disk.refused(_UNCHANGED, file):
        try:
            with held(file, root) as target:
                return _Rewriter(file, target, root).run(lambda one: one.rewrite(transform))
        except FileNotFoundError:  # its folder is missing
            if transform(None) is None:
                return Rewritten(None, None, changed=False)
        with held(file, root, new_folders=_NEW_FOLDER) as target:
            return _Rewriter(file, target, root).run(lambda one: one.rewrite(transform))


def discard(file: Path, expected: bytes, *, root: Path) -> Rewritten:
    """Remove a file that holds what is expected and nothing else; under the vault's lock, and as `rewrite`."""
    with disk.refused(_UNCHANGED, file):
        try:
            with held(file, root) as target:
                return _Rewriter(file, target, root).run(lambda one: one.discard(expected))
        except FileNotFoundError:  # its folder is missing
            return Rewritten(None, None, changed=False)


@dataclass(slots=True)
class _Rewriter:
    """Works on one file; an attempt returns None when the file changed meanwhile and has to be retried."""

    file: Path
    target: HeldFile
    root: Path
    attempt: int = 0
    leased: bool = False
    rescued: list[Path] = field(default_factory=list)

    def run(self, once: Callable[[_Rewriter], Rewritten | None]) -> Rewritten:
        deadline = time.monotonic() + _LONGEST_TIME
        try:
            self.rescued += leftovers.recover(self.target, self.root)
            while self.attempt <= _HOLD_FROM or time.monotonic() < deadline:
                done = once(self)
                if done is not None:
                    return replace(done, rescued=tuple(self.rescued))
                self.attempt += 1
                time.sleep(min(_LONGEST_PAUSE, _SHORTEST_PAUSE * self.attempt))
        except OSError as error:
            raise disk.cannot(f"{_UNCHANGED}{self._kept}", self.file, error) from error
        raise self._refusal("keeps changing while it is read")

    def rewrite(self, transform: Transform) -> Rewritten | None:
        with ExitStack() as stack:
            try:
                descriptor = stack.enter_context(self.target.opened())
            except FileNotFoundError:
                return self._create(transform)
            former = self._read(descriptor)
            new = transform(former)
            if new is None or new == former:
                return Rewritten(former, former, changed=False)
            if not self.target.is_writable():
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            if os.fstat(descriptor).st_nlink > 1 or not disk.is_ours(descriptor):
                stack.close()
                return self._in_place(former, new)
            temporary = disk.write_beside(self.target, new, descriptor)
            try:
                if not self._same(descriptor, former):
                    return None
                if os.name != "posix":
                    stack.close()  # other systems do not replace a file that is open
                if not self._replaced(temporary, descriptor):
                    return None
            finally:
                leftovers.forget(temporary)
            return Rewritten(former, new, changed=True, doubt=self._look_again(descriptor, former, self._carry))

    def _replaced(self, temporary: HeldFile, descriptor: int) -> bool:
        """Put the new file in place, unless an editor has just renamed another one there, or waits for the old."""
        try:
            if not writers.exchange(temporary, self.target):
                temporary.replace(self.target)
                return True
        except FileNotFoundError:  # another program has just removed it
            return False
        waits = self.leased and self.attempt < _HOLD_FROM and writers.waits(descriptor)
        if temporary.is_open_as(descriptor) and not waits:
            return True
        temporary.replace(self.target)
        return False

    def discard(self, expected: bytes) -> Rewritten | None:
        with ExitStack() as stack:
            try:
                descriptor = stack.enter_context(self.target.opened())
            except FileNotFoundError:
                return Rewritten(None, None, changed=False)
            former = self._read(descriptor)
            if former != expected:
                return Rewritten(former, former, changed=False)
            if not self._same(descriptor, former):
                return None
            if os.name != "posix":
                stack.close()
            self.target.unlink()
            doubt = self._look_again(descriptor, former, self._bring_back)
            return None if self.target.exists() else Rewritten(former, None, changed=True, doubt=doubt)

    def _read(self, descriptor: int) -> bytes:
        """What the file holds while nobody writes to it."""
        data = self._settled(descriptor)
        if data is None:
            raise self._refusal("is open for writing in another program")
        if self.attempt < _HOLD_FROM:
            writers.give_up(descriptor)
            self.leased = False
        return data

    def _settled(self, descriptor: int) -> bytes | None:
        """What the file holds, None while somebody writes to it; new writers wait from now on, if they can."""
        data, others = writers.settled(descriptor)
        self.leased = others is Writers.NONE
        return None if others is Writers.SOME else data

    def _same(self, descriptor: int, former: bytes) -> bool:
        """Whether the file is still the one that was read, or at least can be treated as such: what was appended."""
        if not self.leased:
            now = self._settled(descriptor)
            if now != former and (now is None or self.attempt < _HOLD_FROM or not now.startswith(former)):
                return False
        return self.target.is_open_as(descriptor)

    def _look_again(self, descriptor: int, former: bytes, keep: Callable[[bytes, bytes], None]) -> str:
        """Keep what was written to the old file after it was read; why the disk may not know of the change yet."""
        if os.name != "posix":
            return ""
        doubt = self._confirmed()
        try:
            late = writers.last_words(descriptor)
        except OSError as error:
            return str(disk.cannot("is written, but what others wrote meanwhile is not known", self.file, error))
        if late != former:
            keep(former, late)
        return doubt

    def _carry(self, former: bytes, late: bytes) -> None:
        if late.startswith(former) and former.endswith((b"\n", b"\r")):
            with suppress(OSError), self.target.opened(os.O_RDWR | os.O_APPEND) as descriptor:
                disk.append(descriptor, late[len(former) :])
                return
        self.rescued.append(leftovers.rescue(self.target, late, self.root))

    def _bring_back(self, _: bytes, late: bytes) -> None:
        temporary = disk.write_beside(self.target, late, None)
        try:
            temporary.place(self.target)
        except FileExistsError:
            leftovers.forget(temporary)
            self.rescued.append(leftovers.rescue(self.target, late, self.root))

    def _create(self, transform: Transform) -> Rewritten | None:
        if self.attempt == 0:
            time.sleep(_MISSING_PAUSE)
            if self.target.exists():
                return None
        new = transform(None)
        if new is None:
            return Rewritten(None, None, changed=False)
        temporary = disk.write_beside(self.target, new, None)
        try:
            temporary.place(self.target)
        except FileExistsError:
            return None
        finally:
            leftovers.forget(temporary)
        return Rewritten(None, new, changed=True, doubt=self._confirmed())

    def _confirmed(self) -> str:
        try:
            disk.sync_name(self.target)
        except PublishError as error:
            return str(error)
        return ""

    def _in_place(self, former: bytes, new: bytes) -> Rewritten | None:
        """Write a file where it is; what it held and is to hold is kept beside it until that is on the disk."""
        both = leftovers.keep_both(self.target, former, new)
        with self.target.opened(os.O_RDWR) as descriptor:
            now, users = writers.settled(descriptor, alone=True)
            if users is Writers.SOME or now != former or not self.target.is_open_as(descriptor):
                leftovers.forget(both)
                if users is Writers.SOME:
                    raise self._refusal("is open in another program")
                return None
            try:
                leftovers.overwrite(descriptor, former, new)
            except OSError:
                leftovers.overwrite(descriptor, new, former)
                leftovers.forget(both)
                raise
        leftovers.forget(both)
        return Rewritten(former, new, changed=True)

    @property
    def _kept(self) -> str:
        return "".join(f"; another program's text was saved to {path}" for path in self.rescued)

    def _refusal(self, why: str) -> PublishError:
        return PublishError(
            f"{why}; nothing was added to it{self._kept}",
            where=str(self.file),
            next_step="Close it there, or wait for that program to finish, and run again.",
        )
