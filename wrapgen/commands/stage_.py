"""`wrap stage`: where a task stands, saved for the session that resumes it."""

import click

from wrapgen.commands.stage_reading import archived, diff, listed, next_, show
from wrapgen.commands.stage_writing import write
from wrapgen.terminal.verb import examples


@click.group("stage", epilog=examples("wrap stage list", "wrap stage next TUNE-0254"))
def command() -> None:
    """Save where a task stands after each stage, and resume it from there.

    A task's snapshot is one small file, overwritten at the end of each stage; previous ones are kept beside it.
    """


for one in (write, show, next_, listed, diff, archived):
    command.add_command(one)
