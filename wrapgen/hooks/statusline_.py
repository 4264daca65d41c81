"""`wrap statusline`, for those who ask how it is called; hosts get there by a shorter way (`wrapgen.__main__`)."""

import click

from wrapgen.commands.help import examples
from wrapgen.hooks.statusline import main


@click.command("statusline", epilog=examples("wrap statusline", "wrap statusline < status.json"))
def command() -> int:
    """Print the vault in one line, for the status line of a host.

    It says how much is overdue, open and pending, and how old the dashboard is. The host's JSON on stdin says which
    folder is meant; without it, the one you are in.
    """
    return main([])
