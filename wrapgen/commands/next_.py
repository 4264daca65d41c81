"""`wrap next`: what somebody said is next, in that order."""

from pathlib import Path

import click
from rich.table import Table

from wrapgen.model import FOR_PERSON
from wrapgen.terminal.audit_tables import linked
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import picked, tagged
from wrapgen.terminal.verb import verb
from wrapgen.text.display import shorten
from wrapgen.workflows.app import App
from wrapgen.workflows.listed import remember_list
from wrapgen.workflows.next_list import NEXT_SCHEMA, NextList, clear, put_first
from wrapgen.workflows.rebuild import rebuilt_after
from wrapgen.workflows.vault_session import VaultSession, open_vault

_TEXT_LIMIT = 300


@verb("next", "wrap next", "wrap next 3 5 1", "wrap next --add restore runbook", "wrap next --clear 2", json=True)
@click.argument("items", nargs=-1, metavar="[N]...", shell_complete=item_names)
@click.option("--add", is_flag=True, help="Put them behind what you put first before.")
@click.option("--clear", "is_clear", is_flag=True, help="Take back what was said to be next, or that of N alone.")
def command(app: App, *, items: tuple[str, ...], add: bool, is_clear: bool) -> None:
    """Show what is said to be next, or put items first.

    What you put first leads the page until it is done or cleared; an agent's list, which it says at the end of a
    session, stands behind it. `wrap undo` takes it back.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item.
    """
    if add and (is_clear or not items):
        raise click.UsageError("--add needs items to put behind the others." if not is_clear else "Not with --clear.")
    receipt = _say(app, items, add=add, is_clear=is_clear) if items or is_clear else None
    session = VaultSession.look(app)
    found = NextList(session)
    if app.as_json:
        remember_list(app, found.run, [(number, one.item) for number, one in enumerate(found.lines, 1)], program=True)
    app.answer(
        {"schema": NEXT_SCHEMA, "today": app.day, "next": found.as_json(), "old": found.old(), "receipt": receipt}
    )
    _print(app, found)
    if receipt:
        app.say(f"undo: wrap undo {receipt}")


def _say(app: App, items: tuple[str, ...], *, add: bool, is_clear: bool) -> str | None:
    with open_vault(app, meet=False) as session:
        chosen = picked(session, items) if items else []
        with rebuilt_after(session):
            if is_clear:
                receipt = clear(session, chosen)
                app.say("nothing was said to be next" if receipt is None else "cleared")
                return receipt
            return put_first(session, chosen, how="behind" if add else "front", folder=Path.cwd())


def _print(app: App, found: NextList) -> None:
    if app.as_json or app.quiet:
        return
    if not found.lines:
        app.say("nothing is said to be next; `wrap next N` puts an item of `wrap list` first")
        return
    table, handles = Table(box=None, pad_edge=False, show_header=False), found.run.handles()
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    for number, one in enumerate(found.lines, 1):
        words = tagged(one.item.project, shorten(one.item.words, _TEXT_LIMIT))
        mark = f" ({FOR_PERSON})" if one.said.is_for_person else ""
        table.add_row(
            str(number), handles[one.item.id], linked(app.root, f"{words}{mark}", one.item.path),
            one.age(found.run), linked(app.root, one.item.place, one.item.path, "dim"),
        )  # fmt: skip
    app.show(table)
    remember_list(app, found.run, [(number, one.item) for number, one in enumerate(found.lines, 1)])
    for line in found.old():
        app.say(line)
