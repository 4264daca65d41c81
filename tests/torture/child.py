"""The program with a stop-watch at the vault's lock: `child.py LOG WORDS...`.

Notes for each time that the lock was taken how long it was waited for, and how long it was held, in seconds.
"""

import os
import sys
import time
from contextlib import contextmanager

from wrapgen.__main__ import main
from wrapgen.vault import lock

_taken = lock.vault_lock
_log = sys.argv[1]


@contextmanager
def _timed(root, config):
    asked = time.monotonic()
    with _taken(root, config):
        taken = time.monotonic()
        try:
            yield
        finally:
            descriptor = os.open(_log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.write(descriptor, f"{taken - asked:.3f} {time.monotonic() - taken:.3f}\n".encode())
            os.close(descriptor)


lock.vault_lock = _timed
sys.argv[:2] = ["wrap"]
main()
