"""The dashboard in short, written after each rebuild for hooks and the status line."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from wrapgen.dashboard.balance import fates
from wrapgen.errors import WrapgenError
from wrapgen.model import Fate
from wrapgen.redact import redact
from wrapgen.text.display import shorten
from wrapgen.vault import headline
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.held import held
from wrapgen.vault.temporary import put

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.ledger import Run
    from wrapgen.model import Item
    from wrapgen.workflows.app import App
    from wrapgen.workflows.memory import Memory

_LONGEST = 300  # characters of an item


def write_headline(app: App, run: Run, memory: Memory) -> None:
    """Write the dashboard's summary; failures are ignored."""
    counts = fates(run)
    due = Counter(item.due.isoformat() for item in _open(run) if item.due is not None)
    named = (_record(item) for item in _named(app, run, memory))
    data = headline.document(counts[Fate.SHOWN] + counts[Fate.OVERFLOW], dict(due), named)
    file = app.root / headline.FILE
    with suppress(OSError, WrapgenError):
        make_private_folder(file.parent, app.root)
        with held(file, app.root) as target:
            put(target.at, data, folder=target.folder)


def _open(run: Run) -> Iterator[Item]:
    yield from (one.item for fate in (Fate.SHOWN, Fate.OVERFLOW) for one in run.of(fate))


def _named(app: App, run: Run, memory: Memory) -> Iterator[Item]:
    """The first items of each project, as many as the dashboard shows in all; not those hidden until a day."""
    snoozed = memory.decisions().snoozed
    seen: Counter[str | None] = Counter()
    for item in _open(run):
        seen[item.project] += 1
        if seen[item.project] <= app.config.cap and snoozed.get(item.id, run.today) <= run.today:
            yield item


def _record(item: Item) -> dict[str, Any]:
    return {
        "project": item.project,
        "text": redact(shorten(item.words, _LONGEST))[0],
        "due": item.due and item.due.isoformat(),
        "priority": None if item.priority is None else item.priority.name.lower(),
        "raised": item.raised and item.raised.isoformat(),
    }
