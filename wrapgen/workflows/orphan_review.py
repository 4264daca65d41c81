"""Reviews of a conversation by a reader: what the reader is shown, and what its quotes prove is carried out."""

import os
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from wrapgen.dashboard.document import fields
from wrapgen.days import moment
from wrapgen.errors import Refusal, UsageError, WrapgenError
from wrapgen.handles import Handles
from wrapgen.model import Decision
from wrapgen.redact import redact
from wrapgen.resources import resource
from wrapgen.session.conversation import Dismissed
from wrapgen.session.evidence import QuotePlace
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.judgement import Claimed, Judgement, judge, says_the_same
from wrapgen.session.memory import REVIEWS_FILE, Skip
from wrapgen.session.readers import open_transcript
from wrapgen.session.review import REVIEW_SCHEMA, Review, ReviewCandidate, Reviewed, decode_reviewed, numbered
from wrapgen.session.transcript import Summary
from wrapgen.session.wording import same
from wrapgen.text.display import count
from wrapgen.text.words import content_words
from wrapgen.tracks.record import Progress, Quoted, StateRecord, Tombstone
from wrapgen.vault import state
from wrapgen.workflows.app import App
from wrapgen.workflows.done_since import settle
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.orphan_search import ALREADY_DURABLE, SKIPPED_BEFORE, Search, SearchResult, search_in
from wrapgen.workflows.track_entries import tell
from wrapgen.workflows.transcript_steps import read_steps
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
    search = search_in(session, path)
    search.keep()
    offered = [*search.found.orphans, *search.found.unsure]
    here, session_id = {one.id for one in offered}, search.found.conversations[0].header.session_id
    numbers = _numbered(session.app, path, session_id, offered)
    return session_id, [one for one in numbers if one.id in here], numbers


def _numbered(app: App, path: Path, session: str | None, orphans: Iterable[FollowUp]) -> tuple[ReviewCandidate, ...]:
    transcript = os.path.realpath(path)
    stored = state.load(app.root, REVIEWS_FILE, Review).records
    former = next((one for one in reversed(stored) if one.transcript == transcript), None)
    safe = [replace(one, text=redact(one.text)[0], quote=redact(one.quote)[0]) for one in orphans]
    shown = numbered(safe, former.candidates if former else ())
    others = [one for one in stored if one.transcript != transcript]
    new = Review(transcript, session, os.path.realpath(Path.cwd()), app.now, shown)
    state.save(app.root, REVIEWS_FILE, [*others, new][-MOST_REVIEWS:])
    return shown


def take_review(session: VaultSession, source: str, transcripts: Sequence[Path]) -> "ReviewResult":
    """Verify a reader's answer, and carry out what is verified; the caller holds the lock."""
    said = decode_reviewed(read_bytes(source), source)
    named = _one(transcripts)
    reviewed = _reviewed(session.app, said, named)
    path = named or Path(reviewed.transcript)
    seen = range(_compacted(path), sys.maxsize)
    return carry_out_review(session, path, said, reviewed.candidates, seen)


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


def _compacted(path: Path) -> int:
    """The first turn still in the agent's context: what was compacted is gone."""
    kept = open_transcript(path).with_kept()
    return max((event.turn + 1 for event in kept if isinstance(event, Summary)), default=0)


@dataclass(slots=True)
class ReviewResult:
    """What came of a reader's answer."""

    found: SearchResult  # what the conversation leaves open now
    path: Path  # the conversation
    judged: Judgement  # what its quotes proved
    refused: list[Refusal]  # the entries that were rejected


def carry_out_review(
    session: VaultSession,
    path: Path,
    said: Reviewed,
    shown: Sequence[ReviewCandidate],
    seen: range,
) -> ReviewResult:
    """Verify an answer, and carry out what is verified; the caller holds the lock."""
    app, memory = session.app, session.memory
    search = search_in(session, path)
    found = search.found
    here = {one.id for one in (*found.orphans, *found.unsure)}
    waiting = [one.orphan for one in memory.pending.values() if one.orphan.id not in here]
    judged = judge(said, shown, open_transcript(path).with_kept(), waiting)
    unsure = {one.id for one in found.unsure}
    found.orphans += found.unsure
    judged.refused += _drop(app, memory, found, judged.dropped)
    taken: set[str] = set()
    for claimed in judged.follow_ups:
        _take(app, memory, search, claimed, path, taken)
    found.unsure = [one for one in found.orphans if one.id in unsure and one.by == "cue"]
    found.orphans = [one for one in found.orphans if one not in found.unsure]
    _doubt(memory, found, seen)
    search.keep()
    settle(session, found, judged.settled)
    return ReviewResult(found, path, judged, judged.refused)


def _doubt(memory: Memory, found: SearchResult, seen: range) -> None:
    for at, one in enumerate(found.orphans):
        if one.by == "cue" and one.sure and one.turn in seen:
            found.orphans[at] = replace(one, sure=False)
            memory.reword(found.orphans[at])


