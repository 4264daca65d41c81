"""`wrap orphans`: follow-ups that were said and stand in no durable source."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrapgen.commands.finding import Found, Search, look_after
from wrapgen.commands.help import examples
from wrapgen.commands.knowledge import Knowledge
from wrapgen.commands.memory import Memory
from wrapgen.commands.remembering import remembering
from wrapgen.commands.report import tagged
from wrapgen.commands.returning import returning, said
from wrapgen.commands.sessions import sessions_since_last_wrap
from wrapgen.errors import ExitCode
from wrapgen.session.routing import unique
from wrapgen.text import count

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.commands.returning import Returning
    from wrapgen.commands.review_answers import Outcome
    from wrapgen.session.conversation import Conversation
    from wrapgen.session.review import Refusal
    from wrapgen.session.routing import Orphan

ORPHANS_SCHEMA = "wrapgen.orphans/1"

TRANSCRIPT = click.option(
    "--transcript",
    "transcripts",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read this conversation (may be repeated); else those of this vault's projects since the last wrap.",
)


@click.command(
    "orphans",
    epilog=examples(
        "wrap orphans",
        "wrap orphans --transcript session.jsonl --json",
        "wrap orphans --ask",
        "wrap orphans --review --transcript session.jsonl",
        "wrap orphans --reviewed review.json --transcript session.jsonl",
    ),
)
@TRANSCRIPT
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--ask", is_flag=True, help="Print the input of one AskUserQuestion call; `wrap route` takes its result.")
@click.option("--review", is_flag=True, help="Print what a reader of one conversation needs: instructions and finds.")
@click.option("--reviewed", metavar="FILE", help="Take a reader's answer to --review; - for stdin.")
@click.option("--read", is_flag=True, help="Let the reader that you have named read one conversation.")
@click.option("--all", "skipped_too", is_flag=True, help="Also those that were skipped or dropped before.")
@click.option("--dry-run", is_flag=True, help="Write nothing, not even what waits.")
@click.pass_obj
def command(  # noqa: PLR0913 - the options of the command line
    app: App,
    *,
    transcripts: tuple[Path, ...],
    as_json: bool,
    ask: bool,
    review: bool,
    reviewed: str | None,
    read: bool,
    skipped_too: bool,
    dry_run: bool,
) -> int:
    """Find follow-ups that were only said.

    They are kept until somebody says where they belong: see `wrap route`. Whoever has read a conversation, as the agent
    in it has, reviews what was found: --review prints what that takes, --reviewed takes the answer.
    """
    _refuse_together(review, reviewed, read, dry_run=dry_run)
    if review:
        return _print_review(app, transcripts)
    refused: list[Refusal] = []
    outcome: Outcome | None = None
    failed = False
    if read:
        transcripts, refused, failed = _read(app, transcripts)
    with nullcontext(Memory.read(app.root)) if dry_run else remembering(app) as memory:
        knowledge = Knowledge.of(app)
        if not dry_run:
            look_after(app, knowledge, memory)
        if reviewed:
            outcome = _take_review(app, memory, knowledge, reviewed, transcripts)
            found = outcome.found
        else:
            search = Search(app, knowledge, memory, skipped_too=skipped_too)
            found = search.read(list(transcripts) or sessions_since_last_wrap(app))
            if not dry_run:
                memory.settle(search.taken_up())
                memory.wait_for(found.orphans, app.day)
        orphans = found.orphans if transcripts else _with_waiting(found.orphans, memory, newest_first=bool(reviewed))
        warnings = returning(app, found)
        if ask:
            payload = _ask(app, orphans, knowledge, dry_run=dry_run)
    if outcome:
        refused += _track(app, outcome)
    if ask:
        app.print_json(payload)
    elif as_json:
        app.print_json(_document(found, orphans, refused, warnings))
    else:
        _print(app, found, orphans, warnings)
    _warn(app, found, refused)
    return ExitCode.COULD_NOT if failed or refused or (transcripts and found.errors) else ExitCode.DONE


def _warn(app: App, found: Found, refused: list[Refusal]) -> None:
    for error in found.errors:
        app.warn(str(error))
    for one in refused:
        app.warn(f"refused: {one.what}: {one.why}")


def _refuse_together(*ways: object, dry_run: bool) -> None:
    if sum(map(bool, ways)) > 1:
        raise click.UsageError("--review, --reviewed and --read: one of them at a time.")
    if dry_run and any(ways):
        raise click.UsageError("a review is remembered: leave --dry-run out.")


def _read(app: App, transcripts: tuple[Path, ...]) -> tuple[tuple[Path, ...], list[Refusal], bool]:
    """Let the reader read; the conversations, what of its answers was refused, and whether something went wrong."""
    from wrapgen.commands.reading import read_conversation
    from wrapgen.commands.sessions import newest_session_here

    paths = transcripts or (newest_session_here(),)
    refused: list[Refusal] = []
    failed = False
    for path in paths:
        result = read_conversation(app, path)
        refused += result.refused
        failed = failed or result.error is not None
        if result.error:
            app.warn(f"{path}: {result.error}; what was found without the reader stands")
        elif not result.pieces:
            app.warn(f"{path}: the reader has read all of it before")
    return paths, refused, failed


def _with_waiting(orphans: list[Orphan], memory: Memory, *, newest_first: bool) -> list[Orphan]:
    waiting = [one.orphan for one in memory.pending.values()]
    return unique([*orphans, *waiting] if newest_first else [*waiting, *orphans])


def _print_review(app: App, transcripts: tuple[Path, ...]) -> int:
    from wrapgen.commands.reviewing import review

    with remembering(app) as memory:
        knowledge = Knowledge.of(app)
        look_after(app, knowledge, memory)
        app.print_json(review(app, memory, knowledge, transcripts))
    return ExitCode.DONE


def _take_review(app: App, memory: Memory, knowledge: Knowledge, source: str, transcripts: tuple[Path, ...]) -> Outcome:
    from wrapgen.commands.reviewing import take_review

    return take_review(app, memory, knowledge, source, transcripts)


def _track(app: App, outcome: Outcome) -> list[Refusal]:
    """Let dead ends and decisions go to the tracks; what of the whole answer was refused."""
    from wrapgen.commands.review_tracks import track

    track(app, outcome)
    return outcome.refused


def _document(found: Found, orphans: list[Orphan], refused: list[Refusal], warnings: list[Returning]) -> dict[str, Any]:
    return {
        "schema": ORPHANS_SCHEMA,
        "transcripts": [_transcript(one) for one in found.conversations],
        "orphans": [orphan_record(one) for one in orphans],
        "dismissed": [
            {
                "text": one.text,
                "reason": one.reason,
                "line": one.line,
                "transcript": one.transcript,
                "held_by": one.held_by,
            }
            for one in found.dismissed
        ],
        "refused": [{"what": one.what, "why": one.why} for one in refused],
        "tried_before": [one.as_json() for one in warnings],
    }


def _transcript(one: Conversation) -> dict[str, Any]:
    header = one.header
    return {
        "path": one.name,
        "session_id": header.session_id,
        "turns": header.turns,
        "bad_lines": header.bad_lines,
    }


def orphan_record(one: Orphan) -> dict[str, Any]:
    """A follow-up as JSON."""
    return {
        "id": one.id,
        "text": one.text,
        "quote": one.quote,
        "role": one.role,
        "transcript": one.transcript,
        "turn": one.turn,
        "line": one.line,
        "uuid": one.uuid,
        "lang": one.lang,
        "by": one.by,
        "sure": one.sure,
        "cue": one.cue,
        "confidence": one.confidence,
        "project": one.project,
        "suggested": {
            "route": one.suggested.route,
            "project": one.suggested.project,
            "task": one.suggested.task,
        },
        "said_on": one.said_on,
        "reason": one.reason,
        "also": [{"transcript": also.transcript, "turn": also.turn, "line": also.line} for also in one.also],
    }


def _print(app: App, found: Found, orphans: list[Orphan], warnings: list[Returning]) -> None:
    for one in orphans:
        app.say(f"{one.id}  {tagged(one.project, one.text)}")
        by = {"state": f"on the agent's {one.cue}", "reader": f"said by the {one.role}, found by a reader"}
        app.say(f"              {one.transcript}:{one.line} {by.get(one.by) or f'said by the {one.role} ({one.cue})'}")
    app.say(f"{count(len(orphans), 'follow-up')} only said, {len(found.dismissed)} dismissed")
    for line in said(warnings):
        app.say(line)
    if orphans:
        app.say("say where they belong with: wrap route")


def _ask(app: App, orphans: list[Orphan], knowledge: Knowledge, *, dry_run: bool) -> dict[str, Any]:
    """The payload of one question; what it asks is stored: the result names questions, not follow-ups."""
    from wrapgen.session.ask import ask_payload
    from wrapgen.session.memory import ASKED_FILE
    from wrapgen.vault import state

    payload, asked, left_over = ask_payload(orphans, knowledge.places)
    if not dry_run:
        state.save(app.root, ASKED_FILE, asked)
    if left_over:
        app.warn(f"{count(len(left_over), 'follow-up')} did not fit and wait for another round")
    return payload
