"""Changes a file that an editor may be writing at the same moment, without losing text.

The new text is written beside the file and put in its place in one step. On Linux the two are exchanged, so that the
displaced one can be looked at once more: what an editor renamed there in the last microsecond is put back, and the
change computed anew; what it appended is carried over. A file that another program keeps open for writing is left
alone, because its next write would go to the displaced one. What has several names, or belongs to somebody else, is
written where it is, after a copy beside it. `wrapgen.vault.swap_recovery` finishes what a killed run left.
"""

from __future__ import annotations

import errno
import os
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wrapgen.errors import PublishError
from wrapgen.vault import disk, swap, swap_recovery
from wrapgen.vault.held import held
from wrapgen.vault.swap import Writers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from wrapgen.vault.held import HeldFile

    Transform = Callable[[bytes | None], bytes | None]

_LONGEST_TIME = 4.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.001, 0.02
# From this attempt on, words appended meanwhile are carried over: an editor that appends without a pause would
# otherwise be ahead each time.
_CARRY_FROM = 4
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
    doubt: str = ""  # why a new file, which stands, may be gone after a power cut; empty as good as always


def rewrite(file: Path, transform: Transform, *, root: Path) -> Rewritten:
    """Change a file in one step; the caller holds the vault's lock.

    Args:
        file: links inside the vault are followed; folders above it are made when missing.
        transform: gives the new content for the present one (None: there is no file), or None to leave it as it is.
            It is called again whenever the file changed meanwhile; what its last call gave is what was written.

    Raises:
        PublishError: it cannot be written, a link leads outside the vault, somebody keeps it open for writing, or it
            keeps changing while it is read. The previous file stands, with whatever editors wrote.
    """
    with _wording(file):
        try:
            with held(file, root) as target:
                return _Rewriter(file, target, root).run(lambda one: one.rewrite(transform))
        except FileNotFoundError:  # its folder is missing
            if transform(None) is None:
                return Rewritten(None, None, changed=False)
        with held(file, root, new_folders=_NEW_FOLDER) as target:
            return _Rewriter(file, target, root).run(lambda one: one.rewrite(transform))


def discard(file: Path, expected: bytes, *, root: Path) -> Rewritten:
    """Remove a file that holds nothing but what the program wrote; the caller holds the vault's lock.

    Args:
        file: links inside the vault are followed.
        expected: what it must hold to be removed; a file that holds anything else stays.

    Raises:
        PublishError: as for `rewrite`.
    """
    with _wording(file):
        try:
            with held(file, root) as target:
                return _Rewriter(file, target, root).run(lambda one: one.discard(expected))
        except FileNotFoundError:  # its folder is missing
            return Rewritten(None, None, changed=False)


