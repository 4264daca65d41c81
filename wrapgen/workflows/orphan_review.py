"""Reviews of a conversation by a reader: what the reader is shown, and what its quotes prove is carried out."""

import os
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from wrapgen.dashboard.document import fields
from wrapgen.days import moment
from wrapgen.errors import Refusal, UsageError, WrapgenError
from wrapgen.ledger import Handles
from wrapgen.model import Decision
from wrapgen.redact import redact_together
from wrapgen.resources import resource
from wrapgen.session.conversation import Dismissed
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.judgement import Claimed, Judgement, QuotePlace, judge, says_the_same
from wrapgen.session.lexicon import same
from wrapgen.session.memory import REVIEWS_FILE, Skip
from wrapgen.session.readers import open_transcript
from wrapgen.session.reading import REVIEW_SCHEMA, Review, ReviewCandidate, Reviewed, decode_reviewed, numbered
from wrapgen.session.transcript import Summary
from wrapgen.text.display import count
from wrapgen.text.words import content_words
from wrapgen.tracks.record import Progress, Quoted, StateRecord, Tombstone
from wrapgen.vault import state
from wrapgen.workflows.app import App
from wrapgen.workflows.compaction import read_steps
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.orphan_search import Search, is_answered
from wrapgen.workflows.track_files import tell
from wrapgen.workflows.unread_sessions import newest_session_here
from wrapgen.workflows.vault_session import VaultSession

MOST_REVIEWS = 50
"""Conversations whose numbers are remembered; an older one is numbered again."""


def instructions() -> str:
    """The reader's instructions."""
    return (resource("templates") / "reader.md").read_text(encoding="utf-8")


def review(session: VaultSession, transcripts: Sequence[Path]) -> dict[str, Any]:
    """The document that a reader is shown: what is found and pending, numbered; the caller holds the lock."""
    memory, path = session.memory, _one(transcripts) or newest_session_here()
    session_id, shown, _ = numbered_finds(session, path)
    here = {one.id for one in shown}
    names = Handles(memory.pending)
    return {
        "schema": REVIEW_SCHEMA,
        "transcript": str(path),
        "session_id": session_id,
        "instructions": instructions(),
        "candidates": [fields(one, "n by text quote turn") for one in shown],
        "waiting": [
            {"handle": names[key], "text": one.orphan.text, "said_on": one.orphan.said_on}
            for key, one in memory.pending.items()
            if key not in here
        ],
    }


def numbered_finds(
    session: VaultSession, path: Path
) -> tuple[str | None, list[ReviewCandidate], tuple[ReviewCandidate, ...]]:
    """Keep what state and rules find in a conversation, and number it for a reader; the caller holds the lock.

    Returns:
        the session's id, what is open now, and everything that ever had a number.
    """
    search = Search(session).one(path)
    search.keep()
    offered = [*search.orphans, *search.unsure]
    here, session_id = {one.id for one in offered}, search.conversations[0].header.session_id
    numbers = _numbered(session.app, path, session_id, offered)
    return session_id, [one for one in numbers if one.id in here], numbers


def _numbered(app: App, path: Path, session: str | None, orphans: Iterable[FollowUp]) -> tuple[ReviewCandidate, ...]:
    transcript = os.path.realpath(path)
    stored = state.load(app.root, REVIEWS_FILE, Review).records
    former = next((one for one in reversed(stored) if one.transcript == transcript), None)
    safe = []
    for one in orphans:
        (text, quote), _ = redact_together(one.text, one.quote)
        safe.append(replace(one, text=text, quote=quote))
    shown = numbered(safe, former.candidates if former else ())
    others = [one for one in stored if one.transcript != transcript]
    new = Review(transcript, session, os.path.realpath(Path.cwd()), app.now, shown)
    state.save(app.root, REVIEWS_FILE, [*others, new][-MOST_REVIEWS:])
    return shown


