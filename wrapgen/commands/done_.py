"""`wrap done`: finish items where they stand."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from wrapgen.commands.completing import item_numbers
from wrapgen.commands.deciding import decision
from wrapgen.commands.help import examples
from wrapgen.commands.knowledge import Knowledge
from wrapgen.commands.picking import pick
from wrapgen.commands.writing import Job, write_lines
from wrapgen.days import moved
from wrapgen.errors import WrapgenError
from wrapgen.model import Fate, Kind
from wrapgen.session.routing import Route
from wrapgen.vault.markdown.tick import tick

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.commands.app import App
    from wrapgen.ledger import Outcome
    from wrapgen.model import Item


@click.command("done", epilog=examples("wrap done 2", "wrap done 1 4", "wrap done projects/web/todos.md:8"))
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=item_numbers)
@click.pass_obj
def command(app: App, *, items: tuple[str, ...]) -> None:
    """Finish items: tick the box, or write a line into today's Done.

    N: a number of `wrap list`, an id, or path:line.
    """
    journal = Knowledge.of(app).places.journal
    with decision(app, "done") as made:
        chosen = {one.item.id: one for one in (pick(made.run, words) for words in items)}
        jobs = [job for one in chosen.values() if (job := _job(app, one, journal))]
        written = write_lines(app, made.memory, jobs, made.receipt)
        for line in written.lines:
            app.say(f"done: {line.path}:{line.number}  {line.line}")
            if (item := chosen[line.id].item).recurrence:
                app.say(f"it repeats; the next one: {_next_one(item, app.day)}")
        reasons = list(dict.fromkeys(written.failed.values()))
        for reason in reasons[:-1]:
            app.warn(reason)
        for reason in reasons[-1:]:
            raise WrapgenError(reason.rstrip("."))


def _next_one(item: Item, today: date) -> str:
    """The command that writes a repeating item down again: raised tomorrow, so that today's Done is not its own."""
    words = f"{item.text} 🔁 {item.recurrence} ➕ {moved(today, 1)}"
    return shlex.join(["wrap", "add", words, *(("-p", item.project) if item.project else ())])


def _job(app: App, one: Outcome, journal: str) -> Job | None:
    """What finishes an item: its box, else a line in today's Done; nothing when evidence has finished it already."""
    item = one.item
    if item.box and tick((app.root / item.path).read_bytes(), item.line):
        return Job(item.id, item.text, None, item.path, project=item.project, box=item.line)
    if one.fate is Fate.RESOLVED and one.because:
        app.say(f"done already, by {one.because.path}:{one.because.line}: {item.text}")
        return None
    # What a journal of a day to come raises can only be finished there: a Done of today would be older than it.
    ahead = item.kind is Kind.JOURNAL_NEXT and item.raised is not None and item.raised > app.day
    path = item.path if ahead else journal
    return Job(item.id, item.text, Route.JOURNAL, path, project=item.project, done=True)
