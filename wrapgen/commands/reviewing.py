"""A conversation reviewed by somebody who has read it: what they are shown, and which conversation they answer for."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.commands.documents import read_bytes
from wrapgen.commands.finding import search_in
from wrapgen.commands.review_answers import carry_out_review
from wrapgen.commands.sessions import newest_session_here
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.handles import handles
from wrapgen.redact import redact
from wrapgen.resources import resource
from wrapgen.session.memory import REVIEWS_FILE
from wrapgen.session.readers import open_transcript
from wrapgen.session.review import REVIEW_SCHEMA, Review, decode_reviewed, numbered
from wrapgen.session.transcript import Summary
from wrapgen.vault import state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.commands.app import App
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory
    from wrapgen.commands.review_answers import Outcome
    from wrapgen.session.review import Candidate, Reviewed
    from wrapgen.session.routing import Orphan

MOST_REVIEWS = 50
"""Conversations whose numbers are remembered; an older one is numbered anew."""


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
