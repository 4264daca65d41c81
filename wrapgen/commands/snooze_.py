"""`wrap snooze`: hide items until a day."""

from dataclasses import replace

import click

from wrapgen.days import day_meant
from wrapgen.errors import UsageError
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import item_edit


@verb("snooze", "wrap snooze 3 7", "wrap snooze 1 4 fri", "wrap snooze 2 2w", json=True)
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=item_names)
@click.argument("until", metavar="WHEN")
def command(app: App, *, items: tuple[str, ...], until: str) -> None:
    """Hide items until a day.

    Their files stay as they are; `wrap list --snoozed` shows them.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item. WHEN: a
    number of days, `2w`, `tomorrow`, a weekday such as `fri`, or a date.
    """
    day = day_meant(until, app.day)
    if day is None:
        raise UsageError(
            f"{until!r} is not a future day",
            next_step="Say when: a number of days, 2w, 3m, tomorrow, fri, or a date such as 2026-04-24.",
        )
    with item_edit(app, "snooze") as made:
        chosen = picked(made.session, made.run, items)
        made.name(chosen, until=day)
        made.close(replace(made.receipt, snoozed={item.id: day for item in made.group(chosen)}))
        for item in chosen:
            made.say(f"hidden until {day:%a} {day}: {item.place}  {item.text}")
