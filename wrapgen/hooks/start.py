"""A session starts: unfinished sessions are searched, and the session gets what the vault knows."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.hooks import tracks
from wrapgen.hooks.detach import Request, hand_over, wait_for
from wrapgen.hooks.injection import Piece, digest, fitted, framed, line_of, listed
from wrapgen.hooks.place import Settings, app_of, is_checked, settings_of
from wrapgen.host_reply import HookReply
from wrapgen.text.display import count
from wrapgen.vault import headline, session_registry

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment

_SWEEP_SECONDS = 0.1
# What a resumed session was given already is in its transcript, which is replayed.
_REPLAYED = "resume"
# It already got that at its start, and has more to read now.
_GOES_ON = "compact"


def on_session_start(moment: Moment) -> HookReply:
    """Give a session the facts of its vault.

    A conversation that ended without a wrap is searched by a background process, which begins first and for which the
    host waits a moment at most; what it finds later is shown to the next session.
    """
    started = time.monotonic()
    troubles: list[str] = []
    request = ""
    try:
        own = moment.text("transcript_path")
        request = hand_over(moment.root, Request(transcript=own, cwd=moment.cwd, search=False, hurry=True, sweep=True))
    except Exception as error:
        troubles.append(f"unfinished sessions were not searched: {error}")
    if not is_checked(moment.root):
        _ = app_of(moment).config  # raises what is wrong with it
    settings = settings_of(moment.root)
    before = session_registry.recall(moment.root, moment.session)
    if moment.text("source") != _GOES_ON:
        wait_for(request, _SWEEP_SECONDS - (time.monotonic() - started))
    asked = Audience(moment, settings, moment.text("source"))
    marker = os.urandom(4).hex()
    parts = fitted(pieces(asked, troubles), marker)
    heard = set(before.given.split()) if asked.source == _REPLAYED else set()
    text = framed([new for part in parts if (new := part.unheard(heard))], marker)
    given = " ".join(sorted(heard.union(digest(line) for part in parts for line in part.text.split("\n"))))
    if moment.session:
        transcript = moment.text("transcript_path") or before.transcript
        try:
            known = before._replace(transcript=transcript, cwd=moment.cwd, given=given, ended=False, named=False)
            session_registry.tell(moment.root, known)
        except Exception as error:  # a folder that cannot be written must not keep the session from its context
            troubles.append(f"the session was not recorded: {error}")
    return HookReply(context=text, trouble="; ".join(troubles))


HOT_TRACK, STAGE, PENDING, DASHBOARD = 4_500, 2_000, 1_000, 1_500
"""UTF-16 units of 9,000; what one leaves the next may use."""
_UNSAID = 0  # of its own: one line, in what the parts before it leave
_LOST = 1_500  # of the hot track's share; most times it is all left to the track
_LEAST = 120  # UTF-16 units that the line takes at most
_GIT_SECONDS = 0.5


class Audience(NamedTuple):
    """For whom it is."""

    moment: Moment
    settings: Settings
    source: str  # why it starts: `startup`, `clear`, `compact`, ..

    @property
    def root(self) -> str:
        return self.moment.root


def pieces(asked: Audience, troubles: list[str]) -> list[Piece]:
    """The parts, most important first. One that fails does not affect the others, and is told in `troubles`."""
    project = asked.settings.folders.project_of(asked.moment.cwd)[1]
    told: set[str] = set()  # lines of the first part: what it says need not be said again
    waiting = "pending follow-ups, never written down (`wrap route` files them)"
    parts: list[tuple[str, int, Callable[[int], str], bool]] = [
        ("what the summary of the last compaction left out", _LOST, partial(_lost, asked, told), True),
        ("hot track of this session", HOT_TRACK - _LOST, partial(_hot, asked), False),
        ("stage snapshot of this branch's task", STAGE, partial(_stage, asked), False),
        ("what is next", _UNSAID, partial(_unsaid, asked), False),
        (waiting, PENDING, partial(_pending, asked, told), True),
        (f"open work{_age(asked)}", DASHBOARD, partial(_dashboard, asked, project, told), True),
    ]
    return [Piece(title, share, partial(_safely, title, fit, troubles), lines) for title, share, fit, lines in parts]


def _safely(title: str, fit: Callable[[int], str], troubles: list[str], room: int) -> str:
    try:
        return fit(room)
    except Exception as error:
        troubles.append(f"{title}: {error}")
        return ""


def _lost(asked: Audience, told: set[str], room: int) -> str:
    lines = tracks.take_lost(asked.root, asked.moment.cwd)
    hot = _hot(asked, HOT_TRACK - _LOST) if lines else ""  # at least so much of it is shown
    text = listed([line for line in lines if not _holds(hot, line)], room, "- and {} more")
    told.update(text.splitlines())
    return text


def _holds(hot: str, line: str) -> bool:
    """Whether the hot track says what a line says: each part of `given up: NAME: REASON`, or `decided: WORDS`."""
    kind, _, said = line.partition(": ")
    return kind in tracks.KINDS and all(part in hot for part in said.split(": "))


def _hot(asked: Audience, room: int) -> str:
    if asked.source != _GOES_ON:
        return ""
    from wrapgen.vault.git import branch_of
    from wrapgen.workflows.hot_track import hot_for_injection

    project, today = tracks.project_folder(asked.moment), app_of(asked.moment).day
    return hot_for_injection(project, today, branch_of(project, _GIT_SECONDS), room).rstrip("\n")


def _stage(asked: Audience, room: int) -> str:
    if not os.path.isdir(os.path.join(asked.root, asked.settings.stages)):
        return ""  # most vaults have none, and the readers of snapshots are not small
    from pathlib import Path

    from wrapgen.config.task_ids import task_of_branch
    from wrapgen.stage.context import contexts
    from wrapgen.stage.record import resume_block, stale_because
    from wrapgen.stage.store import Snapshots
    from wrapgen.vault.git import branch_of

    app = app_of(asked.moment)
    snapshots = Snapshots(app.root, app.config)
    branch = branch_of(Path(asked.moment.cwd), _GIT_SECONDS)
    task = task_of_branch(branch, app.config.stage.task_id_pattern) if branch else None
    stored = snapshots.read(task, contexts(app.root)) if task else None
    if stored is None:
        return ""
    snapshot, now = stored.snapshot, app.now
    stale = stale_because(snapshot.header, now, (None, None))
    return _cut(resume_block(snapshot, now, stale).rstrip("\n"), room, f"(shortened: wrap stage next {task})")


def _cut(text: str, room: int, rest: str) -> str:
    """The beginning and the end of a text: what to do next is at the end."""
    from wrapgen.text.tokens import utf16_length

    lines = text.split("\n")
    if utf16_length(text) <= room:
        return text
    for kept in range(len(lines) - 1, 0, -1):
        head = (kept + 1) // 2
        cut = "\n".join([*lines[:head], rest, *lines[len(lines) - (kept - head) :]])
        if utf16_length(cut) <= room:
            return cut
    return ""


def _unsaid(asked: Audience, room: int) -> str:
    if asked.source == _GOES_ON or room < _LEAST:
        return ""
    from wrapgen.hooks.unsaid import take_unsaid

    waiting = {os.path.realpath(one.transcript) for one in tracks.waiting(asked.root)}
    found = take_unsaid(asked.root, asked.moment.session, asked.moment.cwd, waiting)
    return found.line if found and len(found.line) <= room else ""


def _pending(asked: Audience, told: set[str], room: int) -> str:
    waiting = [one for one in reversed(tracks.waiting(asked.root)) if f"- {line_of(one.text)}" not in told]
    lines = [f"({one.project}) {one.text}" if one.project else one.text for one in waiting]
    return listed(lines, room, "- and {} more: `wrap orphans`")


def _dashboard(asked: Audience, project: str | None, told: set[str], room: int) -> str:
    root, today = asked.root, time.strftime("%Y-%m-%d")
    counted = headline.counts(root)
    if counted is None:
        return ""
    late = headline.overdue(counted, today)
    here = [
        one
        for one in headline.items(root)
        if project in (None, one.get("project")) and f"- {line_of(str(one['text']))}" not in told
    ]
    summary = f"{count(counted['open'], 'item')} open in all, {late} overdue; dashboard: {asked.settings.output}"
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


def _age(asked: Audience) -> str:
    counted = headline.counts(asked.root)
    return f", dashboard rebuilt {headline.ago(time.time() - counted['at'])}" if counted else ""
