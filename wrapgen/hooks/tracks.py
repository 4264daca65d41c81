"""The tracks of a session: saved before a compaction, given back after it; and dead ends that a prompt mentions."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.hooks.detach import Request, hand_over
from wrapgen.hooks.place import app_of, began_in
from wrapgen.host_reply import NOTHING, HookReply
from wrapgen.late_pattern import late
from wrapgen.regular_files import whole
from wrapgen.vault import headline
from wrapgen.vault.keyed_files import KeyedFiles

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.hooks.events import Moment
    from wrapgen.tracks.log import Log
    from wrapgen.workflows.app import App


GIVEN_UP, DECIDED = KINDS = "given up", "decided"  # what a remembered line begins with


def project_folder(moment: Moment) -> Path:
    """The folder whose tracks a session uses: where it began, even after a `cd`; the vault when that is gone."""
    from pathlib import Path

    began = began_in(moment.text("transcript_path")) or moment.cwd
    return Path(began if os.path.isdir(began) else moment.root)


def remembered(project: Path) -> list[str]:
    """What a compaction must not forget: dead ends and decisions of the project, a line each, newest first."""
    known = _log(project).contents()
    graves = [f"{GIVEN_UP}: {one.name}: {one.reason}" for one in known.standing if not one.asked]
    decisions = [f"{DECIDED}: {one.text}" for one in known.decisions.values()]
    return [*reversed(graves), *reversed(decisions)]


def dead_ends_in(project: Path, words: str) -> list[str]:
    """The project's dead end that the words resemble, as a line; none if there is none."""
    from wrapgen.tracks.signals import resembles

    one = resembles(words, _log(project).dead_ends())
    if one is None:
        return []
    return [f"{one.name}: given up{f' on {one.day}' if one.day else ''} ({one.id}): {one.reason}"]


def _log(project: Path) -> Log:
    from wrapgen.tracks.log import LOG_FILE, Log, context_folder

    return Log(context_folder(project) / LOG_FILE, project)


def on_prompt(moment: Moment) -> HookReply:
    """Tell the session which dead ends the prompt resembles (`wrap install --prompts` has the host send it)."""
    from wrapgen.hooks.injection import BUDGET, Piece, compose, listed
    from wrapgen.hooks.once import is_news

    found = dead_ends_in(project_folder(moment), moment.text("prompt"))
    lines = [line for line in found if is_news(moment.root, moment.session, line)]
    if not lines:
        return NOTHING
    piece = Piece("tried before and given up", BUDGET, lambda room: listed(lines, room, "- and {} more"))
    return HookReply(context=compose([piece], os.urandom(4).hex()))


_ALIKE = 75.0  # percent of the best part of a summary
_COVERED = 0.8  # of an item's telling words
_PENDING = ".wrapgen/state/pending.jsonl"
_TELLING = 4  # letters; shorter words are in every summary
_WORD = late(r"\w+")


def on_pre_compact(moment: Moment) -> HookReply:
    """Keep the tracks of a session that is about to be compacted; nothing is printed, and nothing blocks.

    The conversation is also searched, and read if a reader is configured, because the session is about to forget it.
    """
    from pathlib import Path

    from wrapgen.workflows.compaction import fold_noted

    transcript = moment.text("transcript_path")
    if transcript:
        try:
            fold_noted(app_of(moment), Path(transcript), project_folder(moment), moment.session or None)
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
    project = app.folders.project_of(moment.cwd)[1]
    pending = [one.text for one in waiting(moment.root) if one.project in (None, project)]
    open_items = [str(one["text"]) for one in headline.items(moment.root) if project and one.get("project") == project]
    return [*remembered(project_folder(moment)), *pending, *open_items]


class WaitingWords(NamedTuple):
    """What was put off, its project, and where it was said."""

    text: str
    project: str | None
    transcript: str

    @classmethod
    def of(cls, line: bytes) -> WaitingWords | None:
        """Read a line of the file, see `wrapgen.session.memory.Pending`; None where it is none."""
        try:
            said = json.loads(line)["orphan"]
            words = said["text"], said.get("project"), said.get("transcript", "")
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return None
        return cls(*words) if all(isinstance(one, str | None) for one in words) and words[0] is not None else None


def waiting(root: str) -> list[WaitingWords]:
    """The pending follow-ups, oldest first; raises `OSError` when they cannot be read."""
    try:
        lines = whole(f"{root}/{_PENDING}").split(b"\n")
    except FileNotFoundError:
        return []
    return [one for line in lines if (one := WaitingWords.of(line))]


_LOST = KeyedFiles("lost", largest=None)
_KEPT = 50  # lines


def keep_lost(root: str, cwd: str, lines: list[str]) -> None:
    """Keep lines for the next session that starts in a folder; raises `OSError` and `WrapgenError`."""
    _LOST.put(root, cwd, {"lines": lines[:_KEPT]})


def take_lost(root: str, cwd: str) -> list[str]:
    """The lines left for a session; they are returned once."""
    lines = (_LOST.take(root, cwd) or {}).get("lines")
    return [one for one in lines if isinstance(one, str)] if isinstance(lines, list) else []
