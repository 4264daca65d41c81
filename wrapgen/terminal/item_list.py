"""Items as lines: number, handle, words, what presses, place."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date

from rich.cells import cell_len
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from wrapgen.dashboard.view import BLOCKED_SIGN, FOR_PERSON, age
from wrapgen.ledger import Run
from wrapgen.model import Item
from wrapgen.terminal.audit_tables import linked, tagged
from wrapgen.text.display import count, cut_middle, shorten, visible
from wrapgen.vault.markdown.marks.fields import PRIORITY_SIGNS
from wrapgen.workflows.app import App
from wrapgen.workflows.item_picker import ItemNames, UnclearNameError, last_list, remember_list
from wrapgen.workflows.vault_session import VaultSession

_Rows = Sequence[tuple[int, Item]]


_TEXT_LIMIT = 300
_UNBOUNDED = 10_000  # columns
_WIDE = 120  # columns from which places have some of them, however long the words are
_LEAST_PLACE = 24
_NEAR = 14  # days; what is due later is named by its day


def print_items(app: App, run: Run, rows: _Rows, snoozed: Mapping[str, date]) -> None:
    """Print items; from now on, numbers mean these.

    Each is one line where it fits: places are cut in a window that is too narrow for them, and left out in one that has
    hardly room for the words, which are still the link that leads there.
    """
    table = _table(app, run, rows, snoozed)
    width = app.console.width
    if app.console.is_terminal and (beyond := _width(app, table) - width) > 0:
        longest = max(cell_len(item.place) for _, item in rows)
        room = longest - beyond
        fits = room >= _LEAST_PLACE or width >= _WIDE
        table = _table(app, run, rows, snoozed, min(longest, max(room, _LEAST_PLACE)) if fits else 0)
    app.show(table)
    remember_list(app, rows)


def _width(app: App, table: Table) -> int:
    """Columns that a table takes when nothing of it is folded."""
    return Measurement.get(app.console, app.console.options.update(max_width=_UNBOUNDED), table).maximum


def _table(app: App, run: Run, rows: _Rows, snoozed: Mapping[str, date], room: int | None = None) -> Table:
    """A row an item, with its place; `room` are the columns for that in a window that is too narrow, 0 for none."""
    table, handles = Table(box=None, pad_edge=False, show_header=False), run.handles()
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    if room is not None:
        table.add_column(ratio=1)
        table.expand = True
    yours = {one.item.id for one in run.outcomes if one.said and one.said.is_for_person}
    for number, item in rows:
        mark = f" ({FOR_PERSON})" if item.id in yours else ""
        words = linked(app.root, f"{tagged(item.project, shorten(item.words, _TEXT_LIMIT))}{mark}", item.path)
        presses = when(item, run.today, snoozed)
        place = item.place if room is None else cut_middle(visible(item.place), room) if room else ""
        cells: list[Table | Text] = [words, presses] if room is None else [pressing(words, presses)]
        if place:
            cells.append(linked(app.root, place, item.path, "dim"))
        table.add_row(str(number), handles[item.id], *cells)
    if room:
        table.columns[-1].no_wrap = True
    return table


def pressing(words: Text, presses: Text) -> Table:
    """Words with what presses at the end of their line, which takes no more room from them than it needs itself."""
    line = Table.grid(expand=True, padding=(0, 2, 0, 0))
    line.add_column(ratio=1, overflow="fold")
    line.add_column(justify="right", no_wrap=True)
    line.add_row(words, presses)
    return line


def picked(session: VaultSession, run: Run, words: Sequence[str], *, dropped_first: bool = False) -> list[Item]:
    """The items that a command's arguments name."""
    app = session.app
    with choices_shown(session, run):
        return ItemNames(run, last_list(app), app.now, dropped_first, not app.as_json).pick(words)


@contextmanager
def choices_shown(session: VaultSession, run: Run) -> Iterator[None]:
    """Print the items to choose from when a name is not clear; the error goes on."""
    try:
        yield
    except UnclearNameError as error:
        if error.items and not session.app.as_json:
            rows = list(enumerate(error.items, 1))
            print_items(session.app, run, rows, session.hidden)
        raise


def when(item: Item, today: date, snoozed: Mapping[str, date] | None = None) -> Text:
    """What presses: the priority's sign, then when it is due or shown again, or else how old it is."""
    marks = [PRIORITY_SIGNS[item.priority]] if item.priority is not None else []
    if item.recurrence is not None:
        marks.append("🔁")
    if item.blocked_by:
        marks.append(BLOCKED_SIGN)
    text = Text("".join(f"{mark} " for mark in marks))
    if (later := hidden_until(item, today, snoozed or {})) is not None:
        text.append(f"from {later}", "dim")
    elif item.due is not None:
        text.append(*_due(item.due, today))
    elif item.raised is not None:
        text.append(age(item.raised, today), "dim")
    return text


def hidden_until(item: Item, today: date, snoozed: Mapping[str, date]) -> date | None:
    """The day until which an item is hidden, by its file or because somebody said so; None when it is not."""
    return max((day for day in (snoozed.get(item.id), item.not_before) if day and day > today), default=None)


def _due(due: date, today: date) -> tuple[str, str]:
    days = (due - today).days
    if days < 0:
        return f"overdue {count(-days, 'day')}", "bold red"
    if days > _NEAR:
        return f"due {due}", ""
    return ("due today" if days == 0 else f"due in {count(days, 'day')}"), "bold"
