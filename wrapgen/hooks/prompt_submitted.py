"""The user sends a prompt: the session is reminded of dead ends that it mentions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wrapgen.host_reply import NOTHING, HookReply

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment


def on_prompt(moment: Moment) -> HookReply:
    """Tell the session which dead ends the prompt resembles (`wrap install --prompts` has the host send it)."""
    from wrapgen.hooks import tracks
    from wrapgen.hooks.injection import BUDGET, Piece, compose, listed
    from wrapgen.hooks.once import is_news

    found = tracks.dead_ends_in(moment.cwd, moment.text("prompt"))
    lines = [line for line in found if is_news(moment.root, moment.session, line)]
    if not lines:
        return NOTHING
    piece = Piece("tried before and given up", BUDGET, lambda room: listed(lines, room, "- and {} more"))
    return HookReply(context=compose([piece], os.urandom(4).hex()))
