"""`wrap orphans`, follow-ups that were said and are in no durable source; `wrap route`, which files them."""

import os
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, Refusal
from wrapgen.ledger import Handles
from wrapgen.session.answers import Answers
from wrapgen.session.follow_up import Answer, FollowUp, newest_first, unique
from wrapgen.session.form import MOST_UNSURE
from wrapgen.session.memory import Skip
from wrapgen.terminal.verb import TRANSCRIPT, verb
from wrapgen.text.display import count
from wrapgen.workflows import orphan_review
from wrapgen.workflows.app import App
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.orphan_search import Search
from wrapgen.workflows.rebuild import rebuilt_after
from wrapgen.workflows.receipts import check_receipts
from wrapgen.workflows.session_end import (
    TombstoneWarning,
    apply_answers,
    ask,
    can_ask,
    offered,
    question_payload,
    read_answers,
    tombstone_warnings,
)
from wrapgen.workflows.unread_sessions import UnreadSessions
from wrapgen.workflows.vault_session import VaultSession, open_vault


@verb(
    "orphans",
    "wrap orphans",
    "wrap orphans --transcript session.jsonl --json",
    "wrap orphans --ask",
    "wrap orphans --review --transcript session.jsonl",
    "wrap orphans --reviewed review.json --transcript session.jsonl",
    json=True,
)
@TRANSCRIPT
@click.option(
    "--ask", is_flag=True, help="Print the input for one AskUserQuestion call; `wrap route` takes its result."
)
@click.option(
    "--review", is_flag=True, help="Print what a reader of one conversation needs: instructions and candidates."
)
@click.option("--reviewed", metavar="FILE", help="Read a reader's answer to --review; - for stdin.")
@click.option("--read", is_flag=True, help="Run the configured reader on one conversation.")
@click.option("--all", "skipped_too", is_flag=True, help="Also those skipped or dropped before.")
@click.option("--dry-run", is_flag=True, help="Write nothing, not even pending follow-ups.")
def command(
    app: App,
    *,
    transcripts: tuple[Path, ...],
    ask: bool,
    review: bool,
    reviewed: str | None,
    read: bool,
    skipped_too: bool,
    dry_run: bool,
) -> int:
    """Find follow-ups mentioned in chat but never written down.

    They stay pending until you file them with `wrap route`. A reader who knows the conversation, such as the agent
    in it, can review what was found: --review prints what is needed, --reviewed takes the answer.
    """
    _refuse_together(review, reviewed, read, dry_run=dry_run)
    if review:
        with open_vault(app) as session:
            check_receipts(session)
            app.print_json(orphan_review.review(session, transcripts))
        return ExitCode.DONE
    transcripts, refused, failed = _read(app, transcripts) if read else (transcripts, [], False)
    with nullcontext(VaultSession.look(app)) if dry_run else open_vault(app) as session:
        if not dry_run:
            check_receipts(session)
        if reviewed:
            found, judged = orphan_review.take_review(session, reviewed, transcripts)
        else:
            found = _search(session, transcripts, dry_run=dry_run)
        orphans = found.orphans if transcripts else _with_waiting(found, session.memory, reviewed=bool(reviewed))
        unsure = found.unsure if transcripts else unique([*found.unsure, *offered(session.memory)])
        skipped = _skipped(found, session.memory, transcripts) if skipped_too else {}
        names = Handles({*session.memory.pending, *skipped, *(one.id for one in (*orphans, *unsure))})
        listing = _Listing(found, orphans, unsure, skipped, names, tombstone_warnings(app, found))
        if ask:
            maybe = [] if reviewed else unsure[:MOST_UNSURE]  # a reader left out what it did not confirm
            payload = question_payload(session, [*orphans, *maybe], dry_run=dry_run)
    if reviewed:
        orphan_review.track(app, found, judged)
        refused += judged.refused
    if ask:
        app.print_json(payload)
    elif app.as_json:
        app.print_json(listing.document(refused))
    else:
        listing.print(app)
    for line in (*map(str, found.errors), *(f"refused: {one.what}: {one.why}" for one in refused)):
        app.warn(line)
    return ExitCode.COULD_NOT if failed or refused or (transcripts and found.errors) else ExitCode.DONE


def _search(session: VaultSession, transcripts: tuple[Path, ...], *, dry_run: bool) -> Search:
    unread = None if transcripts else UnreadSessions(session.app)
    search = Search(session).read(unread.ours() if unread else transcripts)
    if unread:
        search.errors += unread.left
    return search if dry_run else search.keep()


def _refuse_together(*ways: object, dry_run: bool) -> None:
    if sum(map(bool, ways)) > 1:
        raise click.UsageError("Use only one of --review, --reviewed and --read.")
    if dry_run and any(ways):
        raise click.UsageError("--dry-run cannot be combined with --review, --reviewed or --read.")


def _read(app: App, transcripts: tuple[Path, ...]) -> tuple[tuple[Path, ...], list[Refusal], bool]:
    """Let the reader read; the conversations, what of its answers was refused, and whether something went wrong."""
    from wrapgen.workflows.reader_run import read_conversation
    from wrapgen.workflows.unread_sessions import newest_session_here

    paths = transcripts or (newest_session_here(),)
    refused: list[Refusal] = []
    failed = False
    for path in paths:
        result = read_conversation(app, path)
        refused += result.refused
        failed = failed or result.error is not None
        if result.error:
            app.warn(f"{path}: {result.error}; keeping what was found without the reader")
        elif not result.pieces:
            app.warn(f"{path}: the reader has already read all of it")
    return paths, refused, failed


