"""A conversation reviewed by somebody who has read it: what they are shown, and what of their answer is taken."""

from __future__ import annotations

import os
import sys
from bisect import bisect_right
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.commands.documents import read_bytes
from wrapgen.commands.finding import ALREADY_DURABLE, SKIPPED_BEFORE, Search
from wrapgen.commands.sessions import newest_session_here
from wrapgen.commands.track_steps import read_steps
from wrapgen.commands.track_telling import tell
from wrapgen.days import moment
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.handles import handles
from wrapgen.redact import redact
from wrapgen.resources import resource
from wrapgen.session.conversation import Dismissed
from wrapgen.session.judgement import judge, says_the_same
from wrapgen.session.memory import REVIEWS_FILE, Skip
from wrapgen.session.readers import open_transcript
from wrapgen.session.review import REVIEW_SCHEMA, Refusal, Review, decode_reviewed, numbered
from wrapgen.session.sameness import same
from wrapgen.session.transcript import Summary
from wrapgen.text import count
from wrapgen.tracks.record import Decision, Quoted, Tombstone
from wrapgen.vault import state
from wrapgen.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from wrapgen.commands.app import App
    from wrapgen.commands.finding import Found
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory
    from wrapgen.session.evidence import Place
    from wrapgen.session.judgement import Claimed, Judgement
    from wrapgen.session.review import Candidate, Reviewed
    from wrapgen.session.routing import Orphan

MOST_REVIEWS = 50
"""Conversations whose numbers are remembered; an older one is numbered anew."""


@dataclass(slots=True)
class Outcome:
    """What came of a reader's answer.

    Attributes:
        found: what the conversation leaves open now.
        path: the conversation.
        judged: what its quotes proved.
        refused: what of the answer was not taken.
    """

    found: Found
    path: Path
    judged: Judgement
    refused: list[Refusal]


def instructions() -> str:
    """What a reader is told to do."""
    return (resource("templates") / "reader.md").read_text(encoding="utf-8")


def review(app: App, memory: Memory, knowledge: Knowledge, transcripts: Sequence[Path]) -> dict[str, Any]:
    """Find what state and rules find, let it wait, and number it for a reader; the caller holds the lock.

    What a reader has found before in this conversation, and still waits, is shown again.

    Args:
        app: the vault.
        memory: what waits.
        knowledge: what the vault holds.
        transcripts: the conversation; without it the newest one of this folder.

    Returns:
        the document that a reader is shown.

    Raises:
        WrapgenError: there is no such conversation, or it cannot be read.
    """
    path = _one(transcripts) or newest_session_here()
    search = search_in(app, memory, knowledge, path)
    session = search.found.conversations[0].header.session_id
    memory.wait_for(search.found.orphans, app.day)
    numbers = remember_review(app, path, session, search.found.orphans)
    here = {one.id for one in search.found.orphans}
    names = handles(memory.pending)
    return {
        "schema": REVIEW_SCHEMA,
        "transcript": str(path),
        "session_id": session,
        "instructions": instructions(),
        "candidates": [
            {"n": one.n, "by": one.by, "text": one.text, "quote": one.quote, "turn": one.turn}
            for one in numbers
            if one.id in here
        ],
        "waiting": [
            {"handle": names[key], "text": one.orphan.text, "said_on": one.orphan.said_on}
            for key, one in memory.pending.items()
            if key not in here
        ],
    }


def search_in(app: App, memory: Memory, knowledge: Knowledge, path: Path) -> Search:
    """Look through one conversation; the caller holds the lock.

    Raises:
        WrapgenError: the conversation cannot be read.
    """
    search = Search(app, knowledge, memory)
    if search.read([path]).errors:
        raise search.found.errors[0]
    return search


