"""`wrap list`: the open items, ranked and numbered."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from wrapgen.commands.completing import project_names
from wrapgen.commands.help import examples
from wrapgen.commands.picking import numbered
from wrapgen.commands.rebuild import collect
from wrapgen.commands.report import linked, tagged
from wrapgen.dashboard.balance import UNTAGGED
from wrapgen.dashboard.document import item_record
from wrapgen.errors import UsageError
from wrapgen.model import Fate
from wrapgen.text import shorten

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.ledger import Outcome
    from wrapgen.pipeline.projects import Projects

LIST_SCHEMA = "wrapgen.list/1"
_TEXT_LIMIT = 300
_BESIDE = 100  # columns; in a narrower window the place of an item stands below its words


@click.command(
    "list",
    epilog=examples(
        "wrap list",
        "wrap list --all --project web",
        "wrap list --expired",
    ),
)
@click.option("--all", "beyond_cap", is_flag=True, help="Also what is beyond the cap.")
@click.option("--expired", is_flag=True, help="What is older than the look-back, newest first.")
@click.option(
    "--project",
    "-p",
    metavar="NAME",
    shell_complete=project_names,
    help="Only this project; `untagged` for items without one.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def command(app: App, *, beyond_cap: bool, expired: bool, project: str | None, as_json: bool) -> None:
    """Show the open items in the order of the dashboard.

    The numbers stay the same with --all and --project; other commands take them.
    """
    collected = collect(app)
    run = collected.run
    rows = numbered(run, expired=expired)
    if project is not None:
        wanted = _project(project, collected.projects)
        rows = [(number, one) for number, one in rows if one.item.project == wanted]
    meant = len(rows)
    if not beyond_cap and not expired:
        rows = [(number, one) for number, one in rows if one.fate is Fate.SHOWN]
    if as_json:
        app.print_json({"schema": LIST_SCHEMA, "today": run.today, "items": [_record(*row) for row in rows]})
    elif not app.quiet:
        _print(app, rows, "wrap list --all" + (f" -p {shlex.quote(project)}" if project else ""), meant - len(rows))
        if rows and app.console.is_terminal and not expired:  # those have no numbers that commands take
            app.say("wrap open N opens the note, wrap done N finishes the item")


def _project(name: str, projects: Projects) -> str | None:
    """The project of a name or alias; None for `untagged`."""
    found = projects.named(name)
    if found is None and name != UNTAGGED:
        known = ", ".join(sorted(set(projects.names.values()))) or "none yet"
        raise UsageError(f"no project is called {name!r}", next_step=f"Known are: {known}; or `{UNTAGGED}`.")
    return found


def _record(number: int, outcome: Outcome) -> dict[str, Any]:
    return {"number": number, **item_record(outcome)}


def _print(app: App, rows: list[tuple[int, Outcome]], whole: str, more: int) -> None:
    if rows:
        _print_table(app, rows)
    elif not more:
        app.say("nothing is open here")
    if more:
        app.say(f"{more} more: {whole}")


def _print_table(app: App, rows: list[tuple[int, Outcome]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right", style="bold")
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for number, one in rows:
        item = one.item
        due = f" 📅 {item.due}" if item.due else ""
        words = linked(app, tagged(item.project, shorten(item.text, _TEXT_LIMIT)) + due, item.path)
        place = linked(app, item.place, item.path, "dim")
        if app.console.width < _BESIDE:
            table.add_row(str(number), words.append("\n").append_text(place))
        else:
            table.add_row(str(number), words, place)
    app.show(table)
