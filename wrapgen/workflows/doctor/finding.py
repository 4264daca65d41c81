"""What a check is, and what it finds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial

from wrapgen.workflows.app import App
from wrapgen.workflows.vault_session import VaultSession


class Level(Enum):
    """How bad it is. Only what is wrong makes the exit code 3."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True)
class Visit:
    """One look at a vault."""

    app: App  # the vault
    gone: str | None = None  # a host that the user says no longer runs wrapgen

    @cached_property
    def session(self) -> VaultSession:
        return VaultSession.look(self.app)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    level: Level
    what: str  # one sentence without a full stop
    where: str = ""  # the file, or `path:line`
    mend: str = ""  # the command that fixes it, or what to do where no command can
    fix: Callable[[], Iterable[str]] | None = None  # what `--fix` does about it; yields a line for each thing it did


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the table of checks."""

    name: str  # what is checked
    look: Callable[[Visit], Iterator[Finding]]  # yields the findings; none when all is well
    needs: str = "config"  # what of the vault it requires: `root`, `config` or nothing
    well: str = "fine"  # the message when it finds nothing
    mends: bool = False  # whether some of what it finds can be fixed by `--fix`
    under_lock: bool = True  # whether that is done under the vault's lock


ok = partial(Finding, Level.OK)
note = partial(Finding, Level.NOTE)
warning = partial(Finding, Level.WARNING)  # a person should decide
wrong = partial(Finding, Level.WRONG)  # keeps wrapgen from working
