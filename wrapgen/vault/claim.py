"""Claims that one process has at a time, and nobody waits for. Loads nothing large, for hooks.

The kernel's lock belongs to the open file: a process that is given the descriptor has the claim from then on, and the
end of the last one that has it gives it up.
"""

import os
import sys

from wrapgen.regular_files import NO_LINKS, make


def take(name: str) -> int | None:
    """Take the claim of a path, without waiting, by a lock file beside it; raises OSError when that cannot be made.

    Returns the descriptor by which it is held, None when somebody else has it. Where there are no locks, everybody gets
    it.
    """
    descriptor = make(f"{name}.lock", os.O_RDWR | os.O_CREAT | NO_LINKS | getattr(os, "O_NONBLOCK", 0))
    if _locked_by_another(descriptor):
        os.close(descriptor)
        return None
    return descriptor


def _locked_by_another(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a network folder without locks; Windows says so that somebody has it
        return sys.platform == "win32"
    return False
