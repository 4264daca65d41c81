"""`wrap stage`: where one task stands, kept for the session that resumes it."""

import click

from wrapgen.commands.help import examples
from wrapgen.commands.stage_reading import archived, diff, listed, next_, show
from wrapgen.commands.stage_writing import write


@click.group("stage", no_args_is_help=False, epilog=examples("wrap stage list", "wrap stage next TUNE-0254"))
def command() -> None:
    """Keep where a task stands after each stage, and resume it from there.

    The snapshot of a task is one small file, overwritten at the end of each stage; the former ones stand beside it.
    """


for one in (write, show, next_, listed, diff, archived):
    command.add_command(one)
