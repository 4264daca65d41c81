"""Conversations for tests, one line a turn."""

from __future__ import annotations

from wrapgen.tracks.record import FileState, Step


def talk(*turns: str, stamp: str | None = "2026-03-05T10:00:00Z") -> list[Step]:
    """Turns from `U: words` and `A: words`; `A[src/a.py]: words` wrote that file."""
    steps = []
    for number, turn in enumerate(turns, 1):
        head, text = turn.split(": ", 1)
        files = tuple(FileState(path) for path in head[1:].strip("[]").split(",") if path)
        role = "user" if head[0] == "U" else "assistant"
        steps.append(Step(number, role, text, number, stamp, files=files, typed=role == "user"))
    return steps
