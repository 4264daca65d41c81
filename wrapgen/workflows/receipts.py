"""Receipts after the write: interrupted ones are finished or taken back, lines that vanished are noticed, undo.

All of it goes by what stands in the files, so that it may be interrupted itself, and be done again any number of times.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from wrapgen.config import VAULT_FILE
from wrapgen.days import moved
from wrapgen.errors import PublishError, UsageError, WrapgenError
from wrapgen.notes import Document
from wrapgen.redact import redact
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.memory import VANISHED, Change, Line, Receipt, Step, place_in
from wrapgen.triage.said import ListSaid, PersonSays, VerdictSaid, decoded
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.rewrite import discard, rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.carried import Carried, backward, forward, rows_of, secrets_in
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.said_file import SAID_FILE
from wrapgen.workflows.vault_session import VaultSession


def parse_bytes(data: bytes | None) -> Document:
    """Return a file's document, whatever its bytes are."""
    return parse((data or b"").decode("utf-8-sig", "replace"))


def recover(session: VaultSession, *, but: str = "") -> None:
    """Finish what interrupted runs began, be it a change or an undo; the caller holds the lock.

    What cannot be read now (an editor has it open for writing) is reported on stderr and left to the next run.

    Args:
        but: the id of a receipt that the caller takes back.
    """
    app = session.app
    for receipt in [one for one in session.memory.receipts if one.interrupted and one.id != but]:
        try:
            undone = _finish(session, receipt) if receipt.step is Step.PLANNED else undo(session, receipt)
        except PublishError as error:
            undone = Undone(receipt, failed=[str(error)])
        for failure in undone.failed:
            app.warn(f"{failure} An interrupted run was writing there; the next run finishes it.")
        for row in undone.kept:
            what = f"an interrupted {receipt.command} could be neither finished nor taken back"
            app.warn(f"{what}, as its file was changed since; put it right by hand: {row}")


def _finish(session: VaultSession, receipt: Receipt) -> "Undone":
    """Make all that a receipt planned; a move that cannot be made any more is taken back."""
    app, memory = session.app, session.memory
    stands = _look(app, {*receipt.paths, *(line.path for line in receipt.lines)})
    secrets = secrets_in(receipt, stands)
    planned = {path: partial(_forward, memory, receipt, path, secrets) for path in receipt.paths}
    made = {path: planned[path](stands[path]) for path in receipt.paths}
    if receipt.indivisible and any(one.left for one in made.values()):
        return undo(session, receipt)
    for path in receipt.paths:
        made[path] = _carry(app, path, planned[path])
        stands[path] = made[path].data
    left = [change for one in made.values() for change in one.left]
    whole = {path for path, one in made.items() if not one.left}
    each = (line if line.path in whole else _as_it_stands(app, line, stands[line.path]) for line in receipt.lines)
    lines = tuple(filter(None, each))
    memory.skip(receipt.skips)
    memory.settle([line.id for line in lines] + [skip.orphan.id for skip in receipt.skips])
    there = {line.path for line in lines}
    changes = tuple(one for one in receipt.changes if one not in left or one.path in there)
    memory.close(replace(receipt, lines=lines, changes=changes))
    _changed(session, receipt)
    written = {line.id for line in lines}
    lost = [line for line in receipt.lines if line.id not in written and line.orphan is None]
    return Undone(receipt, kept=[f"{line.path}: {line.line}" for line in lost if line.number])


def _forward(memory: Memory, receipt: Receipt, path: str, secrets: list[bytes], data: bytes | None) -> Carried:
    """As `forward`; but others on the team may have filed a follow-up since that is not written yet."""
    made = forward(receipt, path, secrets, data)
    if memory.sharing and made.data != data and any(line.orphan for line in receipt.lines if line.path == path):
        return Carried(data, tuple(change for change in receipt.changes if change.path == path))
    return made


def _look(app: App, paths: Iterable[str]) -> dict[str, bytes | None]:
    """Read files while nobody writes to them, and put in order what a killed run left beside them."""
    return {path: rewrite(app.root / path, lambda _: None, root=app.root).data for path in paths}


