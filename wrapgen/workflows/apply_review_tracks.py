"""Saves what a reader says of dead ends, decisions and the session's state to the tracks of its folder."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.model import Decision
from wrapgen.text.display import count
from wrapgen.tracks.record import Progress, Quoted, StateRecord, Tombstone
from wrapgen.workflows.track_entries import tell
from wrapgen.workflows.transcript_steps import read_steps

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.session.evidence import QuotePlace
    from wrapgen.session.judgement import Judgement
    from wrapgen.workflows.app import App
    from wrapgen.workflows.apply_review import ReviewResult


def track(app: App, outcome: ReviewResult) -> None:
    """Write what an answer says of them; no lock is held before."""
    judged = outcome.judged
    if not judged.for_tracks:
        return
    header = outcome.found.conversations[0].header
    if header.cwd is None or not Path(header.cwd).is_dir():
        where = f"folder {header.cwd} does not exist" if header.cwd else "folder is unknown"
        app.warn(f"{_counted(judged)} not saved: the conversation's {where}")
        return
    numbers = _Numbers(outcome.path)
    tombstones = [
        Tombstone(
            name=one.name,
            reason=one.reason,
            day=_day(one.failed),
            story=tuple(Quoted(numbers.of(place), place.words) for place in (one.tried, one.failed)),
            by="reader",
        )
        for one in judged.dead_ends
    ]
    decisions = [Decision(one.text, _day(one.place), f"turn {numbers.of(one.place)}") for one in judged.decisions]
    session = header.session_id or outcome.path.stem
    state = None
    if judged.goal or judged.progress or judged.blockers:
        state = StateRecord(
            session=session,
            turn=numbers.last,
            goal=judged.goal.text if judged.goal else "",
            progress=tuple(Progress(one.part, one.state, one.note) for one in judged.progress),
            blockers=tuple(one.text for one in judged.blockers) or None,
        )
    tell(app, Path(header.cwd), session, tombstones, decisions, outcome.path, state)
    app.warn(f"{_counted(judged)} saved for {header.cwd}")


def _counted(judged: Judgement) -> str:
    state = ("goal", judged.goal), ("progress", judged.progress), ("blockers", judged.blockers)
    named = [name for name, given in state if given]
    counted = [count(len(judged.dead_ends), "dead end"), count(len(judged.decisions), "decision"), *named]
    return f"{', '.join(counted[:-1])} and {counted[-1]}"


class _Numbers:
    """The numbers that turns have in the tracks, where tools count as turns too."""

    def __init__(self, path: Path) -> None:
        self._lines = [turn.line for turn in read_steps(path).turns]
        self.last = len(self._lines)

    def of(self, place: QuotePlace) -> int:
        return bisect_right(self._lines, place.turn.line)


def _day(place: QuotePlace) -> date | None:
    said = moment(place.turn.timestamp)
    return said.date() if said else None
