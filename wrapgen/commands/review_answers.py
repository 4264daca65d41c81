"""What of a reader's answer is carried out: what its quotes prove, in the place of what says the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wrapgen.commands.finding import ALREADY_DURABLE, SKIPPED_BEFORE, search_in
from wrapgen.session.conversation import Dismissed
from wrapgen.session.judgement import judge, says_the_same
from wrapgen.session.memory import Skip
from wrapgen.session.readers import open_transcript
from wrapgen.session.review import Refusal
from wrapgen.session.sameness import same
from wrapgen.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.commands.finding import Found, Search
    from wrapgen.commands.knowledge import Knowledge
    from wrapgen.commands.memory import Memory
    from wrapgen.session.judgement import Claimed, Judgement
    from wrapgen.session.review import Candidate, Reviewed
    from wrapgen.session.routing import Orphan


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
        surer = replace(kept, sure=kept.sure or claimed.found.sure)
        found.orphans[found.orphans.index(kept)] = surer
        memory.reword(surer)
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
            _forget(app, memory, one, f"same as {orphan.text}")


def _held(found: Found, claimed: Claimed) -> Dismissed | None:
    """What a file holds already, or somebody skipped, in the words of the rules; the reader's differ."""
    words = content_words(claimed.found.text)
    for one in found.dismissed:
        if one.line == claimed.found.line and one.reason.startswith((ALREADY_DURABLE, SKIPPED_BEFORE)):
            theirs = content_words(one.text)
            if same(words, theirs) or (one.text in claimed.found.quote and not words.isdisjoint(theirs)):
                return one
    return None
