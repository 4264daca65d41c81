"""What a session has been told already: nothing that a hook finds is said twice in it."""

import os

from wrapgen.regular_files import make
from wrapgen.vault.keyed_files import KeyedFiles, name_of

_SAID = KeyedFiles("said", kept_seconds=7 * 86_400)


def is_news(root: str, session: str, words: str) -> bool:
    """Whether a session has not been told something yet; it counts as told from now on.

    Args:
        session: its id; without one sessions cannot be distinguished, and everything is news.

    Raises:
        OSError: it cannot be noted.
        WrapgenError: the folder for it cannot be made.
    """
    if not session:
        return True
    key = name_of("\0".join((session, words)))
    try:
        os.close(make(f"{_SAID.folder(root)}/{key}", os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def forget(root: str) -> None:
    """Remove what sessions of long ago were told."""
    _SAID.forget_old(root)