def _carry(app: App, path: str, carried: Callable[[bytes | None], Carried]) -> Carried:
    """Give a file what is to stand in it, in one step."""
    file = app.root / path
    last = Carried(None)

    def transform(data: bytes | None) -> bytes | None:
        nonlocal last
        last = carried(data)
        return last.data

    former = rewrite(file, transform, root=app.root).former
    while last.data is None and former is not None and not discard(file, former, root=app.root).changed:
        former = rewrite(file, transform, root=app.root).former
    return last


def _changed(session: VaultSession, receipt: Receipt) -> None:
    if VAULT_FILE in receipt.paths:
        session.app.reload()
    session.notes_changed()


def _as_it_stands(app: App, line: Line, data: bytes | None) -> Line | None:
    """Return a planned line with its number and spelling in the file; None when it was not written."""
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
    unfinished = {line.id for one in memory.receipts if one.interrupted for line in one.lines}
    memory.settle(
        key
        for key, one in memory.pending.items()
        if key in standing or (key not in unfinished and session.index.holder_of(one.orphan) is not None)
    )
    return back


def _is_there(app: App, line: Line) -> bool:
    """Tell whether a line is in its file after all: the vault may have been read while an editor saved it."""
    try:
        data = rewrite(app.root / line.path, lambda _: None, root=app.root).data
    except PublishError:
        return False
    return place_in(parse_bytes(data), line, app.config.names) is not None


@dataclass(slots=True)
class Undone:
    """The result of an undo."""

    receipt: Receipt
    removed: list[str] = field(default_factory=list)  # lines that were added and stand no more, with their files
    restored: list[str] = field(default_factory=list)  # lines that were changed or taken out and stand as before
    decisions: list[str] = field(default_factory=list)  # what was said of items and follow-ups and holds no more
    gone: list[str] = field(default_factory=list)  # added lines that somebody had taken out already
    kept: list[str] = field(default_factory=list)  # lines that were changed since
    failed: list[str] = field(default_factory=list)  # files that cannot be written now

    @property
    def whole(self) -> bool:
        """Tell whether all of the receipt is back."""
        return not self.kept and not self.failed


def choose(memory: Memory, name: str | None) -> Receipt:
    """Return the receipt to undo: the one named, by its beginning, else the last that holds; UsageError without one."""
    open_ones = undoable(memory)
    found = [one for one in open_ones if one.id.startswith(name)] if name else open_ones[-1:]
    if len(found) == 1:
        return found[0]
    if not open_ones:
        raise UsageError("there is nothing to undo: there are no receipts")
    what = f"{len(found)} receipts begin with `{name}`" if found else f"no receipt `{name}`"
    raise UsageError(what, next_step=f"The latest ones are: {', '.join(one.id for one in open_ones[-3:])}.")


def undoable(memory: Memory) -> list[Receipt]:
    """Return the receipts that can be taken back, the latest last."""
    return [one for one in memory.receipts if one.step is not Step.UNDONE]


def undo(session: VaultSession, receipt: Receipt) -> Undone:
    """Take a receipt back, as far as nobody has changed it since; the caller holds the lock.

    Its follow-ups wait again, except those whose lines were changed since, were left alone and still hold them. What
    is not back stays in the receipt, which can be taken back again.
    """
    app, memory = session.app, session.memory
    undone = Undone(receipt)
    try:
        stands = _look(app, receipt.paths)
    except WrapgenError as error:
        undone.failed.append(str(error) if receipt.step is Step.UNDOING else f"{error} Nothing was taken back.")
        return undone
    secrets = secrets_in(receipt, stands)
    back = {path: backward(receipt, path, secrets, stands[path]) for path in receipt.paths}
    if receipt.indivisible and any(one.left for one in back.values()):
        undone.kept += _kept(back)
        if receipt.interrupted:
            memory.close(receipt)
        return undone
    if any(one.data != stands[path] for path, one in back.items()):
        memory.write(replace(receipt, step=Step.UNDOING))
    for path in reversed(receipt.paths):  # what goes is put back before it is taken from where it went
        try:
            back[path] = _carry(app, path, partial(backward, receipt, path, secrets))
        except WrapgenError as error:
            undone.failed.append(str(error))
            if receipt.indivisible:
                break
    if not undone.failed:
        # Earlier versions kept no changes of lines with a secret.
        unknown = [line for line in receipt.lines if line.number and line.path not in receipt.paths]
        undone.kept += [*_kept(back), *(f"{line.path}: {line.line}" for line in unknown)]
        undone.gone += [f"{path}: {row}" for path, one in back.items() for row in one.gone]
        _close(session, undone, [change for one in back.values() for change in one.left], unknown)
    return undone


