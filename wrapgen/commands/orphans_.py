"""`wrap orphans`, follow-ups that were said and are in no durable source; `wrap route`, which files them."""

import os
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, Refusal, UsageError
from wrapgen.ledger import SHORTEST, Handles
from wrapgen.session.answers import Answers
from wrapgen.session.follow_up import Answer, FollowUp, called, newest_first, unique
from wrapgen.session.form import MOST_UNSURE
from wrapgen.session.memory import Skip
from wrapgen.terminal.orphan_list import OrphanList
from wrapgen.terminal.verb import TRANSCRIPT, verb
from wrapgen.text.display import count
from wrapgen.workflows import orphan_review
from wrapgen.workflows.app import App
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.orphan_search import Search
from wrapgen.workflows.rebuild import rebuilt_after
from wrapgen.workflows.receipts import check_receipts
from wrapgen.workflows.session_end import (
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

_FEW = 10
"""Conversations that are looked at in a folder that is no vault."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The options of `wrap orphans`."""

    transcripts: tuple[Path, ...]
    ask: bool
    review: bool
    reviewed: str | None
    read: bool
    everything: bool
    restore: str | None
    last: int | None
    dry_run: bool

    @property
    def only_looks(self) -> bool:
        """Tell whether it can be carried out without a vault."""
        return not (self.ask or self.review or self.reviewed or self.read or self.everything or self.restore)

    def check(self) -> None:
        """Refuse what cannot be done at once."""
        ways = (self.review, self.reviewed, self.read, self.restore)
        if sum(map(bool, ways)) > 1:
            raise click.UsageError("Use only one of --review, --reviewed, --read and --restore.")
        if self.dry_run and any(ways):
            raise click.UsageError("--dry-run cannot be combined with --review, --reviewed, --read or --restore.")


@verb(
    "orphans",
    "wrap orphans",
    "wrap orphans --transcript session.jsonl --json",
    "wrap orphans --all",
    "wrap orphans --restore 3f2a",
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
@click.option("--all", "everything", is_flag=True, help="Also those skipped, dropped, left out or dismissed.")
@click.option("--restore", metavar="H", help="Ask again about one that --all lists, by its handle.")
@click.option(
    "--last",
    type=click.IntRange(1),
    metavar="N",
    help="In a folder that is no vault: look at its last N conversations; by default, 10.",
)
@click.option("--dry-run", is_flag=True, help="Write nothing, not even pending follow-ups.")
def command(app: App, **options: Any) -> int:  # noqa: ANN401 - as click gives them
    """Find follow-ups mentioned in chat but never written down.

    `wrap orphans` finds and lists them, `wrap route` asks where they belong and files them; until then they stay
    pending. A reader who knows the conversation, such as the agent in it, can review what was found: --review prints
    what is needed, --reviewed takes the answer.

    In a folder that is no vault it looks at the folder's last conversations, and writes nothing.
    """
    wanted = _Wanted(**options)
    wanted.check()
    if wanted.only_looks and app.has_no_vault:
        return _look_first(app, wanted.transcripts, wanted.last or _FEW)
    if wanted.last:
        raise click.UsageError("--last is for a folder that is no vault; name conversations with --transcript.")
    if wanted.restore:
        return _bring_back(app, wanted.restore)
    if wanted.review:
        with open_vault(app) as session:
            check_receipts(session)
            app.print_json(orphan_review.review(session, wanted.transcripts))
        return ExitCode.DONE
    return _find(app, wanted)


def _find(app: App, wanted: _Wanted) -> int:
    transcripts, refused, failed = _read(app, wanted.transcripts) if wanted.read else (wanted.transcripts, [], False)
    reviewed, dry_run = wanted.reviewed, wanted.dry_run
    with nullcontext(VaultSession.look(app)) if dry_run else open_vault(app) as session:
        if not dry_run:
            check_receipts(session)
        if reviewed:
            found, judged = orphan_review.take_review(session, reviewed, transcripts)
        else:
            found = _search(session, transcripts, dry_run=dry_run)
        orphans = found.orphans if transcripts else _with_waiting(found, session.memory, reviewed=bool(reviewed))
        unsure = found.unsure if transcripts else unique([*found.unsure, *offered(session.memory)])
        skipped = _skipped(found, session.memory, transcripts) if wanted.everything else {}
        names = Handles({*session.memory.pending, *skipped, *(one.id for one in (*orphans, *unsure))})
        warnings = tombstone_warnings(app, found)
        listing = OrphanList(found, orphans, unsure, names, skipped, warnings, everything=wanted.everything)
        if wanted.ask:
            maybe = [] if reviewed else unsure[:MOST_UNSURE]  # a reader left out what it did not confirm
            payload = question_payload(session, [*orphans, *maybe], dry_run=dry_run)
    if reviewed:
        orphan_review.track(app, found, judged)
        refused += judged.refused
    if wanted.ask:
        app.print_json(payload)
    elif app.as_json:
        app.print_json(listing.document(refused))
    else:
        listing.print(app)
    for line in (*map(str, found.errors), *(f"refused: {one}" for one in refused)):
        app.warn(line)
    return ExitCode.COULD_NOT if failed or refused or (transcripts and found.errors) else ExitCode.DONE


def _search(session: VaultSession, transcripts: tuple[Path, ...], *, dry_run: bool) -> Search:
    unread = None if transcripts else UnreadSessions(session.app)
    search = Search(session).read(unread.ours() if unread else transcripts)
    if unread:
        search.errors += unread.left
    return search if dry_run else search.keep()


def _look_first(app: App, transcripts: tuple[Path, ...], last: int) -> int:
    from wrapgen.workflows.first_look import first_look

    found = first_look(app, transcripts, last)
    orphans, unsure = newest_first(unique(found.orphans)), newest_first(unique(found.unsure))
    listing = OrphanList(found, orphans, unsure, Handles(one.id for one in (*orphans, *unsure)))
    app.answer(listing.document([]))
    listing.print_first(app)
    for error in found.errors:
        app.warn(str(error))
    return ExitCode.COULD_NOT if transcripts and found.errors else ExitCode.DONE


def _bring_back(app: App, name: str) -> int:
    """Make pending again what was skipped, dropped or left out."""
    with open_vault(app) as session, rebuilt_after(session):
        memory = session.memory
        known = {one.orphan.id: one.orphan for one in memory.skips_since()}
        found = [one for key, one in known.items() if len(name) >= SHORTEST and key.startswith(name.casefold())]
        if len(found) != 1:
            what = "several handles begin" if found else "nothing that was skipped or left out has a handle that begins"
            raise UsageError(f"{what} with `{called(name)}`", next_step="`wrap orphans --all` lists them.")
        memory.bring_back(found[0], app.day)
    app.answer({"schema": "wrapgen.orphans-restore/1", "restored": fields(found[0], "id text")})
    app.say(f"pending again: {found[0].text}; file it: `wrap route`")
    return ExitCode.DONE


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
    """Return all that is pending, what the newest conversation left first; what was just reviewed comes before that."""
    waiting = [one.orphan for one in memory.pending.values()]
    just = [one.name for one in found.conversations] if reviewed else ()
    return newest_first(unique([*waiting, *found.orphans]), just)


def _skipped(found: Search, memory: Memory, transcripts: tuple[Path, ...]) -> dict[str, Skip]:
    """Return what was skipped or dropped, by id; of some conversations only, when they are named."""
    paths = {os.path.realpath(path) for path in transcripts}
    said = {one.follow_up.id for one in found.dismissed}
    return {
        one.orphan.id: one
        for one in memory.skips_since()
        if not paths or one.orphan.id in said or os.path.realpath(one.orphan.transcript) in paths
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

    These are what `wrap orphans` found. On a terminal it asks once. Answers can also come from a file:
    `wrapgen.answers/1`, or the result of the question that `wrap orphans --ask` prints.
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
