"""A command killed at its file-system calls: what stood after each kill. See `crash_driver.py`, which does it."""

import json
import tempfile
from pathlib import Path

from tests.support import THOROUGH, TODAY

ONE_IN = 1 if THOROUGH else 12
SEED = 1
MEMORY = Path("/dev/shm")  # a killed process loses nothing that it wrote, synced or not; to sync takes long on a disk
PATIENCE = 3_000 if THOROUGH else 600  # seconds
LONGEST = 90  # calls of an undo, about
NEEDED = ({"open"}, {"fsync"}, {"rename", "renameat2", "link"})


START = ("--vault", "{vault}", "--today", TODAY)


def crashes(vault, first, second=None, undo=None):
    """What stood after each kill, after a second command and after `undo`; the last one is a run that was left alone.

    Args:
        vault: the template.
        first: the command that is killed.
        second: the one that follows; the same by default.
    """
    found = _killed(vault, {"first": first, "second": second or first, "undo": undo}, ONE_IN)
    assert len(found) > 1
    assert found[-1]["event"] is None
    return found


def followed(vault, first, then, again, *, one_in):
    """What stood after each kill and whatever may follow it; the last one is a run that was left alone.

    Args:
        vault: the template.
        first: the command that is killed.
        then: commands that follow, by a name; those named in `again` are killed themselves at their first one.
        one_in: kill at one of so many calls, by chance; then one of `then` follows, not each.
    """
    then = {name: [[*START, *words] for words in lines] for name, lines in then.items()}
    case = {"then": then, "again": again, "turns": one_in > 1, "longest": LONGEST}
    return _killed(vault, {"first": first, "second": first, "undo": None, **case}, one_in)


def _killed(vault, case, one_in):
    from tests.followups import crash_driver  # both need POSIX
    from tests.forked import forked

    lines = {name: [*START, *case[name]] if case[name] else None for name in ("first", "second", "undo")}
    given = {**case, **lines, "vault": str(vault.root), "every": one_in, "seed": SEED}
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as work:
        done = forked(json.dumps({**given, "work": work}), patience=PATIENCE, run=crash_driver.main)
    assert done.code == 0, done.err
    calls, *found = [json.loads(line) for line in done.out.splitlines()]
    assert all(some & set(calls) for some in NEEDED), "the injector sees too little"
    return found


def about(one):
    return f"killed at call {one['n']} ({one['event']})"
