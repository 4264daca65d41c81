"""`wrap trend`: how the number of open items has changed, by week."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

import click

from wrapgen.dashboard.document import fields
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count
from wrapgen.vault import run_history
from wrapgen.vault.run_history import Week, by_week
from wrapgen.workflows.app import App

_WEEKS = 12
_BARS = "▁▂▃▄▅▆▇█"
_UNKNOWN = "·"


_Height = Callable[[Week], float | None]  # in a week; None where it is not known


def _last(name: str) -> _Height:
    return lambda week: getattr(week.last, name) if week.last else None


_MEASURES: dict[str, _Height] = {
    "open": _last("open"),
    "new": lambda week: week.new if week.last else None,
    "resolved": lambda week: week.resolved if week.last else None,
    "pending": _last("pending"),
    "median age": _last("median_age"),
    "promises kept": _last("kept"),
}


def _words(name: str, week: Week) -> str:
    number = _MEASURES[name](week)
    if number is None or week.last is None:
        return "-"
    if name == "median age":
        return "1 day" if number == 1 else f"{number:g} days"
    return f"{number:g} of {week.last.made}" if name == "promises kept" else f"{number:g}"


@verb("trend", "wrap trend", "wrap trend --weeks 52", "wrap trend --json", json=True)
@click.option(
    "--weeks", type=click.IntRange(1, 520), default=_WEEKS, show_default=True, metavar="N", help="How many weeks back."
)
def command(app: App, *, weeks: int) -> None:
    """Show how the number of open items has changed, by week.

    A week begins on Monday; each rebuild of the dashboard adds to it. Promises are follow-ups that wrapgen found in a
    conversation and wrote down; a promise is kept when it is done.
    """
    found = by_week(run_history.days(app.root), weeks)
    app.answer({"schema": "wrapgen.trend/1", "today": app.day, "weeks": [_record(week) for week in found]})
    if found:
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
    for name, height in _MEASURES.items():
        line = sparkline([height(week) for week in weeks])
        picture.add_row(name, Text(line, style="cyan"), _words(name, weeks[-1]))
        table.add_column(name, justify="right")
    for week in weeks:
        table.add_row(week.monday.isoformat(), *(_words(name, week) for name in _MEASURES))
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
