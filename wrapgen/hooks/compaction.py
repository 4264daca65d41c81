"""Before and after a compaction: saves what it would lose, and shows later what its summary left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.hooks import tracks
from wrapgen.hooks.detach import Request, hand_over
from wrapgen.hooks.place import app_of
from wrapgen.host_reply import NOTHING, HookReply
from wrapgen.vault import headline, state
from wrapgen.vault.keyed_files import KeyedFiles

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment
    from wrapgen.workflows.app import App

_ALIKE = 75.0  # percent of the best part of a summary
_COVERED = 0.8  # of an item's telling words
_TELLING = 4  # letters; shorter words are in every summary
_WORD = re.compile(r"\w+")


def on_pre_compact(moment: Moment) -> HookReply:
    """Keep the tracks of a session that is about to be compacted; nothing is printed, and nothing blocks.

    The conversation is also searched, and read if a reader is configured, because the session is about to forget it.
    """
    transcript = moment.text("transcript_path")
    if transcript:
        try:
            tracks.snapshot(app_of(moment), moment.cwd, transcript, moment.session)
        finally:
            hand_over(moment.root, Request(moment.session, transcript, cwd=moment.cwd, ended=True))
    return NOTHING


def on_post_compact(moment: Moment) -> HookReply:
    """Compare the summary with what must not be forgotten, and keep what it left out."""
    summary = moment.text("compact_summary")
    if not summary:
        return NOTHING
    lines = left_out(summary, _known(app_of(moment), moment))
    if lines:
        keep_lost(moment.root, moment.cwd, lines)
    return NOTHING


def left_out(summary: str, lines: list[str]) -> list[str]:
    """The lines that a summary lacks: no part of it resembles them or contains most of their words."""
    from rapidfuzz import fuzz

    from wrapgen.text.words import fold_key

    whole = fold_key(summary)
    said = set(_WORD.findall(whole))
    missing = []
    for line in lines:
        folded = fold_key(line)
        words = _WORD.findall(folded)
        telling = [word for word in words if len(word) >= _TELLING or not word.isascii()] or words
        covered = sum(word in said for word in telling)
        if telling and covered < _COVERED * len(telling) and fuzz.partial_ratio(folded, whole) < _ALIKE:
            missing.append(line)
    return missing


def _known(app: App, moment: Moment) -> list[str]:
    from wrapgen.hooks.session_parts import FILE, Waiting

    project = app.folders.project_of(moment.cwd)[1]
    waiting = [one.orphan for one in state.load(app.root, FILE, Waiting).records]
    pending = [one.text for one in waiting if one.project in (None, project)]
    open_items = [str(one["text"]) for one in headline.items(moment.root) if project and one.get("project") == project]
    return [*tracks.remembered(moment.cwd), *pending, *open_items]


_LOST = KeyedFiles("lost", largest=None)
_KEPT = 50  # lines


def keep_lost(root: str, cwd: str, lines: list[str]) -> None:
    """Keep lines for the next session that starts in a folder; raises `OSError` and `WrapgenError`."""
    _LOST.put(root, cwd, {"lines": lines[:_KEPT]})


def take_lost(root: str, cwd: str) -> list[str]:
    """The lines left for a session; they are returned once."""
    lines = (_LOST.take(root, cwd) or {}).get("lines")
    return [one for one in lines if isinstance(one, str)] if isinstance(lines, list) else []
