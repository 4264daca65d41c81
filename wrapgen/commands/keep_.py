"""`wrap keep`: deny a resolution or a merge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from wrapgen.commands.completing import item_numbers
from wrapgen.commands.deciding import decision
from wrapgen.commands.help import examples
from wrapgen.commands.picking import pick

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command("keep", epilog=examples("wrap keep b5ce0eee3176", "wrap keep projects/web/todos.md:7"))
@click.argument("item", metavar="N", shell_complete=item_numbers)
@click.pass_obj
def command(app: App, *, item: str) -> None:
    """Keep an item that was taken for done, or for another one.

    N: its id or path:line, as `wrap explain` shows them, or a number of `wrap list`.
    """
    with decision(app, "keep") as made:
        chosen = pick(made.run, item).item
        made.close(replace(made.receipt, kept=(chosen.id,)))
        app.say(f"kept: {chosen.place}  {chosen.text}")
