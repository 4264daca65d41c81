"""The process that a hook starts: it steps back behind the session's own work before it loads anything large."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

_NICE = 10


def main(words: Sequence[str]) -> int:
    """Take what is requested in a vault (the first word); 0, what went wrong is in the vault's log.

    The second word is the descriptor that holds the place of those who wait, where one was handed over.
    """
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(_NICE)
    from wrapgen.hooks.detach import requests_folder
    from wrapgen.vault.claim import take

    place = int(words[1]) if words[1:] else take(requests_folder(words[0]))
    if place is None:
        return 0
    from wrapgen.hooks.worker import run

    return run(words[0], place)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