def take_review(session: VaultSession, source: str, transcripts: Sequence[Path]) -> tuple[Search, Judgement]:
    """Verify a reader's answer, and carry out what is verified; the caller holds the lock."""
    said = decode_reviewed(read_bytes(source), source)
    named = _one(transcripts)
    reviewed = _reviewed(session.app, said, named)
    path = named or Path(reviewed.transcript)
    kept = open_transcript(path).with_kept()
    # What was compacted is gone from the agent's context.
    first = max((event.turn + 1 for event in kept if isinstance(event, Summary)), default=0)
    return carry_out_review(session, path, said, reviewed.candidates, range(first, sys.maxsize))


def _one(transcripts: Sequence[Path]) -> Path | None:
    if len(transcripts) > 1:
        raise UsageError("one conversation is reviewed at a time", next_step="Name one --transcript.")
    return transcripts[0] if transcripts else None


def _reviewed(app: App, said: Reviewed, named: Path | None) -> Review:
    """What the reader was shown: of the conversation named, of the session that the answer names, of this folder."""
    stored = state.load(app.root, REVIEWS_FILE, Review).records
    if named is not None:
        transcript = os.path.realpath(named)
        known = [one for one in stored if one.transcript == transcript]
        return known[-1] if known else Review(transcript, None, "", app.now)
    if said.session_id:
        known = [one for one in stored if one.session_id == said.session_id]
    else:
        here = os.path.realpath(Path.cwd())
        known = [one for one in stored if one.folder == here]
    if not known:
        raise WrapgenError(
            "no conversation has been reviewed here",
            next_step="Run `wrap orphans --review` first, or name the conversation with --transcript.",
        )
    return known[-1]


def carry_out_review(
    session: VaultSession, path: Path, said: Reviewed, shown: Sequence[ReviewCandidate], seen: range
) -> tuple[Search, Judgement]:
    """Verify an answer, and carry out what is verified; the caller holds the lock.

    Returns:
        what the conversation leaves open now, and what the quotes proved.
    """
    memory, search = session.memory, Search(session).one(path)
    unsure = {one.id for one in search.unsure}
    here = unsure | {one.id for one in search.orphans}
    waiting = [one.orphan for key, one in memory.pending.items() if key not in here]
    judged = judge(said, shown, open_transcript(path).with_kept(), waiting)
    search.orphans += search.unsure
    judged.refused += _drop(search, judged.dropped)
    taken: set[str] = set()
    for claimed in judged.follow_ups:
        _take(search, claimed, path, taken)
    search.unsure = [one for one in search.orphans if one.id in unsure and one.by == "cue"]
    search.orphans = [one for one in search.orphans if one not in search.unsure]
    for at, one in enumerate(search.orphans):
        if one.by == "cue" and one.sure and one.turn in seen:  # who has read it did not confirm it
            search.orphans[at] = replace(one, sure=False)
            memory.reword(search.orphans[at])
    search.keep()
    search.settle(judged.settled)
    return search, judged


def _drop(search: Search, dropped: Iterable[tuple[ReviewCandidate, str]]) -> Iterator[Refusal]:
    """Remember what is not open work, like skips; returns entries that were mentioned again meanwhile."""
    for candidate, why in dropped:
        orphan = next((one for one in search.orphans if one.id == candidate.id), None)
        if orphan is None:
            continue  # written down, skipped or closed meanwhile
        if orphan.turn > candidate.turn:
            yield Refusal(f"drop {candidate.n}", "it was said again since it was shown")
            continue
        search.orphans.remove(orphan)
        _forget(search, orphan, why)


def _forget(search: Search, orphan: FollowUp, why: str) -> None:
    app, memory = search.session.app, search.session.memory
    search.dismissed.append(Dismissed(orphan, why))
    memory.skip([Skip(memory.without_secrets(orphan), app.day, why)])
    memory.settle([orphan.id])


