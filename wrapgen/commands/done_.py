"""`wrap done`: finish items where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.deciding import decision
from wrapgen.commands.help import examples
from wrapgen.commands.knowledge import Knowledge
from wrapgen.commands.picking import pick
from wrapgen.commands.writing import Job, write_lines
from wrapgen.errors import WrapgenError
from wrapgen.session.routing import Route

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.model import Item


@click.command("done", epilog=examples("wrap done 2", "wrap done 1 4", "wrap done projects/web/todos.md:12"))
@click.argument("items", nargs=-1, required=True, metavar="N...")
@click.pass_obj
def command(app: App, *, items: tuple[str, ...]) -> None:
    """Finish items: tick the box, or write a line into today's Done.

    N: a number of `wrap list`, an id, or path:line.
    """
    journal = Knowledge.of(app).places.journal
    with decision(app, "done") as made:
        jobs = [_job(pick(made.run, words).item, journal) for words in items]
        written = write_lines(app, made.memory, jobs, made.receipt)
        for line in written.lines:
            app.say(f"done: {line.path}:{line.number}  {line.line}")
        for reason in written.failed.values():
            raise WrapgenError(reason.rstrip("."))


def _job(item: Item, journal: str) -> Job:
    if item.box:
        return Job(item.id, item.text, None, item.path, project=item.project, box=item.line)
    return Job(item.id, item.text, Route.JOURNAL, journal, project=item.project, done=True)
