"""Lines into files, with a receipt: planned before the first byte is written, closed after the last.

A run that dies in between leaves a planned receipt. The next one looks which of its lines stand: those are done, the
others still wait. So the same answers twice, or a crash anywhere, write no line twice and lose none.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wrapgen.commands.memory import new_receipt_id
from wrapgen.errors import PublishError, WrapgenError
from wrapgen.redact import redact
from wrapgen.session.memory import Change, Line, Receipt, Step
from wrapgen.session.routing import Route
from wrapgen.session.standing import done_line, open_line
from wrapgen.vault.disk import whole
from wrapgen.vault.markdown.check import check
from wrapgen.vault.markdown.insert import Insertion, apply, into_checklist, into_done, into_journal, into_next_session
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.spelling import NewItem
from wrapgen.vault.markdown.tick import Replacement, tick
from wrapgen.vault.rewrite import rewrite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.commands.app import App
    from wrapgen.commands.memory import Memory
    from wrapgen.config import Sections
    from wrapgen.model import Document
    from wrapgen.session.routing import Orphan


@dataclass(frozen=True, slots=True)
class Job:
    """A line that is to be written, or a box that is to be ticked.

    Attributes:
        id: the follow-up's id, or that of the item that is finished.
        route: where the line goes; None for a box.
        path: the file, relative to the vault.
        title: what a new file is called.
        done: write it as finished work.
        box: 1-based line of the box to tick, 0 for a new line.
    """

    id: str
    text: str
    route: Route | None
    path: str
    title: str = ""
    project: str | None = None
    task: str | None = None
    orphan: Orphan | None = None
    done: bool = False
    box: int = 0

    @property
    def secret(self) -> bool:
        """Whether its words hold a secret: they go into the user's file, but not into the receipt."""
        return redact(self.text)[1] > 0

    def line(self, written: str = "", number: int = 0) -> Line:
        """What the receipt says about it."""
        text, line = redact(self.text)[0], redact(written)[0]
        return Line(self.id, text, self.route, self.path, line, number, self.project, self.task, self.orphan)


@dataclass(slots=True)
class Written:
    """What came of the jobs.

    Attributes:
        failed: why a job could not be done, by its id; its follow-up stays where it was.
    """

    lines: list[Line] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def begin(app: App, command: str) -> Receipt:
    """A receipt for what a command is about to do."""
    now = app.now
    return Receipt(new_receipt_id(now), now, command, Step.PLANNED)


def write_lines(app: App, memory: Memory, jobs: Sequence[Job], receipt: Receipt) -> Written:
    """Do the jobs; the caller holds the lock.

    Args:
        app: the vault.
        memory: where the receipt is kept.
        jobs: new lines of one file become one insertion; each box is ticked by itself.
        receipt: the receipt to plan and close, with what else the run decides.

    Returns:
        what was written, and what was not and why.
    """
    groups = _groups(jobs)
    planned = [change for group in groups if (change := _plan(app, group))]
    receipt = replace(receipt, lines=tuple(job.line() for job in jobs), changes=tuple(planned))
    memory.write(receipt)
    written = Written()
    for group in groups:
        try:
            _write_group(app, group, written)
        except WrapgenError as error:
            written.failed |= dict.fromkeys((job.id for job in group), str(error))
    # Before the receipt is closed: a run that dies in between is finished by the next one, which says it once more.
    memory.settle(line.id for line in written.lines if line.orphan is not None)
    _close(memory, replace(receipt, lines=tuple(written.lines), changes=tuple(written.changes)))
    return written


def _close(memory: Memory, receipt: Receipt) -> None:
    """Close a receipt; one with nothing in it would stand in the way of `wrap undo`."""
    memory.write(replace(receipt, step=Step.DONE if receipt.holds_something else Step.UNDONE))


def _groups(jobs: Sequence[Job]) -> list[list[Job]]:
    """Jobs that are one edit: the boxes one by one, then the new lines of each file together."""
    inserts: dict[tuple[str, bool, bool], list[Job]] = defaultdict(list)
    for job in jobs:
        if not job.box:
            inserts[job.path, job.done, job.secret].append(job)
    return [[job] for job in jobs if job.box] + list(inserts.values())


def _edit(app: App, data: bytes | None, jobs: list[Job]) -> tuple[Insertion | Replacement | None, list[Job]]:
    """What to do to a file, and the jobs that it does; what stands already (a run that died wrote it) is left out."""
    if jobs[0].box:
        return tick(data or b"", jobs[0].box), jobs
    document = parse_bytes(data)
    missing = [job for job in jobs if _line_of(app, job, document) is None]
    return (_insertion(app, data, missing) if missing else None), missing


def _plan(app: App, jobs: list[Job]) -> Change | None:
    """The change as it would be now, so that a run that dies in the middle can be taken back."""
    try:
        data = whole(app.root / jobs[0].path)
    except OSError:
        data = None
    try:
        edit, _ = _edit(app, data, jobs)
    except WrapgenError:
        return None  # it will fail once more when it is to be written, and be told then
    return _change(jobs, edit, data)


