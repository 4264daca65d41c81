"""`wrap track tried`: a dead end, recorded on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.track_writing import DIR, project_folder
from wrapgen.errors import WrapgenError
from wrapgen.terminal.verb import verb
from wrapgen.text.display import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.workflows.app import App

TRIED_SCHEMA = "wrapgen.track-tried/1"


@verb(
    "tried",
    'wrap track tried "Redis cluster for sessions" --because "cross-slot transactions fail"',
    'wrap track tried "웹소켓 업로드" --because "부하가 걸리면 끊김" --dir ~/shop',
    'wrap track tried "WebSocket 推送" --because "代理 30 秒断开" --quote "30 秒就掉线，改用轮询" --json',
    "wrap track tried --confirm T03",
    json=True,
)
@click.argument("name", required=False)
@click.option("--because", "reason", metavar="REASON", help="Why it failed, at most 50 characters.")
@click.option("--quote", metavar="WORDS", help="The words used when it failed or was given up.")
@click.option("--confirm", "confirmed", metavar="ID", help="A dead end marked `?` is one: from now on, warn of it.")
@DIR
def tried(
    app: App,
    *,
    name: str | None,
    reason: str | None,
    quote: str | None,
    confirmed: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Record an approach that was tried and given up, so that nobody tries it again.

    NAME says in a few words what was tried; name and reason are kept verbatim, except for secrets. A name that is
    already known is the same dead end, and the newer reason counts. Without --dir it belongs to the project whose
    files are here or above.
    """
    from wrapgen.tracks.hot import COLD_FILE
    from wrapgen.tracks.place import HOT_FILE, context_folder, nearest_project
    from wrapgen.tracks.record import NAME_LIMIT, REASON_LIMIT, Quoted, Tombstone
    from wrapgen.workflows.track_entries import confirm, tell

    wanted = project_folder(folder)
    project = wanted if folder else nearest_project(wanted) or wanted
    if confirmed:
        if name or quote:
            raise click.UsageError("--confirm takes a dead end that is known already: leave out NAME and --quote")
        why = None if reason is None else _short_enough(reason, "reason", REASON_LIMIT)
        one, new = confirm(app, project, confirmed, why).id, False
    else:
        if name is None or reason is None:
            raise click.UsageError("say what was tried and why it failed: NAME and --because, or --confirm ID")
        story = (Quoted(0, quote),) if quote and quote.strip() else ()
        name, reason = _short_enough(name, "name", NAME_LIMIT), _short_enough(reason, "reason", REASON_LIMIT)
        told = tell(app, project, "", [Tombstone(name, reason, app.day, story, "said")], [])
        one, new = (*told.new, *told.known)[0], bool(told.new)
    app.wrote = True
    if as_json:
        files = {"hot_track": HOT_FILE, "cold_track": COLD_FILE}
        written = {key: str(context_folder(project) / file) for key, file in files.items()}
        app.print_json({"schema": TRIED_SCHEMA, "id": one, "new": new, **written})
        return
    what = "confirmed in" if confirmed else "written to" if new else "was already in"
    app.say(f"dead end {one} {what} {context_folder(project) / HOT_FILE}")


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
