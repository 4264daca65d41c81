"""Conversations read by the program that the user has named: piece by piece, each once, and what it says proved."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from wrapgen.commands import userfile
from wrapgen.commands.finding import look_after, search_in
from wrapgen.commands.knowledge import Knowledge
from wrapgen.commands.remembering import remembering
from wrapgen.commands.review_answers import carry_out_review
from wrapgen.commands.review_tracks import track
from wrapgen.commands.reviewing import instructions, remember_review
from wrapgen.config import user_config_path
from wrapgen.errors import AnswersError, WrapgenError
from wrapgen.session.readers import open_transcript
from wrapgen.session.reading.presets import command_of
from wrapgen.session.reading.prompt import AGAIN, document_in, prompt
from wrapgen.session.reading.run import ReaderError, run
from wrapgen.session.reading.windows import windows
from wrapgen.session.review import decode_reviewed
from wrapgen.text import one_line
from wrapgen.vault import state

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.config import UserReader
    from wrapgen.session.reading.windows import Window
    from wrapgen.session.review import Refusal

READINGS_FILE = "readings.jsonl"
_MOST = 1_000
"""Pieces that are remembered; an older one would be read once more if its conversation came up again."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A piece of a conversation that was given to the reader.

    Attributes:
        digest: by which the piece is known.
        calls: how often the program was run for it.
        error: why nothing came of it, None when something did.
    """

    at: datetime
    transcript: str
    digest: str
    calls: int = 1
    error: str | None = None


@dataclass(slots=True)
class Read:
    """What came of reading a conversation.

    Attributes:
        pieces: how many were read now.
        refused: what of the answers was not taken.
        error: why no more was read; None when all was.
    """

    pieces: int = 0
    refused: list[Refusal] = field(default_factory=list)
    error: str | None = None


def read_conversation(app: App, path: Path, *, to_the_end: bool = True) -> Read:
    """Give the pieces of a conversation that nobody has read yet to the reader; nothing is locked while it reads.

    Whatever goes wrong, what state and rules found stands, and the piece is tried again another time.

    Args:
        app: the vault.
        path: the conversation.
        to_the_end: also its last piece, which may still grow.

    Raises:
        WrapgenError: no reader is named, or the conversation or the vault cannot be read.
    """
    reader = userfile.reader()
    if not command_of(reader):
        raise WrapgenError(
            "no reader is named", where=str(user_config_path()), next_step='Add: [reader] command = "claude".'
        )
    known = {one.digest for one in readings(app.root) if one.error is None}
    result = Read()
    for window in windows(open_transcript(path), reader.window_tokens):
        if window.digest in known or not (window.full or to_the_end):
            continue
        left = reader.per_day - calls_on(app.root, app.now)
        if left <= 0:
            result.error = f"the reader was called {reader.per_day} times today, which is `reader.per_day`"
            break
        calls, result.error = _read_window(app, path, window, reader, left, result.refused)
        error = result.error
        _remember(app, Reading(app.now, os.path.realpath(path), window.digest, calls, error))
        if error is not None:
            break
        result.pieces += 1
    return result


def readings(root: Path) -> tuple[Reading, ...]:
    """The pieces that were given to the reader, oldest first."""
    return state.load(root, READINGS_FILE, Reading).records


def calls_on(root: Path, now: datetime) -> int:
    """How often the reader was called on a day.

    Args:
        root: the vault.
        now: a moment of that day.
    """
    counted = Counter[object]()
    for one in readings(root):
        counted[one.at.astimezone(now.tzinfo).date()] += one.calls
    return counted[now.date()]


def _read_window(
    app: App, path: Path, window: Window, reader: UserReader, left: int, refused: list[Refusal]
) -> tuple[int, str | None]:
    """Read one piece; how often the program was called for it, and what went wrong."""
    with remembering(app) as memory:
        search = search_in(app, memory, Knowledge.of(app), path)
        session = search.found.conversations[0].header.session_id
        memory.wait_for(search.found.orphans, app.day)
        here = {one.id for one in search.found.orphans}
        shown = remember_review(app, path, session, search.found.orphans)
    asked = prompt(instructions(), window, [one for one in shown if one.id in here], secrets.token_hex(8))
    seen = range(window.first, window.last + 1)
    calls = 0
    try:
        for again in ("", AGAIN)[:left]:
            calls += 1
            document = document_in(run(command_of(reader), asked + again, reader.timeout))
            if document is None:
                continue
            said = decode_reviewed(document, "the reader's answer")
            with remembering(app) as memory:
                knowledge = Knowledge.of(app)
                look_after(app, knowledge, memory)
                outcome = carry_out_review(app, memory, knowledge, path, said, shown, seen)
            track(app, outcome)
            refused += outcome.refused
            return calls, None
    except (ReaderError, AnswersError) as error:
        return calls, one_line(error.what)
    return calls, "the reader's answer holds no JSON document"


def _remember(app: App, reading: Reading) -> None:
    with app.locked():
        state.save(app.root, READINGS_FILE, [*readings(app.root), reading][-_MOST:])