def remember_review(app: App, path: Path, session: str | None, orphans: Iterable[Orphan]) -> tuple[Candidate, ...]:
    """Number finds for a reader, and keep the numbers; the caller holds the lock.

    Returns:
        all that have a number in this conversation.
    """
    transcript = os.path.realpath(path)
    stored = state.load(app.root, REVIEWS_FILE, Review).records
    former = next((one for one in reversed(stored) if one.transcript == transcript), None)
    safe = [replace(one, text=redact(one.text)[0], quote=redact(one.quote)[0]) for one in orphans]
    shown = numbered(safe, former.candidates if former else ())
    others = [one for one in stored if one.transcript != transcript]
    new = Review(transcript, session, os.path.realpath(Path.cwd()), app.now, shown)
    state.save(app.root, REVIEWS_FILE, [*others, new][-MOST_REVIEWS:])
    return shown


def take_review(app: App, memory: Memory, knowledge: Knowledge, source: str, transcripts: Sequence[Path]) -> Outcome:
    """Take a reader's answer: prove it, and carry out what is proved; the caller holds the lock.

    Args:
        app: the vault.
        memory: what waits.
        knowledge: what the vault holds.
        source: a file, or - for stdin.
        transcripts: the conversation; without it the one that was reviewed.

    Raises:
        WrapgenError: the answer or the conversation cannot be read, or nobody was shown any.
    """
    said = decode_reviewed(read_bytes(source), source)
    named = _one(transcripts)
    reviewed = _reviewed(app, said, named)
    path = named or Path(reviewed.transcript)
    seen = range(_compacted(path), sys.maxsize)
    return carry_out_review(app, memory, knowledge, path, said, reviewed.candidates, seen)


def carry_out_review(
    app: App,
    memory: Memory,
    knowledge: Knowledge,
    path: Path,
    said: Reviewed,
    shown: Sequence[Candidate],
    seen: range,
) -> Outcome:
    """Prove an answer, and carry out what is proved; the caller holds the lock.

    Args:
        app: the vault.
        memory: what waits.
        knowledge: what the vault holds.
        path: the conversation.
        said: the answer.
        shown: the candidates that the reader was shown.
        seen: the turns that the reader has certainly seen.

    Raises:
        WrapgenError: the conversation cannot be read.
    """
    search = search_in(app, memory, knowledge, path)
    found = search.found
    judged = judge(said, shown, open_transcript(path))
    judged.refused += _drop(app, memory, found, judged.dropped)
    taken: set[str] = set()
    for claimed in judged.follow_ups:
        _take(app, memory, search, claimed, path, taken)
    _doubt(memory, found, seen)
    memory.settle(search.taken_up())
    memory.wait_for(found.orphans, app.day)
    return Outcome(found, path, judged, judged.refused)


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
            "no conversation was reviewed here",
            next_step="Run `wrap orphans --review` first, or name the conversation with --transcript.",
        )
    return known[-1]


def _compacted(path: Path) -> int:
    """The first turn that whoever is in the conversation still sees: what was compacted is gone for them."""
    kept = open_transcript(path).with_kept()
    return max((event.turn + 1 for event in kept if isinstance(event, Summary)), default=0)


def _doubt(memory: Memory, found: Found, seen: range) -> None:
    """What rules found, and the reader has seen and not written down, is offered unticked."""
    for at, one in enumerate(found.orphans):
        if one.by == "cue" and one.sure and one.turn in seen:
            found.orphans[at] = replace(one, sure=False)
            memory.reword(found.orphans[at])


def _drop(app: App, memory: Memory, found: Found, dropped: Iterable[tuple[Candidate, str]]) -> Iterator[Refusal]:
    """Remember what is no open work, as what a person skips is remembered; gives what was said again meanwhile."""
    for candidate, why in dropped:
        orphan = next((one for one in found.orphans if one.id == candidate.id), None)
        if orphan is None:
            continue  # written down, skipped or settled meanwhile
        if orphan.turn > candidate.turn:
            yield Refusal(f"drop {candidate.n}", "it was said again since it was shown")
            continue
        found.orphans.remove(orphan)
        found.dismissed.append(Dismissed(orphan.text, why, orphan.line, orphan.transcript))
        _forget(app, memory, orphan, why)


