"""What a later conversation shows as done settles what waits from an earlier one; undo brings it back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.session.conversation import Dismissed
from wrapgen.session.memory import Skip
from wrapgen.text.words import content_words, fold_key
from wrapgen.workflows.line_writer import begin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wrapgen.model import Item
    from wrapgen.session.follow_up import FollowUp
    from wrapgen.workflows.orphan_search import SearchResult
    from wrapgen.workflows.vault_session import VaultSession

ON_A_LIST = "completed on a later to-do list"
COMMAND = "done since"


def settle_completed(session: VaultSession, found: SearchResult) -> None:
    """Settle what entries of the same words show as done; the caller holds the lock.

    An open box of a note with the same words becomes probably done.
    """
    completed = [one for conversation in found.conversations for one in conversation.completed]
    if not completed:
        return
    waiting = [one.orphan for one in session.memory.pending.values()]
    done = {
        one.id: (one, f"{ON_A_LIST} ({entry.transcript}:{entry.line})")
        for entry in completed
        for one in waiting
        if entry.project == one.project
        and _is_later(entry, one)
        and content_words(entry.text) == content_words(one.text)
    }
    settle(session, found, list(done.values()), dict(_boxes(session, completed)))


def settle(
    session: VaultSession,
    found: SearchResult,
    done: Sequence[tuple[FollowUp, str]],
    doubted: Mapping[str, str] | None = None,
) -> None:
    """Take follow-ups out of pending under a receipt, each with its reason; `doubted` items are probably done."""
    app, memory = session.app, session.memory
    if not done and not doubted:
        return
    skips = tuple(Skip(memory.without_secrets(one), app.day, why) for one, why in done)
    receipt = replace(begin(app, COMMAND), skips=skips, doubted=dict(doubted or {}))
    gone = {one.id for one, _ in done}
    memory.write(receipt)
    memory.skip(skips)
    memory.settle(gone)
    memory.close(receipt)
    found.orphans[:] = [one for one in found.orphans if one.id not in gone]
    found.dismissed += [Dismissed(one, why) for one, why in done]
    for one, why in done:
        app.warn(f"done since: {one.text} ({why}); undo: wrap undo {receipt.id}")


def _is_later(entry: FollowUp, one: FollowUp) -> bool:
    """Whether an entry was completed in another conversation than the follow-up's, and after it was said."""
    if entry.transcript == one.transcript:
        return False
    completed, said = moment(entry.said_at), moment(one.said_at)
    if completed is not None and said is not None:
        return completed > said
    return entry.said_on is not None and one.said_on is not None and entry.said_on > one.said_on


def _boxes(session: VaultSession, completed: Iterable[FollowUp]) -> Iterable[tuple[str, str]]:
    """Open items with the words of a completed entry, that were not raised after it: their ids, and where it is."""
    by_words = {fold_key(one.text): one for one in completed}
    known = session.memory.decisions().doubted
    for item in session.collected.found.kept:
        entry = by_words.get(fold_key(item.text))
        if entry and item.id not in known and _is_of(item, entry):
            yield item.id, f"{entry.transcript}:{entry.line}"


def _is_of(item: Item, entry: FollowUp) -> bool:
    late = item.raised is not None and entry.said_on is not None and item.raised > entry.said_on
    return item.project in (None, entry.project) and not late
