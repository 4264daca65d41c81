"""Lines written, ticked, reworded or taken out in the files of a vault, under one receipt."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from wrapgen.errors import EditError, WrapgenError
from wrapgen.model import Item, TriageVerdict
from wrapgen.notes import Kind
from wrapgen.pipeline.extract import without_filter
from wrapgen.session.follow_up import Route
from wrapgen.session.memory import Line, Receipt
from wrapgen.text.folding import fold
from wrapgen.triage.said import LinesFiled, Record, filed_digest
from wrapgen.vault.daily_note import from_template
from wrapgen.vault.detect.proposal import is_in_graph
from wrapgen.vault.markdown.blocks import Blocks, Lines, read_blocks, unfinished_merge
from wrapgen.vault.markdown.edit import mark, reword
from wrapgen.vault.markdown.insert import (
    Insertion,
    into_checklist,
    into_done,
    into_flat_list,
    into_journal,
    into_next_session,
)
from wrapgen.vault.markdown.item_writer import OPEN_BOX
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.take_out import take_out
from wrapgen.vault.markdown.tick import Replacement, apply_all
from wrapgen.workflows.app import App
from wrapgen.workflows.file_writer import Computed, FileEdit, Written, write_files
from wrapgen.workflows.line_edit import LineEdit
from wrapgen.workflows.receipts import undo
from wrapgen.workflows.said_edit import SaidEdit, Says, became, verdict_of_person
from wrapgen.workflows.vault_session import VaultSession


def not_written(session: VaultSession, item: Item, data: bytes) -> EditError:
    """Return why nothing in a file can be changed for an item: it is not there any more, or is no line of a list."""
    stands = session.as_it_stands(item, data)
    if stands is None:
        return EditError("there is no such open item any more", where=item.place, next_step="Run `wrap list` again.")
    return EditError(
        "is a paragraph, heading or quote, and wrapgen changes only lines of lists",
        where=stands.place,
        next_step=f"Change it in the file: `wrap open {stands.place}`.",
    )


def write_lines(
    session: VaultSession,
    edits: Sequence[LineEdit],
    receipt: Receipt,
    says: Says = lambda _: (),
    others: Sequence[FileEdit] = (),
) -> Written:
    """Make edits, with a receipt that holds the run's other decisions already; the caller holds the lock.

    Args:
        says: gives what is said of items, once it is known which edits could not be made.
        others: changes of other files, which belong to the same receipt and are made last.
    """
    memory, now, by_file = session.memory, session.app.now, _by_file(session, edits)

    def records(failed: Collection[str]) -> list[Record]:
        new = {(line.path, line.id) for one in by_file for line in one.lines if line.number}  # not those there already
        return [
            *says(failed),
            *_filed(now, [one for one in edits if one.id not in failed and (one.path, one.id) in new]),
            *_followed(now, [pair for one in by_file for pair in one.made(failed)]),
        ]

    files: list[FileEdit] = [*by_file, SaidEdit(session.app.root, records), *others]
    written = write_files(session, files, receipt)
    _warn_of_code(session.app, written)
    if _stands_twice(edits, written):
        undone = undo(session, written.receipt)
        then = "Nothing was moved." if undone.whole else "The next run takes back what was moved."
        return replace(written, lines=[], failed={key: f"{why} {then}" for key, why in written.failed.items()})
    # Before the receipt is closed: if this run dies in between, the next one finishes it and reports it again.
    memory.settle(line.id for line in written.lines if line.orphan is not None)
    memory.close(written.receipt)
    made = [pair for one in by_file for pair in one.made(written.failed)]
    written.became = {one.id: item.place for edit, item in reversed(made) for one in (*edit.was, *edit.history)}
    session.notes_changed()
    return written


def _filed(now: datetime, edits: Sequence[LineEdit]) -> list[Record]:
    """Return what is remembered of new lines of lists, which make no other list old."""
    lines = [filed_digest(one.path, fold(one.text).text) for one in edits if one.route and not (one.item or one.done)]
    return [LinesFiled(said=now, lines=tuple(lines))] if lines else []


def _followed(now: datetime, made: Sequence[tuple[LineEdit, Item]]) -> Iterator[Record]:
    """Yield what is remembered of items that stand in the place of others."""
    merged: set[str] = set()
    for edit, item in made:
        yield from became(now, edit.was, item)
        for one in edit.history:
            if one.id not in merged:
                merged.add(one.id)
                yield verdict_of_person(now, one, TriageVerdict.SAME_AS, item.id)


def _warn_of_code(app: App, written: Written) -> None:
    """Say which new notes hold code of a template that only another program runs."""
    for path in dict.fromkeys(change.path for change in written.receipt.changes if change.created):
        if b"<%" in b"".join(one.after for one in written.receipt.changes if one.path == path):
            app.warn(
                f"{path} is made from your template, and its code is left for Templater to run: open the note in "
                "Obsidian and use `Replace templates in the active file`"
            )


def _stands_twice(edits: Sequence[LineEdit], written: Written) -> bool:
    """Tell whether something could not be taken out, but its words were written elsewhere."""
    new = {line.id for line in written.lines if line.route is not None}
    taken = {(line.path, line.id) for line in written.lines if line.route is None}
    return any(edit.gone and edit.gone.new in new and (edit.path, edit.id) not in taken for edit in edits)


def _by_file(session: VaultSession, edits: Sequence[LineEdit]) -> list["_LinesOfFile"]:
    """Return edits by their files. What is taken out comes last, so that its words are always somewhere."""
    files: dict[str, list[LineEdit]] = defaultdict(list)
    for edit in sorted(edits, key=lambda one: one.gone is not None):
        files[edit.path].append(edit)
    return [_LinesOfFile(session, path, tuple(group)) for path, group in files.items()]


@dataclass(slots=True)
class _Draft:
    """A file while it is edited."""

    data: bytes | None
    rounds: list[Sequence[Replacement]] = field(default_factory=list)
    placed: list[tuple[LineEdit, str, int]] = field(default_factory=list)  # what is written, and at which byte
    failed: dict[str, str] = field(default_factory=dict)
    then: dict[str, str] = field(default_factory=dict)

    def put(self, *splices: Replacement) -> None:
        """Make a round of splices."""
        for one in splices:
            by = len(one.new) - len(one.old)
            self.placed = [(edit, text, at + by if at >= one.offset else at) for edit, text, at in self.placed]
        self.data = apply_all(self.data or b"", splices)
        self.rounds.append(splices)


@dataclass(slots=True)
class _LinesOfFile:
    """All edits of lines of one file; they are computed again only if the file is another by then."""

    session: VaultSession
    path: str
    edits: tuple[LineEdit, ...]
    _last: tuple[object, Computed, list[LineEdit]] | None = None  # for what, what, and whose lines

    @property
    def ids(self) -> list[str]:
        return [edit.id for edit in self.edits]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that the last computation placed, and those that it found there already."""
        return self._last[1].lines if self._last else ()

    def compute(self, data: bytes | None, failed: Collection[str]) -> Computed:
        edits = [one for one in self.edits if not (one.gone and one.gone.new in failed)]  # its words are nowhere else
        key = data, tuple(one.id for one in edits)
        if self._last is None or self._last[0] != key:
            self._last = key, *self._computed(data, edits)
        return self._last[1]

    def made(self, failed: Collection[str]) -> Iterator[tuple[LineEdit, Item]]:
        """Yield the edits that put a line in the place of items, and what stands there by the last computation."""
        new = self._last[1].new if self._last else None
        if self._last is None or new is None:
            return
        for edit, line in zip(self._last[2], self.lines, strict=True):
            if (edit.was or edit.history) and edit.id not in failed:
                item = self.session.standing(self.path, new).by_line.get(line.number)  # none there for 0
                if item is not None:
                    yield edit, item

    def _computed(self, data: bytes | None, edits: Sequence[LineEdit]) -> tuple[Computed, list[LineEdit]]:
        if data is not None and (line := unfinished_merge(data)):
            raise EditError(
                "holds the two sides of an unfinished merge, so it is not written",
                where=f"{self.path}:{line}",
                next_step="Finish the merge and run again.",
            )
        draft = _Draft(data)
        for group in _in_turn(edits):
            first = group[0]
            try:
                (self._insert if first.item is None else self._tick if first.is_tick else self._change)(draft, group)
            except WrapgenError as error:
                error.where = error.where or self.path
                draft.failed |= {one.id: str(error) for one in group}
        lines = Lines(draft.data or b"")
        order = {id(edit): at for at, edit in enumerate(edits)}
        placed = sorted(draft.placed, key=lambda one: order[id(one[0])])
        computed = replace(
            Computed.of(self.path, data, draft.rounds),
            lines=tuple(edit.line(text, lines.at(at) + 1 if at >= 0 else 0) for edit, text, at in placed),
            failed=draft.failed,
            then=draft.then,
        )
        return computed, [edit for edit, _, _ in placed]

    def _tick(self, draft: _Draft, group: Sequence[LineEdit]) -> None:
        """Finish items that stand there, all of them at once."""
        data = draft.data or b""
        stands: dict[int, LineEdit] = {}
        for edit in group:
            if edit.item and (item := self.session.as_it_stands(edit.item, data)):
                stands.setdefault(item.line, edit)
        ticks = self.session.ticks(self.path, data, stands)
        draft.put(*ticks.values())
        ticked = {id(stands[line]) for line in ticks}
        for edit in group:
            if id(edit) not in ticked:
                self._fail(draft, edit)
        lines, by = Lines(draft.data or b""), 0
        for line, splice in sorted(ticks.items()):
            edit = stands[line]
            if splice.above:
                draft.then[edit.id] = splice.above.decode("utf-8", "replace").strip()
                by += 1
            draft.placed.append((edit, edit.text, lines.start(line - 1 + by)))

    def _fail(self, draft: _Draft, edit: LineEdit) -> None:
        assert edit.item is not None  # or nothing would be looked for
        draft.failed[edit.id] = str(not_written(self.session, edit.item, draft.data or b""))

    def _change(self, draft: _Draft, group: Sequence[LineEdit]) -> None:
        """Reword or take out an item that stands there."""
        edit, data = group[0], draft.data or b""
        item = self.session.as_it_stands(edit.item, data) if edit.item else None
        splice = _change_of_item(data, edit, item.line) if item else None
        if item is None or splice is None:
            self._fail(draft, edit)
            return
        draft.put(splice)
        draft.placed.append((edit, edit.text, Lines(draft.data or b"").start(item.line - 1)))

    def _insert(self, draft: _Draft, group: Sequence[LineEdit]) -> None:
        """Write new lines; what is in the file already (a run that died wrote it) is left out."""
        note = None if draft.data is None else read_blocks(draft.data)
        sections = self.session.app.config.names
        there = {edit.id: note and edit.line_in(note.document, sections) for edit in group}
        for edit in group:
            if edit.moved and there[edit.id]:
                self._refuse_loss(edit, there[edit.id] or 0, draft.data or b"")
        missing = [edit for edit in group if not there[edit.id]]
        if missing:
            app, is_new = self.session.app, note is None and missing[0].route is Route.JOURNAL
            template = from_template(app.root, self.path, app.now) if is_new else None
            made = _insertion(self.session, read_blocks(template) if template else note, missing)
            new = made.apply(template) if template else made.data
            splice = Replacement(0 if template else made.offset, b"", new)
            lines = Lines(splice.apply(draft.data or b""))
            starts = [lines.start(number - 1) for number in made.lines]
            draft.put(splice)
            draft.placed += zip(missing, made.texts, starts, strict=True)
        draft.placed += [(edit, edit.text, -1) for edit in group if there[edit.id]]

    def _refuse_loss(self, edit: LineEdit, line: int, data: bytes) -> None:
        """Refuse to drop what an item brings along, where its words stand already."""
        stands = self.session.standing(edit.path, data).by_line.get(line)
        marks = read_item(f"[ ] {edit.head}", line=1, section=-1)
        brings = [getattr(marks, name) for name in _MARKS if getattr(marks, name) != getattr(stands, name, None)]
        if stands is None or (edit.moved and edit.moved.below) or any(brings):
            raise EditError(
                "the same words stand there already, and what is below the moved item or marked on it would be lost",
                where=f"{edit.path}:{line}",
                next_step="Move it by hand.",
            )


