"""`wrap track snapshot`: save what a compaction of a conversation would lose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrapgen.terminal.verb import verb
from wrapgen.text.display import count

if TYPE_CHECKING:
    from wrapgen.workflows.app import App
    from wrapgen.workflows.compaction import Compacted

SNAPSHOT_SCHEMA = "wrapgen.track-snapshot/1"

DIR = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The project folder; by default, the current folder.",
)


@verb(
    "snapshot",
    "wrap track snapshot --transcript session.jsonl",
    "wrap track snapshot --transcript session.jsonl --dir ~/shop --json",
    json=True,
)
@click.option("--transcript", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The conversation.")
@click.option("--session", metavar="ID", help="The host's id for it; by default, the one in the transcript.")
@DIR
def snapshot(app: App, *, transcript: Path, session: str | None, folder: Path | None, as_json: bool) -> None:
    """Save what a compaction of a conversation would lose.

    Writes .claude/context/HOT_TRACK.md, below 6,000 tokens, for the next context, and adds everything that was said to
    the log that `wrap track query` searches. Saving the same conversation again adds nothing twice.
    """
    from wrapgen.workflows.compaction import fold

    folded = fold(app, transcript, project_folder(folder), session)
    app.wrote = True
    if as_json:
        app.print_json(_document(folded))
        return
    hot = folded.hot
    app.say(f"for the next context: {folded.hot_file} (version {folded.version}, ~{hot.tokens:,} tokens)")
    app.say(
        f"  {count(folded.goals, 'goal')}, {count(folded.blockers, 'blocker')}, "
        f"signatures of {count(folded.interfaces, 'file')}, {count(folded.tombstones, 'dead end')}, "
        f"{count(folded.decisions, 'decision')}"
    )
    app.say(f"everything that was said: {folded.cold_file} ({count(folded.turns, 'turn')}, {folded.new_turns} new)")
    if folded.moved:
        app.say(f"what was added by hand and does not fit was moved to {folded.moved}")
    if folded.aside:
        app.say(f"the previous {folded.cold_file.name}, which wrapgen did not write, is kept as {folded.aside}")
    if folded.redacted:
        app.say(f"{count(folded.redacted, 'secret')} {'was' if folded.redacted == 1 else 'were'} removed")


def project_folder(named: Path | None) -> Path:
    """The project that a command works on, as an absolute path."""
    import os

    return Path(os.path.abspath(named or Path.cwd()))


def _document(folded: Compacted) -> dict[str, Any]:
    return {
        "schema": SNAPSHOT_SCHEMA,
        "hot_track": str(folded.hot_file),
        "cold_track": str(folded.cold_file),
        "version": folded.version,
        "tokens": folded.hot.tokens,
        "goals": folded.goals,
        "blockers": folded.blockers,
        "skeletons": folded.interfaces,
        "tombstones": folded.tombstones,
        "new_tombstones": folded.new_tombstones,
        "decisions": folded.decisions,
        "turns": folded.turns,
        "new_turns": folded.new_turns,
        "moved_by_hand": str(folded.moved) if folded.moved else None,
        "former_cold_track": str(folded.aside) if folded.aside else None,
        "redacted": folded.redacted,
    }
