"""`wrap add`: add an item."""

import re
import shlex
from dataclasses import replace

import click

from wrapgen.errors import ConfigError, ExitCode, UsageError
from wrapgen.model import Fate, Item
from wrapgen.session.follow_up import Route, Suggestion, nearest, orphan_id, wording_trouble
from wrapgen.terminal.completions import destinations
from wrapgen.terminal.verb import verb
from wrapgen.vault.markdown.edit import GivenMarks, given_marks
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import ItemEdit, destination, item_edit
from wrapgen.workflows.line_writer import LineEdit, write_lines

_TAG = re.compile(r"\(([^()]+)\)\s*\S")


@verb("add", "wrap add Rotate the staging keys", "wrap add Add a retry -p web", json=True)
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@click.option(
    "--project",
    "-p",
    metavar="PROJECT[/TASK]",
    shell_complete=destinations,
    help="Add to the list of this project or active task; by default, to today's journal.",
)
def command(app: App, *, words: tuple[str, ...], project: str | None) -> int:
    """Add an item to a project's list, or to today's journal.

    A leading (project) in TEXT sets the project; without one, the item belongs to none. `due:fri` (or `2w`, a date) and
    `prio:high` in TEXT set a due day and a priority.
    """
    text, marks, unknown = given_marks(" ".join(words).strip(), app.day)
    if trouble := wording_trouble(text):
        raise UsageError(trouble)
    with item_edit(app, "add") as made:
        made.verb = "added"
        edit = _edit(made, text, project, marks)
        for word in unknown:
            made.say(f"`{word}` means no day and no priority, so it is part of the text")
        if (done := _done_there(made, edit)) is None:
            made.wrote(write_lines(made.session, [edit], made.receipt))
        else:
            made.close(replace(made.receipt, kept=(done.id,)))
            made.name([done], already_in=done.place)
            made.say(f"open again: {done.place}  {done.text}")
    places = {f"{line.path}:{line.number}" for line in made.lines}
    if any(one.item.place in places for one in made.run.of(Fate.OVERFLOW)):
        app.say("not shown on the dashboard: wrap list --all")
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _done_there(made: ItemEdit, edit: LineEdit) -> Item | None:
    """The item with these words that stands open in that file, but counts as done by what is written elsewhere."""
    resolved = (one.item for one in made.run.of(Fate.RESOLVED))
    return next((one for one in resolved if one.path == edit.path and edit.new.says(one.text)), None)


def _edit(made: ItemEdit, text: str, project: str | None, marks: GivenMarks) -> LineEdit:
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
    words = " ".join([words, *marks.spelled(path)])
    return LineEdit(
        orphan_id(words, named), words, where.route, path, where.task or named or "", named, where.task,
        outside=where.route is Route.JOURNAL and named is None,
    )  # fmt: skip