@contextmanager
def _wording(file: Path) -> Iterator[None]:
    """The error message of a folder that cannot be opened or made."""
    try:
        yield
    except OSError as error:
        raise disk.cannot(_UNCHANGED, file, error) from error


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
            self.rescued += swap_recovery.recover(self.target, self.root)
            while self.attempt <= _CARRY_FROM or time.monotonic() < deadline:
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
            former = self._quiet(descriptor)
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
                if os.name == "posix":
                    return self._displace(temporary, descriptor, former, new)
                stack.close()  # other systems do not replace a file that is open
                temporary.replace(self.target)
                return Rewritten(former, new, changed=True)
            finally:
                swap_recovery.forget(temporary)

    def discard(self, expected: bytes) -> Rewritten | None:
        with ExitStack() as stack:
            try:
                descriptor = stack.enter_context(self.target.opened())
            except FileNotFoundError:
                return Rewritten(None, None, changed=False)
            former = self._quiet(descriptor)
            if former != expected:
                return Rewritten(former, former, changed=False)
            if os.name != "posix":
                stack.close()
                self.target.unlink()
                return Rewritten(former, None, changed=True)
            aside = swap_recovery.name_for(self.target, b"", former)
            self.target.rename(aside)
            self.target.sync_folder()
            late, writers = swap.settled(descriptor, displaced=True)
            if late == former and writers is not Writers.SOME and aside.is_open_as(descriptor):
                swap_recovery.forget(aside)
                return Rewritten(former, None, changed=True)
            swap.give_up(descriptor)
        try:
            swap.place(aside, self.target)
        except FileExistsError:
            self.rescued.append(swap_recovery.rescue(aside, self.target, self.root))
        return None

    def _quiet(self, descriptor: int) -> bytes:
        """What the file holds while nobody writes to it."""
        data, writers = swap.settled(descriptor)
        swap.give_up(descriptor)
        if writers is Writers.SOME:
            raise self._refusal("is open for writing in another program")
        return data

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
            swap.place(temporary, self.target)
        except FileExistsError:
            return None
        finally:
            swap_recovery.forget(temporary)
        try:
            disk.sync_name(self.target)
        except PublishError as error:
            return Rewritten(None, new, changed=True, doubt=str(error))
        return Rewritten(None, new, changed=True)

    def _in_place(self, former: bytes, new: bytes) -> Rewritten | None:
        """Write a file where it is; what it held and is to hold is kept beside it until that is on the disk."""
        both = swap_recovery.keep_both(self.target, former, new)
        with self.target.opened(os.O_RDWR) as descriptor:
            now, users = swap.settled(descriptor, alone=True)
            if users is Writers.SOME or now != former or not self.target.is_open_as(descriptor):
                swap_recovery.forget(both)
                if users is Writers.SOME:
                    raise self._refusal("is open in another program")
                return None
            try:
                swap_recovery.overwrite(descriptor, former, new)
            except OSError:
                swap_recovery.overwrite(descriptor, new, former)
                swap_recovery.forget(both)
                raise
        swap_recovery.forget(both)
        return Rewritten(former, new, changed=True)

    def _same(self, descriptor: int, former: bytes) -> bool:
        """Whether the file is still the one that was read, or at least can be treated as such.

        If so, and where there are leases, anyone who opens it for writing now waits: an editor that wrote to the
        displaced file and then read its replacement would miss its own text, and save without it.
        """
        now, writers = swap.settled(descriptor)
        self.leased = writers is Writers.NONE
        same = self.target.is_open_as(descriptor) and (now == former or self._may_carry(former, now))
        if writers is Writers.SOME or not same:
            swap.give_up(descriptor)
            return False
        return True

    def _may_carry(self, former: bytes, late: bytes) -> bool:
        """Whether it is time to take over in place what was appended, in lines of its own."""
        return self.attempt >= _CARRY_FROM and former.endswith((b"\n", b"\r")) and late.startswith(former)

    def _displace(self, temporary: HeldFile, descriptor: int, former: bytes, new: bytes) -> Rewritten | None:
        aside = swap_recovery.name_for(self.target, new, former)
        temporary.rename(aside)
        try:
            # At the last moment: a program that reads back a displaced file finds ours.
            exchanged = self.target.is_open_as(descriptor) and swap.exchange(aside, self.target)
            if not exchanged and self.target.is_open_as(descriptor):
                aside.replace(self.target)
                return self._look_once(descriptor, former, new)
        except FileNotFoundError:  # another program has just removed it
            exchanged = False
        except BaseException:
            swap_recovery.forget(aside)
            raise
        if not exchanged:
            swap_recovery.forget(aside)
            return None
        carried = bytearray()
        settled = foreign = False
        try:
            foreign = not aside.is_open_as(descriptor)
            settled = not foreign and self._look_again(descriptor, former, carried)
        finally:
            if not settled:
                put_back = swap_recovery.give_back if foreign else swap_recovery.swap_back
                self.rescued += put_back(aside, self.target, self.root, new + carried, descriptor)
        if not settled:
            return None
        swap_recovery.forget(aside)
        return Rewritten(former, new, changed=True)

    def _look_once(self, descriptor: int, former: bytes, new: bytes) -> Rewritten:
        """Where files cannot be exchanged: what was written to the old file while it was open."""
        swap.give_up(descriptor)
        self.target.sync_folder()
        late, _ = swap.settled(descriptor, displaced=True)
        if late.startswith(former) and late != former:
            swap_recovery.append(self.target, late[len(former) :])
        elif late != former:
            kept = disk.write_beside(self.target, late, None, private=True)
            self.rescued.append(swap_recovery.rescue(kept, self.target, self.root))
        return Rewritten(former, new, changed=True)

    def _look_again(self, descriptor: int, former: bytes, carried: bytearray) -> bool:
        """Carry over what was appended to the displaced file since it was read, when it is time for that.

        Returns:
            whether that is all; False when somebody writes to it, or wrote in any other way.
        """
        if self.leased and not self._may_carry(former, former):
            self.target.sync_folder()
            return swap.undisturbed(descriptor)
        swap.give_up(descriptor)
        self.target.sync_folder()
        while True:
            seen = former + carried
            late, writers = swap.settled(descriptor, displaced=True)
            if writers is Writers.SOME or (late != seen and not self._may_carry(seen, late)):
                return False
            if late == seen:
                return True
            swap_recovery.append(self.target, late[len(seen) :])
            carried += late[len(seen) :]

    @property
    def _kept(self) -> str:
        return "".join(f"; another program's text was saved to {path}" for path in self.rescued)

    def _refusal(self, why: str) -> PublishError:
        return PublishError(
            f"{why}; nothing was added to it{self._kept}",
            where=str(self.file),
            next_step="Close it there, or wait for that program to finish, and run again.",
        )
