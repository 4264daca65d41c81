"""Written beside the page after each rebuild: the history, and the page in short for hooks and the status line."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec

from wrapgen.dashboard.balance import fates
from wrapgen.dashboard.tally import standing_of, tally
from wrapgen.days import moved
from wrapgen.errors import WrapgenError
from wrapgen.ledger import Run
from wrapgen.model import Fate, Item
from wrapgen.redact import MARK, redact
from wrapgen.run_history import Standing
from wrapgen.session.memory import routed
from wrapgen.text.display import shorten
from wrapgen.text.folding import fold
from wrapgen.vault import headline, run_history
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.held import held
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.temporary import put
from wrapgen.workflows.app import App
from wrapgen.workflows.last_run import LastRun, last_run
from wrapgen.workflows.memory import Memory

_AHEAD = 31  # days that a pinned day may be ahead of the newest note


def write_history(app: App, run: Run, memory: Memory) -> bool:
    """Add a rebuild to the history; a failure is reported in one line and is not fatal."""
    if _is_made_up(app, run):
        app.note(f"{run.today} is not kept in the history: --today made it up")
        return True
    file = last_run(app)
    last = file.load() or LastRun()
    before, now = msgspec.msgpack.decode(last.standing, type=Standing | None), standing_of(run)
    if before is not None and before.day > run.today:
        before = None  # a back-fill: what is open later says nothing about what was new then
    try:
        run_history.add(app.root, tally(run, before, now, _promised(memory)))
    except WrapgenError as error:
        app.warn(f"the dashboard is rebuilt, but not its history: {error}")
        return False
    if now != before:
        file.save(msgspec.structs.replace(last, standing=msgspec.Raw(msgspec.msgpack.encode(now))))
    return True


def _is_made_up(app: App, run: Run) -> bool:
    """Whether `--today` names a day that is still to come, and of which the notes know nothing."""
    if app.today is None or app.today <= datetime.now().astimezone().date():
        return False
    written = [one.item.raised for one in run.outcomes if one.item.raised]
    return not written or max(written) < moved(app.today, -_AHEAD)


def _promised(memory: Memory) -> list[str]:
    """The folded text of follow-ups that are in a file; those that contained a secret are unknown."""
    texts = [line.text for line in routed(memory.receipts).values() if MARK not in line.text]
    entries = (read_item(text, line=1, section=-1) for text in texts)
    return [fold(entry.text).text for entry in entries if entry is not None]


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
