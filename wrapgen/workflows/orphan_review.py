"""Reviews of a conversation by a reader: what the reader is shown, and which conversation an answer is for."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrapgen.errors import UsageError, WrapgenError
from wrapgen.handles import Handles
from wrapgen.redact import redact
from wrapgen.resources import resource
from wrapgen.session.memory import REVIEWS_FILE
from wrapgen.session.readers import open_transcript
from wrapgen.session.review import REVIEW_SCHEMA, Review, decode_reviewed, numbered
from wrapgen.session.transcript import Summary
from wrapgen.vault import state
from wrapgen.workflows.apply_review import carry_out_review
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.orphan_search import search_in
from wrapgen.workflows.unread_sessions import newest_session_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.session.follow_up import FollowUp
    from wrapgen.session.review import ReviewCandidate, Reviewed
    from wrapgen.workflows.app import App
    from wrapgen.workflows.apply_review import ReviewResult
    from wrapgen.workflows.vault_session import VaultSession

MOST_REVIEWS = 50
"""Conversations whose numbers are remembered; an older one is numbered again."""


def instructions() -> str:
    """The reader's instructions."""
    return (resource("templates") / "reader.md").read_text(encoding="utf-8")


def review(session: VaultSession, transcripts: Sequence[Path]) -> dict[str, Any]:
    """Collect what state and rules find as pending, and number it for a reader; the caller holds the lock.

    What a reader found earlier in this conversation and is still pending is shown again.

    Returns:
        the document that a reader is shown.
    """
    app, memory = session.app, session.memory
    path = _one(transcripts) or newest_session_here()
    search = search_in(session, path)
    session_id = search.found.conversations[0].header.session_id
    search.keep()
    offered = [*search.found.orphans, *search.found.unsure]
    numbers = remember_review(app, path, session_id, offered)
    here = {one.id for one in offered}
    names = Handles(memory.pending)
    return {
        "schema": REVIEW_SCHEMA,
        "transcript": str(path),
        "session_id": session_id,
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


def remember_review(
    app: App, path: Path, session: str | None, orphans: Iterable[FollowUp]
) -> tuple[ReviewCandidate, ...]:
    """Number findings for a reader, and store the numbers; the caller holds the lock."""
    transcript = os.path.realpath(path)
    stored = state.load(app.root, REVIEWS_FILE, Review).records
    former = next((one for one in reversed(stored) if one.transcript == transcript), None)
    safe = [replace(one, text=redact(one.text)[0], quote=redact(one.quote)[0]) for one in orphans]
    shown = numbered(safe, former.candidates if former else ())
    others = [one for one in stored if one.transcript != transcript]
    new = Review(transcript, session, os.path.realpath(Path.cwd()), app.now, shown)
    state.save(app.root, REVIEWS_FILE, [*others, new][-MOST_REVIEWS:])
    return shown


def take_review(session: VaultSession, source: str, transcripts: Sequence[Path]) -> ReviewResult:
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
