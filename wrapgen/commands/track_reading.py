"""Reading the tracks: `wrap track query`, `wrap track show`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from wrapgen.errors import WrapgenError
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count

if TYPE_CHECKING:
    from wrapgen.tracks.search import Kind, SearchHit
    from wrapgen.workflows.app import App

QUERY_SCHEMA = "wrapgen.track-query/1"
_EXCERPT = 160  # characters


DIR = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The project folder; by default, the current folder.",
)


def project_folder(named: Path | None) -> Path:
    """The project that a command works on, as an absolute path."""
    return Path(os.path.abspath(named or Path.cwd()))


@verb(
    "query",
    'wrap track query "redis cache"',
    'wrap track query "배포" --kind dead-end',
    'wrap track query "缓存" --dir ~/shop --json',
    json=True,
)
@click.argument("words", nargs=-1, required=True)
@DIR
@click.option(
    "--kind",
    type=click.Choice(["dead-end", "tombstone", "turn", "decision"]),
    help="Only records of this kind; a tombstone is a dead end.",
)
@click.option(
    "--limit", type=click.IntRange(min=1, max=1_000), default=10, metavar="N", help="Maximum number of records."
)
def query(
    app: App,
    *,
    words: tuple[str, ...],
    folder: Path | None,
    kind: Kind | Literal["dead-end"] | None,
    limit: int,
) -> None:
    """Search what was said, tried and decided in a project's earlier conversations.

    Best matches come first. Two characters of Chinese, Japanese or Korean are enough. If no record has all the
    words, those that have any of them are shown. A dead end marked `?` is a question: wrap track tried --confirm.
    """
    from wrapgen.tracks.log import LOG_FILE, Log, context_folder, nearest_project
    from wrapgen.tracks.search import search

    wanted = project_folder(folder)
    project = nearest_project(wanted)
    if project is None:
        raise WrapgenError(
            "nothing of earlier conversations is kept here or above",
            where=str(wanted),
            next_step="`wrap track snapshot --transcript FILE` starts one.",
        )
    asked = " ".join(words)
    wanted_kind: Kind | None = "tombstone" if kind == "dead-end" else kind
    hits = search(Log(context_folder(project) / LOG_FILE, project), asked, wanted_kind, limit)
    rows = [_record(one, asked) for one in hits]
    app.answer({"schema": QUERY_SCHEMA, "query": asked, "hits": rows})
    for row in rows:
        name = (
            f"{row['id']} {'? ' if row['by'] == 'cue' else ''}{row['name']}: {row['reason']}".removesuffix(": ")
            if row["kind"] == "tombstone"
            else row["text"]
        )
        said = "dead end" if row["kind"] == "tombstone" else row["kind"]
        app.say(f"{row['day'] or '----------'}  {said:8}  {row['place']:9}  {name}")
    app.say(f"{count(len(hits), 'record')} found" if hits else "nothing found")


def _record(hit: SearchHit, words: str) -> dict[str, Any]:
    from wrapgen.days import moment
    from wrapgen.tracks.record import DecisionRecord, Tombstone, TurnRecord
    from wrapgen.tracks.search import excerpt

    record = hit.record
    shown: dict[str, Any] = {"kind": "", "score": hit.score, "session": record.session, "day": None, "id": None}
    match record:
        case TurnRecord():
            at = moment(record.at)
            return shown | {
                "kind": "turn", "day": at.date().isoformat() if at else None, "turn": record.turn, "role": record.role,
                "place": f"turn {record.turn}", "text": excerpt(record.text or " ".join(record.files), words, _EXCERPT),
            }  # fmt: skip
        case Tombstone():
            turns = tuple(dict.fromkeys(one.turn for one in record.story if one.turn))
            return shown | {
                "kind": "tombstone", "id": record.id, "day": record.day.isoformat() if record.day else None,
                "turn": turns[-1] if turns else None, "place": f"turn {turns[-1]}" if turns else "", "by": record.by,
                "name": record.name, "reason": record.reason, "turns": turns,
                "story": [{"turn": one.turn, "text": one.text} for one in record.story],
            }  # fmt: skip
        case DecisionRecord():
            return shown | {
                "kind": "decision", "day": record.day.isoformat() if record.day else None, "turn": record.turn,
                "place": record.source, "text": record.text,
            }  # fmt: skip


@verb("show", "wrap track show", "wrap track show --dir ~/shop")
@DIR
def show(app: App, *, folder: Path | None) -> None:
    """Print what the next context starts with after a compaction, most important first.

    It is fenced as data, with its age, and marked if it is stale or from another branch.
    """
    from wrapgen.vault.git import branch_of
    from wrapgen.workflows.hot_track import hot_for_injection

    project = project_folder(folder)
    text = hot_for_injection(project, app.day, branch_of(project))
    if not text:
        raise WrapgenError(
            "nothing is kept for the next context",
            where=str(project),
            next_step="`wrap track snapshot --transcript FILE` makes one.",
        )
    if not app.quiet:
        click.echo(text, nl=False)
