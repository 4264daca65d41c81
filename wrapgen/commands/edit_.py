"""`wrap edit`, `add` and `move`: the words of an item, a new one, and another place for it."""

import os
import shlex
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from wrapgen.errors import ConfigError, ExitCode, UsageError, WrapgenError
from wrapgen.late_pattern import late
from wrapgen.model import Fate, Item
from wrapgen.notes import PRIORITY_SIGNS, Kind
from wrapgen.regular_files import text_of, whole
from wrapgen.session.follow_up import Route, Suggestion, nearest, orphan_id, wording_trouble
from wrapgen.terminal.completions import destinations, item_names, items_or_destinations
from wrapgen.terminal.verb import verb
from wrapgen.text.display import one_line
from wrapgen.vault.markdown.boxes import unboxed
from wrapgen.vault.markdown.edit import GivenMarks, given_marks
from wrapgen.vault.markdown.item_writer import MovedLines
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.take_out import TakenItem, take_out
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import ItemEdit, destination, item_edit
from wrapgen.workflows.line_edit import Gone, LineEdit
from wrapgen.workflows.line_writer import not_written, write_lines
from wrapgen.workflows.vault_session import VaultSession


@verb("edit", "wrap edit 2 Rotate the production keys", "wrap edit 3 due:fri", "wrap edit 3 prio:high", json=True)
@click.argument("item", metavar="N", shell_complete=item_names)
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@click.option("--all", "copies", is_flag=True, help="Reword what is merged into it in old journals, too.")
def command(app: App, *, item: str, words: tuple[str, ...], copies: bool) -> int:
    """Reword an item, or give it a due day and a priority.

    Its box, project and dates stay; a due day or priority in TEXT (`due:fri`, `due:2w`, `prio:high`) takes the place of
    the old one, and alone it leaves the words as they are. What is merged into it in old journals stays as it stands.
    Without TEXT, your editor opens on the words.

    N: a number of the list that was printed last, a handle, path:line, or the words of one item in quotes.
    """
    from wrapgen.terminal.item_list import picked  # `add` picks none

    text = unboxed(" ".join(words).strip())
    if not text:
        session = VaultSession.look(app)
        chosen = _only(picked(session, [item]))
        item, text = chosen.id, _asked(chosen)
    text, marks, unknown = given_marks(text.strip(), app.day)
    if (text or marks == GivenMarks()) and (trouble := wording_trouble(text)):
        raise UsageError(trouble)
    if unknown and text.split() == unknown:  # a slip of the keys would take the place of all its words
        raise UsageError(
            f"`{text}` means no day and no priority, and there are no words beside it",
            next_step="Write it like due:fri, due:2w, due:2026-04-24 or prio:high.",
        )
    with item_edit(app, "edit") as made:
        made.verb = "now"
        chosen = _in_a_list(_only(picked(made.session, [item])))
        text = _without_tag(made, chosen, text)
        _say_unknown(made, unknown)
        if text == chosen.text and marks == GivenMarks():
            made.say(f"it says so already: {chosen.place}  {chosen.text}")
        else:
            group, joined = made.parts([chosen])
            made.leave(joined)
            current, history = (group, []) if copies else made.current(group)
            edits = [replace(_edit(made, one, text, marks), history=tuple(history)) for one in current]
            made.wrote(write_lines(made.session, edits, made.receipt))
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _say_unknown(made: ItemEdit, words: Iterable[str]) -> None:
    for word in words:
        made.say(f"`{word}` means no day and no priority, so it is part of the text")


def _in_a_list(item: Item) -> Item:
    if item.kind is Kind.SAID:
        raise WrapgenError(
            "is a line of its own that somebody said is next, in no list that wrapgen writes",
            where=item.place,
            next_step=f"Change it there, or write it down: {shlex.join(['wrap', 'add', item.text])}.",
        )
    return item


def _only(items: list[Item]) -> Item:
    if len(items) > 1:
        raise UsageError("one item is reworded at a time", next_step="Name one.")
    return items[0]


