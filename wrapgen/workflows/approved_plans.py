"""Approved plans that nothing carried out and open tasks of ended sessions, as the host keeps them (spec 3.2).

Nothing is written there. A plan is carried out when its boxes are ticked, when most of the files that it names were
edited since, or when a later session begins with it.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.session.follow_up import FollowUp, orphan_id
from wrapgen.session.host_state import PLAN, TASK
from wrapgen.session.transcript import ApprovedPlan, Turn
from wrapgen.text.display import one_line, shorten
from wrapgen.text.words import fold_key, language_of
from wrapgen.vault import disk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wrapgen.session.conversation import Conversation

_FRESH = timedelta(days=7)
_TITLE = re.compile(r"^#{1,3}[ \t]+(?:(?:implementation )?plan\s*[:—–-]\s*)?(\S[^\n]*)$", re.IGNORECASE | re.MULTILINE)
_BOX = re.compile(r"^[^\S\n]*(?:[-*+]|\d{1,3}[.)])\s+\[([ xX])\]", re.MULTILINE)
_WORD = re.compile(r"[\w@.~/-]++")
_ENDING = re.compile(r"[\w-]\.[A-Za-z]\w{0,5}\Z")
_NO_FILE = re.compile(r"(?:e\.g|i\.e|\d\.\d+)\Z|\A\d", re.IGNORECASE)
_MOST = 0.5
_LARGEST = 1_000_000  # bytes
_LONGEST = 120  # characters of a title
_OPEN = frozenset({"pending", "in_progress"})


def left_plans(conversations: Sequence[Conversation], today: date) -> Iterator[tuple[Conversation, FollowUp]]:
    """The plans that nothing carried out, each once, with the conversation that approved it last."""
    found = {plan.path: (place, plan) for place, one in enumerate(conversations) for plan in one.header.plans.values()}
    for place, plan in found.values():
        one = conversations[place]
        edited = {path for path, order in one.header.edited.items() if order > plan.order}
        later = conversations[place + 1 :]
        if is_carried_out(plan.text, _now(plan), edited, later):
            continue
        yield one, _follow_up(plan, today)


def is_carried_out(text: str, now: str, edited: set[str], later: Sequence[Conversation]) -> bool:
    """Whether a plan was carried out.

    Args:
        text: the plan as it was approved; "" where only its file is known.
        now: its file as it is; the plan where that is gone.
        edited: files that were edited since in its own session.
        later: the sessions after it.
    """
    boxes = _BOX.findall(now)
    if boxes and " " not in boxes:
        return True
    title = fold_key(_title(text or now))
    if any(title and title in fold_key(one.opening) for one in later):
        return True
    words = (word.rstrip(".") for word in _WORD.findall(text or now))
    named = {word.rpartition("/")[2] for word in words if _ENDING.search(word) and not _NO_FILE.search(word)}
    done = {path.rpartition("/")[2] for one in later for path in one.header.edited} | {
        path.rpartition("/")[2] for path in edited
    }
    return not boxes and len(named & done) > _MOST * len(named) if named else False


def settled_plans(pending: Sequence[FollowUp], read: Sequence[Conversation]) -> Iterator[str]:
    """The ids of waiting plans that conversations read now, or their boxes, show as carried out."""
    for one in pending:
        if one.cue == PLAN:
            now = _text(_path_of(one))
            if is_carried_out("", now or f"# {one.quote}", set(), [two for two in read if two.name != one.transcript]):
                yield one.id


def left_tasks(home: Path, conversations: Sequence[Conversation]) -> Iterator[tuple[Conversation, FollowUp]]:
    """The open entries of the task files of these sessions, other than of the one that runs here."""
    running = os.environ.get("CLAUDE_CODE_SESSION_ID")
    for one in conversations:
        session = one.header.session_id
        if one.header.kind != "claude-code" or not session or session == running or Path(session).name != session:
            continue
        for file in sorted((home / "tasks" / session).glob("*.json"), key=lambda file: (len(file.name), file.name)):
            task = _task(file)
            words = one_line(str(task.get("subject") or ""))
            if task.get("status") in _OPEN and words:
                turn = Turn("assistant", words, 1, None, one.header.last_timestamp)
                at = max(0, one.header.turns - 1)
                found = FollowUp.said_in(turn, at, words, words, lang=language_of(words), cue=TASK)
                yield one, replace(found, by="state", confidence=0.95)


def _follow_up(plan: ApprovedPlan, today: date) -> FollowUp:
    title = shorten(one_line(_title(plan.text)), _LONGEST)
    boxes = _BOX.findall(_now(plan))
    ticked = len(boxes) - boxes.count(" ")
    steps = f", {ticked} of {len(boxes)} steps done" if boxes else ""
    text = f"{title} (plan: {plan.path}{steps})"
    said = moment(plan.timestamp)
    turn = Turn("assistant", text, 1, None, plan.timestamp)
    found = FollowUp.said_in(turn, 0, text, title, lang=language_of(title), cue=PLAN)
    return replace(found, by="state", confidence=0.9, sure=said is None or today - said.date() < _FRESH)


def plan_id(one: FollowUp) -> str:
    """The id of a plan: the same however many of its steps are done."""
    return orphan_id(f"plan {_path_of(one)}", one.project)


def _path_of(one: FollowUp) -> str:
    return one.text.rpartition(" (plan: ")[2].removesuffix(")").partition(", ")[0]


def _title(text: str) -> str:
    found = _TITLE.search(text)
    return found[1].strip("* ") if found else next((line for line in text.splitlines() if line.strip()), "")


def _now(plan: ApprovedPlan) -> str:
    return _text(plan.path) or plan.text


def _text(path: str) -> str:
    try:
        return disk.whole(Path(path).expanduser(), _LARGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _task(file: Path) -> dict[str, object]:
    try:
        found = json.loads(disk.whole(file, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
