"""The history, written after each rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.dashboard.tally import standing_of, tally
from wrapgen.errors import WrapgenError
from wrapgen.folding import fold
from wrapgen.history import Standing
from wrapgen.redact import MARK
from wrapgen.session.memory import routed
from wrapgen.vault import daybook
from wrapgen.vault.cache import CacheFile
from wrapgen.vault.markdown.marks import read_item

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.commands.memory import Memory
    from wrapgen.ledger import Run

_FILE = "standing"
_FORM = "1"  # of `Standing`


def write_history(app: App, run: Run, memory: Memory) -> bool:
    """Add a rebuild to the history; where that is not possible, one line says so and all else is done.

    Args:
        app: the vault; its lock is held.
        run: the rebuild.
        memory: the receipts.

    Returns:
        whether the history knows of the rebuild.
    """
    file = CacheFile(app.root, _FILE, Standing, _FORM, app.note)
    before, now = file.load(), standing_of(run)
    if before is not None and before.day > run.today:
        before = None  # a back-fill: what is open later says nothing about what was new then
    try:
        daybook.add(app.root, tally(run, before, now, _promised(memory)))
    except WrapgenError as error:
        app.warn(f"the dashboard is rebuilt, but not its history: {error}")
        return False
    if now != before:
        file.save(now)
    return True


def _promised(memory: Memory) -> list[str]:
    """The folded words of follow-ups that stand in a file; those that held a secret are not known any more."""
    texts = [line.text for line in routed(memory.receipts).values() if MARK not in line.text]
    entries = (read_item(text, line=1, section=-1) for text in texts)
    return [fold(entry.text).text for entry in entries if entry is not None]
