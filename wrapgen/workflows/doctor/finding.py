"""What a check is, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from wrapgen.ledger import Run
    from wrapgen.workflows.app import App


class Level(Enum):
    """How bad it is. Only what is wrong makes the exit code 3."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    WRONG = "wrong"


class Needs(Enum):
    """What a check requires."""

    NOTHING = 0
    VAULT = 1
    CONFIG = 2


@dataclass(frozen=True)
class Visit:
    """One look at a vault.

    Attributes:
        app: the vault.
        gone: a host that the user says no longer runs wrapgen.
    """

    app: App
    gone: str | None = None

    @cached_property
    def run(self) -> Run:
        """What a rebuild would show now."""
        from wrapgen.workflows.rebuild import run_pipeline
        from wrapgen.workflows.vault_session import VaultSession

        return run_pipeline(VaultSession.look(self.app))


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        what: one sentence without a full stop.
        where: the file, or `path:line`.
        mend: the command that fixes it, or what to do where no command can.
        fix: what `--fix` does about it; yields a line for each thing it did.
    """

    level: Level
    what: str
    where: str = ""
    mend: str = ""
    fix: Callable[[], Iterable[str]] | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the table of checks.

    Attributes:
        name: what is checked.
        look: yields the findings; none when all is well.
        needs: what it requires.
        well: the message when it finds nothing.
        mends: whether some of what it finds can be fixed by `--fix`.
        under_lock: whether that is done under the vault's lock.
    """

    name: str
    look: Callable[[Visit], Iterator[Finding]]
    needs: Needs = Needs.CONFIG
    well: str = "fine"
    mends: bool = False
    under_lock: bool = True


def ok(what: str, where: str = "") -> Finding:
    """All is well."""
    return Finding(Level.OK, what, where)


def note(what: str, mend: str = "") -> Finding:
    """Something to know."""
    return Finding(Level.NOTE, what, "", mend)


def wrong(what: str, where: str = "", mend: str = "", fix: Callable[[], Iterable[str]] | None = None) -> Finding:
    """Something that keeps wrapgen from working."""
    return Finding(Level.WRONG, what, where, mend, fix)


def warning(what: str, where: str = "", mend: str = "") -> Finding:
    """Something that a person should decide about."""
    return Finding(Level.WARNING, what, where, mend)
