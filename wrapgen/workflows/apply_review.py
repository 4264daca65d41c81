"""Carries out a reader's answer: what its quotes prove replaces the candidates that say the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wrapgen.errors import Refusal
from wrapgen.session.conversation import Dismissed
from wrapgen.session.judgement import judge, says_the_same
from wrapgen.session.memory import Skip
from wrapgen.session.readers import open_transcript
from wrapgen.session.wording import same
from wrapgen.text.words import content_words
from wrapgen.workflows.done_since import settle
from wrapgen.workflows.orphan_search import ALREADY_DURABLE, SKIPPED_BEFORE, search_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from wrapgen.session.follow_up import FollowUp
    from wrapgen.session.judgement import Claimed, Judgement
    from wrapgen.session.review import ReviewCandidate, Reviewed
    from wrapgen.workflows.app import App
    from wrapgen.workflows.memory import Memory
    from wrapgen.workflows.orphan_search import Search, SearchResult
    from wrapgen.workflows.vault_session import VaultSession


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
    judged = judge(said, shown, open_transcript(path), waiting)
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
