"""Lines into files, with a receipt: planned before the first byte is written, closed after the last.

A run that dies in between leaves a planned receipt, which the next one closes (`receipts.py`). So repeated
answers, or a crash anywhere, write no line twice and lose none.
"""

import secrets
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from wrapgen.config import SectionNames
from wrapgen.errors import EditError, WrapgenError
from wrapgen.model import Item
from wrapgen.notes import Document, Kind
from wrapgen.pipeline.extract import without_filter
from wrapgen.redact import redact
from wrapgen.regular_files import whole
from wrapgen.session.follow_up import FollowUp, Route
from wrapgen.session.memory import Change, Line, Receipt, Step, open_line
from wrapgen.text.folding import fold
from wrapgen.triage.said import LinesFiled, Record, filed_digest
from wrapgen.vault.daily_note import from_template
from wrapgen.vault.detect.proposal import done_status, is_in_graph
from wrapgen.vault.markdown.blocks import Blocks, Lines, read_blocks, unfinished_merge
from wrapgen.vault.markdown.edit import GivenMarks, mark, reword
from wrapgen.vault.markdown.insert import (
    Insertion,
    into_checklist,
    into_done,
    into_flat_list,
    into_journal,
    into_next_session,
)
from wrapgen.vault.markdown.item_writer import OPEN_BOX, MovedLines, NewItem
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.take_out import take_out
from wrapgen.vault.markdown.tick import Replacement, finish
from wrapgen.vault.rewrite import rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.said_file import append_said, appended
from wrapgen.workflows.vault_session import VaultSession


@dataclass(frozen=True, slots=True)
class LineEdit:
    """A line that is to be written, or one that stands and is to be ticked, reworded or taken out."""

    id: str  # the follow-up's id, or that of the item that is changed
    text: str
    route: Route | None  # where the line goes; None for one that stands, unless a follow-up was routed there
    path: str  # the file, relative to the vault
    title: str = ""  # what a new file is called
    project: str | None = None
    task: str | None = None
    orphan: FollowUp | None = None
    done: bool = False  # write it as finished work
    after: int = 0  # line of what it finishes, when that stands in the same file
    outside: bool = False  # write it outside of session blocks
    item: Item | None = None  # the item that is changed, None for a new line; it is ticked unless more is said
    reworded: bool = False  # the text is what it is to say
    marked: GivenMarks | None = None  # the marks that it is to have
    gone: "Gone | None" = None  # take it out
    moved: MovedLines | None = None  # how a new item stood elsewhere
    head: str = ""  # its first line as written there, without tag; the text is all of its words

    @property
    def place(self) -> str:
        return self.item.place if self.item else self.path

    @property
    def new(self) -> NewItem:
        return NewItem(self.head or self.text, self.project, self.moved)

    @property
    def secret(self) -> bool:
        """Whether its words contain a secret, which goes into the user's file but not into the receipt."""
        below = self.moved.below if self.moved else ()
        return redact("\n".join([self.text, self.head, *below]))[1] > 0

    def line(self, written: str = "", number: int = 0) -> Line:
        text, line = redact(self.text)[0], redact(_readable(written))[0]
        return Line(self.id, text, self.route, self.path, line, number, self.project, self.task, self.orphan)

    def line_in(self, document: Document, sections: SectionNames) -> int | None:
        """Where its new line is already.

        A finished one does not count: the same work may have been done this morning and raised again since.
        """
        if self.done or self.route is None:
            return None
        return open_line(self.text, self.project, self.route, document, sections)


@dataclass(frozen=True, slots=True)
class Gone:
    """That an item is taken out once its words stand elsewhere."""

    new: str  # the id of the edit that writes them there; empty where they stand already
    rows: bytes  # the lines that were written there: others are not taken out


@dataclass(slots=True)
class Written:
    """The results of the edits."""

    lines: list[Line] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    # why an edit could not be done, by its id; its follow-up stays where it was
    failed: dict[str, str] = field(default_factory=dict)
    then: dict[str, str] = field(default_factory=dict)  # the next occurrence of what was ticked, by its id


