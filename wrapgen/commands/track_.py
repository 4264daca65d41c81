"""`wrap track`: what of a conversation lasts when the host folds it."""

import click

from wrapgen.commands.help import examples
from wrapgen.commands.track_reading import query, show
from wrapgen.commands.track_tried import tried
from wrapgen.commands.track_writing import snapshot


@click.group(
    "track",
    no_args_is_help=False,
    epilog=examples(
        "wrap track snapshot --transcript session.jsonl",
        'wrap track tried "Redis cluster" --because "cross-slot transactions fail"',
        'wrap track query "redis cache"',
    ),
)
def command() -> None:
    """Keep what a conversation must not lose when it is folded, and search what was said before.

    The hot track is one small file that the next context starts with; the cold track keeps everything.
    """


for one in (snapshot, tried, query, show):
    command.add_command(one)
