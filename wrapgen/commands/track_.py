"""`wrap track`: what must survive when the host compacts a conversation."""

import click

from wrapgen.commands.track_reading import query, show
from wrapgen.commands.track_tried import tried
from wrapgen.commands.track_writing import snapshot
from wrapgen.terminal.help import examples


@click.group(
    "track",
    epilog=examples(
        "wrap track snapshot --transcript session.jsonl",
        'wrap track tried "Redis cluster" --because "cross-slot transactions fail"',
        'wrap track query "redis cache"',
    ),
)
def command() -> None:
    """Save what a conversation must not lose when it is compacted, and search earlier ones.

    The hot track is one small file that the next context starts with; the cold track keeps everything.
    """


for one in (snapshot, tried, query, show):
    command.add_command(one)
