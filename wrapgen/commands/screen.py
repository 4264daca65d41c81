"""The session's end on one screen: what matters now, the audit, what needs a look, the balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from wrapgen.commands.picking import numbered
from wrapgen.commands.report import fate_table, linked, news_lines, source_table, warnings
from wrapgen.dashboard.balance import UNTAGGED, audit_line
from wrapgen.dashboard.view import PRIORITY_SIGNS, age
from wrapgen.model import Fate
from wrapgen.text import count, visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from rich.console import RenderableType

    from wrapgen.commands.app import App
    from wrapgen.commands.report import Case, Warned
    from wrapgen.ledger import Outcome, Run
    from wrapgen.model import Item

_NARROW = 60  # columns; below, an item takes two lines, and tables stand one above the other
_WIDE = 130  # columns; from here on there is room for the place of each item
_LOWEST = 24  # lines; a lower window is treated as one of this height
_FEWEST = 5  # priorities that are named in the lowest window
_ENOUGH = 8  # priorities that leave room for cases of warnings
_MOST_CASES = 3  # of one warning
_PROJECT_LIMIT = 14  # columns
_NEAR = 14  # days; what is due later is named by its day

_Part = list["RenderableType"]


def print_screen(app: App, run: Run, *, changed: bool, news: Sequence[str]) -> None:
    """Print a run for a person at a terminal, cut to the height of the window; the balance comes last.

    Args:
        app: says how to print.
        run: the run.
        changed: whether it changed the dashboard.
        news: what this run wrote, printed right above the balance.
    """
    output = app.config.output
    head = Text.assemble(linked(app, output, output, "bold"), f": {'rebuilt' if changed else 'unchanged'}")
    audit: _Part = [_rule("audit"), _audit(app, run)]
    end: _Part = [_rule(), *news_lines(news), Text(audit_line(run), style="bold")]
    prompt = 1
    room = max(app.console.height, _LOWEST) - _height(app, [head, *audit, *end]) - prompt
    priorities, looks = _fitting(app, run, room)
    app.show(head, *priorities, *audit, *looks, *end)


def _fitting(app: App, run: Run, room: int) -> tuple[_Part, _Part]:
    """Priorities and warnings for so many lines: cases of warnings give way first, then the last priorities."""
    rows = numbered(run)
    shown = [row for row in rows if row[1].fate is Fate.SHOWN][: max(room, _FEWEST)]
    priorities = _priorities(app, run, shown, len(rows))
    for cases in range(0 if _narrow(app) else _MOST_CASES, -1, -1):
        looks = _looks(app, run, cases)
        over = _height(app, [*priorities, *looks]) - room
        if over <= 0:
            return priorities, looks
        named = len(shown) - -(-over // (2 if _narrow(app) else 1))
        if cases == 0 or (cases == 1 and named >= _ENOUGH):
            break
    return _priorities(app, run, shown[: max(named, _FEWEST)], len(rows)), looks


def _height(app: App, parts: _Part) -> int:
    return sum(len(app.console.render_lines(part, pad=False)) for part in parts)


def _narrow(app: App) -> bool:
    return app.console.width < _NARROW


def _rule(title: str = "") -> Rule:
    return Rule(Text(title, style="bold") if title else "", align="left", style="dim")


def _cut(text: Text) -> Text:
    """The same as one line, cut at the end of its cell."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _priorities(app: App, run: Run, rows: Sequence[tuple[int, Outcome]], open_items: int) -> _Part:
    """The first priorities; the last line says how many open items there are beside them."""
    lines: _Part = [_rule("priorities")]
    if rows:
        lines.append(_narrow_rows(app, run, rows) if _narrow(app) else _wide_rows(app, run, rows))
    elif not open_items:
        lines.append(Text("nothing is open"))
    if more := open_items - len(rows):
        lines.append(Text(f"{more} more: wrap list --all · wrap open N opens one", style="dim"))
    return lines


def _wide_rows(app: App, run: Run, rows: Sequence[tuple[int, Outcome]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="cyan", no_wrap=True, overflow="ellipsis", max_width=_PROJECT_LIMIT)
    table.add_column(ratio=1)
    table.add_column(justify="right", no_wrap=True)
    placed = app.console.width >= _WIDE
    for number, one in rows:
        item = one.item
        words = _cut(linked(app, item.text, item.path))
        place = [_cut(linked(app, item.place, item.path, "dim"))] if placed else []
        table.add_row(str(number), visible(item.project or UNTAGGED), words, _when(item, run.today), *place)
    return table


def _narrow_rows(app: App, run: Run, rows: Sequence[tuple[int, Outcome]]) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column()
    for number, one in rows:
        item = one.item
        below = Text.assemble((visible(item.project or UNTAGGED), "cyan"), " · ", _when(item, run.today))
        table.add_row(str(number), _cut(linked(app, item.text, item.path)))
        table.add_row("", _cut(below))
    return table


def _when(item: Item, today: date) -> Text:
    """What presses: the priority's sign, then when it is due, or else how old it is."""
    marks = [PRIORITY_SIGNS[item.priority]] if item.priority is not None else []
    if item.recurrence is not None:
        marks.append("🔁")
    text = Text("".join(f"{mark} " for mark in marks))
    if item.due is not None:
        text.append(*_due(item.due, today))
    elif item.raised is not None:
        text.append(age(item.raised, today), "dim")
    return text


def _due(due: date, today: date) -> tuple[str, str]:
    """A due day in words, and the style that it is written in."""
    days = (due - today).days
    if days < 0:
        return f"overdue {count(-days, 'day')}", "bold red"
    if days > _NEAR:
        return f"due {due}", ""
    return ("due today" if days == 0 else f"due in {count(days, 'day')}"), "bold"


def _audit(app: App, run: Run) -> Table:
    both = Table.grid(padding=(0, 6, 0, 0))
    sources, results = source_table(run), fate_table(run)
    if _narrow(app):
        both.add_row(sources)
        both.add_row(results)
    else:
        results.show_header = False  # as high as the sources then
        both.add_row(sources, results)
    return both


def _looks(app: App, run: Run, cases: int) -> _Part:
    """The warnings, by name and number, with so many cases of each; the last line says where all of them stand."""
    listed = list(warnings(run))
    if not listed:
        return []
    if not cases:
        return [_rule("to look at"), Text(" · ".join(f"{one.name} {one.number}" for one in listed) + ": wrap audit")]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for one in listed:
        for index, line in enumerate(_cases(app, one, cases)):
            table.add_row(*(("", "") if index else (str(one.number), one.name)), line)
    more = sum(len(one.cases[cases:]) for one in listed if not one.elsewhere)
    footer = [Text(f"and {more} more: wrap audit", style="dim")] if more else []
    return [_rule("to look at"), table, *footer]


def _cases(app: App, warned: Warned, cases: int) -> list[Text]:
    if warned.elsewhere:
        return [_cut(Text(visible(f"{', '.join(warned.summary)}: {warned.elsewhere}")))]
    return [_case(app, one) for one in warned.cases[:cases]]


def _case(app: App, case: Case) -> Text:
    line = linked(app, case.words, case.path) if case.path else Text(visible(case.words))
    return _cut(line.append(visible(f"{case.place and '  '}{case.place.removesuffix(':')}{case.note}"), "dim"))