def _take(search: Search, claimed: Claimed, path: Path, taken: set[str]) -> None:
    """Add a finding in the reader's words, replacing all others that say the same.

    Findings from the host's data keep the host's words, but count as confirmed by the reader.

    Args:
        taken: ids of the finds of this answer, to which this one is added.
    """
    memory = search.session.memory
    covered = {one.id for one in claimed.covers}
    covered |= {one.id for one in search.orphans if says_the_same(claimed.found, one)}
    covered -= taken
    known = [one for one in search.orphans if one.id in covered]
    kept = next((one for one in known if one.by == "state"), None)
    if kept is not None:
        surer = replace(kept, sure=kept.sure or claimed.found.sure)
        search.orphans[search.orphans.index(kept)] = surer
        memory.reword(surer)
        _replace(search, kept, [one for one in known if one.by != "state"])
        return
    (orphan,) = search.orphans_of([claimed.found], path, claimed.project)
    if held := _held(search, claimed):
        search.dismissed.append(replace(held, follow_up=orphan))
        return
    _replace(search, orphan, known)
    taken.add(orphan.id)
    if all(one.id != orphan.id for one in search.orphans):
        search.add([orphan])
    if orphan in search.orphans:
        memory.reword(orphan)


def _replace(search: Search, orphan: FollowUp, known: Iterable[FollowUp]) -> None:
    for one in known:
        search.orphans.remove(one)
        if one.id != orphan.id:
            _forget(search, one, f"same as {orphan.text}")


def _held(search: Search, claimed: Claimed) -> Dismissed | None:
    """What is already in a file, or was skipped, under the rules' wording, which differs from the reader's."""
    words = content_words(claimed.found.text)
    for one in search.dismissed:
        other = one.follow_up
        if other.line == claimed.found.line and is_answered(one):
            theirs = content_words(other.text)
            if same(words, theirs) or (other.text in claimed.found.quote and not words.isdisjoint(theirs)):
                return one
    return None


def track(app: App, search: Search, judged: Judgement) -> None:
    """Write what an answer says of them; no lock is held before."""
    if not judged.for_tracks:
        return
    conversation = search.conversations[0]
    header, path = conversation.header, Path(conversation.name)
    project, why = Path(header.cwd or ""), ""
    if not header.cwd or not project.is_dir():
        why = f": the conversation's folder {f'{header.cwd} does not exist' if header.cwd else 'is unknown'}"
        project = app.root
    # The numbers that turns have in the tracks, where tools count as turns too.
    begins = [turn.line for turn in read_steps(path).turns]

    def number(place: QuotePlace) -> int:
        return bisect_right(begins, place.turn.line)

    tombstones = [
        Tombstone(
            name=one.name,
            reason=one.reason,
            day=_day(one.failed),
            story=tuple(Quoted(number(place), place.words) for place in (one.tried, one.failed)),
            by="reader",
        )
        for one in judged.dead_ends
    ]
    decisions = [Decision(one.text, _day(one.place), f"turn {number(one.place)}") for one in judged.decisions]
    session = header.session_id or path.stem
    state = None
    if judged.goal or judged.progress or judged.blockers:
        state = StateRecord(
            session=session,
            turn=len(begins),
            goal=judged.goal.text if judged.goal else "",
            progress=tuple(Progress(one.part, one.state, one.note) for one in judged.progress),
            blockers=tuple(one.text for one in judged.blockers) or None,
        )
    tell(app, project, session, tombstones, decisions, path, state)
    given = [name for name in ("goal", "progress", "blockers") if getattr(judged, name)]
    counted = [count(len(judged.dead_ends), "dead end"), count(len(judged.decisions), "decision"), *given]
    app.warn(f"{', '.join(counted[:-1])} and {counted[-1]} saved for {project}{why}")


def _day(place: QuotePlace) -> date | None:
    said = moment(place.turn.timestamp)
    return said.date() if said else None
