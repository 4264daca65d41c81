"""Finds of an agent that has read the conversation itself: taken when their quote stands in it word for word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from wrapgen.commands.documents import read_bytes
from wrapgen.errors import AnswersError, WrapgenError
from wrapgen.session.proposals import Proposal, Refusal, verify
from wrapgen.session.readers import open_transcript
from wrapgen.session.routing import wording_trouble

if TYPE_CHECKING:
    from wrapgen.commands.finding import Search


class _Find(msgspec.Struct):
    quote: str
    text: str = ""


class _Finds(msgspec.Struct):
    followups: list[_Find]


def add_proposals(search: Search, source: str) -> list[dict[str, str]]:
    """Verify proposals against the conversations that were read, and add those that hold.

    Args:
        search: the search, its conversations read.
        source: a file, or - for stdin.

    Returns:
        the refused ones by name: quote, text and the reason.

    Raises:
        WrapgenError: the proposals cannot be read.
    """
    proposed = [Proposal(one.quote, one.text) for one in _read(source).followups]
    unwritable = [Refusal(one, why) for one in proposed if one.text and (why := wording_trouble(one.text))]
    waiting = [one for one in proposed if all(one is not refusal.proposal for refusal in unwritable)]
    refused: list[Refusal] = [Refusal(one, "no conversation was read") for one in waiting]
    for conversation in list(search.found.conversations):
        path = Path(conversation.name)
        try:
            kept, refused = verify(waiting, open_transcript(path))
        except WrapgenError as error:
            search.found.errors.append(error)
            continue
        search.propose(path, conversation.header, kept)
        waiting = [one.proposal for one in refused]
    return [
        {"quote": one.proposal.quote, "text": one.proposal.text, "reason": one.reason}
        for one in [*unwritable, *refused]
    ]


def _read(source: str) -> _Finds:
    data = read_bytes(source)
    try:
        return msgspec.json.decode(data, type=_Finds)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise AnswersError(
            f"these are no proposals ({error})",
            where=source,
            next_step='Write {"followups": [{"quote": "exact words", "text": "the task"}]}.',
        ) from error
