"""Saves the dead ends and decisions of a reader's answer to the tracks of the session's folder."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.days import moment
from wrapgen.model import Decision
from wrapgen.text.display import count
from wrapgen.tracks.record import Quoted, Tombstone
from wrapgen.workflows.track_entries import tell
from wrapgen.workflows.transcript_steps import read_steps

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.session.evidence import QuotePlace
    from wrapgen.session.judgement import Judgement
    from wrapgen.workflows.app import App
    from wrapgen.workflows.apply_review import ReviewResult


def track(app: App, outcome: ReviewResult) -> None:
    """Write the dead ends and decisions of an answer to the tracks of the session folder; no lock is held before."""
    judged = outcome.judged
    if not (judged.dead_ends or judged.decisions):
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
    tell(app, Path(header.cwd), header.session_id or "", tombstones, decisions, outcome.path)
    app.warn(f"{_counted(judged)} saved for {header.cwd}")


def _counted(judged: Judgement) -> str:
    return f"{count(len(judged.dead_ends), 'dead end')} and {count(len(judged.decisions), 'decision')}"


class _Numbers:
    """The numbers that turns have in the tracks, where tools count as turns too."""

    def __init__(self, path: Path) -> None:
        self._lines = [step.line for step in read_steps(path).turns]

    def of(self, place: QuotePlace) -> int:
        """The number of the turn of a quote."""
        return bisect_right(self._lines, place.turn.line)


def _day(place: QuotePlace) -> date | None:
    said = moment(place.turn.timestamp)
    return said.date() if said else None
