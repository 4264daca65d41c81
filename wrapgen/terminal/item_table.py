"""Items as rows of a table, for screens."""

from collections.abc import Mapping
from datetime import date

from rich.cells import cell_len
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from wrapgen.ledger import Run
from wrapgen.model import Item
from wrapgen.terminal.audit_tables import linked
from wrapgen.terminal.item_list import Rows, when, words_of
from wrapgen.text.display import cut_middle, visible
from wrapgen.workflows.app import App

_UNBOUNDED = 10_000  # columns
_WIDE = 120  # columns from which places have some of them, however long the words are
_LEAST_PLACE = 24


def fitted_table(app: App, run: Run, rows: Rows, snoozed: Mapping[str, date]) -> Table:
    """A row an item, as it fits the screen."""
    table = _table(app, run, rows, snoozed)
    width = app.console.width
    if (beyond := _width(app, table) - width) > 0:
        longest = max(cell_len(item.place) for _, item in rows)
        room = longest - beyond
        fits = room >= _LEAST_PLACE or width >= _WIDE
        table = _table(app, run, rows, snoozed, min(longest, max(room, _LEAST_PLACE)) if fits else 0)
    return table


def _width(app: App, table: Table) -> int:
    """Columns that a table takes when nothing of it is folded."""
    return Measurement.get(app.console, app.console.options.update(max_width=_UNBOUNDED), table).maximum


def _table(app: App, run: Run, rows: Rows, snoozed: Mapping[str, date], room: int | None = None) -> Table:
    """A row an item, with its place; `room` are the columns for that in a window that is too narrow, 0 for none."""
    table, handles = Table(box=None, pad_edge=False, show_header=False), run.handles()
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    if room is not None:
        table.add_column(ratio=1)
        table.expand = True
    for number, item in rows:
        named = linked(app.root, words_of(run, item), item.path)
        presses = pressing_of(item, run.today, snoozed)
        place = item.place if room is None else cut_middle(visible(item.place), room) if room else ""
        cells: list[Table | Text] = [named, presses] if room is None else [pressing(named, presses)]
        if place:
            cells.append(linked(app.root, place, item.path, "dim"))
        table.add_row(str(number), handles[item.id], *cells)
    if room:
        table.columns[-1].no_wrap = True
    return table


def pressing_of(item: Item, today: date, snoozed: Mapping[str, date] | None = None) -> Text:
    """What presses, in its style."""
    return Text.assemble(*when(item, today, snoozed))


def pressing(words: Text, presses: Text) -> Table:
    """Words with what presses at the end of their line, which takes no more room from them than it needs itself."""
    line = Table.grid(expand=True, padding=(0, 2, 0, 0))
    line.add_column(ratio=1, overflow="fold")
    line.add_column(justify="right", no_wrap=True)
    line.add_row(words, presses)
    return line
