"""`wrap agent`: what sub-agents return, and what they are given."""

import click

from wrapgen.commands.agent_reading import check, context, export, listed
from wrapgen.commands.agent_writing import import_, record, task
from wrapgen.terminal.verb import examples


@click.group(
    "agent",
    epilog=examples(
        "wrap agent check answer.md",
        "wrap agent context --session 5f0c --name reviewer --type reviewer",
    ),
)
def command() -> None:
    """Check and store sub-agents' answers, and choose context for the next one."""


for one in (check, record, task, context, listed, import_, export):
    command.add_command(one)
