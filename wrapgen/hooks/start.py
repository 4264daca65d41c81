"""A session starts: unfinished sessions are searched, and the session gets what the vault knows."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from wrapgen.hooks.detach import Request, hand_over, wait_for
from wrapgen.hooks.injection import digest, fitted, framed
from wrapgen.hooks.place import app_of
from wrapgen.host_reply import HookReply
from wrapgen.vault import session_registry

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment

_SWEEP_SECONDS = 0.1
# What a resumed session was given already is in its transcript, which is replayed.
_REPLAYED = "resume"
# It already got that at its start, and has more to read now.
_GOES_ON = "compact"


def on_session_start(moment: Moment) -> HookReply:
    """Give a session the facts of its vault.

    A conversation that ended without a wrap is searched by a background process, which begins first and for which the
    host waits a moment at most; what it finds later is shown to the next session.
    """
    started = time.monotonic()
    troubles: list[str] = []
    request = ""
    try:
        own = moment.text("transcript_path")
        request = hand_over(moment.root, Request(transcript=own, cwd=moment.cwd, search=False, hurry=True, sweep=True))
    except Exception as error:
        troubles.append(f"unfinished sessions were not searched: {error}")
    app = app_of(moment)
    before = session_registry.recall(moment.root, moment.session)
    from wrapgen.hooks.session_parts import Audience, pieces
    from wrapgen.hooks.tracks import project_folder

    if moment.text("source") != _GOES_ON:
        wait_for(request, _SWEEP_SECONDS - (time.monotonic() - started))
    asked = Audience(app, moment.cwd, project_folder(moment), moment.text("source"))
    marker = os.urandom(4).hex()
    parts = fitted(pieces(asked, troubles), marker)
    heard = set(before.given.split()) if asked.source == _REPLAYED else set()
    text = framed([new for part in parts if (new := part.unheard(heard))], marker)
    given = " ".join(sorted(heard.union(digest(line) for part in parts for line in part.text.split("\n"))))
    if moment.session:
        transcript = moment.text("transcript_path") or before.transcript
        try:
            session_registry.tell(moment.root, before._replace(transcript=transcript, cwd=moment.cwd, given=given))
        except Exception as error:  # a folder that cannot be written must not keep the session from its context
            troubles.append(f"the session was not recorded: {error}")
    return HookReply(context=text, trouble="; ".join(troubles))
