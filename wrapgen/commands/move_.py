"""`wrap move`: put items elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.dashboard.view import PRIORITY_SIGNS
from wrapgen.errors import ExitCode, WrapgenError
from wrapgen.regular_files import whole
from wrapgen.terminal.completions import destinations, items_or_destinations
from wrapgen.terminal.help import examples
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.options import JSON
from wrapgen.vault.markdown.marks import read_item
from wrapgen.vault.markdown.take_out import take_out
from wrapgen.workflows.destination import destination
from wrapgen.workflows.item_edit import item_edit
from wrapgen.workflows.line_writer import LineEdit, write_lines

if TYPE_CHECKING:
    from wrapgen.model import Item
    from wrapgen.session.follow_up import Suggestion
    from wrapgen.vault.markdown.take_out import TakenItem
    from wrapgen.workflows.app import App
    from wrapgen.workflows.item_edit import ItemEdit


@click.command("move", epilog=examples("wrap move 3 web", "wrap move 2 4 infra/postgres-upgrade"))
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=items_or_destinations)
@click.argument("to", metavar="PROJECT[/TASK]", shell_complete=destinations)
@JSON
@click.pass_obj
def command(app: App, *, items: tuple[str, ...], to: str, as_json: bool) -> int:
    """Put items into the list of another project or task.

    Each is taken out of its file with everything below it, and so is whatever was merged into it.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item.
    """
    with item_edit(app, "move", as_json=as_json) as made:
        made.verb = "moved"
        where = destination(made.session, to)
        path = made.session.index.places.file(where)
        assert path is not None  # only a skip has no file
        chosen = picked(made.session, made.run, items, as_json=as_json)
        moves = {item.id: _edits(app, made, item, where, path) for item in chosen}
        edits = {(edit.id, edit.gone): edit for each in moves.values() for edit in each}
        made.wrote(write_lines(made.session, list(edits.values()), made.receipt))
        made.lines = [line for line in made.lines if line.path == path]
        places = {line.id: f"{line.path}:{line.number}" for line in made.lines}
        for item in chosen:
            new = next((edit.id for edit in moves[item.id] if not edit.gone), "")
            made.became |= {one.id: places[new] for one in made.group([item]) if new in places}
        made.carry_over(made.group(chosen))
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _edits(app: App, made: ItemEdit, item: Item, where: Suggestion, path: str) -> list[LineEdit]:
    """The new line, unless one of those that are merged is in that list already; and the old ones, which go."""
    group = made.group([item])
    there = [one for one in group if one.path == path]
    gone = sorted((one for one in group if one.path != path), key=lambda one: (one.path, -one.line))
    taken = {one.id: _taken(app, one) for one in gone}
    edits = [
        LineEdit(one.id, one.text, None, one.path, project=one.project, box=one.line, gone=True) for one in gone
    ]  # fmt: skip
    if there:
        made.say(f"is already in {there[0].place}: {there[0].text}")
        made.name([there[0]], already_in=there[0].place)
        if any(one.below for one in taken.values()):
            raise WrapgenError("what stands below the other copies would be lost", next_step="Move it by hand.")
        return edits
    line = next((found for one in group if (found := made.routed_line(one))), None)
    _, words = made.session.projects.leading_tag(taken[item.id].raw)
    new = LineEdit(
        line.id if line else item.id, f"{words}{_marks(item, words)}", where.route, path,
        where.task or where.project or "", where.project, where.task, line.orphan if line else None,
        below=_below([taken[item.id], *taken.values()]),
    )  # fmt: skip
    return [new, *edits]


def _taken(app: App, item: Item) -> TakenItem:
    taken = take_out(item.path, whole(app.root / item.path), item.line, item.text)
    if taken is None:
        raise WrapgenError("there is no such open item any more", where=item.place, next_step="Run `wrap list` again.")
    return taken


def _below(taken: list[TakenItem]) -> tuple[str, ...]:
    """What stands below an item and below those that are merged into it, each once."""
    return tuple(row for rows in dict.fromkeys(one.below for one in taken) for row in rows)


def _marks(item: Item, words: str) -> str:
    """What the item is by its journal or by those merged into it, and its own line does not say: it keeps that."""
    entry = read_item(f"[ ] {words}", line=1, section=-1)
    assert entry is not None  # it was read as an item before
    marks = [f"📅 {item.due}"] if item.due and not entry.due else []
    if item.priority is not None and entry.priority is None:
        marks.append(PRIORITY_SIGNS[item.priority])
    if item.raised is not None and entry.created is None:
        marks.append(f"➕ {item.raised}")
    return "".join(f" {mark}" for mark in marks)