def _drop(
    app: App, memory: Memory, found: SearchResult, dropped: Iterable[tuple[ReviewCandidate, str]]
) -> Iterator[Refusal]:
    """Remember what is not open work, like skips; returns entries that were mentioned again meanwhile."""
    for candidate, why in dropped:
        orphan = next((one for one in found.orphans if one.id == candidate.id), None)
        if orphan is None:
            continue  # written down, skipped or closed meanwhile
        if orphan.turn > candidate.turn:
            yield Refusal(f"drop {candidate.n}", "it was said again since it was shown")
            continue
        found.orphans.remove(orphan)
        found.dismissed.append(Dismissed(orphan, why))
        _forget(app, memory, orphan, why)


def _forget(app: App, memory: Memory, orphan: FollowUp, why: str) -> None:
    memory.skip([Skip(memory.without_secrets(orphan), app.day, why)])
    memory.settle([orphan.id])


def _take(app: App, memory: Memory, search: Search, claimed: Claimed, path: Path, taken: set[str]) -> None:
    """Add a finding in the reader's words, replacing all others that say the same.

    Findings from the host's data keep the host's words, but count as confirmed by the reader.

    Args:
        taken: ids of the finds of this answer, to which this one is added.
    """
    found = search.found
    covered = {one.id for one in claimed.covers}
    covered |= {one.id for one in found.orphans if says_the_same(claimed.found, one)}
    covered -= taken
    known = [one for one in found.orphans if one.id in covered]
    kept = next((one for one in known if one.by == "state"), None)
    if kept is not None:
        surer = replace(kept, sure=kept.sure or claimed.found.sure)
        found.orphans[found.orphans.index(kept)] = surer
        memory.reword(surer)
        _put_into(app, memory, found, kept, [one for one in known if one.by != "state"])
        return
    (orphan,) = search.orphans_of([claimed.found], path, claimed.project)
    if held := _held(found, claimed):
        found.dismissed.append(replace(held, follow_up=orphan))
        return
    _put_into(app, memory, found, orphan, known)
    taken.add(orphan.id)
    if all(one.id != orphan.id for one in found.orphans):
        search.add([orphan])
    if orphan in found.orphans:
        memory.reword(orphan)


def _put_into(app: App, memory: Memory, found: SearchResult, orphan: FollowUp, known: Iterable[FollowUp]) -> None:
    for one in known:
        found.orphans.remove(one)
        if one.id != orphan.id:
            found.dismissed.append(Dismissed(one, f"same as {orphan.text}"))
            _forget(app, memory, one, f"same as {orphan.text}")


def _held(found: SearchResult, claimed: Claimed) -> Dismissed | None:
    """What is already in a file, or was skipped, under the rules' wording, which differs from the reader's."""
    words = content_words(claimed.found.text)
    for one in found.dismissed:
        other = one.follow_up
        if other.line == claimed.found.line and one.reason.startswith((ALREADY_DURABLE, SKIPPED_BEFORE)):
            theirs = content_words(other.text)
            if same(words, theirs) or (other.text in claimed.found.quote and not words.isdisjoint(theirs)):
                return one
    return None


def track(app: App, outcome: ReviewResult) -> None:
    """Write what an answer says of them; no lock is held before."""
    judged = outcome.judged
    if not judged.for_tracks:
        return
    header = outcome.found.conversations[0].header
    project, why = Path(header.cwd or ""), ""
    if not header.cwd or not project.is_dir():
        why = f": the conversation's folder {f'{header.cwd} does not exist' if header.cwd else 'is unknown'}"
        project = app.root
    numbers = _Numbers(outcome.path)
    tombstones = [
        Tombstone(
            name=one.name,
            reason=one.reason,
            day=_day(one.failed),
            story=tuple(Quoted(numbers.of(place), place.words) for place in (one.tried, one.failed)),
            by="reader",
        )
        for one in judged.dead_ends
    ]
    decisions = [Decision(one.text, _day(one.place), f"turn {numbers.of(one.place)}") for one in judged.decisions]
    session = header.session_id or outcome.path.stem
    state = None
    if judged.goal or judged.progress or judged.blockers:
        state = StateRecord(
            session=session,
            turn=numbers.last,
            goal=judged.goal.text if judged.goal else "",
            progress=tuple(Progress(one.part, one.state, one.note) for one in judged.progress),
            blockers=tuple(one.text for one in judged.blockers) or None,
        )
    tell(app, project, session, tombstones, decisions, outcome.path, state)
    app.warn(f"{_counted(judged)} saved for {project}{why}")


def _counted(judged: Judgement) -> str:
    state = ("goal", judged.goal), ("progress", judged.progress), ("blockers", judged.blockers)
    named = [name for name, given in state if given]
    counted = [count(len(judged.dead_ends), "dead end"), count(len(judged.decisions), "decision"), *named]
    return f"{', '.join(counted[:-1])} and {counted[-1]}"


class _Numbers:
    """The numbers that turns have in the tracks, where tools count as turns too."""

    def __init__(self, path: Path) -> None:
        self._lines = [turn.line for turn in read_steps(path).turns]
        self.last = len(self._lines)

    def of(self, place: QuotePlace) -> int:
        return bisect_right(self._lines, place.turn.line)


def _day(place: QuotePlace) -> date | None:
    said = moment(place.turn.timestamp)
    return said.date() if said else None
