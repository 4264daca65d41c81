"""Every error a user can meet: what happened, where, and the next step.

The command line turns each of them into one paragraph on stderr and an exit code (`wrapgen.cli`); nothing else
decides exit codes.
"""

import errno
from enum import IntEnum
from typing import NamedTuple

_REMEDIES = {
    errno.ENOSPC: "Free some space on the disk and {then}.",
    errno.EDQUOT: "Free some of your disk quota and {then}.",
    errno.EACCES: "Change the permissions of the file or its folder and {then}.",
    errno.EPERM: "Change the permissions of the file or its folder and {then}.",
    errno.EROFS: "The file system is read-only: make it writable and {then}; `wrap audit` writes nothing.",
    errno.EMFILE: "Let a process open more files (`ulimit -n`) and {then}.",
    errno.ENFILE: "Too many files are open: close some programs and {then}.",
    errno.EFBIG: "Let a process write larger files (`ulimit -f`) and {then}.",
    errno.EIO: "Check the disk, which is reporting errors, and {then}.",
}


class ExitCode(IntEnum):
    """The exit codes of `wrap`."""

    DONE = 0
    COULD_NOT = 1
    USAGE = 2
    FOUND = 3
    LOCKED = 4
    INTERRUPTED = 130


class Refusal(NamedTuple):
    """An entry of an answer that is rejected, while the rest of the answer is carried out."""

    what: str  # its words, the id or the question that it names, or where it is in the answer
    why: str  # what is wrong with it

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


class WrapgenError(Exception):
    """Something wrapgen could not do.

    `what` happened is one sentence without a full stop; `where` the file, or `path:line`; `next_step` is the user's.
    """

    exit_code = ExitCode.COULD_NOT

    def __init__(self, what: str, *, where: str | None = None, next_step: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.next_step = next_step

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        step = f" {self.next_step}" if self.next_step else ""
        return f"{place}{self.what}.{step}"


def remedy(error: OSError, then: str = "run again") -> str:
    """What a user can do about an operating system error, and `then` once its cause is fixed."""
    return _REMEDIES.get(error.errno or 0, "Fix the cause and {then}.").format(then=then)


class UsageError(WrapgenError):
    """The command was called with arguments that do not fit together."""

    exit_code = ExitCode.USAGE


class ConfigError(WrapgenError):
    """A configuration file is invalid."""


class NoVaultError(WrapgenError):
    """No vault was found, or the named folder is not one."""


class NoVaultHereError(NoVaultError):
    """Nothing names a vault, and there is none in this folder or above it."""


class PublishError(WrapgenError):
    """A file could not be written; the existing one is unchanged."""


class EditError(WrapgenError):
    """A line cannot be added to a note as a list item; the note is unchanged."""


class SnapshotError(WrapgenError):
    """A stage snapshot is missing or invalid."""


class StoreError(WrapgenError):
    """The store of sub-agents cannot be opened, read or written; nothing was changed."""


class UnavailableError(StoreError):
    """The store cannot be used right now; retry later."""


class LedgerError(WrapgenError):
    """The ledger does not balance: always a bug in wrapgen, never in the notes."""


class LockHeldError(WrapgenError):
    """Another process holds the vault's lock."""

    exit_code = ExitCode.LOCKED


class NoTerminalError(WrapgenError):
    """A question needs a terminal, and there is none."""


class AnswersError(WrapgenError):
    """A document of answers contains none, or answers questions that were not asked."""
