"""What a vault has to say to a session that starts, each part within its share."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.hooks import tracks
from wrapgen.hooks.injection import Piece, line_of, listed
from wrapgen.hooks.lost import take_lost
from wrapgen.text import count
from wrapgen.vault import headline, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from wrapgen.commands.app import App

HOT_TRACK, STAGE, PENDING, DASHBOARD = 4_500, 2_000, 1_000, 1_500
"""UTF-16 units of 9,000; what one leaves the next may use."""

_LOST = 1_500  # of the hot track's share; most times it is all left to the track
_COMPACT = "compact"
_GIT_SECONDS = 0.5


class Asked(NamedTuple):
    """For whom it is.

    Attributes:
        app: the vault.
        cwd: the working folder.
        source: why it starts: `startup`, `clear`, `compact`, ...
    """

    app: App
    cwd: str
    source: str


def pieces(asked: Asked, troubles: list[str]) -> list[Piece]:
    """The parts, most important first. One that cannot be had costs the others nothing.

    Args:
        asked: for whom.
        troubles: takes why a part could not be had.
    """
    project = _project(asked)
    parts: list[tuple[str, int, Callable[[int], str]]] = [
        ("what the summary of the last compaction left out", _LOST, partial(_lost, asked)),
        ("hot track of this session", HOT_TRACK - _LOST, partial(_hot, asked)),
        ("stage snapshot of this branch's task", STAGE, partial(_stage, asked)),
        ("follow-ups that were only said and wait for an answer (`wrap route`)", PENDING, partial(_pending, asked)),
        (f"open work{_age(asked)}", DASHBOARD, partial(_dashboard, asked, project)),
    ]
    return [Piece(title, share, partial(_safely, title, fit, troubles)) for title, share, fit in parts]


def _safely(title: str, fit: Callable[[int], str], troubles: list[str], room: int) -> str:
    try:
        return fit(room)
    except Exception as error:
        troubles.append(f"{title}: {error}")
        return ""


def _project(asked: Asked) -> str | None:
    from wrapgen.session.discover import Folders

    return Folders.of(asked.app.root, asked.app.config.projects).project_of(asked.cwd)[1]


def _lost(asked: Asked, room: int) -> str:
    lines = take_lost(str(asked.app.root), asked.cwd)
    return listed(lines, room, "- and {} more")


def _hot(asked: Asked, room: int) -> str:
    return tracks.hot_track(asked.app, asked.cwd, room) if asked.source == _COMPACT else ""


def _stage(asked: Asked, room: int) -> str:
    from wrapgen.config.task_ids import task_of_branch
    from wrapgen.stage.context import contexts
    from wrapgen.stage.prompt import resume_block, stale_because
    from wrapgen.stage.store import Snapshots
    from wrapgen.vault.git import branch_of

    snapshots = Snapshots(asked.app.root, asked.app.config)
    if not snapshots.folder.is_dir():
        return ""
    branch = branch_of(Path(asked.cwd), _GIT_SECONDS)
    task = task_of_branch(branch, asked.app.config.stage.task_id_pattern) if branch else None
    stored = snapshots.read(task, contexts(asked.app.root)) if task else None
    if stored is None:
        return ""
    snapshot, now = stored.snapshot, asked.app.now
    stale = stale_because(snapshot.header, now, asked.app.config.stage.stale_days, (None, None))
    return _cut(resume_block(snapshot, now, stale).rstrip("\n"), room, f"(shortened: wrap stage next {task})")


def _cut(text: str, room: int, rest: str) -> str:
    """The beginning and the end of a text: what to do next stands at the end."""
    from wrapgen.tokens import utf16_length

    lines = text.split("\n")
    if utf16_length(text) <= room:
        return text
    for kept in range(len(lines) - 1, 0, -1):
        head = (kept + 1) // 2
        cut = "\n".join([*lines[:head], rest, *lines[len(lines) - (kept - head) :]])
        if utf16_length(cut) <= room:
            return cut
    return ""


def _pending(asked: Asked, room: int) -> str:
    from wrapgen.session.memory import PENDING_FILE, Pending

    waiting = [one.orphan for one in state.load(asked.app.root, PENDING_FILE, Pending).records]
    lines = [f"({orphan.project}) {orphan.text}" if orphan.project else orphan.text for orphan in reversed(waiting)]
    return listed(lines, room, "- and {} more: `wrap orphans`")


def _dashboard(asked: Asked, project: str | None, room: int) -> str:
    root, today = str(asked.app.root), asked.app.day.isoformat()
    counted = headline.counts(root)
    if counted is None:
        return ""
    late = headline.overdue(counted, today)
    here = [one for one in headline.items(root) if project in (None, one.get("project"))]
    summary = f"{count(counted['open'], 'item')} open in all, {late} overdue; the page: {asked.app.config.output}"
    if not here:
        return summary if counted["open"] and len(summary) <= room else ""
    lines = [_line(one, today) for one in here]
    shown = listed(lines, room - len(summary) - 1, "- and {} more: `wrap list`")
    return f"{summary}\n{shown}" if shown else ""


def _line(item: dict[str, object], today: str) -> str:
    due, marks = item.get("due"), []
    if isinstance(due, str):
        marks.append(f"{'overdue, ' if due < today else ''}due {due}")
    if item.get("priority"):
        marks.append(f"priority {item['priority']}")
    if item.get("raised"):
        marks.append(f"since {item['raised']}")
    tag = f"({item['project']}) " if item.get("project") else ""
    return " · ".join([f"{tag}{line_of(str(item['text']))}", *marks])


def _age(asked: Asked) -> str:
    counted = headline.counts(str(asked.app.root))
    return f", dashboard rebuilt {headline.age(time.time() - counted['at'])} ago" if counted else ""
