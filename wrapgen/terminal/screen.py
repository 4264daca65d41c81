"""The session's end on one screen: what matters now, the audit, what needs a look, the balance."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from wrapgen.dashboard.balance import UNTAGGED, audit_line, not_read, nothing_shown, unsaid, untagged
from wrapgen.ledger import OPEN_ORDER, Concern, Outcome, Run
from wrapgen.model import Fate, Item
from wrapgen.terminal.audit_tables import Audit, Case, Warned, linked, news_lines
from wrapgen.terminal.item_table import pressing, pressing_of
from wrapgen.text.display import visible, without_marks
from wrapgen.workflows.app import App
from wrapgen.workflows.listed import numbered, remember_list

_NARROW = 60  # columns; below, an item takes two lines, and tables stand one above the other
_WIDE = 130  # columns; from here on there is room for the place of each item
_LOWEST = 24  # lines; a lower window is treated as one of this height
_FEWEST = 5  # priorities that are named in the lowest window
# Cases that are named of each warning, and whether the audit has its tables: what is tried until all priorities fit.
_STEPS = ((3, 1), (2, 1), (1, 1), (0, 1), (0, 0))
_PROJECT_LIMIT = 14  # columns

_Part = list[RenderableType]
_Rows = list[tuple[int, Outcome]]


def print_screen(app: App, run: Run, *, changed: bool, news: Sequence[str]) -> None:
    """Print a run for a person at a terminal, cut to the height of the window; the balance comes last."""
    screen = _Screen(run, news, app.console, app.root)
    parts, shown = screen.fitted(app.config.output, "rebuilt" if changed else "unchanged")
    app.show(*parts)
    remember_list(app, run, [(number, one.item) for number, one in shown])


@dataclass(frozen=True, slots=True)
class _Screen:
    run: Run
    news: Sequence[str]  # what the run wrote
    console: Console
    root: Path  # of the vault, for links

    def fitted(self, output: str, became: str) -> tuple[_Part, _Rows]:
        head: _Part = [Text.assemble(self._linked(output, output, "bold"), f": {became}")]
        rows = numbered(self.run)
        prompt = 1
        lines = max(self.console.height, _LOWEST) - prompt
        shown = [row for row in rows if row[1].fate is Fate.SHOWN][: max(lines, _FEWEST)]
        priorities = self._priorities(shown, len(rows))
        below = (self._rest(cases, tables) for cases, tables in _STEPS)
        rest = next(
            (one for one in below if self._height([*head, *priorities, *one]) <= lines), self._rest(*_STEPS[-1])
        )
        while len(shown) > _FEWEST and self._height([*head, *priorities, *rest]) > lines:
            shown.pop()
            priorities = self._priorities(shown, len(rows))
        return [*head, *priorities, *rest], shown

    def _rest(self, cases: int, tables: int) -> _Part:
        audit = [_rule("audit"), *self._audit()] if tables else self._not_read()
        balance = Text(audit_line(self.run), style="bold")
        return [*audit, *self._looks(cases), *([_rule()] * tables), *news_lines(self.news), balance]

    def _height(self, parts: _Part) -> int:
        return sum(len(self.console.render_lines(part, pad=False)) for part in parts)

    @property
    def _is_narrow(self) -> bool:
        return self.console.width < _NARROW

    def _linked(self, words: str, path: str, style: str = "") -> Text:
        return _cut(linked(self.root, without_marks(words), path, style))

    def _priorities(self, rows: _Rows, open_items: int) -> _Part:
        named = [row for row in rows if row[1].order < OPEN_ORDER]
        lines: _Part = [_rule("priorities")]
        if said := "" if named else unsaid(self.run) or ("" if open_items else nothing_shown(self.run)):
            lines.append(Text(said))
        draw = self._narrow_rows if self._is_narrow else partial(self._wide_rows, rows)
        if named:
            lines.append(draw(named))
        if also := rows[len(named) :]:
            lines += [_rule("also open"), draw(also)]
        more, top = open_items - len(rows), len(self.run.of(Fate.SHOWN))
        if len(rows) < top:
            window = f"{len(rows)} of {top}: your window is {self.console.height} lines high"
            lines.append(Text(f"{window} · {more} more: wrap list --all", style="dim"))
        elif more:
            lines.append(Text(f"{more} more: wrap list --all · wrap open N opens one", style="dim"))
        return lines

    def _wide_rows(self, every: _Rows, some: _Rows) -> Table:
        """Draw some rows in columns that are as wide as all rows need."""
        handles = self.run.handles()
        projects = [cell_len(visible(one.item.project or UNTAGGED)) for _, one in every]
        table = Table.grid(padding=(0, 2, 0, 0), expand=True)
        table.add_column(justify="right", style="bold", no_wrap=True, min_width=len(str(every[-1][0])))
        table.add_column(style="dim", no_wrap=True, min_width=max(len(handles[one.item.id]) for _, one in every))
        width = min(max(projects), _PROJECT_LIMIT)
        table.add_column(style="cyan", no_wrap=True, overflow="ellipsis", min_width=width, max_width=width)
        table.add_column(ratio=1)
        placed = self.console.width >= _WIDE
        for number, one in some:
            item = one.item
            words = pressing(self._linked(item.words, item.path), self._presses(item))
            place = [self._linked(item.place, item.path, "dim")] if placed else []
            table.add_row(str(number), handles[item.id], visible(item.project or UNTAGGED), words, *place)
        return table

    def _presses(self, item: Item) -> Text:
        if any(one.item.id == item.id for one in self.run.about(Concern.PROBABLY_DONE)):
            return Text("probably done", style="italic")
        return pressing_of(item, self.run.today)

    def _narrow_rows(self, rows: _Rows) -> Table:
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(justify="right", style="bold", no_wrap=True)
        table.add_column()
        handles = self.run.handles()
        for number, one in rows:
            item = one.item
            project = (visible(item.project or UNTAGGED), "cyan")
            below = Text.assemble((handles[item.id], "dim"), " · ", project, " · ", self._presses(item))
            table.add_row(str(number), self._linked(item.words, item.path))
            table.add_row("", _cut(below))
        return table

    def _audit(self) -> _Part:
        both = Table.grid(padding=(0, 6, 0, 0))
        audit = Audit(self.run)
        sources, results = audit.sources(), audit.fates()
        if self._is_narrow:
            both.add_row(sources)
            both.add_row(results)
        else:
            results.show_header = False  # as high as the sources then
            both.add_row(sources, results)
        return [both, *self._not_read()]

    def _not_read(self) -> _Part:
        return [Text(not_read(self.run.not_read), style="yellow")] if self.run.not_read.boxes else []

    def _looks(self, cases: int) -> _Part:
        """The warnings, by name and number, with so many cases of each; the last line says where all of them stand."""
        listed = [one for one in Audit(self.run).warnings() if one.name != UNTAGGED or untagged(self.run)]
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
            for index, line in enumerate(self._cases(one, cases)):
                table.add_row(*(("", "") if index else (str(one.number), one.name)), line)
        more = sum(len(one.cases[cases:]) for one in listed if not one.elsewhere)
        footer = [Text(f"and {more} more: wrap audit", style="dim")] if more else []
        return [_rule("needs attention"), table, *footer]

    def _cases(self, warned: Warned, cases: int) -> list[Text]:
        if warned.elsewhere:
            return [_cut(Text(visible(f"{', '.join(warned.summary)}: {warned.elsewhere}")))]
        return [self._case(one) for one in warned.cases[:cases]]

    def _case(self, case: Case) -> Text:
        line = self._linked(case.words, case.path) if case.path else Text(visible(case.words))
        return _cut(line.append(visible(f"{case.place and '  '}{case.place.removesuffix(':')}{case.note}"), "dim"))


def _rule(title: str = "") -> Rule:
    return Rule(Text(title, style="bold") if title else "", align="left", style="dim")


def _cut(text: Text) -> Text:
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