def _kept(back: Mapping[str, Carried]) -> list[str]:
    return [f"{path}: {row}" for path, one in back.items() for row in one.kept]


def _close(session: VaultSession, undone: Undone, left: list[Change], unknown: list[Line]) -> None:
    """Let go of what a receipt decided, and of what it wrote but for what is left."""
    memory, receipt = session.memory, undone.receipt
    # What was said is told by what it means, not by its line.
    for change in (one for one in receipt.changes if one not in left and one.path != SAID_FILE):
        rows = [f"{change.path}: {row}" for row in rows_of(receipt, change)]
        (undone.restored if change.before else undone.removed).extend(
            row for row in rows if row not in undone.kept and row not in undone.gone
        )
    _changed(session, receipt)
    orphans = [line.orphan for line in receipt.lines if line.orphan is not None]
    waiting = [orphan for orphan in orphans if session.index.holder_of(orphan) is None]
    memory.wait_for([*waiting, *(skip.orphan for skip in receipt.skips)], session.app.day, again=True)
    memory.forget_skips(receipt.skips)
    if left or unknown:
        paths, waits = {*(one.path for one in left), *(one.path for one in unknown)}, {one.id for one in waiting}
        files = {path: one for path, one in receipt.files.items() if path in paths}
        lines = tuple(line for line in receipt.lines if line.path in paths and line.id not in waits)
        memory.write(Receipt(receipt.id, receipt.at, receipt.command, Step.DONE, lines, tuple(left), files))
    else:
        memory.write(replace(receipt, step=Step.UNDONE))
    undone.decisions += _decisions(session, receipt)


def what_of(session: VaultSession, receipt: Receipt) -> list[str]:
    """Return what a receipt is about, a line each."""
    return [*(f"{line.path}: {line.line or line.text}" for line in receipt.lines), *_decisions(session, receipt)]


def _decisions(session: VaultSession, receipt: Receipt) -> Iterator[str]:
    """Yield what a receipt said of items and follow-ups."""
    yield from (f"skipped: {skip.orphan.text}" for skip in receipt.skips)
    yield from _sayings(receipt)
    if not (receipt.snoozed or receipt.kept or receipt.doubted):
        return
    texts = {one.item.id: f"{one.item.place}  {one.item.text}" for one in session.run.outcomes}
    hidden = {key: "shown again" if day == date.min else f"hidden until {day}" for key, day in receipt.snoozed.items()}
    said = hidden | dict.fromkeys(receipt.kept, "kept") | dict.fromkeys(receipt.doubted, "probably done")
    yield from (f"{what}: {texts.get(key, key)}" for key, what in said.items())


def _sayings(receipt: Receipt) -> Iterator[str]:
    """Yield what a receipt kept of what was said to be next, and of verdicts."""
    added = b"".join(change.after for change in receipt.changes if change.path == SAID_FILE)
    for record in decoded(added)[0]:
        match record:
            case VerdictSaid():
                yield f"{record.verdict}: {record.text or record.id}"
            case ListSaid() | PersonSays():
                yield from (f"next: {entry.text or entry.quote}" for entry in record.next)
            case _:
                pass
