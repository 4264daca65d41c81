"""`wrap snooze`: hide an item until a day."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from wrapgen.commands.completing import item_numbers
from wrapgen.commands.deciding import decision
from wrapgen.commands.help import examples
from wrapgen.commands.picking import pick
from wrapgen.days import moved

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command("snooze", epilog=examples("wrap snooze 3 7"))
@click.argument("item", metavar="N", shell_complete=item_numbers)
@click.argument("days", type=click.IntRange(1, 3650), metavar="DAYS")
@click.pass_obj
def command(app: App, *, item: str, days: int) -> None:
    """Hide an item for some days.

    N: a number of `wrap list`, an id, or path:line. Its file stays as it is.
    """
    with decision(app, "snooze") as made:
        chosen = pick(made.run, item).item
        until = moved(app.day, days)
        made.close(replace(made.receipt, snoozed={chosen.id: until}))
        app.say(f"hidden until {until}: {chosen.place}  {chosen.text}")
