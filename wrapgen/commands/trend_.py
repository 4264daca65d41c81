"""`wrap trend`: how the number of open items has changed, by week."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wrapgen.dashboard.document import fields
from wrapgen.run_history import by_week
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count
from wrapgen.vault import run_history

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wrapgen.run_history import Week
    from wrapgen.workflows.app import App

TREND_SCHEMA = "wrapgen.trend/1"
_WEEKS = 12
_BARS = "▁▂▃▄▅▆▇█"
_UNKNOWN = "·"


class _Measure(NamedTuple):
    name: str
    value: Callable[[Week], float | None]  # its height in a week; None where it is not known
    words: Callable[[Week], str]  # how it reads


def _of_last(name: str) -> Callable[[Week], float | None]:
    return lambda week: getattr(week.last, name) if week.last else None


def _plain(value: Callable[[Week], float | None]) -> Callable[[Week], str]:
    return lambda week: "-" if (number := value(week)) is None else f"{number:g}"


def _promises(week: Week) -> str:
    return f"{week.last.kept} of {week.last.made}" if week.last else "-"


def _median_age(week: Week) -> str:
    age = week.last and week.last.median_age
    return "-" if age is None else "1 day" if age == 1 else f"{age:g} days"


def _sum(name: str) -> Callable[[Week], float | None]:
    return lambda week: getattr(week, name) if week.last else None


_MEASURES = (
    _Measure("open", _of_last("open"), _plain(_of_last("open"))),
    _Measure("new", _sum("new"), _plain(_sum("new"))),
    _Measure("resolved", _sum("resolved"), _plain(_sum("resolved"))),
    _Measure("pending", _of_last("pending"), _plain(_of_last("pending"))),
    _Measure("median age", _of_last("median_age"), _median_age),
    _Measure("promises kept", _of_last("kept"), _promises),
)


@verb("trend", "wrap trend", "wrap trend --weeks 52", "wrap trend --json", json=True)
@click.option(
    "--weeks", type=click.IntRange(1, 520), default=_WEEKS, show_default=True, metavar="N", help="How many weeks back."
)
def command(app: App, *, weeks: int, as_json: bool) -> None:
    """Show how the number of open items has changed, by week.

    A week begins on Monday; each rebuild of the dashboard adds to it. Promises are follow-ups that wrapgen found in a
    conversation and wrote down; a promise is kept when it is done.
    """
    found = by_week(run_history.days(app.root), weeks)
    if as_json:
        document = {"schema": TREND_SCHEMA, "today": app.day, "weeks": [_record(week) for week in found]}
        app.print_json(document)
    elif found:
        _print(app, found)
    else:
        app.say("no history yet: each rebuild of the dashboard adds to it. Run `wrap` or `wrap regen`.")


def _record(week: Week) -> dict[str, Any]:
    last = week.last
    return {
        **fields(week, "monday days new resolved"),
        **{name: last and getattr(last, name) for name in ("open", "pending", "median_age", "ages")},
        "promises": last and fields(last, "made kept"),
        **{name: last and getattr(last, name) for name in ("collected", "fates", "sources", "projects")},
    }


def _print(app: App, weeks: Sequence[Week]) -> None:
    from rich.table import Table
    from rich.text import Text

    picture = Table(count(len(weeks), "week"), box=None, pad_edge=False)
    picture.add_column("")
    picture.add_column("now", justify="right")
    table = Table("week of", box=None, pad_edge=False)
    for one in _MEASURES:
        line = sparkline([one.value(week) for week in weeks])
        picture.add_row(one.name, Text(line, style="cyan"), one.words(weeks[-1]))
        table.add_column(one.name, justify="right")
    for week in weeks:
        table.add_row(week.monday.isoformat(), *(one.words(week) for one in _MEASURES))
    app.show(picture, "", table)


def sparkline(values: Sequence[float | None]) -> str:
    """A row of bars, each as high as its value, from nothing to the largest.

    Args:
        values: not negative; None where nothing is known.
    """
    largest = max((one for one in values if one is not None), default=0) or 1
    top = len(_BARS) - 1
    # Rounded up, so that anything above zero is visible.
    return "".join(_UNKNOWN if one is None else _BARS[ceil(one / largest * top)] for one in values)
