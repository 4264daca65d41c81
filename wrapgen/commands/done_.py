"""`wrap done`: finish items in their files."""

import shlex
from dataclasses import replace
from datetime import date

import click

from wrapgen.days import moved
from wrapgen.errors import ConfigError, ExitCode
from wrapgen.model import Fate, Item
from wrapgen.notes import Kind
from wrapgen.session.follow_up import Route
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import ItemEdit, item_edit
from wrapgen.workflows.line_writer import LineEdit, write_lines


@verb(
    "done",
    "wrap done 2",
    "wrap done 1 4",
    "wrap done 5-7",
    "wrap done restore runbook",
    "wrap done projects/web/todos.md:8",
    json=True,
)
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=item_names)
def command(app: App, *, items: tuple[str, ...]) -> int:
    """Finish items: tick the box, or add a line to today's Done.

    Whatever was merged into an item is ticked too.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item.
    """
    with item_edit(app, "done") as made:
        chosen = picked(made.session, made.run, items)
        made.name(chosen)
        finished = made.group(chosen)
        edits = {edit.id: edit for item in chosen for edit in _edits(app, made, item)}
        made.receipt = replace(made.receipt, finished=tuple(item.id for item in finished))
        written = write_lines(made.session, list(edits.values()), made.receipt)
        made.wrote(written)
        for line in made.lines:
            made.say(f"done: {line.path}:{line.number}  {line.line}")
        for item in chosen:
            ids = {one.id for one in made.group([item])}
            if item.recurrence and ids & {line.id for line in made.lines}:
                _tell_next(made, item, next((text for key, text in written.then.items() if key in ids), None))
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _tell_next(made: ItemEdit, item: Item, text: str | None) -> None:
    for one in made.items:
        if one["id"] == item.id:
            one["next"] = text
    if text is not None:
        made.say(f"next: {text}")
    else:
        if item.box:
            made.say(f"its rule is not understood, so no next one was written: {item.recurrence}")
        made.say(f"it repeats; next one: {_next_one(item, made.session.app.day)}")


def _next_one(item: Item, today: date) -> str:
    """The command that adds the next occurrence of a repeating item, raised tomorrow so that today's Done is older."""
    words = f"{item.text} 🔁 {item.recurrence} ➕ {moved(today, 1)}"
    return shlex.join(["wrap", "add", words, *(("-p", item.project) if item.project else ())])


def _edits(app: App, made: ItemEdit, item: Item) -> list[LineEdit]:
    """What finishes an item and what is merged into it: boxes, else lines in today's Done, one for each wording.

    Nothing when it has no box and evidence already resolved it.
    """
    group = made.group([item])
    boxed = [one for one in group if made.can_tick(one)]
    because = next((one.because for one in made.run.of(Fate.RESOLVED) if one.item.id == item.id), None)
    if because and not boxed:
        made.say(f"already done, see {because.path}:{because.line}: {item.text}")
        return []
    edits = [LineEdit(one.id, one.text, None, one.path, project=one.project, item=one) for one in boxed]
    finished = {one.folded.text for one in boxed}
    for one in group:
        if one.folded.text not in finished:
            finished.add(one.folded.text)
            alike = [other for other in group if other.folded.text == one.folded.text]
            edits.append(_done_line(app, made, one, alike))
    return edits


def _done_line(app: App, made: ItemEdit, item: Item, alike: list[Item]) -> LineEdit:
    # An item of a future journal can only be finished there: a Done of today would be older than it.
    ahead = item.kind is Kind.JOURNAL_NEXT and item.raised is not None and item.raised > app.day
    path = item.path if ahead else made.session.index.places.journal
    if not path:
        raise ConfigError(made.session.index.places.journal_trouble)
    after = max((one.line for one in alike if one.path == path), default=0)
    return LineEdit(item.id, item.text, Route.JOURNAL, path, project=item.project, done=True, after=after)
