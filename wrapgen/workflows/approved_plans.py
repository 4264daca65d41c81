"""Approved plans that nothing carried out and open tasks of ended sessions, as the host keeps them.

Nothing is written there. A plan is carried out when its boxes are ticked, when most of the files that it names were
edited since, or when a later session begins with it.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from wrapgen.days import moment
from wrapgen.late_pattern import late
from wrapgen.regular_files import object_of, text_of
from wrapgen.session.conversation import Conversation
from wrapgen.session.follow_up import FollowUp, orphan_id
from wrapgen.session.outcome import PLAN, TASK
from wrapgen.session.transcript import ApprovedPlan, Turn
from wrapgen.text.display import one_line, shorten
from wrapgen.text.words import fold_key, language_of

_FRESH = timedelta(days=7)
_TITLE = late(r"^#{1,3}[ \t]+(?:(?:implementation )?plan\s*[:—–-]\s*)?(\S[^\n]*)$", re.IGNORECASE | re.MULTILINE)
_CONTEXT = late(r"\W*(?:Context|Overview|Background|Summary|Goal|Plan)\W*", re.IGNORECASE)
"""A heading that says nothing; the host has plans begin with a section *Context* (Claude Code 2.1.330)."""
_EDITED, _AND = " files edited: ", ", "
_BOX = late(r"^[^\S\n]*(?:[-*+]|\d{1,3}[.)])\s+\[([ xX])\]", re.MULTILINE)
_WORD = late(r"[\w@.~/-]++")
_ENDING = late(r"[\w-]\.[A-Za-z]\w{0,5}\Z")
_NO_FILE = late(r"(?:e\.g|i\.e|\d\.\d+)\Z|\A\d", re.IGNORECASE)
_MOST = 0.5
_LARGEST = 1_000_000  # bytes
_LONGEST = 120  # characters of a title
_OPEN = frozenset({"pending", "in_progress"})


def left_plans(
    conversations: Sequence[Conversation], pending: Iterable[FollowUp], today: date
) -> Iterator[tuple[Conversation, FollowUp]]:
    """The plans that nothing carried out, each once, with the conversation that approved it last."""
    begun = {_path_of(one): one for one in pending if one.cue == PLAN}
    approved = [(place, plan) for place, one in enumerate(conversations) for plan in one.header.plans.values()]
    approved.sort(key=lambda pair: (pair[0], pair[1].order))
    last = {plan.path: (place, plan) for place, plan in approved}
    # Planned anew in another session, a plan has another file.
    titled = {(conversations[place].header.cwd, _key(plan.text) or plan.path): plan.path for place, plan in approved}
    for path in titled.values():
        place, plan = last[path]
        one = conversations[place]
        edited = {path for path, order in one.header.edited.items() if order > plan.order}
        waiting = begun.get(plan.path)
        if waiting and waiting.said_at == plan.timestamp:
            edited |= _edited_before(waiting)
        far = _progress(plan.text, _text(plan.path) or plan.text, edited, conversations[place + 1 :])
        if far is not None:
            yield one, _follow_up(plan, far, today)


def _progress(text: str, now: str, edited: set[str], later: Sequence[Conversation]) -> str | None:
    """How far a plan is in words, "" where nobody began; None when it was carried out.

    Args:
        text: the plan as it was approved; its title at least.
        now: its file as it is; the plan where that is gone.
        edited: files that were edited since, as far as that is known.
        later: the sessions after it.
    """
    boxes = _BOX.findall(now)
    if boxes and " " not in boxes:
        return None
    title = _key(text)
    if any(title and title in fold_key(one.opening) for one in later):
        return None
    if boxes:
        return f"{len(boxes) - boxes.count(' ')} of {len(boxes)} steps done"
    words = (word.rstrip(".") for word in _WORD.findall(now))
    named = {word.rpartition("/")[2] for word in words if _ENDING.search(word) and not _NO_FILE.search(word)}
    paths = {path for one in later for path in one.header.edited} | edited
    done = named & {path.rpartition("/")[2] for path in paths}
    if len(done) > _MOST * len(named):
        return None
    return f"{len(done)} of {len(named)}{_EDITED}{_AND.join(sorted(done))}" if done else ""


def followed_up(
    pending: Iterable[FollowUp], read: Sequence[Conversation]
) -> Iterator[tuple[FollowUp, FollowUp | None]]:
    """What became of waiting plans by what was read now, or by their boxes: None, or as they stand."""
    for one in pending:
        if one.cue != PLAN:
            continue
        later = [two for two in read if two.name != one.transcript and _is_later(two, one)]
        title, anew = f"# {one.quote}", (plan for two in later for plan in two.header.plans.values())
        if any(plan.path == _path_of(one) or _key(plan.text) == _key(title) for plan in anew):
            yield one, None
            continue
        far = _progress(title, _text(_path_of(one)) or title, _edited_before(one), later)
        yield one, None if far is None else replace(one, text=_words(one.quote, _path_of(one), far))


def _is_later(conversation: Conversation, one: FollowUp) -> bool:
    ended, said = moment(conversation.header.last_timestamp), moment(one.said_at)
    return ended is None or said is None or ended > said


def left_tasks(home: Path, conversations: Sequence[Conversation]) -> Iterator[tuple[Conversation, FollowUp]]:
    """The open entries of the task files of these sessions, other than of the one that runs here."""
    running = os.environ.get("CLAUDE_CODE_SESSION_ID")
    for one in conversations:
        session = one.header.session_id
        if one.header.kind != "claude-code" or not session or session == running or Path(session).name != session:
            continue
        for file in _task_files(home / "tasks" / session):
            task = object_of(file, _LARGEST)
            words, status = one_line(str(task.get("subject") or "")), task.get("status")
            if isinstance(status, str) and status in _OPEN and words:
                turn = Turn("assistant", words, 1, None, one.header.last_timestamp)
                at = max(0, one.header.turns - 1)
                found = FollowUp.said_in(turn, at, words, words, lang=language_of(words), cue=TASK)
                yield one, replace(found, by="state", confidence=0.95)


def _task_files(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.json"), key=lambda file: (len(file.name), file.name))
    except (OSError, ValueError):  # a session says of itself what no folder can be called
        return []


def _follow_up(plan: ApprovedPlan, far: str, today: date) -> FollowUp:
    title = shorten(one_line(_title(plan.text)), _LONGEST)
    said = moment(plan.timestamp)
    text = _words(title, plan.path, far)
    turn = Turn("assistant", text, 1, None, plan.timestamp)
    found = FollowUp.said_in(turn, 0, text, title, lang=language_of(title), cue=PLAN)
    return replace(found, by="state", confidence=0.9, sure=said is None or today - said.date() < _FRESH)


def _words(title: str, path: str, far: str) -> str:
    return f"{title} (plan: {path}{_AND if far else ''}{far})"


def _edited_before(one: FollowUp) -> set[str]:
    """The files of a waiting plan that were edited when it was last looked at."""
    return set(one.text.removesuffix(")").partition(_EDITED)[2].split(_AND)) - {""}


def plan_id(one: FollowUp) -> str:
    """The id of a plan: the same however many of its steps are done."""
    return orphan_id(f"plan {_path_of(one)}", one.project)


def _path_of(one: FollowUp) -> str:
    return one.text.rpartition(" (plan: ")[2].removesuffix(")").partition(", ")[0]


def _title(text: str) -> str:
    found = _TITLE.search(text)
    if found and not _CONTEXT.fullmatch(found[1]):
        return found[1].strip("* ")
    rest = text[found.end() :] if found else text
    return next((line for line in rest.splitlines() if line.strip()), "")


def _key(text: str) -> str:
    return fold_key(shorten(one_line(_title(text)), _LONGEST))


def _text(path: str) -> str:
    return text_of(os.path.expanduser(path), _LARGEST)  # noqa: PTH111 - of a user that is not there it raises nothing
