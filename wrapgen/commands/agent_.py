"""`wrap agent`: what sub-agents return, and what they are given."""

import click

from wrapgen.commands.agent_reading import check, context, export, listed
from wrapgen.commands.agent_writing import import_, record, task


@click.group("agent")
def command() -> None:
    """Check what sub-agents answer, keep it, and choose what the next one is given."""


for one in (check, record, task, context, listed, import_, export):
    command.add_command(one)
