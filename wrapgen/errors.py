"""Every error a user can meet: what happened, where, and the next step.

The command line turns each of them into one paragraph on stderr and an exit code (`wrapgen.cli`); nothing else
decides exit codes.
"""

from enum import IntEnum


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


class LedgerError(WrapgenError):
    """The ledger does not balance: a defect of wrapgen, never of the notes."""


class LockHeldError(WrapgenError):
    """Another process holds the vault's lock."""

    exit_code = ExitCode.LOCKED


class NoTerminalError(WrapgenError):
    """A question needs somebody at a terminal, and there is none."""


class AnswersError(WrapgenError):
    """A document that should hold answers holds none, or answers what nobody asked."""
