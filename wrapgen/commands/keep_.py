"""`wrap keep`: deny a resolution or a merge."""

from dataclasses import replace

import click

from wrapgen.model import Fate
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import item_edit


@verb("keep", "wrap keep b5ce0eee3176", "wrap keep projects/web/todos.md:7", json=True)
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=item_names)
def command(app: App, *, items: tuple[str, ...]) -> None:
    """Reopen or un-merge items.

    Use it when wrapgen wrongly took an item for done, or merged it with another. Of one that others are merged into,
    those stand alone again.

    N: a handle, an id or path:line, as shown by `wrap explain`, a number of the list that was printed last, or the
    words of one item.
    """
    with item_edit(app, "keep") as made:
        chosen = picked(made.session, made.run, items, dropped_first=True)
        ids = {item.id for item in chosen}
        merged = [
            one.item
            for one in made.run.of(Fate.DUPLICATE)
            if one.because and one.because.item in ids and one.item.id not in ids
        ]
        made.name([*chosen, *merged])
        made.close(replace(made.receipt, kept=tuple(item.id for item in (*chosen, *merged))))
        for item in chosen:
            made.say(f"kept: {item.place}  {item.text}")
        for item in merged:
            made.say(f"no longer merged: {item.place}  {item.text}")
