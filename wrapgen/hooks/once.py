"""Each event is handled once, even if the host has the hook twice, and nothing is said twice in a session."""

import os
import time
from zlib import adler32, crc32

from wrapgen.hooks.events import Moment
from wrapgen.regular_files import make
from wrapgen.vault.keyed_files import KeyedFiles, name_of

SECONDS = 10.0  # copies of a hook are started together. The same event later than this is a new one.

_ONCE = KeyedFiles("once", kept_seconds=3600)
# What identifies an event: the same in all copies, unlike time stamps and sizes.
_FIELDS = (
    "session_id", "prompt_id", "turn_id", "agent_id", "tool_use_id", "source", "trigger", "reason", "stop_hook_active",
    "last_assistant_message", "compact_summary", "tool_name", "prompt",
)  # fmt: skip


def is_first(moment: Moment) -> bool:
    """Whether this process handles an event: one of several concurrent copies, all where no session is named.

    Raises `OSError` and `WrapgenError` when it cannot be noted.
    """
    if not moment.session:
        return True
    folder = _ONCE.folder(moment.root)
    event = "\0".join([moment.event, *(str(moment.fields.get(field)) for field in _FIELDS)])
    data = event.encode("utf-8", "surrogatepass")
    name = f"{crc32(data):08x}{adler32(data):08x}-{len(data)}"  # of the same seconds: no cryptography, see `name_of`
    number = 0
    while True:
        file = f"{folder}/{name}.{number}"
        try:
            os.close(make(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            if abs(time.time() - os.stat(file).st_mtime) < SECONDS:
                return False
            number += 1
        else:
            return True


_SAID = KeyedFiles("said", kept_seconds=7 * 86_400)


def is_news(root: str, session: str, words: str) -> bool:
    """Whether a session has not been told something yet; it counts as told from now on. Raises as `is_first`."""
    if not session:
        return True
    key = name_of("\0".join((session, words)))
    try:
        os.close(make(f"{_SAID.folder(root)}/{key}", os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def forget(root: str) -> None:
    """Remove the markers of old events, and what sessions of long ago were told."""
    for kept in (_ONCE, _SAID):
        kept.forget_old(root)
