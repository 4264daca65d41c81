"""`wrap track`: what must survive when the host compacts a conversation."""

import click

from wrapgen.commands.track_forget import forget
from wrapgen.commands.track_reading import query, show
from wrapgen.commands.track_tried import tried
from wrapgen.commands.track_writing import snapshot
from wrapgen.terminal.verb import examples


@click.group(
    "track",
    epilog=examples(
        "wrap track snapshot --transcript session.jsonl",
        'wrap track tried "Redis cluster" --because "cross-slot transactions fail"',
        'wrap track query "redis cache"',
    ),
)
def command() -> None:
    """Keep what must survive a compaction, and search earlier conversations.

    Goal, progress, decisions, dead ends and signatures are in one small file that the next context starts with (the
    hot track); what was said, tried and decided is in a log that can be searched (the cold track). Both are in
    .claude/context/, private to you and ignored by git.
    """


for one in (snapshot, tried, query, show, forget):
    command.add_command(one)
