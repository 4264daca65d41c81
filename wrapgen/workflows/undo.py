"""Undoes a receipt: removes exactly the bytes that it added, where they are unchanged."""

from dataclasses import dataclass, field, replace
from functools import partial

from wrapgen.errors import UsageError, WrapgenError
from wrapgen.session.memory import Change, Receipt, Step
from wrapgen.vault.markdown.take_out import remove
from wrapgen.vault.rewrite import discard, rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.interrupted_runs import swapped
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.vault_session import VaultSession


@dataclass(slots=True)
class Undone:
    """The result of an undo."""

    receipt: Receipt
    removed: list[str] = field(default_factory=list)  # lines that were removed, with their files
    # lines that were changed or taken out and stand as before, with their files
    restored: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # lines that were changed since and were kept
    failed: list[str] = field(default_factory=list)


def choose(memory: Memory, name: str | None) -> Receipt:
    """The receipt to undo: the one named, by its beginning, else the last that holds; UsageError without one."""
    open_ones = [one for one in memory.receipts if one.step is Step.DONE]
    found = [one for one in open_ones if one.id.startswith(name)] if name else open_ones[-1:]
    if len(found) == 1:
        return found[0]
    if not open_ones:
        raise UsageError("there is nothing to undo: there are no receipts")
    what = f"{len(found)} receipts begin with `{name}`" if found else f"no receipt `{name}`"
    raise UsageError(what, next_step=f"The latest ones are: {', '.join(one.id for one in open_ones[-3:])}.")


def undo(session: VaultSession, receipt: Receipt) -> Undone:
    """Take a receipt back. The caller holds the lock.

    Its follow-ups wait again, except those whose lines were changed since, were left alone and still hold them.
    """
    app, memory = session.app, session.memory
    undone = Undone(receipt)
    changed = {change.path for change in receipt.changes}
    undone.gone += [f"{line.path}: {line.line}" for line in receipt.lines if line.number and line.path not in changed]
    for change in reversed(receipt.changes):
        if receipt.command == "move" and undone.gone and not change.before:
            undone.gone += _lines_of(change, receipt)  # what could not be put back stands nowhere else
            continue
        try:
            (_put_back if change.before else _remove)(app, change, receipt, undone)
        except WrapgenError as error:
            undone.failed.append(str(error))
    if undone.failed:
        return undone
    session.notes_changed()
    orphans = [line.orphan for line in receipt.lines if line.orphan is not None]
    orphans = [orphan for orphan in orphans if session.index.holder_of(orphan) is None]
    memory.wait_for([*orphans, *(skip.orphan for skip in receipt.skips)], app.day, again=True)
    memory.forget_skips(receipt.skips)
    memory.write(replace(receipt, step=Step.UNDONE))
    return undone


def _lines_of(change: Change, receipt: Receipt) -> list[str]:
    if change.before:
        rows = change.before.decode("utf-8", "replace").splitlines()
        after = change.after.decode("utf-8", "replace").splitlines()
        lines = [row.strip() for row in rows if row not in after][:1]
    else:
        lines = [line.line for line in receipt.lines if line.path == change.path and line.number]
    return [f"{change.path}: {line}" for line in lines]


def _put_back(app: App, change: Change, receipt: Receipt, undone: Undone) -> None:
    result = rewrite(
        app.root / change.path, partial(swapped, change.after, change.before, change.offset), root=app.root
    )
    (undone.restored if result.changed else undone.gone).extend(_lines_of(change, receipt))


def _remove(app: App, change: Change, receipt: Receipt, undone: Undone) -> None:
    lines = [line.line for line in receipt.lines if line.path == change.path and line.number]
    removed: list[str] = []
    gone: list[str] = []

    def without(data: bytes | None) -> bytes | None:
        removed.clear()
        gone.clear()
        removal = None if data is None else remove(data, change.after, lines, offset=change.offset)
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