def _change(jobs: list[Job], edit: Insertion | Replacement | None, data: bytes | None) -> Change | None:
    """What the receipt says about an edit; nothing about a secret, which can then only be taken back by hand."""
    path = jobs[0].path
    created = data is None
    if jobs[0].secret:
        return None
    match edit:
        case Insertion():
            return Change(path, edit.offset, edit.data, created=created)
        case Replacement():
            return _whole_line(path, edit, data or b"")
        case None:
            return None


def _whole_line(path: str, edit: Replacement, data: bytes) -> Change:
    """A ticked box with its whole line, by which it is found again wherever the line has moved to."""
    start = data.rfind(b"\n", 0, edit.offset) + 1
    end = data.find(b"\n", edit.offset)
    before = data[start : end if end >= 0 else len(data)].rstrip(b"\r")
    after = edit.apply(data)[start : start + len(before) - len(edit.old) + len(edit.new)]
    return Change(path, start, after, before)


def _write_group(app: App, jobs: list[Job], written: Written) -> None:
    path = jobs[0].path
    last: list[tuple[Insertion | Replacement | None, list[Job]]] = []

    def transform(data: bytes | None) -> bytes | None:
        last[:] = [_edit(app, data, jobs)]
        match last[0][0]:
            case Insertion() as insertion:
                new = apply(data or b"", insertion)
                items = [NewItem(job.text, job.project) for job in last[0][1]]
                check(data or b"", new, items, done=jobs[0].done)
                return new
            case Replacement() as replacement:
                return replacement.apply(data or b"")
            case None:
                return None

    result = rewrite(app.root / path, transform, root=app.root)
    for kept in result.rescued:
        app.warn(f"{path} was changed by two programs at once; what could not be put back is kept in {kept}")
    if result.doubt:
        app.warn(result.doubt)
    edit, missing = last[0]
    if edit is None and jobs[0].box:
        written.failed[jobs[0].id] = f"{path}:{jobs[0].box}: there is no open box any more."
        return
    texts = {
        job.id: (text, number)
        for job, text, number in (
            zip(missing, edit.texts, edit.lines, strict=True) if isinstance(edit, Insertion) else ()
        )
    }
    written.lines += [job.line(*texts.get(job.id, (job.text, job.box))) for job in jobs]
    change = _change(jobs, edit, result.former)
    written.changes += [change] if change else []


def _insertion(app: App, data: bytes | None, jobs: list[Job]) -> Insertion:
    sections = app.config.sections
    items = [NewItem(job.text, job.project) for job in jobs]
    first = jobs[0]
    if first.done:
        return into_done(data, items, day=app.day, sections=sections, fresh=True)
    if first.route is Route.JOURNAL:
        return into_journal(data, items, day=app.day, sections=sections)
    if first.route is Route.PROJECT:
        return into_next_session(data, items, title=first.title, sections=sections)
    return into_checklist(data, items, title=first.title, sections=sections)


def parse_bytes(data: bytes | None) -> Document:
    """A file's document, whatever its bytes are."""
    return parse((data or b"").decode("utf-8-sig", "replace"))


def _line_of(app: App, job: Job, document: Document) -> int | None:
    """Where the new line of a job stands already.

    A finished one does not count: the same work may have been done this morning and raised again since.
    """
    if job.done or job.route is None:
        return None
    return open_line(job.text, job.project, job.route, document, app.config.sections)


def recover(app: App, memory: Memory, *, strict: bool = False) -> None:
    """Close the receipts of runs that died: lines that stand are done, the others were never written.

    The caller holds the lock. A receipt whose note cannot be looked at now (an editor keeps it open for writing) is
    told on stderr and left to the next run.

    Args:
        app: the vault.
        memory: where the receipts are kept.
        strict: raise instead of leaving one.

    Raises:
        PublishError: with `strict`, why a note cannot be looked at.
    """
    for receipt in [one for one in memory.receipts if one.step is Step.PLANNED]:
        paths = {line.path for line in receipt.lines}
        try:
            # Puts in order what the run left beside the file, and gives what it holds while nobody writes to it.
            stands = {path: rewrite(app.root / path, lambda _: None, root=app.root).data for path in paths}
        except PublishError as error:
            if strict:
                raise
            app.warn(f"{error} A run that died was writing there; the next one finishes that.")
            continue
        lines = tuple(found for line in receipt.lines if (found := _as_it_stands(app, line, stands[line.path])))
        kept = {line.path for line in lines}
        changes = tuple(change for change in receipt.changes if change.path in kept)
        memory.skip(receipt.skips)
        memory.settle([line.id for line in lines] + [skip.orphan.id for skip in receipt.skips])
        _close(memory, replace(receipt, lines=lines, changes=changes))


def _as_it_stands(app: App, line: Line, data: bytes | None) -> Line | None:
    """A planned line with its number and spelling in the file; None when it was not written."""
    number = place_in(parse_bytes(data), line, app.config.sections)
    if number is None or data is None:
        return None
    lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return replace(line, number=number, line=redact(lines[number - 1])[0])


def place_in(document: Document, line: Line, sections: Sections) -> int | None:
    """Where a line that was written stands in its file, open or done by now."""
    if line.route is not None:
        found = open_line(line.text, line.project, line.route, document, sections)
        if found is not None:
            return found
    return done_line(line.text, line.project, document, sections)
