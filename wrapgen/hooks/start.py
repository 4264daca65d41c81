"""A session starts: what was left unfinished is looked through, and the session is given what the vault knows."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from wrapgen.hooks.events import NOTHING, Answer
from wrapgen.hooks.injection import compose
from wrapgen.vault import told

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.commands.sessions import Changed
    from wrapgen.hooks.events import Moment

_SWEEP_SECONDS = 0.1
# What a resumed session was given already stands in its transcript, which is replayed.
_REPLAYED = "resume"
# It has been told what others left unfinished when it began, and has more to read now.
_GOES_ON = "compact"


def on_session_start(moment: Moment) -> Answer:
    """Give a session the facts of its vault.

    A conversation that ended without a wrap is looked through by a process of its own, for which the host waits a
    moment; what it finds later waits for the next session.

    Args:
        moment: a `SessionStart` of any source; `startup` may stand for `clear`.
    """
    app = _app(moment)
    before = told.recall(moment.root, moment.session)
    troubles: list[str] = []
    try:
        _sweep(app, moment)
    except Exception as error:
        troubles.append(f"unfinished sessions were not looked through: {error}")
    from wrapgen.hooks.pieces import Asked, pieces

    asked = Asked(app, moment.cwd, moment.text("source"))
    marker = os.urandom(4).hex()
    text = compose(pieces(asked, troubles), marker)
    given = _digest(text.replace(marker, ""))
    if moment.session:
        transcript = moment.text("transcript_path") or before.transcript
        try:
            told.tell(moment.root, before._replace(transcript=transcript, cwd=moment.cwd, given=given))
        except Exception as error:  # a folder that cannot be written is no reason to tell the session nothing
            troubles.append(f"the session was not noted: {error}")
    trouble = "; ".join(troubles)
    if moment.text("source") == _REPLAYED and before.given == given:
        return NOTHING._replace(trouble=trouble)
    return Answer(context=text, trouble=trouble)


def _app(moment: Moment) -> App:
    from pathlib import Path

    from wrapgen.commands.app import App

    return App(vault=Path(moment.root), quiet=True)


def _sweep(app: App, moment: Moment) -> None:
    from wrapgen.commands.sessions import Changed
    from wrapgen.hooks.detach import Request, hand_over, wait_for

    started = time.monotonic()
    own = os.path.realpath(moment.text("transcript_path") or os.devnull)
    unread = _is_unread(Changed.since_last_wrap(app), own, started + _SWEEP_SECONDS / 2)
    request = hand_over(moment.root, Request(cwd=moment.cwd, search=unread, hurry=True))
    if unread and moment.text("source") != _GOES_ON:
        wait_for(request, _SWEEP_SECONDS - (time.monotonic() - started))


def _is_unread(changed: Changed, own: str, deadline: float) -> bool:
    """Whether somebody else's conversation is to be looked through; if that is not found out in time, it may be."""
    for path in changed.candidates:
        if os.path.realpath(path) != own and (time.monotonic() > deadline or changed.is_ours(path)):
            return True
    return False


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16] if text else ""
