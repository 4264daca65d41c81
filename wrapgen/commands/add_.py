"""`wrap add`: write a follow-up down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.completing import project_names
from wrapgen.commands.deciding import decision
from wrapgen.commands.help import examples
from wrapgen.commands.knowledge import Knowledge
from wrapgen.commands.picking import numbered
from wrapgen.commands.writing import Job, write_lines
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.model import Fate
from wrapgen.session.follow_ups import orphan_id
from wrapgen.session.routing import Route, Suggestion, nearest, wording_trouble

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command("add", epilog=examples('wrap add "Rotate the staging keys"', 'wrap add "Add a retry" -p web'))
@click.argument("text")
@click.option(
    "--project",
    "-p",
    metavar="NAME",
    shell_complete=project_names,
    help="Into this project's list; else into today's journal.",
)
@click.pass_obj
def command(app: App, *, text: str, project: str | None) -> None:
    """Write a follow-up down: into a project's list, or into today's journal.

    A leading (project) in TEXT is its tag.
    """
    if trouble := wording_trouble(text):
        raise UsageError(trouble)
    knowledge = Knowledge.of(app)
    named, words = knowledge.projects.leading_tag(text.strip())
    if project is not None:
        named = knowledge.projects.named(project)
        if named is None:
            raise UsageError(f"no project is called {project!r}{nearest(project, knowledge.places.projects)}")
    route = Route.JOURNAL if project is None else Route.PROJECT
    path = knowledge.places.file(Suggestion(route, named))
    assert path is not None  # only a skip has no file
    job = Job(orphan_id(words, named), words, route, path, named or "", named)
    with decision(app, "add") as made:
        written = write_lines(app, made.memory, [job], made.receipt)
        for reason in written.failed.values():
            raise WrapgenError(reason.rstrip("."))
        for line in written.lines:
            app.say(
                f"wrote {line.path}:{line.number}  {line.line}" if line.number else f"stands in {line.path} already"
            )
    places = {f"{line.path}:{line.number}" for line in written.lines}
    for number, one in numbered(made.run):
        if one.fate is Fate.OVERFLOW and one.item.place in places:
            app.say(f"it is beyond the cap: item {number} of wrap list --all")