def _asked(item: Item) -> str:
    if not (sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise UsageError("no new words", next_step="Write them behind the item: wrap edit N TEXT.")
    return one_line(click.edit(item.text, extension=".md") or item.text)


def _without_tag(made: ItemEdit, item: Item, text: str) -> str:
    named, words = made.session.projects.leading_tag(text)
    if named is not None and named != item.project:
        raise UsageError(f"({named}) would put it elsewhere", next_step=f"Do that with: wrap move N {named}.")
    return words


def _edit(made: ItemEdit, item: Item, text: str, marks: GivenMarks) -> LineEdit:
    line = made.routed_line(item)
    written = text_of(made.session.app.root / item.path) if marks != GivenMarks() else ""
    words = " ".join([text or item.text, *marks.spelled(item.path, written)])
    return LineEdit(
        line.id if line else item.id, words, line.route if line else None, item.path, project=item.project,
        task=line.task if line else None, orphan=line.orphan if line else None, item=item, was=(item,),
        reworded=bool(text), marked=None if text else marks,
    )  # fmt: skip


_TAG = late(r"\(([^()]+)\)\s*\S")


@verb("add", "wrap add Rotate the staging keys", "wrap add Add a retry -p web", json=True)
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@click.option(
    "--project",
    "-p",
    metavar="PROJECT[/TASK]",
    shell_complete=destinations,
    help="Add to the list of this project or active task; by default, to today's journal.",
)
def add(app: App, *, words: tuple[str, ...], project: str | None) -> int:
    """Add an item to a project's list, or to today's journal.

    A leading (project) in TEXT sets the project; without one, the item belongs to none. `due:fri` (or `2w`, a date) and
    `prio:high` in TEXT set a due day and a priority.
    """
    text, marks, unknown = given_marks(unboxed(" ".join(words).strip()), app.day)
    if trouble := wording_trouble(text):
        raise UsageError(trouble)
    with item_edit(app, "add") as made:
        made.verb = "added"
        edit = _new_line(made, text, project, marks)
        _say_unknown(made, unknown)
        if (done := _done_there(made, edit)) is None:
            made.wrote(write_lines(made.session, [edit], made.receipt))
        else:
            made.close(replace(made.receipt, kept=(done.id,)))
            made.name([done], already_in=done.place)
            made.say(f"open again: {done.place}  {done.text}")
    if not Path.cwd().is_relative_to(app.root):
        app.say(f"in your vault {app.root}")
    places = {f"{line.path}:{line.number}" for line in made.lines}
    if any(one.item.place in places for one in made.run.of(Fate.OVERFLOW)):
        app.say("not shown on the dashboard: wrap list --all")
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _done_there(made: ItemEdit, edit: LineEdit) -> Item | None:
    """Return the item with these words that stands open in that file, but counts as done by another line."""
    if not any(edit.new.says(one.text) for one in made.standing_in(edit.path)):
        return None  # then nothing needs to be compared before the line is written
    resolved = (one.item for one in made.run.of(Fate.RESOLVED))
    return next((one for one in resolved if one.path == edit.path and edit.new.says(one.text)), None)


def _new_line(made: ItemEdit, text: str, project: str | None, marks: GivenMarks) -> LineEdit:
    session = made.session
    named, words = session.projects.leading_tag(text.strip())
    if project is None:
        home = session.index.places.home
        where = Suggestion(Route.PROJECT, home) if home and named in (None, home) else Suggestion(Route.JOURNAL, named)
        if named is None and (tag := _TAG.match(words)):
            hint = nearest(tag[1], session.index.places.projects)
            made.say(f"({tag[1]}) is no project, so it is part of the text{hint}")
        first, _, rest = words.partition(" ")
        if named is None and rest and (project := session.projects.named(first)):
            made.say(
                f"`{first}` is part of the text; to add to that project: wrap add {shlex.quote(rest)} -p {project}"
            )
        named = where.project
    else:
        where = destination(session, project)
        named = where.project
    path = session.index.places.file(where)
    if not path:
        raise ConfigError(session.index.places.journal_trouble)
    words = " ".join([words, *marks.spelled(path, text_of(session.app.root / path))])
    return LineEdit(
        orphan_id(words, named), words, where.route, path, where.task or named or "", named, where.task,
        outside=where.route is Route.JOURNAL and named is None,
    )  # fmt: skip


_BLOCK_ID = late(r"(?<!\s)\s++\^[A-Za-z0-9-]++\s*$")


@verb("move", "wrap move 3 web", "wrap move 2 4 infra/postgres-upgrade", json=True)
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=items_or_destinations)
@click.argument("to", metavar="PROJECT[/TASK]", shell_complete=destinations)
@click.option("--all", "copies", is_flag=True, help="Take out what is merged into them in old journals, too.")
def move(app: App, *, items: tuple[str, ...], to: str, copies: bool) -> int:
    """Put items into the list of another project or task.

    Each is taken out of its file with everything below it, and so is whatever was merged into it; but old journals stay
    as they stand.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item.
    """
    from wrapgen.terminal.item_list import picked

    with item_edit(app, "move") as made:
        made.verb = "moved"
        items, where = _where(made.session, items, to)
        path = made.session.index.places.file(where)
        assert path is not None  # only a skip has no file
        chosen = [_in_a_list(one) for one in picked(made.session, items)]
        moves = _Moves(made, where, path, copies=copies)
        for item in chosen:
            moves.plan(item)
        moves.carry_out()
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _where(session: VaultSession, items: tuple[str, ...], to: str) -> tuple[tuple[str, ...], Suggestion]:
    """Return the items and the destination, whose name need not be in quotes: words of it may stand among them."""
    for at in range(len(items) - 1, 0, -1):
        name = " ".join((*items[at:], to))
        if session.projects.named(to) is None and session.projects.named(name.partition("/")[0]):
            return items[:at], destination(session, name)
    return items, destination(session, to)


