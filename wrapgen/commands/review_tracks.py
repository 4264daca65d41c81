"""The dead ends and decisions of a reader's answer, on their way to the tracks of the session's folder."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.commands.track_steps import read_steps
from wrapgen.commands.track_telling import tell
from wrapgen.days import moment
from wrapgen.text import count
from wrapgen.tracks.record import Decision, Quoted, Tombstone

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.commands.app import App
    from wrapgen.commands.review_answers import Outcome
    from wrapgen.session.evidence import Place
    from wrapgen.session.judgement import Judgement


def track(app: App, outcome: Outcome) -> None:
    """Write the dead ends and decisions of an answer to the tracks of the session's folder; nothing is locked before.

    Args:
        app: the vault.
        outcome: what came of the answer.
    """
    judged = outcome.judged
    if not (judged.dead_ends or judged.decisions):
        return
    header = outcome.found.conversations[0].header
    if header.cwd is None or not Path(header.cwd).is_dir():
        where = f"folder {header.cwd} is not there" if header.cwd else "folder is not known"
        app.warn(f"{_counted(judged)} went to no track: the conversation's {where}")
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
    app.warn(f"{_counted(judged)} noted in the tracks of {header.cwd}")


def _counted(judged: Judgement) -> str:
    return f"{count(len(judged.dead_ends), 'dead end')} and {count(len(judged.decisions), 'decision')}"


class _Numbers:
    """The numbers that turns have in the tracks, where tools count as turns too."""

    def __init__(self, path: Path) -> None:
        self._lines = [step.line for step in read_steps(path).steps]

    def of(self, place: Place) -> int:
        """The number of the turn of a quote."""
        return bisect_right(self._lines, place.turn.line)


def _day(place: Place) -> date | None:
    said = moment(place.turn.timestamp)
    return said.date() if said else None
