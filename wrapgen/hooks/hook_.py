"""`wrap hook EVENT`, for those who ask how it is called; hosts get there by a shorter way (`wrapgen.__main__`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.help import examples
from wrapgen.hooks.entry import main
from wrapgen.hooks.events import EVENTS, HOSTS

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command(
    "hook",
    epilog=examples("wrap hook SessionStart < event.json", "wrap hook --host gemini PreCompress"),
    help=f"""Answer an event of a coding agent's host.

    The event's JSON comes on stdin, the reply goes to stdout. EVENT is {", ".join(EVENTS)}, or a name by which another
    host calls it (session-start, PreCompress); by default what the JSON says. It acts for trusted vaults alone, see
    `wrap trust`, and never fails: what went wrong stands in .wrapgen/state/hooks.log, and the exit code is 0.
    WRAPGEN_DISABLE=1 switches it off.
    """,
)
@click.argument("event", required=False, metavar="[EVENT]")
@click.option("--host", type=click.Choice(HOSTS), default=HOSTS[0], show_default=True, help="Whose forms to answer in.")
@click.pass_obj
def command(app: App, *, event: str | None, host: str) -> int:
    """Hand everything to the way that hosts take."""
    named = ["--vault", str(app.vault)] if app.vault else []
    return main([*([event] if event else []), "--host", host, *named])
