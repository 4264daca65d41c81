"""`wrap move`: put items elsewhere."""

import re

import click

from wrapgen.errors import ExitCode, WrapgenError
from wrapgen.model import Item
from wrapgen.regular_files import whole
from wrapgen.session.follow_up import Suggestion
from wrapgen.terminal.completions import destinations, items_or_destinations
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.verb import verb
from wrapgen.vault.markdown.item_writer import MovedLines
from wrapgen.vault.markdown.marks.fields import PRIORITY_SIGNS
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.take_out import TakenItem, take_out
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import ItemEdit, destination, item_edit
from wrapgen.workflows.line_writer import Gone, LineEdit, write_lines

_BLOCK_ID = re.compile(r"(?<!\s)\s++\^[A-Za-z0-9-]++\s*$")


@verb("move", "wrap move 3 web", "wrap move 2 4 infra/postgres-upgrade", json=True)
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=items_or_destinations)
@click.argument("to", metavar="PROJECT[/TASK]", shell_complete=destinations)
@click.option("--all", "copies", is_flag=True, help="Take out what is merged into them in old journals, too.")
def command(app: App, *, items: tuple[str, ...], to: str, copies: bool) -> int:
    """Put items into the list of another project or task.

    Each is taken out of its file with everything below it, and so is whatever was merged into it; but old journals stay
    as they stand.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item.
    """
    with item_edit(app, "move") as made:
        made.verb = "moved"
        where = destination(made.session, to)
        path = made.session.index.places.file(where)
        assert path is not None  # only a skip has no file
        chosen = picked(made.session, made.run, items)
        moves = _Moves(made, where, path, copies=copies)
        for item in chosen:
            moves.plan(item)
        moves.carry_out()
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


class _Moves:
    def __init__(self, made: ItemEdit, where: Suggestion, path: str, *, copies: bool) -> None:
        self._made, self._where, self._path, self._copies = made, where, path, copies
        self._edits: list[LineEdit] = []
        self._taken: dict[str, TakenItem] = {}  # by item
        self._groups: dict[str, tuple[list[Item], list[Item]]] = {}  # current lines and history, by the new line's id

    def plan(self, item: Item) -> None:
        """Note what is to be written and taken out for an item; what cannot be is said."""
        made = self._made
        group = made.group([item])
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
                new = self._new(item, gone)
                self._groups[new.id] = current, history
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
        written = write_lines(made.session, edits, made.receipt)
        made.wrote(written)
        made.lines = [line for line in made.lines if line.path == self._path]
        places = {line.id: f"{line.path}:{line.number}" for line in made.lines}
        for key, (current, history) in self._groups.items():
            if key in places:
                made.became |= {one.id: places[key] for one in (*current, *history)}
        former = [one for current, _ in self._groups.values() for one in current]
        made.carry_over(former, {places[key]: old for key, (_, old) in self._groups.items() if key in places})

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
            raise WrapgenError(
                "there is no such open item any more", where=item.place, next_step="Run `wrap list` again."
            )
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
        """The new line, as one of those that go is written, with what is below each of them."""
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
    """Its words with what the item is by its journal or by those merged into it, and its own line does not say."""
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
