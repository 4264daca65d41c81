"""A command killed at its file-system calls: what stood after each kill. See `crash_driver.py`, which does it."""

import json
import tempfile
from pathlib import Path

from tests.support import THOROUGH, TODAY

ONE_IN = 1 if THOROUGH else 12
SEED = 1
MEMORY = Path("/dev/shm")  # a killed process loses nothing that it wrote, synced or not; to sync takes long on a disk
NEEDED = ({"open"}, {"fsync"}, {"rename", "renameat2", "link"})


def crashes(vault, first, second=None, undo=None):
    """What stood after each kill, after a second command and after `undo`; the last one is a run that was left alone.

    Args:
        vault: the template.
        first: the command that is killed.
        second: the one that follows; the same by default.
    """
    from tests.followups import crash_driver  # both need POSIX
    from tests.forked import forked

    start = ["--vault", "{vault}", "--today", TODAY]
    case = {
        "vault": str(vault.root), "every": ONE_IN, "seed": SEED,
        "first": [*start, *first], "second": [*start, *(second or first)], "undo": [*start, *undo] if undo else None,
    }  # fmt: skip
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as work:
        done = forked(json.dumps({**case, "work": work}), patience=600, run=crash_driver.main)
    assert done.code == 0, done.err
    calls, *found = [json.loads(line) for line in done.out.splitlines()]
    assert all(some & set(calls) for some in NEEDED), "the injector sees too little"
    assert len(found) > 1
    assert found[-1]["event"] is None
    return found


def about(one):
    return f"killed at call {one['n']} ({one['event']})"
