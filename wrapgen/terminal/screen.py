"""The session's end on one screen: what matters now, the audit, what needs a look, the balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from wrapgen.dashboard.balance import UNTAGGED, audit_line, not_read, nothing_shown
from wrapgen.model import Fate
from wrapgen.terminal.audit_tables import fate_table, linked, news_lines, source_table, warnings
from wrapgen.terminal.item_list import pressing, when
from wrapgen.text.display import visible
from wrapgen.workflows.item_picker import numbered
from wrapgen.workflows.last_list import remember_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from wrapgen.ledger import Outcome, Run
    from wrapgen.terminal.audit_tables import Case, Warned
    from wrapgen.workflows.app import App

_NARROW = 60  # columns; below, an item takes two lines, and tables stand one above the other
_WIDE = 130  # columns; from here on there is room for the place of each item
_LOWEST = 24  # lines; a lower window is treated as one of this height
_FEWEST = 5  # priorities that are named in the lowest window
# Cases that are named of each warning, and whether the audit has its tables: what is tried until all priorities fit.
_STEPS = ((3, 1), (2, 1), (1, 1), (0, 1), (0, 0))
_PROJECT_LIMIT = 14  # columns

_Part = list["RenderableType"]


def print_screen(app: App, run: Run, *, changed: bool, news: Sequence[str]) -> None:
    """Print a run for a person at a terminal, cut to the height of the window; the balance comes last.

    Args:
        changed: whether it changed the dashboard.
        news: what this run wrote, printed right above the balance.
    """
    output = app.config.output
    head: _Part = [Text.assemble(linked(app, output, output, "bold"), f": {'rebuilt' if changed else 'unchanged'}")]
    rows = numbered(run)
    prompt = 1
    lines = max(app.console.height, _LOWEST) - prompt
    shown = [row for row in rows if row[1].fate is Fate.SHOWN][: max(lines, _FEWEST)]
    priorities, rest = _priorities(app, run, shown, len(rows)), _rest(app, run, *_STEPS[-1], news)
    for cases, tables in _STEPS:
        longer = _rest(app, run, cases, tables, news)
        if _height(app, [*head, *priorities, *longer]) <= lines:
            rest = longer
            break
    while len(shown) > _FEWEST and _height(app, [*head, *priorities, *rest]) > lines:
        shown.pop()
        priorities = _priorities(app, run, shown, len(rows))
    app.show(*head, *priorities, *rest)
    remember_list(app, [(number, one.item) for number, one in shown])


def _rest(app: App, run: Run, cases: int, tables: int, news: Sequence[str]) -> _Part:
    """What stands below the priorities.

    Args:
        cases: how many of each warning are named.
        tables: whether the audit's tables are there; without them, its balance is.
    """
    audit = [_rule("audit"), *_audit(app, run)] if tables else _not_read(run)
    balance = Text(audit_line(run), style="bold")
    return [*audit, *_looks(app, run, cases), *([_rule()] * tables), *news_lines(news), balance]


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
        lines.append(Text(nothing_shown(run)))
    if more := open_items - len(rows):
        lines.append(Text(f"{more} more: wrap list --all · wrap open N opens one", style="dim"))
    return lines


def _wide_rows(app: App, run: Run, rows: Sequence[tuple[int, Outcome]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(style="cyan", no_wrap=True, overflow="ellipsis", max_width=_PROJECT_LIMIT)
    table.add_column(ratio=1)
    placed = app.console.width >= _WIDE
    handles = run.handles()
    for number, one in rows:
        item = one.item
        words = _cut(linked(app, item.words, item.path))
        place = [_cut(linked(app, item.place, item.path, "dim"))] if placed else []
        project = visible(item.project or UNTAGGED)
        table.add_row(str(number), handles[item.id], project, pressing(words, when(item, run.today)), *place)
    return table


def _narrow_rows(app: App, run: Run, rows: Sequence[tuple[int, Outcome]]) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column()
    handles = run.handles()
    for number, one in rows:
        item = one.item
        project = (visible(item.project or UNTAGGED), "cyan")
        below = Text.assemble((handles[item.id], "dim"), " · ", project, " · ", when(item, run.today))
        table.add_row(str(number), _cut(linked(app, item.words, item.path)))
        table.add_row("", _cut(below))
    return table


def _audit(app: App, run: Run) -> _Part:
    both = Table.grid(padding=(0, 6, 0, 0))
    sources, results = source_table(run), fate_table(run)
    if _narrow(app):
        both.add_row(sources)
        both.add_row(results)
    else:
        results.show_header = False  # as high as the sources then
        both.add_row(sources, results)
    return [both, *_not_read(run)]


def _not_read(run: Run) -> _Part:
    return [Text(not_read(run.not_read), style="yellow")] if run.not_read.boxes else []


def _looks(app: App, run: Run, cases: int) -> _Part:
    """The warnings, by name and number, with so many cases of each; the last line says where all of them stand."""
    listed = list(warnings(run))
    if not listed:
        return []
    if not cases:
        return [
            _rule("needs attention"),
            Text(" · ".join(f"{one.name} {one.number}" for one in listed) + ": wrap audit"),
        ]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for one in listed:
        for index, line in enumerate(_cases(app, one, cases)):
            table.add_row(*(("", "") if index else (str(one.number), one.name)), line)
    more = sum(len(one.cases[cases:]) for one in listed if not one.elsewhere)
    footer = [Text(f"and {more} more: wrap audit", style="dim")] if more else []
    return [_rule("needs attention"), table, *footer]


def _cases(app: App, warned: Warned, cases: int) -> list[Text]:
    if warned.elsewhere:
        return [_cut(Text(visible(f"{', '.join(warned.summary)}: {warned.elsewhere}")))]
    return [_case(app, one) for one in warned.cases[:cases]]


def _case(app: App, case: Case) -> Text:
    line = linked(app, case.words, case.path) if case.path else Text(visible(case.words))
    return _cut(line.append(visible(f"{case.place and '  '}{case.place.removesuffix(':')}{case.note}"), "dim"))
