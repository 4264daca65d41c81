"""`wrap hook EVENT` for `--help`; real calls take a faster path (`wrapgen.__main__`)."""

import click

from wrapgen.hooks.entry import main
from wrapgen.hooks.events import EVENTS, HOSTS
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App


@verb(
    "hook",
    "wrap hook SessionStart < event.json",
    "wrap hook --host gemini PreCompress",
    help=f"""Handle a hook event from a coding agent.

    Reads the event's JSON on stdin and replies on stdout. EVENT is {", ".join(EVENTS)}, or a name by which another
    host calls it (session-start, PreCompress); by default, what the JSON says. Acts only on trusted vaults, see
    `wrap trust`, and never fails: errors go to .wrapgen/state/hooks.log, and the exit code is 0.
    WRAPGEN_DISABLE=1 switches it off.
    """,
)
@click.argument("event", required=False, metavar="[EVENT]")
@click.option(
    "--host", type=click.Choice(HOSTS), default=HOSTS[0], show_default=True, help="The agent whose reply format to use."
)
def command(app: App, *, event: str | None, host: str) -> int:
    """Pass everything to the fast path."""
    named = ["--vault", str(app.vault)] if app.vault else []
    return main([*([event] if event else []), "--host", host, *named])
