"""Files changed under a receipt, each in one step: planned before the first byte is written, closed after the last.

A run that dies in between leaves a planned receipt, which the next one finishes or takes back (`receipts.py`). So a
crash anywhere writes nothing twice and loses nothing.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from wrapgen.errors import WrapgenError
from wrapgen.regular_files import whole
from wrapgen.session.memory import Change, Digests, Line, Receipt, Step
from wrapgen.vault.markdown.tick import Replacement, apply_all
from wrapgen.vault.rewrite import rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.changes import changes_of, digests_of
from wrapgen.workflows.vault_session import VaultSession


@dataclass(frozen=True, slots=True)
class Computed:
    """What an edit makes of a file that holds certain bytes."""

    new: bytes | None  # what it is to hold, None to leave it as it is
    changes: tuple[Change, ...] = ()
    digests: Digests | None = None
    lines: tuple[Line, ...] = ()  # those that are written, and those that stand there already
    failed: dict[str, str] = field(default_factory=dict)  # what cannot be done, and why
    then: dict[str, str] = field(default_factory=dict)  # the next occurrence of what was ticked, by its id

    @classmethod
    def of(cls, path: str, data: bytes | None, rounds: Sequence[Sequence[Replacement]]) -> "Computed":
        """Return what rounds of splices make of a file, each computed for what the former ones left."""
        new = data or b""
        for one in rounds:
            new = apply_all(new, one)
        if not rounds or new == data:
            return cls(None)
        return cls(new, changes_of(path, data, rounds), digests_of(data, new))


class FileEdit(Protocol):
    """Everything that a run changes in one file."""

    @property
    def path(self) -> str: ...

    @property
    def ids(self) -> Collection[str]:
        """Return what its failure is reported for."""

    def compute(self, data: bytes | None, failed: Collection[str]) -> Computed:
        """Return what it makes of the file, or raise WrapgenError; `failed` are the ids that failed in files before."""


@dataclass(slots=True)
class Written:
    """The results of edits."""

    receipt: Receipt
    lines: list[Line] = field(default_factory=list)
    # why an edit could not be done, by its id; its follow-up stays where it was
    failed: dict[str, str] = field(default_factory=dict)
    then: dict[str, str] = field(default_factory=dict)  # the next occurrence of what was ticked, by its id
    # where an item stands that was reworded or moved, by the id that it had
    became: dict[str, str] = field(default_factory=dict)


def begin(app: App, command: str) -> Receipt:
    """Return a receipt for what a command is about to do."""
    now = app.now
    return Receipt(f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}", now, command, Step.PLANNED)  # its id sorts by time


def write_files(session: VaultSession, edits: Sequence[FileEdit], receipt: Receipt) -> Written:
    """Change files one after the other, with a receipt that holds the run's other decisions already; under the lock.

    The receipt stays open: what its lines mean is settled before it is closed.
    """
    run = _Writing(session, receipt)
    failed: dict[str, str] = {}
    for edit in edits:
        try:
            computed = edit.compute(_present(session.app.root / edit.path), failed)
        except WrapgenError as error:  # it will fail again when it is written, and be reported then
            failed |= dict.fromkeys(edit.ids, str(error))
        else:
            failed |= computed.failed
            run.made[edit.path] = computed
    written = Written(session.memory.write(run.receipt))
    for edit in edits:
        run.write(edit, written)
    written.receipt = run.receipt
    return written


def _present(file: Path) -> bytes | None:
    try:
        return whole(file)
    except OSError:
        return None


@dataclass(slots=True)
class _Writing:
    session: VaultSession
    begun: Receipt
    made: dict[str, Computed] = field(default_factory=dict)  # what is planned or written, by file

    @property
    def receipt(self) -> Receipt:
        """Return the receipt of all that is planned or written by now."""
        each = self.made.values()
        return replace(
            self.begun,
            step=Step.PLANNED,
            lines=(*self.begun.lines, *(line for one in each for line in one.lines)),
            changes=(*self.begun.changes, *(change for one in each for change in one.changes)),
            files=self.begun.files | {path: one.digests for path, one in self.made.items() if one.digests},
        )

    def write(self, edit: FileEdit, written: Written) -> None:
        app, path = self.session.app, edit.path

        def transform(data: bytes | None) -> bytes | None:
            computed = edit.compute(data, written.failed)
            if computed != self.made.get(path):  # somebody wrote to the file since it was planned
                self.made[path] = computed
                self.session.memory.write(self.receipt)
            return computed.new

        try:
            result = rewrite(app.root / path, transform, root=app.root)
        except WrapgenError as error:
            written.failed |= dict.fromkeys(edit.ids, str(error))
            self.made.pop(path, None)
            return
        for kept in result.rescued:
            app.warn(f"{path} was changed by two programs at once; what could not be put back is in {kept}")
        if result.doubt:
            app.warn(result.doubt)
        computed = self.made[path]
        written.lines += computed.lines
        written.failed |= computed.failed
        written.then |= computed.then
