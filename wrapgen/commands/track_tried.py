"""`wrap track tried`: a dead end, recorded on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.track_writing import DIR, project_folder
from wrapgen.errors import WrapgenError
from wrapgen.terminal.help import examples
from wrapgen.terminal.options import JSON
from wrapgen.text.display import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.workflows.app import App

TRIED_SCHEMA = "wrapgen.track-tried/1"


@click.command(
    "tried",
    epilog=examples(
        'wrap track tried "Redis cluster for sessions" --because "cross-slot transactions fail"',
        'wrap track tried "웹소켓 업로드" --because "부하가 걸리면 끊김" --dir ~/shop',
        'wrap track tried "WebSocket 推送" --because "代理 30 秒断开" --quote "30 秒就掉线，改用轮询" --json',
    ),
)
@click.argument("name")
@click.option("--because", "reason", required=True, metavar="REASON", help="Why it failed, at most 50 characters.")
@click.option("--quote", metavar="WORDS", help="The words used when it failed or was given up.")
@DIR
@JSON
@click.pass_obj
def tried(app: App, *, name: str, reason: str, quote: str | None, folder: Path | None, as_json: bool) -> None:
    """Record an approach that was tried and given up, so that nobody tries it again.

    NAME says in a few words what was tried; name and reason are kept verbatim, except for secrets. A name that is
    already known is the same dead end, and the newer reason counts. Without --dir it belongs to the project whose
    tracks are here or above.
    """
    from wrapgen.tracks.hot import COLD_FILE
    from wrapgen.tracks.place import HOT_FILE, context_folder, nearest_project
    from wrapgen.tracks.record import Quoted, Tombstone
    from wrapgen.tracks.wording import NAME_LIMIT, REASON_LIMIT
    from wrapgen.workflows.track_entries import tell

    wanted = project_folder(folder)
    project = wanted if folder else nearest_project(wanted) or wanted
    story = (Quoted(0, quote),) if quote and quote.strip() else ()
    tombstone = Tombstone(
        _short_enough(name, "name", NAME_LIMIT), _short_enough(reason, "reason", REASON_LIMIT), app.day, story, "said"
    )
    told = tell(app, project, "", [tombstone], [])
    app.wrote = True
    (one,) = (*told.new, *told.known)
    if as_json:
        files = {"hot_track": HOT_FILE, "cold_track": COLD_FILE}
        written = {key: str(context_folder(project) / file) for key, file in files.items()}
        app.print_json({"schema": TRIED_SCHEMA, "id": one, "new": bool(told.new), **written})
        return
    app.say(f"dead end {one} {'written to' if told.new else 'was already in'} {context_folder(project) / HOT_FILE}")


def _short_enough(text: str, what: str, limit: int) -> str:
    """The user's own words are never cut.

    Raises:
        WrapgenError: there are none, or too many.
    """
    text = one_line(text)
    if not text:
        raise WrapgenError(
            f"the {what} is empty", where="wrap track tried", next_step=f"Give the {what} in a few words."
        )
    if len(text) > limit:
        raise WrapgenError(
            f"the {what} has {len(text)} characters; the limit is {limit}",
            where="wrap track tried",
            next_step="Shorten it; the rest can go in --quote.",
        )
    return text
