"""`wrap edit`: reword an item."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from wrapgen.errors import ExitCode, UsageError
from wrapgen.session.routing import wording_trouble
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.help import examples
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.options import JSON
from wrapgen.text.display import one_line
from wrapgen.workflows.item_edit import item_edit
from wrapgen.workflows.line_writer import LineEdit, write_lines
from wrapgen.workflows.rebuild import run_pipeline
from wrapgen.workflows.vault_session import VaultSession

if TYPE_CHECKING:
    from wrapgen.model import Item
    from wrapgen.workflows.app import App
    from wrapgen.workflows.item_edit import ItemEdit


@click.command("edit", epilog=examples("wrap edit 2 Rotate the production keys", "wrap edit 3 Write it due:2026-12-01"))
@click.argument("item", metavar="N", shell_complete=item_names)
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@JSON
@click.pass_obj
def command(app: App, *, item: str, words: tuple[str, ...], as_json: bool) -> int:
    """Reword an item.

    So is whatever was merged into it. Its box, project and dates stay; a due day or priority in TEXT takes the place
    of the old one. Without TEXT, your editor opens on the words.

    N: a number of the list that was printed last, a handle, path:line, or the words of one item in quotes.
    """
    text = " ".join(words)
    if not text:
        session = VaultSession.look(app)
        chosen = _only(picked(session, run_pipeline(session), [item], as_json=as_json))
        item, text = chosen.id, _asked(chosen)
    if trouble := wording_trouble(text):
        raise UsageError(trouble)
    with item_edit(app, "edit", as_json=as_json) as made:
        made.verb = "now"
        chosen = _only(picked(made.session, made.run, [item], as_json=as_json))
        text = _without_tag(made, chosen, text.strip())
        if text == chosen.text:
            made.say(f"it says so already: {chosen.place}  {chosen.text}")
        else:
            group = made.group([chosen])
            made.wrote(write_lines(made.session, _edits(made, group, text), made.receipt))
            made.became = {one.id: one.place for one in group}
            made.carry_over(group)
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _only(items: list[Item]) -> Item:
    if len(items) > 1:
        raise UsageError("one item is reworded at a time", next_step="Name one.")
    return items[0]


def _asked(item: Item) -> str:
    """The words as the user's editor leaves them."""
    if not (sys.stdin.isatty() or os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        raise UsageError("no new words", next_step="Write them behind the item: wrap edit N TEXT.")
    return one_line(click.edit(item.text, extension=".md") or item.text)


def _without_tag(made: ItemEdit, item: Item, text: str) -> str:
    """The new words without the item's own project in front of them.

    Raises:
        UsageError: another project stands there.
    """
    named, words = made.session.projects.leading_tag(text)
    if named is not None and named != item.project:
        raise UsageError(f"({named}) would put it elsewhere", next_step=f"Do that with: wrap move N {named}.")
    return words


def _edits(made: ItemEdit, group: list[Item], text: str) -> list[LineEdit]:
    """One for each place, from the last line of a file to its first, as an edit may shift what is below it."""
    edits = []
    for one in sorted(group, key=lambda item: (item.path, -item.line)):
        line = made.routed_line(one)
        edits.append(
            LineEdit(
                line.id if line else one.id, text, line.route if line else None, one.path, project=one.project,
                task=line.task if line else None, orphan=line.orphan if line else None, box=one.line, former=one.text,
            )
        )  # fmt: skip
    return edits
