"""The user asks something: when switched on, what was tried before and given up is called to mind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.hooks.events import NOTHING, Answer

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment

_KEY = b"warn_of_dead_ends"
_LARGEST = 1_000_000


def on_prompt(moment: Moment) -> Answer:
    """Tell the session which dead ends its user's words lead to.

    Args:
        moment: a `UserPromptSubmit`; nothing is done unless `hooks.warn_of_dead_ends` is set.
    """
    if not _is_mentioned(moment.root):
        return NOTHING
    from wrapgen.commands.app import App
    from wrapgen.hooks import tracks
    from wrapgen.hooks.injection import BUDGET, Piece, compose, listed

    app = App(vault=Path(moment.root), quiet=True)
    if not app.config.hooks.warn_of_dead_ends:
        return NOTHING
    lines = tracks.dead_ends_in(moment.cwd, moment.text("prompt"))
    if not lines:
        return NOTHING
    piece = Piece("tried before and given up", BUDGET, lambda room: listed(lines, room, "- and {} more"))
    return Answer(context=compose([piece], os.urandom(4).hex()))


def _is_mentioned(root: str) -> bool:
    """Whether the configuration names the switch at all; most do not, and need not be understood."""
    from wrapgen.whereabouts import VAULT_FILE

    try:
        with open(f"{root}/{VAULT_FILE}", "rb") as file:
            return _KEY in file.read(_LARGEST)
    except OSError:
        return False