def _with_waiting(found: Search, memory: Memory, *, reviewed: bool) -> list[FollowUp]:
    """All that is pending, what the newest conversation left first; what was just reviewed comes before that."""
    waiting = [one.orphan for one in memory.pending.values()]
    just = [one.name for one in found.conversations] if reviewed else ()
    return newest_first(unique([*waiting, *found.orphans]), just)


def _skipped(found: Search, memory: Memory, transcripts: tuple[Path, ...]) -> dict[str, Skip]:
    """What was skipped or dropped and is not asked about, by id; of some conversations only, when they are named."""
    paths = {os.path.realpath(path) for path in transcripts}
    said = {one.follow_up.id for one in found.dismissed}
    return {
        one.orphan.id: one
        for one in memory.skips_since()
        if not paths or one.orphan.id in said or os.path.realpath(one.orphan.transcript) in paths
    }


@dataclass(frozen=True, slots=True)
class _Listing:
    found: Search
    orphans: list[FollowUp]
    unsure: list[FollowUp]
    skipped: dict[str, Skip]  # by id
    names: Handles
    warnings: list[TombstoneWarning]

    def document(self, refused: list[Refusal]) -> dict[str, Any]:
        found, names = self.found, self.names
        read = found.conversations
        return {
            "schema": "wrapgen.orphans/1",
            "transcripts": [{"path": one.name, **fields(one.header, "session_id turns bad_lines")} for one in read],
            "orphans": [
                *(_orphan(one, names[one.id]) for one in (*self.orphans, *self.unsure)),
                *(_orphan(one.orphan, names[key]) | {"skipped": one.on} for key, one in self.skipped.items()),
            ],
            "dismissed": [
                fields(one.follow_up, "text line transcript") | fields(one, "reason held_by") for one in found.dismissed
            ],
            "refused": [fields(one, "what why") for one in refused],
            "tried_before": [one.as_json() for one in self.warnings],
        }

    def print(self, app: App) -> None:
        from wrapgen.terminal.audit_tables import tagged

        shown, names = self.unsure[:MOST_UNSURE], self.names
        listed = [*self.orphans, *shown, *(one.orphan for one in self.skipped.values())]
        width = max((len(names[one.id]) for one in listed), default=0)
        for one in listed:
            app.say(f"{names[one.id]:{width}}  {tagged(one.project, one.text)}")
            by = {"state": f"on the agent's {one.cue}", "reader": f"from the {one.role}, found by a reader"}
            said = by.get(one.by) or f"from the {one.role}{f' ({one.cue})' if one.cue else ''}"
            doubt = ", unsure" if one in shown else ""
            gone = self.skipped.get(one.id)
            why = f", {f'dropped ({gone.why})' if gone.why else 'skipped'} on {gone.on}" if gone else ""
            app.say(f"{' ' * width}  {one.transcript}:{one.line} {said}{doubt}{why}")
        before = f", {len(self.skipped)} skipped before" if self.skipped else ""
        doubts = f", {len(self.unsure)} unsure" if self.unsure else ""
        written = f"{count(len(self.orphans), 'follow-up')} not written down"
        app.say(f"{written}{doubts}{before}, {len(self.found.dismissed)} dismissed")
        for warning in self.warnings:
            app.say(f"tried before: {warning}")
        if self.orphans or self.unsure:
            app.say("file them: `wrap route`")


def _orphan(one: FollowUp, handle: str) -> dict[str, Any]:
    return {
        "id": one.id,
        "handle": handle,
        **fields(one, "text quote role transcript turn line uuid lang by sure cue confidence project"),
        "suggested": fields(one.suggested, "route project task"),
        **fields(one, "said_on reason"),
        "skipped": None,
        "also": [fields(also, "transcript turn line") for also in one.also],
    }


@verb(
    "route",
    "wrap route",
    "wrap route --answers answers.json",
    "wrap route --answers - --dry-run < answers.json",
    json=True,
)
@click.option("--answers", metavar="FILE", help="Read the answers from a file (- for stdin) instead of asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, but write nothing.")
def route_(app: App, *, answers: str | None, dry_run: bool) -> int:
    """File pending follow-ups in your notes.

    On a terminal it asks once. Answers can also come from a file: `wrapgen.answers/1`, or the result of the question
    that `wrap orphans --ask` prints.
    """
    if answers is not None or dry_run:
        session = VaultSession.look(app)
    else:
        with open_vault(app) as session:  # the lock is released before somebody thinks about the question
            check_receipts(session)
    if answers is None and (can_ask() or not dry_run):
        decided = ask(session)
    elif answers is not None:
        decided = read_answers(session, answers)
    else:
        waiting = newest_first(one.orphan for one in session.memory.pending.values())
        sure = (Answer.taking(one, one.suggested) for one in waiting if one.sure)
        decided = Answers(tuple(sure))  # nobody to ask: what Enter would write
    if decided is None:
        app.say("nothing was written; everything stays pending")
        return ExitCode.DONE
    if dry_run:
        applied = apply_answers(session, decided, dry_run=True)
    else:
        with open_vault(app) as session:
            check_receipts(session)
            with rebuilt_after(session):
                applied = apply_answers(session, decided)
    pending = len(session.memory.pending)
    if app.as_json:
        app.print_json(applied.as_json(pending))
    else:
        for trouble in applied.refusals():
            app.warn(trouble)
    for line in [*applied.told(dry_run=dry_run), f"{count(pending, 'follow-up')} pending"]:
        app.say(line)
    return ExitCode.COULD_NOT if applied.refused else ExitCode.DONE
