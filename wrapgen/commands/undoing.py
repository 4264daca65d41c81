"""A receipt taken back: exactly the bytes that it put there, where they still stand."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wrapgen.commands.knowledge import Knowledge
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.session.memory import Change, Receipt, Step
from wrapgen.vault.markdown.undo import remove
from wrapgen.vault.rewrite import discard, rewrite

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.commands.memory import Memory


@dataclass(slots=True)
class Undone:
    """What taking back came to.

    Attributes:
        removed: lines that were taken out, with their files.
        gone: lines that were changed since and were left alone.
    """

    receipt: Receipt
    removed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def choose(memory: Memory, name: str | None) -> Receipt:
    """The receipt to take back: the one named, by its beginning, else the last one that still holds.

    Raises:
        UsageError: there is none, or the name means several.
    """
    open_ones = [one for one in memory.receipts if one.step is Step.DONE]
    found = [one for one in open_ones if one.id.startswith(name)] if name else open_ones[-1:]
    if len(found) == 1:
        return found[0]
    known = ", ".join(one.id for one in open_ones[-3:]) or "none"
    what = f"{len(found)} receipts begin with {name!r}" if found else "there is nothing to take back"
    raise UsageError(what, next_step=f"The last receipts are: {known}.")


def undo(app: App, memory: Memory, receipt: Receipt) -> Undone:
    """Take a receipt back. The caller holds the lock.

    Its follow-ups wait again, except those whose lines were changed since, were left alone and still hold them.

    Args:
        app: the vault.
        memory: where receipts and waiting follow-ups are kept.
        receipt: what to take back.
    """
    undone = Undone(receipt)
    changed = {change.path for change in receipt.changes}
    undone.gone += [f"{line.path}: {line.line}" for line in receipt.lines if line.number and line.path not in changed]
    for change in reversed(receipt.changes):
        try:
            _take_back(app, change, receipt, undone)
        except WrapgenError as error:
            undone.failed.append(str(error))
    if undone.failed:
        return undone
    knowledge = Knowledge.of(app)
    orphans = [line.orphan for line in receipt.lines if line.orphan is not None]
    orphans = [orphan for orphan in orphans if knowledge.holder_of(orphan) is None]
    memory.wait_for([*orphans, *(skip.orphan for skip in receipt.skips)], app.day, again=True)
    memory.forget_skips(receipt.skips)
    memory.write(replace(receipt, step=Step.UNDONE))
    return undone


def _take_back(app: App, change: Change, receipt: Receipt, undone: Undone) -> None:
    lines = [line.line for line in receipt.lines if line.path == change.path and line.number]
    removed: list[str] = []
    gone: list[str] = []

    def without(data: bytes | None) -> bytes | None:
        removed.clear()
        gone.clear()
        if data is None:
            gone.extend(lines)
            return None
        if change.before:
            back = _ticked_back(data, change)
            (gone if back is None else removed).extend(lines)
            return back
        removal = remove(data, change.after, lines, offset=change.offset)
        if removal is None:
            gone.extend(lines)
            return None
        removed.extend(removal.removed)
        gone.extend(removal.gone)
        return removal.data

    file = app.root / change.path
    # A file that holds nothing but what was put there goes in one step, so that no end in between leaves it empty.
    if change.created and discard(file, change.after, root=app.root).changed:
        removed.extend(lines)
    else:
        rewrite(file, without, root=app.root)
        if change.created and discard(file, b"", root=app.root).changed:
            removed[:], gone[:] = lines, []
    undone.removed += [f"{change.path}: {line}" for line in removed]
    undone.gone += [f"{change.path}: {line}" for line in gone]


def _ticked_back(data: bytes, change: Change) -> bytes | None:
    """Put a former line back in the place of the ticked one, the nearest where it stands more than once."""
    lines = data.split(b"\n")
    starts, at = [], 0
    for line in lines:
        if line.rstrip(b"\r") == change.after:
            starts.append(at)
        at += len(line) + 1
    if not starts:
        return None
    start = min(starts, key=lambda found: abs(found - change.offset))
    return data[:start] + change.before + data[start + len(change.after) :]