def _forget(app: App, memory: Memory, orphan: Orphan, why: str) -> None:
    memory.skip([Skip(memory.without_secrets(orphan), app.day, why)])
    memory.settle([orphan.id])


def _take(app: App, memory: Memory, search: Search, claimed: Claimed, path: Path, taken: set[str]) -> None:
    """Add a find in the reader's words, in the place of all others that say the same, but for its own.

    What the host keeps stays in the host's words; the reader's word that it is open counts for it.

    Args:
        app: the vault.
        memory: what waits.
        search: what was found in the conversation.
        claimed: the find.
        path: the conversation.
        taken: ids of the finds of this answer, to which this one is added.
    """
    found = search.found
    covered = {one.id for one in claimed.covers}
    covered |= {one.id for one in found.orphans if says_the_same(claimed.found, one)}
    covered -= taken
    known = [one for one in found.orphans if one.id in covered]
    kept = next((one for one in known if one.by == "state"), None)
    if kept is not None:
        found.orphans[found.orphans.index(kept)] = replace(kept, sure=kept.sure or claimed.found.sure)
        _put_into(app, memory, found, kept, [one for one in known if one.by != "state"])
        return
    (orphan,) = search.orphans_of([claimed.found], path, claimed.project)
    if held := _held(found, claimed):
        found.dismissed.append(replace(held, text=orphan.text))
        return
    _put_into(app, memory, found, orphan, known)
    taken.add(orphan.id)
    if all(one.id != orphan.id for one in found.orphans):
        search.add([orphan])
    if orphan in found.orphans:
        memory.reword(orphan)


def _put_into(app: App, memory: Memory, found: Found, orphan: Orphan, known: Iterable[Orphan]) -> None:
    """Let a find take the place of those that say the same."""
    for one in known:
        found.orphans.remove(one)
        if one.id != orphan.id:
            found.dismissed.append(Dismissed(one.text, f"same as {orphan.text}", one.line, one.transcript))
            _forget(app, memory, one, f"same as {orphan.id}")


def _held(found: Found, claimed: Claimed) -> Dismissed | None:
    """What a file holds already, or somebody skipped, in the words of the rules; the reader's differ."""
    words = content_words(claimed.found.text)
    for one in found.dismissed:
        if one.line == claimed.found.line and one.reason.startswith((ALREADY_DURABLE, SKIPPED_BEFORE)):
            theirs = content_words(one.text)
            if same(words, theirs) or (one.text in claimed.found.quote and not words.isdisjoint(theirs)):
                return one
    return None


def track(app: App, outcome: Outcome) -> None:
    """Write the dead ends and decisions of an answer to the tracks of the session's folder; nothing is locked before.

    Args:
        app: the vault.
        outcome: what came of the answer.
    """
    judged = outcome.judged
    if not (judged.dead_ends or judged.decisions):
        return
    header = outcome.found.conversations[0].header
    if header.cwd is None or not Path(header.cwd).is_dir():
        lost = f"{count(len(judged.dead_ends), 'dead end')} and {count(len(judged.decisions), 'decision')}"
        where = f"folder {header.cwd} is not there" if header.cwd else "folder is not known"
        app.warn(f"{lost} went to no track: the conversation's {where}")
        return
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
    tell(app, Path(header.cwd), header.session_id or "", tombstones, decisions, outcome.path)


class _Numbers:
    """The numbers that turns have in the tracks, where tools count as turns too."""

    def __init__(self, path: Path) -> None:
        self._lines = [step.line for step in read_steps(path).steps]

    def of(self, place: Place) -> int:
        """The number of the turn of a quote."""
        return bisect_right(self._lines, place.turn.line)


def _day(place: Place) -> date | None:
    said = moment(place.turn.timestamp)
    return said.date() if said else None
