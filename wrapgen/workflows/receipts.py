"""Receipts after the write: those of dead runs are closed, lines that vanished are noticed, undo takes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from wrapgen.days import moved
from wrapgen.errors import PublishError, UsageError, WrapgenError
from wrapgen.notes import Document
from wrapgen.redact import redact
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.memory import VANISHED, Change, Line, Receipt, Step, place_in
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.take_out import occurrences, remove
from wrapgen.vault.rewrite import discard, rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.vault_session import VaultSession


def parse_bytes(data: bytes | None) -> Document:
    """A file's document, whatever its bytes are."""
    return parse((data or b"").decode("utf-8-sig", "replace"))


def recover(session: VaultSession, *, strict: bool = False) -> None:
    """Close the receipts of interrupted runs: lines found in files are done, the others were never written.

    The caller holds the lock. A receipt whose note cannot be checked now (an editor has it open for writing) is
    reported on stderr and left to the next run.
    """
    app, memory = session.app, session.memory
    for receipt in [one for one in memory.receipts if one.step is Step.PLANNED]:
        paths = {line.path for line in receipt.lines}
        try:
            # Cleans up what the run left beside the file, and reads it while nobody writes to it.
            stands = {path: rewrite(app.root / path, lambda _: None, root=app.root).data for path in paths}
        except PublishError as error:
            if strict:
                raise
            app.warn(f"{error} An interrupted run was writing there; the next run finishes it.")
            continue
        if receipt.command == "move":
            stands |= _finish_move(app, receipt, stands)
        lines = tuple(found for line in receipt.lines if (found := _as_it_stands(app, line, stands[line.path])))
        kept = {line.path for line in lines}
        changes = tuple(
            change for change in receipt.changes if change.path in kept or _stands(change, stands.get(change.path))
        )
        memory.skip(receipt.skips)
        memory.settle([line.id for line in lines] + [skip.orphan.id for skip in receipt.skips])
        memory.close(replace(receipt, lines=lines, changes=changes))


def _finish_move(app: App, receipt: Receipt, stands: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """Take out what a run has written at its new place, but not taken out any more."""
    written = [
        one for one in receipt.changes if not one.before and occurrences(stands.get(one.path) or b"", one.after, 0)
    ]
    arrived = {line.path for line in receipt.lines if line.route is not None} & {one.path for one in written}
    found: dict[str, bytes | None] = {}
    left = [line for line in receipt.lines if line.route is None]
    for change in [one for one in receipt.changes if one.before and arrived]:
        if not _stands(change, stands.get(change.path)):
            out = partial(swapped, change.before, change.after, change.offset)
            found[change.path] = rewrite(app.root / change.path, out, root=app.root).data
            stands = {**stands, **found}
    for line in left if arrived else ():
        data = stands.get(line.path)
        if any(one.text.endswith(line.text) and not one.done for one in parse_bytes(data).entries):
            app.warn(
                f"an interrupted move left `{line.text}` in {line.path} as well as in {', '.join(sorted(arrived))}."
            )
    return found


def swapped(old: bytes, new: bytes, near: int, data: bytes | None) -> bytes | None:
    """A file with some lines in the place of others, the nearest if those occur more than once; None for neither."""
    for start in occurrences(data or b"", old, near)[:1]:
        return (data or b"")[:start] + new + (data or b"")[start + len(old) :]
    return None


def _stands(change: Change, data: bytes | None) -> bool:
    if not change.before or data is None:
        return False
    return bool(occurrences(data, change.after, 0)) and not occurrences(data, change.before, 0)


def _as_it_stands(app: App, line: Line, data: bytes | None) -> Line | None:
    """A planned line with its number and spelling in the file; None when it was not written."""
    number = place_in(parse_bytes(data), line, app.config.names)
    if number is None or data is None:
        return None
    lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return replace(line, number=number, line=redact(lines[number - 1])[0])


def check_receipts(session: VaultSession) -> list[FollowUp]:
    """Check whether the lines of receipts within the look-back still exist, or were done since.

    A line that is gone (an editor saved a stale copy over it) is pending again, with that reason; a pending one that
    was written by hand meanwhile, or came back with another copy, is no longer pending; in the latter case its receipt
    is valid again. Receipts that could not be closed yet are not touched. The caller holds the lock.
    """
    app, memory = session.app, session.memory
    oldest = moved(app.day, -app.config.lookback_days)
    recent = [one for one in memory.receipts if one.step is Step.DONE and one.at.date() >= oldest]
    newest = {line.id: receipt.id for receipt in recent for line in receipt.lines if line.orphan is not None}
    back: list[FollowUp] = []
    standing: set[str] = set()
    for receipt in recent:
        gone = set(receipt.vanished)
        for line in receipt.lines:
            if line.orphan is None or newest[line.id] != receipt.id:
                continue
            if session.index.place_of(line, receipt.at.date()) is not None or _is_there(app, line):
                standing.add(line.id)
                gone.discard(line.id)
            elif line.id not in gone and not session.index.is_unread(line.path):
                gone.add(line.id)
                back.append(replace(line.orphan, reason=VANISHED))
        if gone != set(receipt.vanished):
            memory.wait_for(back, app.day)
            memory.write(replace(receipt, vanished=tuple(line.id for line in receipt.lines if line.id in gone)))
    unfinished = {line.id for one in memory.receipts if one.step is Step.PLANNED for line in one.lines}
    memory.settle(
        key
        for key, one in memory.pending.items()
        if key in standing or (key not in unfinished and session.index.holder_of(one.orphan) is not None)
    )
    return back


def _is_there(app: App, line: Line) -> bool:
    """Whether a line that was not found is in its file after all: the vault may be read while an editor saves it."""
    try:
        data = rewrite(app.root / line.path, lambda _: None, root=app.root).data
    except PublishError:
        return False
    return place_in(parse_bytes(data), line, app.config.names) is not None


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
