"""`wrap statusline` for `--help`; real calls take a faster path (`wrapgen.__main__`)."""

import click

from wrapgen.hooks.statusline import main
from wrapgen.terminal.verb import examples


@click.command("statusline", epilog=examples("wrap statusline", "wrap statusline < status.json"))
def command() -> int:
    """Print the vault's status in one line, for a coding agent's status line.

    It shows how much is overdue, open and pending, and when the dashboard was rebuilt. The agent's JSON on stdin says
    which folder is meant; without it, the current one.
    """
    return main([])
