"""Pending follow-ups as hooks read them: their words alone, without the records of what is known of each."""

from __future__ import annotations

import msgspec

FILE = "pending.jsonl"


class WaitingWords(msgspec.Struct):
    """What was put off, and its project."""

    text: str
    project: str | None = None


class Waiting(msgspec.Struct):
    """A line of the file, see `wrapgen.session.memory.Pending`."""

    orphan: WaitingWords