def _in_turn(edits: Sequence[LineEdit]) -> list[list[LineEdit]]:
    """Return a file's edits in their order: ticks together, other items one by one from below, then new lines."""
    ticks = [one for one in edits if one.is_tick]
    others = (one for one in edits if one.item and not one.is_tick)
    stand = sorted(others, key=lambda one: -(one.item.line if one.item else 0))
    inserts: dict[tuple[object, ...], list[LineEdit]] = defaultdict(list)
    for edit in edits:
        if not edit.item:
            alone = edit.id if edit.moved else ""  # one that cannot stand there keeps no other one from moving
            inserts[edit.done, edit.outside, alone].append(edit)
    return [*([ticks] if ticks else []), *([one] for one in stand), *inserts.values()]


_MARKS = ("due", "priority", "recurrence")


def _change_of_item(data: bytes, edit: LineEdit, line: int) -> Replacement | None:
    if edit.gone:
        taken = take_out(edit.path, data, line)
        if taken and taken.lines != edit.gone.rows:
            raise EditError("what is below it has changed meanwhile", where=f"{edit.path}:{line}")
        return taken.change if taken else None
    if edit.marked:
        return mark(edit.path, data, line, edit.marked)
    assert edit.item is not None
    return reword(edit.path, data, line, edit.item.text, edit.text)


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
    found = [one for one in session.glance.listing.found if one.path == path and one.kind is Kind.HAND_OVERS]
    documents = [document for _, document in session.glance.documents(found)]
    return bool(documents) and all(section.level == 1 for section in documents[0].sections)


def _lead(session: VaultSession, note: Blocks | None, edit: LineEdit) -> str:
    """Return what leads a new line: the vault's task filter, and its project as this file's items say it."""
    config, projects, words = session.app.config, session.projects, edit.new.text
    tag = config.tasks.filter
    lead = f"{tag} " if tag and not edit.done and without_filter(words, config.tasks) == words else ""
    if not edit.project or projects.of_place(edit.path, config.sources) == edit.project:
        return lead
    marks = (projects.mark_of(without_filter(one.text, config.tasks)) for one in note.document.entries) if note else ()
    return lead + projects.mark(edit.project, next(filter(None, marks), ""))
