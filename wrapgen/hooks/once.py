"""Each event is answered once, however often the host has the hook: in its settings and in a plugin, say."""

import os
import time

from wrapgen.hooks.events import Moment
from wrapgen.vault.hookfiles import folder_of, forget_old

SECONDS = 10.0
"""Copies of a hook are started together. The same event later than this is another one."""

_FOLDER = "once"
_KEPT_SECONDS = 3600
# What tells one event from another; copies get the same, time stamps and sizes may differ.
_FIELDS = (
    "session_id", "prompt_id", "turn_id", "agent_id", "tool_use_id", "source", "trigger", "reason", "stop_hook_active",
    "last_assistant_message", "compact_summary", "tool_name", "prompt",
)  # fmt: skip


def is_first(moment: Moment) -> bool:
    """Whether this process is the one that answers an event; of several that ask at once one is told so.

    Args:
        moment: the event. Without a session's id nothing can be told apart, and everybody is the first.

    Raises:
        OSError: it cannot be noted.
        WrapgenError: the folder for it cannot be made.
    """
    if not moment.session:
        return True
    folder = folder_of(moment.root, _FOLDER)
    name = _digest(moment)
    number = 0
    while True:
        file = f"{folder}/{name}.{number}"
        try:
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            if abs(time.time() - os.stat(file).st_mtime) < SECONDS:
                return False
            number += 1
        else:
            return True


def forget(root: str) -> None:
    """Remove the notes of events that nobody asks about any more.

    Args:
        root: the vault.
    """
    forget_old(folder_of(root, _FOLDER), _KEPT_SECONDS)


def _digest(moment: Moment) -> str:
    from hashlib import sha256

    words = [moment.event, *(str(moment.fields.get(name)) for name in _FIELDS)]
    return sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:24]