class _Moves:
    def __init__(self, made: ItemEdit, where: Suggestion, path: str, *, copies: bool) -> None:
        self._made, self._where, self._path, self._copies = made, where, path, copies
        self._edits: list[LineEdit] = []
        self._taken: dict[str, TakenItem] = {}  # by item

    def plan(self, item: Item) -> None:
        """Note what is to be written and taken out for an item; what cannot be is said."""
        made = self._made
        group, joined = made.parts([item])
        made.leave(joined)
        current, history = (group, []) if self._copies else made.current(group)
        there = [one for one in current if one.path == self._path]
        gone = [one for one in current if one.path != self._path and not self._travels(one)]
        if not gone and not there:  # it is below another one that moves
            return
        try:
            self._taken |= {one.id: self._take_out(one) for one in gone}
            if there:
                self._refuse_loss(item, there[0], gone)
                made.say(f"is already in {there[0].place}: {there[0].text}")
                made.name([there[0]], already_in=there[0].place)
                self._take_away(gone, "")
            else:
                new = replace(self._new(item, gone), was=tuple(current), history=tuple(history))
                self._edits.append(new)
                self._take_away(gone, new.id)
        except WrapgenError as error:
            for one in gone:
                self._taken.pop(one.id, None)
            made.failed.append(str(error).rstrip("."))

    def carry_out(self) -> None:
        made = self._made
        travel = {one.gone.new for one in self._edits if one.gone and one.item and self._travels(one.item)}
        edits = [one for one in self._edits if (one.gone.new if one.gone else one.id) not in travel - {""}]
        made.wrote(write_lines(made.session, edits, made.receipt))
        made.lines = [line for line in made.lines if line.path == self._path]

    def _travels(self, item: Item) -> bool:
        for edit in self._edits:
            taken = self._taken.get(edit.id) if edit.gone and edit.path == item.path else None
            if taken and taken.first + 1 < item.line <= taken.behind:
                return True
        return False

    def _take_out(self, item: Item) -> TakenItem:
        data = whole(self._made.session.app.root / item.path)
        stands = self._made.session.as_it_stands(item, data)
        taken = take_out(item.path, data, stands.line) if stands else None
        if taken is None:
            raise not_written(self._made.session, item, data)
        return taken

    def _take_away(self, gone: list[Item], new: str) -> None:
        for one in gone:
            taken = self._taken[one.id]
            self._edits.append(
                LineEdit(one.id, one.text, None, one.path, project=one.project, item=one, gone=Gone(new, taken.lines))
            )

    def _refuse_loss(self, item: Item, there: Item, gone: list[Item]) -> None:
        """Refuse to take away a copy that says more than the one that stays."""
        if any(self._taken[one.id].below for one in gone) or any(
            getattr(one, mark) not in (None, getattr(there, mark)) for one in gone for mark in ("due", "priority")
        ):
            raise WrapgenError(
                f"is also in {there.place}, and what is below the other copies or marked on them would be lost",
                where=item.place,
                next_step="Move it by hand.",
            )

    def _new(self, item: Item, gone: list[Item]) -> LineEdit:
        """Return the new line, as one of those that go is written, with what is below each of them."""
        made, where = self._made, self._where
        taken = self._taken[item.id if item in gone else gone[0].id]
        line = next((found for one in (item, *gone) if (found := made.routed_line(one))), None)
        _, words = made.session.projects.leading_tag(taken.head)
        others = [one for one in (self._taken[each.id] for each in gone) if one is not taken]
        named = {match[0] for one in (taken, *others) if (match := _BLOCK_ID.search(one.head))}
        if len(named) > 1:
            raise WrapgenError(
                "is merged with a line that has another block id, and one of them would be lost",
                where=item.place,
                next_step="Move it by hand, or part them: `wrap keep`.",
            )
        words = words if _BLOCK_ID.search(words) else f"{words}{''.join(named)}"
        below = list(taken.below)
        nested = list(taken.nested)
        for one in others:
            rows = MovedLines("", one.below, one.column).rows(taken.column)
            if rows and rows != list(taken.below):
                below += rows
                nested += one.nested
        edit = LineEdit(
            line.id if line else item.id, item.text, where.route, self._path, where.task or where.project or "",
            where.project, where.task, line.orphan if line else None, head=_marked(item, words),
            moved=MovedLines(taken.state, tuple(below), taken.column),
        )  # fmt: skip
        if tuple(nested) != edit.new.nested:
            raise WrapgenError(
                "what is below it would be nested in another way there", where=item.place, next_step="Move it by hand."
            )
        return edit


def _marked(item: Item, words: str) -> str:
    """Return its words with what its journal or those merged into it say of the item, and its own line does not."""
    entry = read_item(f"[ ] {words}", line=1, section=-1)
    assert entry is not None  # it was read as an item before
    marks = [f"📅 {item.due}"] if item.due and not entry.due else []
    if item.priority is not None and entry.priority is None:
        marks.append(PRIORITY_SIGNS[item.priority])
    if item.raised is not None and entry.created is None:
        marks.append(f"➕ {item.raised}")
    named = _BLOCK_ID.search(words)
    at = named.start() if named else len(words)
    return "".join([words[:at], *(f" {mark}" for mark in marks), words[at:]])
