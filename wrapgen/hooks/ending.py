"""A turn or a session ends: the conversation is handed to a background process that searches it."""

import os

from wrapgen.hooks.detach import Request, hand_over
from wrapgen.hooks.events import Moment
from wrapgen.host_reply import NOTHING, HookReply
from wrapgen.vault import session_registry

_SMALL = 8 << 20  # bytes of a transcript that is searched after each turn
_GROWN = 50  # a larger one is searched once it has grown by this fraction, which bounds the cost of all turns together


def on_ending(moment: Moment) -> HookReply:
    """A `Stop` or a `SessionEnd`: record the session, and hand over what is new in it; nothing blocks."""
    if not moment.session:
        return NOTHING
    before = session_registry.recall(moment.root, moment.session)
    transcript = moment.text("transcript_path") or before.transcript
    size = _size(transcript)
    words = moment.text("last_assistant_message")
    at_end = moment.event == "SessionEnd"
    if not (_is_worth(before.size, size, at_end=at_end) or (words and size < 0)):
        return NOTHING
    session_registry.tell(moment.root, before._replace(transcript=transcript, cwd=moment.cwd, size=size, ended=at_end))
    goes_on = "" if at_end else moment.cwd
    hand_over(moment.root, Request(moment.session, transcript, words, goes_on, ended=at_end))
    return NOTHING


def _is_worth(before: int, now: int, *, at_end: bool) -> bool:
    if at_end:
        return True  # the dashboard is rebuilt in any case
    return now != before and (now < _SMALL or abs(now - before) * _GROWN > now)


def _size(transcript: str) -> int:
    try:
        return os.stat(transcript).st_size
    except (OSError, ValueError):
        return -1
