"""`wrap track`: what must survive when the host compacts a conversation."""

import os
import sys
from pathlib import Path
from typing import Any, Literal

import click

from wrapgen.dashboard.document import fields
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.terminal.verb import examples, verb
from wrapgen.text.display import count, one_line
from wrapgen.tracks.cold_file import Kind, SearchHit, excerpt, search
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.log import HOT_FILE, LOG_FILE, Log, context_folder, nearest_project
from wrapgen.tracks.record import NAME_LIMIT, REASON_LIMIT, DecisionRecord, Quoted, Tombstone, TurnRecord
from wrapgen.vault.git import branch_of
from wrapgen.workflows.app import App
from wrapgen.workflows.compaction import fold
from wrapgen.workflows.hot_track import hot_for_injection
from wrapgen.workflows.track_files import confirm, forget_all, kept_files, tell, withdraw

_EXCERPT = 160  # characters


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

    Use it when a long session forgets what was decided or tried (hooks keep it), or to find what was said before.

    Goal, progress, decisions, dead ends and signatures are in one small file that the next context starts with (the
    hot track); what was said, tried and decided is in a log that can be searched (the cold track). Both are in
    .claude/context/, private to you and ignored by git.
    """


DIR = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The project folder; by default, the current folder.",
)


def _folder(named: Path | None) -> Path:
    return Path(os.path.abspath(named or Path.cwd()))


def _project(named: Path | None) -> Path:
    """The folder that is named, else the project whose files are here or above, else this folder."""
    here = _folder(named)
    return here if named else nearest_project(here) or here


@verb(
    "snapshot",
    "wrap track snapshot --transcript session.jsonl",
    "wrap track snapshot --transcript session.jsonl --dir ~/shop --json",
    json=True,
    of=command,
)
@click.option("--transcript", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The conversation.")
@click.option("--session", metavar="ID", help="The host's id for it; by default, the one in the transcript.")
@DIR
def snapshot(app: App, *, transcript: Path, session: str | None, folder: Path | None) -> None:
    """Save what a compaction of a conversation would lose.

    Writes .claude/context/HOT_TRACK.md, below 6,000 tokens, for the next context, and adds everything that was said to
    the log that `wrap track query` searches. Saving the same conversation again adds nothing twice.
    """
    done = fold(app, transcript, _folder(folder), session)
    app.wrote = True
    app.answer(done)
    app.say(f"for the next context: {done['hot_track']} (version {done['version']}, ~{done['tokens']:,} tokens)")
    app.say(
        f"  {count(done['goals'], 'goal')}, {count(done['blockers'], 'blocker')}, "
        f"signatures of {count(done['skeletons'], 'file')}, {count(done['tombstones'], 'dead end')}, "
        f"{count(done['decisions'], 'decision')}"
    )
    app.say(f"everything that was said: {done['cold_track']} ({count(done['turns'], 'turn')}, {done['new_turns']} new)")
    if moved := done["moved_by_hand"]:
        app.say(f"what was added by hand and does not fit was moved to {moved}")
    if aside := done["former_cold_track"]:
        app.say(f"the previous {Path(done['cold_track']).name}, which wrapgen did not write, is kept as {aside}")
    if secrets := done["redacted"]:
        app.say(f"{count(secrets, 'secret')} {'was' if secrets == 1 else 'were'} removed")


@verb(
    "tried",
    'wrap track tried "Redis cluster for sessions" --because "cross-slot transactions fail"',
    'wrap track tried "웹소켓 업로드" --because "부하가 걸리면 끊김" --dir ~/shop',
    'wrap track tried "WebSocket 推送" --because "代理 30 秒断开" --quote "30 秒就掉线，改用轮询" --json',
    "wrap track tried --confirm T03",
    json=True,
    of=command,
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
) -> None:
    """Record an approach that was tried and given up, so that nobody tries it again.

    NAME says in a few words what was tried; name and reason are kept verbatim, except for secrets. A name that is
    already known is the same dead end, and the newer reason counts. Without --dir it belongs to the project whose
    files are here or above.
    """
    project = _project(folder)
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
        one, new = next(iter(told.items()))
    app.wrote = True
    files = {"hot_track": HOT_FILE, "cold_track": COLD_FILE}
    written = {key: str(context_folder(project) / file) for key, file in files.items()}
    app.answer({"schema": "wrapgen.track-tried/1", "id": one, "new": new, **written})
    what = "confirmed in" if confirmed else "written to" if new else "was already in"
    app.say(f"dead end {one} {what} {context_folder(project) / HOT_FILE}")


def _short_enough(text: str, what: str, limit: int) -> str:
    """The user's own words are never cut."""
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


