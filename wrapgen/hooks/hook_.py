"""`wrap hook EVENT` and `wrap statusline` for `--help`; real calls take a faster path (`wrapgen.__main__`)."""

import click

from wrapgen.hooks import entry
from wrapgen.hooks import statusline as line
from wrapgen.hooks.events import EVENTS, HOSTS
from wrapgen.terminal.verb import examples, verb
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
    return entry.main([*([event] if event else []), "--host", host, *named])


@click.command("statusline", epilog=examples("wrap statusline", "wrap statusline < status.json"))
def statusline() -> int:
    """Print the vault's status in one line, for a coding agent's status line.

    It shows how much is overdue, open and pending, and when the dashboard was rebuilt. The agent's JSON on stdin says
    which folder is meant; without it, the current one.
    """
    return line.main([])