def begin(app: App, command: str) -> Receipt:
    """A receipt for what a command is about to do."""
    now = app.now
    return Receipt(f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}", now, command, Step.PLANNED)  # its id sorts by time


Says = Callable[[Written], Sequence[Record]]
"""What is said of items once it is known which edits could not be done."""


def write_lines(
    session: VaultSession, edits: Sequence[LineEdit], receipt: Receipt, says: Says = lambda _: ()
) -> Written:
    """Make edits, with a receipt that holds the run's other decisions already; the caller holds the lock."""
    memory = session.memory
    groups = [_FileEdit(session, group) for group in _groups(edits)]
    planned = [change for group in groups if (change := group.plan())]
    if records := [*says(Written()), *_filed(session.app, edits)]:
        planned.append(appended(session.app.root, records))
    receipt = replace(receipt, lines=tuple(edit.line() for edit in edits), changes=tuple(planned))
    memory.write(receipt)
    written = Written()
    for group in groups:
        gone = group.edits[0].gone
        if gone and gone.new in written.failed:
            continue  # its words are nowhere else
        try:
            group.write(written)
        except WrapgenError as error:
            why = f"{error} It stands at both places now." if gone and gone.new else str(error)
            written.failed |= dict.fromkeys((edit.id for edit in group.edits), why)
    there = {(line.path, line.id) for line in written.lines if line.number}
    if records := [*says(written), *_filed(session.app, [one for one in edits if (one.path, one.id) in there])]:
        written.changes.append(append_said(session.app.root, records))
    # Before the receipt is closed: if this run dies in between, the next one finishes it and reports it again.
    memory.settle(line.id for line in written.lines if line.orphan is not None)
    memory.close(replace(receipt, lines=tuple(written.lines), changes=tuple(written.changes)))
    session.notes_changed()
    return written


def remember(session: VaultSession, receipt: Receipt, records: Sequence[Record]) -> Receipt:
    """Add what was said of items to a receipt that is new, or closed already; the caller holds the lock."""
    memory, root = session.memory, session.app.root
    memory.write(replace(receipt, step=Step.PLANNED, changes=(*receipt.changes, appended(root, records))))
    change = append_said(root, records)
    closed = replace(receipt, step=Step.DONE, changes=(*receipt.changes, change))
    memory.close(closed)
    session.notes_changed()
    return closed


def _filed(app: App, edits: Sequence[LineEdit]) -> list[Record]:
    """What is remembered of new lines of lists, which make no other list old."""
    lines = [filed_digest(one.path, fold(one.text).text) for one in edits if one.route and not (one.item or one.done)]
    return [LinesFiled(said=app.now, lines=tuple(lines))] if lines else []


def _groups(edits: Sequence[LineEdit]) -> list[list[LineEdit]]:
    """Edits grouped into one change of a file: lines that stand one by one, the new ones of each file together.

    Of a file the last line comes first, so that no edit shifts what is still to be changed. What is taken out comes
    last, so that its words are always somewhere.
    """
    inserts: dict[tuple[object, ...], list[LineEdit]] = defaultdict(list)
    stand: list[tuple[Item, LineEdit]] = []
    for edit in edits:
        if edit.item:
            stand.append((edit.item, edit))
        else:
            alone = edit.id if edit.moved else ""  # one that cannot stand there keeps no other one from moving
            inserts[edit.path, edit.done, edit.outside, edit.secret, alone].append(edit)
    each = [[edit] for item, edit in sorted(stand, key=lambda one: (one[0].path, -one[0].line))]
    return [*(one for one in each if not one[0].gone), *inserts.values(), *(one for one in each if one[0].gone)]


@dataclass(frozen=True, slots=True)
class _Computed:
    data: bytes | None  # the file at that moment, None when there was none
    change: Insertion | Replacement | None  # what to do to it; None when there is nothing to do
    # the edits that it makes; what is in the file already (a run that died wrote it) is left out
    missing: list[LineEdit]
    line: int = 0  # where the item that is changed stands after it


