"""The user sends a prompt: when enabled, the session is reminded of dead ends that it mentions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wrapgen.hooks.vault import app_of
from wrapgen.host_reply import NOTHING, HookReply

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment

_KEY = b"warn_of_dead_ends"
_LARGEST = 1_000_000


def on_prompt(moment: Moment) -> HookReply:
    """Tell the session which dead ends the prompt resembles.

    Args:
        moment: a `UserPromptSubmit`; nothing is done unless `hooks.warn_of_dead_ends` is set.
    """
    if not _is_mentioned(moment.root):
        return NOTHING
    from wrapgen.hooks import tracks
    from wrapgen.hooks.injection import BUDGET, Piece, compose, listed
    from wrapgen.hooks.said import is_news

    app = app_of(moment)
    if not app.config.hooks.warn_of_dead_ends:
        return NOTHING
    found = tracks.dead_ends_in(moment.cwd, moment.text("prompt"))
    lines = [line for line in found if is_news(moment.root, moment.session, line)]
    if not lines:
        return NOTHING
    piece = Piece("tried before and given up", BUDGET, lambda room: listed(lines, room, "- and {} more"))
    return HookReply(context=compose([piece], os.urandom(4).hex()))


def _is_mentioned(root: str) -> bool:
    """Whether the configuration mentions the switch at all; most do not, and need not be parsed."""
    from wrapgen.regular_files import whole
    from wrapgen.whereabouts import VAULT_FILE

    try:
        return _KEY in whole(f"{root}/{VAULT_FILE}", _LARGEST)
    except OSError:
        return False
