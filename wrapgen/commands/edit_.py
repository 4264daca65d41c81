"""`wrap edit`: reword an item."""

import os
import sys
from collections.abc import Iterator

import click

from wrapgen.errors import ExitCode, UsageError
from wrapgen.model import Item
from wrapgen.session.follow_up import wording_trouble
from wrapgen.session.memory import Line
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.verb import verb
from wrapgen.text.display import one_line
from wrapgen.vault.markdown.edit import GivenMarks, given_marks
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import ItemEdit, item_edit
from wrapgen.workflows.line_writer import LineEdit, write_lines
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
    text = " ".join(words)
    if not text:
        session = VaultSession.look(app)
        chosen = _only(picked(session, session.run, [item]))
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
        chosen = _only(picked(made.session, made.run, [item]))
        text = _without_tag(made, chosen, text)
        for word in unknown:
            made.say(f"`{word}` means no day and no priority, so it is part of the text")
        if text == chosen.text and marks == GivenMarks():
            made.say(f"it says so already: {chosen.place}  {chosen.text}")
        else:
            group = made.group([chosen])
            current, history = (group, []) if copies else made.current(group)
            made.wrote(write_lines(made.session, [_edit(made, one, text, marks) for one in current], made.receipt))
            made.became = {one.id: f"{line.path}:{line.number}" for one, line in _written(made, current)}
            now = next(iter(made.became.values()), "")
            made.became |= {one.id: now for one in history if now}
            made.carry_over(current, {now: history})
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _written(made: ItemEdit, items: list[Item]) -> Iterator[tuple[Item, Line]]:
    lines = {line.path: [one for one in made.lines if one.path == line.path] for line in made.lines}
    for item in items:
        near = sorted(lines.get(item.path, ()), key=lambda line: abs(line.number - item.line))
        yield from ((item, line) for line in near[:1])


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
    words = " ".join([text or item.text, *marks.spelled(item.path)])
    return LineEdit(
        line.id if line else item.id, words, line.route if line else None, item.path, project=item.project,
        task=line.task if line else None, orphan=line.orphan if line else None, item=item,
        reworded=bool(text), marked=None if text else marks,
    )  # fmt: skip