@dataclass(slots=True)
class _FileEdit:
    """Edits that are one change of a file; it is computed again only if the file is another by then."""

    session: VaultSession
    edits: list[LineEdit]
    _last: _Computed | None = None

    @property
    def app(self) -> App:
        return self.session.app

    @property
    def path(self) -> str:
        return self.edits[0].path

    def plan(self) -> Change | None:
        try:
            data = whole(self.app.root / self.path)
        except OSError:
            data = None
        try:
            return self._recorded(self._compute(data))
        except WrapgenError:
            return None  # it will fail again when it is written, and be reported then

    def write(self, written: Written) -> None:
        def transform(data: bytes | None) -> bytes | None:
            computed = self._compute(data)
            return None if computed.change is None else computed.change.apply(data or b"")

        result = rewrite(self.app.root / self.path, transform, root=self.app.root)
        for kept in result.rescued:
            self.app.warn(f"{self.path} was changed by two programs at once; what could not be put back is in {kept}")
        if result.doubt:
            self.app.warn(result.doubt)
        if result.former is None and b"<%" in (result.data or b""):
            self.app.warn(
                f"{self.path} is made from your template, and its code is left for Templater to run: open the note in "
                "Obsidian and use `Replace templates in the active file`"
            )
        computed = self._compute(result.former)
        first = self.edits[0]
        if computed.change is None and first.item:
            written.failed[first.id] = f"{first.place}: there is no such open item any more."
            return
        texts: dict[str, tuple[str, int]] = {}
        if isinstance(computed.change, Insertion):
            placed = zip(computed.change.texts, computed.change.lines, strict=True)
            texts = dict(zip((edit.id for edit in computed.missing), placed, strict=True))
        elif first.item:
            texts = {first.id: (first.text, computed.line)}
            if isinstance(computed.change, Replacement) and computed.change.above:
                written.then[first.id] = _readable(computed.change.above).strip()
        written.lines += [edit.line(*texts.get(edit.id, (edit.text, 0))) for edit in self.edits]
        change = self._recorded(computed)
        written.changes += [change] if change else []

    def _compute(self, data: bytes | None) -> _Computed:
        if self._last is None or self._last.data != data:
            try:
                self._last = self._computed(data)
            except EditError as error:
                error.where = error.where or self.path
                raise
        return self._last

    def _computed(self, data: bytes | None) -> _Computed:
        if data is not None and (line := unfinished_merge(data)):
            raise EditError(
                "holds the two sides of an unfinished merge, so it is not written",
                where=f"{self.path}:{line}",
                next_step="Finish the merge and run again.",
            )
        first = self.edits[0]
        if first.item:
            item = self.session.as_it_stands(first.item, data or b"")
            change = _change_of_item(self.app, data or b"", first, item.line) if item else None
            above = bool(isinstance(change, Replacement) and change.above)
            return _Computed(data, change, self.edits, (item.line if item else 0) + above)
        note = None if data is None else read_blocks(data)
        sections = self.app.config.names
        there = {edit.id: note and edit.line_in(note.document, sections) for edit in self.edits}
        for edit in self.edits:
            if edit.moved and there[edit.id]:
                self._refuse_loss(edit, there[edit.id] or 0, data or b"")
        missing = [edit for edit in self.edits if not there[edit.id]]
        is_new = note is None and self.edits[0].route is Route.JOURNAL
        made = from_template(self.app.root, self.path, self.app.now) if is_new else None
        added = _insertion(self.session, read_blocks(made) if made else note, missing) if missing else None
        if added and made:
            added = replace(added, offset=0, data=added.apply(made))
        return _Computed(data, added, missing)

    def _refuse_loss(self, edit: LineEdit, line: int, data: bytes) -> None:
        """Refuse to drop what an item brings along, where its words stand already."""
        stands = next((one for one in self.session.items_in(edit.path, data) if one.line == line), None)
        marks = read_item(f"[ ] {edit.head}", line=1, section=-1)
        brings = [getattr(marks, name) for name in _MARKS if getattr(marks, name) != getattr(stands, name, None)]
        if stands is None or (edit.moved and edit.moved.below) or any(brings):
            raise EditError(
                "the same words stand there already, and what is below the moved item or marked on it would be lost",
                where=f"{edit.path}:{line}",
                next_step="Move it by hand.",
            )

    def _recorded(self, computed: _Computed) -> Change | None:
        """What the receipt says about a change; nothing about a secret, which can then only be undone by hand."""
        match computed.change:
            case Insertion() as insertion:
                change = Change(self.path, insertion.offset, insertion.data, created=computed.data is None)
            case Replacement() as replacement:
                change = whole_lines(self.path, replacement, computed.data or b"")
            case None:
                return None
        secrets = redact(f"{_readable(change.before)}\n{_readable(change.after)}")[1]
        return None if secrets or self.edits[0].secret else change


