"""Items as lines: number, handle, words, what presses, place."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING

from wrapgen.dashboard.balance import UNTAGGED
from wrapgen.ledger import Run
from wrapgen.model import BLOCKED_SIGN, FOR_PERSON, Item
from wrapgen.notes import PRIORITY_SIGNS
from wrapgen.text.display import age, count, shorten, visible, without_marks
from wrapgen.workflows.app import App
from wrapgen.workflows.listed import last_list, remember_list

if TYPE_CHECKING:
    from wrapgen.workflows.vault_session import VaultSession

Rows = Sequence[tuple[int, Item]]
Styled = tuple[str, str]
"""Words and their style."""

_TEXT_LIMIT = 300
_NEAR = 14  # days; what is due later is named by its day


def print_items(app: App, run: Run, rows: Rows, snoozed: Mapping[str, date]) -> None:
    """Print items; from now on, numbers mean these.

    On a screen each is one line where it fits: places are cut in a window that is too narrow for them, and left out in
    one that has hardly room for the words, which are still the link that leads there.
    """
    if app.on_screen:
        from wrapgen.terminal.item_table import fitted_table

        app.show(fitted_table(app, run, rows, snoozed))
    else:
        for line in _plain(run, rows, snoozed):
            app.say(line)
    remember_list(app, run, rows)


def _plain(run: Run, rows: Rows, snoozed: Mapping[str, date]) -> Iterator[str]:
    """The lines for a pipe, whole, one column below the other: the library for screens takes longer than all else."""
    handles = run.handles()
    cells = [
        (
            str(number),
            handles[item.id],
            visible(words_of(run, item)),
            "".join(text for text, _ in when(item, run.today, snoozed)),
            item.place,
        )
        for number, item in rows
    ]
    first, *widths = [max(map(_columns, column)) for column in zip(*cells, strict=True)]
    for number, *rest, place in cells:
        filled = (cell + " " * (width - _columns(cell)) for cell, width in zip(rest, widths, strict=False))
        yield "  ".join((number.rjust(first), *filled, place)).rstrip()


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def words_of(run: Run, item: Item) -> str:
    """The words of an item in a list, with its project and whose it is."""
    mark = f" ({FOR_PERSON})" if item.id in run.for_person else ""
    return f"{tagged(item.project, shorten(item.words, _TEXT_LIMIT))}{mark}"


def tagged(project: str | None, text: str) -> str:
    """An item as the dashboard's readers know it: `(project) text`."""
    return f"({project or UNTAGGED}) {without_marks(text)}"


def picked(session: "VaultSession", words: Sequence[str], *, dropped_first: bool = False) -> list[Item]:
    """The items that a command's arguments name."""
    from wrapgen.workflows.item_picker import ItemNames, refuse_unsaid

    app = session.app
    refuse_unsaid(words, session.line_words)
    run = session.run
    with choices_shown(session, run):
        return ItemNames(run, last_list(app), app.now, dropped_first, not app.as_json).pick(words)


@contextmanager
def choices_shown(session: "VaultSession", run: Run) -> Iterator[None]:
    """Print the items to choose from when a name is not clear; the error goes on."""
    from wrapgen.workflows.item_picker import UnclearNameError

    try:
        yield
    except UnclearNameError as error:
        if error.items and not session.app.as_json:
            rows = list(enumerate(error.items, 1))
            print_items(session.app, run, rows, session.hidden)
        raise


def when(item: Item, today: date, snoozed: Mapping[str, date] | None = None) -> list[Styled]:
    """What presses: the priority's sign, then when it is due or shown again, or else how old it is."""
    marks = [PRIORITY_SIGNS[item.priority]] if item.priority is not None else []
    if item.recurrence is not None:
        marks.append("🔁")
    if item.blocked_by:
        marks.append(BLOCKED_SIGN)
    parts = [("".join(f"{mark} " for mark in marks), "")]
    if (later := hidden_until(item, today, snoozed or {})) is not None:
        parts.append((f"from {later}", "dim"))
    elif item.due is not None:
        parts.append(_due(item.due, today))
    elif item.raised is not None:
        parts.append((age(item.raised, today), "dim"))
    return parts


def hidden_until(item: Item, today: date, snoozed: Mapping[str, date]) -> date | None:
    """The day until which an item is hidden, by its file or because somebody said so; None when it is not."""
    return max((day for day in (snoozed.get(item.id), item.not_before) if day and day > today), default=None)


def _due(due: date, today: date) -> Styled:
    days = (due - today).days
    if days < 0:
        return f"overdue {count(-days, 'day')}", "bold red"
    if days > _NEAR:
        return f"due {due}", ""
    return ("due today" if days == 0 else f"due in {count(days, 'day')}"), "bold"
