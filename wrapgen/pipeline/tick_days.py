"""The day of a tick that nobody has dated. PURE.

Its file's last change says little: a clone or a `touch` makes it today.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import date

import msgspec

from wrapgen.model import Evidence

TickDays = Callable[[Collection[str]], Mapping[str, Mapping[int, date | None]]]
"""Gives the days of lines by file. A line that is missing has its file's day; of a missing file no day is known."""


def of_files(paths: Collection[str]) -> Mapping[str, Mapping[int, date | None]]:
    """No commit days: each tick has its file's day."""
    return {path: {} for path in paths}


def dated(evidence: Evidence, days: Mapping[str, Mapping[int, date | None]]) -> Evidence:
    """An undated tick with the day of its line.

    Args:
        days: of the lines of its file; without them it proves nothing.
    """
    lines = days.get(evidence.path)
    latest = lines.get(evidence.line, evidence.latest) if lines is not None else None
    return evidence if latest == evidence.latest else msgspec.structs.replace(evidence, latest=latest)