_MARKS = ("due", "priority", "recurrence")


def _readable(written: str | bytes) -> str:
    data = written.encode("utf-8", "surrogateescape") if isinstance(written, str) else written
    return data.decode("utf-8", "replace")


def _change_of_item(app: App, data: bytes, edit: LineEdit, line: int) -> Replacement | None:
    if edit.gone:
        taken = take_out(edit.path, data, line)
        if taken and taken.lines != edit.gone.rows:
            raise EditError("what is below it has changed meanwhile", where=f"{edit.path}:{line}")
        return taken.change if taken else None
    if edit.marked:
        return mark(edit.path, data, line, edit.marked)
    if edit.reworded and edit.item:
        return reword(edit.path, data, line, edit.item.text, edit.text)
    return finish(edit.path, data, line, app.day, done_status(app.root, edit.path) if line == 1 else "")


def whole_lines(path: str, edit: Replacement, data: bytes) -> Change:
    """A change with the whole lines around it, by which it is found again if they move."""
    lines = Lines(data)
    start, end = lines.start(lines.at(edit.offset)), edit.offset + len(edit.old)
    last = lines.at(end)
    if end != lines.start(last):
        end = max(end, lines.start(last) + len(lines.text(last)))
    after = edit.apply(data)[start : end - len(edit.old) + len(edit.new)]
    return Change(path, start, after, data[start:end])


def _insertion(session: VaultSession, note: Blocks | None, edits: list[LineEdit]) -> Insertion:
    app, sections = session.app, session.app.config.names
    items = [replace(edit.new, lead=_lead(session, note, edit)) for edit in edits]
    first = edits[0]
    if first.done:
        return into_done(note, items, day=app.day, sections=sections, after=max(edit.after for edit in edits))
    box = "TODO " if is_in_graph(app.root, first.path) else OPEN_BOX
    if first.route is Route.JOURNAL:
        return into_journal(note, items, day=app.day, sections=sections, outside=first.outside, box=box)
    if first.route is not Route.PROJECT:
        return into_checklist(note, items, title=first.title, sections=sections, box=box)
    if note and note.lists and _is_flat(session, first.path):
        return into_flat_list(note, items)
    return into_next_session(note, items, title=first.title, sections=sections, box=box)


def _is_flat(session: VaultSession, path: str) -> bool:
    """Tell whether a hand-over is but a list: without headings other than its title."""
    source = next((one for one in session.contents.sources if one.path == path), None)
    if source is None or source.kind is not Kind.HAND_OVERS:
        return False
    return all(section.level == 1 for section in source.document.sections)


def _lead(session: VaultSession, note: Blocks | None, edit: LineEdit) -> str:
    """What stands in front of a new line: the vault's task filter, and its project as this file's items say it."""
    config, projects, words = session.app.config, session.projects, edit.new.text
    tag = config.tasks.filter
    lead = f"{tag} " if tag and not edit.done and without_filter(words, config.tasks) == words else ""
    if not edit.project or projects.of_place(edit.path, config.sources) == edit.project:
        return lead
    marks = (projects.mark_of(without_filter(one.text, config.tasks)) for one in note.document.entries) if note else ()
    return lead + projects.mark(edit.project, next(filter(None, marks), ""))
