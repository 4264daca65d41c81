"""Every error a user can meet: what happened, where, and the next step.

The command line turns each of them into one paragraph on stderr and an exit code (`wrapgen.cli`); nothing else
decides exit codes.
"""

import errno
from enum import IntEnum

_REMEDIES = {
    errno.ENOSPC: "Free some space on the disk and {then}.",
    errno.EDQUOT: "Free some of your disk quota and {then}.",
    errno.EACCES: "Change the permissions of the file or its folder and {then}.",
    errno.EPERM: "Change the permissions of the file or its folder and {then}.",
    errno.EROFS: "Make the file system writable, which is read-only, and {then}; `wrap audit` writes nothing.",
    errno.EMFILE: "Let a process open more files (`ulimit -n`) and {then}.",
    errno.ENFILE: "Close some programs, which have too many files open, and {then}.",
    errno.EFBIG: "Let a process write larger files (`ulimit -f`) and {then}.",
    errno.EIO: "Look after the disk, which does not answer as it should, and {then}.",
}


class ExitCode(IntEnum):
    """What `wrap` answers to its caller."""

    DONE = 0
    COULD_NOT = 1
    USAGE = 2
    FOUND = 3
    LOCKED = 4
    INTERRUPTED = 130


class WrapgenError(Exception):
    """Something wrapgen could not do.

    Args:
        what: what happened, one sentence without a full stop.
        where: the file, or `path:line`, that it happened at.
        next_step: what the user can do about it.
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
    """What a user can do about what the system refused.

    Args:
        error: what the system said.
        then: what to do when the cause is removed.
    """
    return _REMEDIES.get(error.errno or 0, "Remove the cause and {then}.").format(then=then)


class UsageError(WrapgenError):
    """The command was called with words that do not fit together."""

    exit_code = ExitCode.USAGE


class ConfigError(WrapgenError):
    """A configuration file says something that wrapgen does not understand."""


class NoVaultError(WrapgenError):
    """No vault was found, or the folder named is none."""


class PublishError(WrapgenError):
    """A file could not be written; the former one is untouched."""


class EditError(WrapgenError):
    """A line cannot be put into a note so that it reads as what it is; the note is untouched."""


class SnapshotError(WrapgenError):
    """A stage snapshot is not there, or cannot be taken at its word."""


class StoreError(WrapgenError):
    """The store of sub-agents cannot be opened, read or written; nothing of it was changed."""


class UnavailableError(StoreError):
    """The store cannot be used now, whatever is asked of it: the same may be tried again later."""


class SlowError(UnavailableError):
    """The store does not answer in time, or has too much to do."""


class LedgerError(WrapgenError):
    """The ledger does not balance: a defect of wrapgen, never of the notes."""


class LockHeldError(WrapgenError):
    """Another process holds the vault's lock."""

    exit_code = ExitCode.LOCKED


class NoTerminalError(WrapgenError):
    """A question needs somebody at a terminal, and there is none."""


class AnswersError(WrapgenError):
    """A document that should hold answers holds none, or answers what nobody asked."""