@verb(
    "forget",
    "wrap track forget",
    "wrap track forget T03",
    "wrap track forget --all --dir ~/shop",
    json=True,
    of=command,
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="Delete all that is kept of this project's conversations.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@DIR
def forget(app: App, *, ids: tuple[str, ...], everything: bool, yes: bool, folder: Path | None) -> None:
    """Say what is kept of a project's conversations; take back dead ends by their ids, or delete everything.

    A dead end that is taken back is none: it warns nobody, and no rule brings it back. --all deletes the log, and both
    files made from it; what you wrote into them by hand is kept in HOT_TRACK.by-hand.md. It cannot be undone.
    """
    if ids and everything:
        raise UsageError("--all and an id are both given", next_step="Leave one of them out.")
    project = _project(folder)
    files = kept_files(project)
    if not files:
        raise WrapgenError(
            "nothing is kept of this project's conversations",
            where=str(project),
            next_step="--dir names another project.",
        )
    removed: list[Path] = []
    taken: list[str] = []
    if ids:
        taken = withdraw(app, project, ids)
    elif everything:
        if not yes and not _confirmed(files):
            raise WrapgenError("nothing was deleted", where=str(project), next_step="--yes deletes without asking.")
        removed = forget_all(app, project)
    app.wrote = bool(removed or taken)
    deleted = [str(path) for path in removed]
    app.answer(
        {"schema": "wrapgen.track-forget/1", "kept": kept_files(project), "deleted": deleted, "taken_back": taken}
    )
    for one in taken:
        app.say(f"dead end {one} is taken back")
    for path in removed:
        app.say(f"deleted: {path}")
    if not (ids or everything):
        for kept in files:
            app.say(f"{kept['path']}  {kept['bytes']:,} bytes: {kept['what']}")
        app.say("delete all of it: `wrap track forget --all`; a dead end that is none: `wrap track forget T03`")


def _confirmed(files: list[dict[str, Any]]) -> bool:
    if not sys.stdin or not sys.stdin.isatty():
        return False
    size = sum(one["bytes"] for one in files)
    return click.confirm(f"Delete {count(len(files), 'file')} ({size:,} bytes) for good?", default=False)


@verb(
    "query",
    'wrap track query "redis cache"',
    'wrap track query "배포" --kind dead-end',
    'wrap track query "缓存" --dir ~/shop --json',
    json=True,
    of=command,
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
    wanted = _folder(folder)
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
    app.answer({"schema": "wrapgen.track-query/1", "query": asked, "hits": rows})
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
    record = hit.record
    shown: dict[str, Any] = {"kind": "", "score": hit.score, "session": record.session, "day": None, "id": None}
    match record:
        case TurnRecord():
            text = excerpt(record.text or " ".join(record.files), words, _EXCERPT)
            return shown | {
                "kind": "turn",
                **fields(record, "day turn role"),
                "place": f"turn {record.turn}",
                "text": text,
            }
        case Tombstone():
            turns = tuple(dict.fromkeys(one.turn for one in record.story if one.turn))
            return shown | {
                "kind": "tombstone", **fields(record, "id day"), "turn": turns[-1] if turns else None,
                "place": f"turn {turns[-1]}" if turns else "", **fields(record, "by name reason"), "turns": turns,
                "story": [fields(one, "turn text") for one in record.story],
            }  # fmt: skip
        case DecisionRecord():
            return shown | {"kind": "decision", "place": record.source, **fields(record, "day turn text")}


@verb("show", "wrap track show", "wrap track show --dir ~/shop", of=command)
@DIR
def show(app: App, *, folder: Path | None) -> None:
    """Print what the next context starts with after a compaction, most important first.

    It is fenced as data, with its age, and marked if it is stale or from another branch.
    """
    project = _folder(folder)
    text = hot_for_injection(project, app.day, branch_of(project))
    if not text:
        raise WrapgenError(
            "nothing is kept for the next context",
            where=str(project),
            next_step="`wrap track snapshot --transcript FILE` makes one.",
        )
    if not app.quiet:
        click.echo(text, nl=False)
