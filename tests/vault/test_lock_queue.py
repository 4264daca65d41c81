"""Who waits for a lock gets it in the order of coming; the queue never keeps anybody from a lock that is free."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import child_environment, journal, next_list, wrap
from wrapgen.vault.lock import LOCK_FILE
from wrapgen.vault.lock_queue import in_turn

fcntl = pytest.importorskip("fcntl", reason="the queue is the kernel's")

LONG = 60
LOCKS = Path("/proc/locks")
GOOD = journal("2026-04-23", next_list("Fix the login"))
QUEUE = f"{LOCK_FILE}.queue"

WAITER = """
import sys, time
from pathlib import Path
from wrapgen.vault.lock_queue import in_turn
queue, told, name = map(Path, sys.argv[1:])
print("ready", flush=True)
sys.stdin.readline()
with in_turn(queue, time.monotonic() + 60), told.open("a") as file:
    file.write(f"{name}\\n")
"""


@contextmanager
def first_in(queue):
    """Somebody stands first in the queue, and does not move."""
    descriptor = os.open(queue, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


def queued(queue):
    """How many wait in the queue."""
    inode = f":{queue.stat().st_ino} "
    return sum(" -> " in line and inode in line for line in LOCKS.read_text(encoding="ascii").splitlines())


@pytest.mark.slow
@pytest.mark.skipif(not LOCKS.exists(), reason="only Linux says who waits")
def test_those_who_wait_are_let_in_by_the_order_of_coming(tmp_path):
    queue, told = tmp_path / "queue", tmp_path / "told"
    names = [f"{number}" for number in range(8)]
    children = []
    with first_in(queue):
        for number, name in enumerate(names):
            command = [sys.executable, "-c", WAITER, str(queue), str(told), name]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            child = subprocess.Popen(command, env=child_environment(), text=True, **pipes)
            children.append(child)
            assert child.stdout.readline() == "ready\n"
            child.stdin.write("\n")
            child.stdin.flush()
            deadline = time.monotonic() + LONG
            while queued(queue) == number:
                assert time.monotonic() < deadline
                time.sleep(0.005)
        assert not told.exists()
    assert [child.wait(LONG) for child in children] == [0] * len(names)
    for child in children:
        child.communicate()
    assert told.read_text().split() == names


@pytest.mark.slow
def test_one_who_does_not_move_is_waited_for_no_longer_than_to_the_deadline(tmp_path):
    with first_in(tmp_path / "queue"):
        began = time.monotonic()
        with in_turn(tmp_path / "queue", began + 0.2):
            assert time.monotonic() >= began + 0.2


@pytest.mark.slow
def test_a_free_lock_is_had_even_so(vault):
    built = vault(GOOD, config="lock_timeout = 0.2\n")
    assert wrap("regen", vault=built).code == 0
    built.dashboard.unlink()
    with first_in(built.path(QUEUE)):
        assert wrap("regen", vault=built).code == 0
    assert built.dashboard.exists()


def test_a_place_that_was_given_up_keeps_nobody_waiting(tmp_path):
    queue = tmp_path / "queue"
    with first_in(queue), in_turn(queue, time.monotonic()):
        pass
    with in_turn(queue, time.monotonic() + LONG):
        pass  # would come after a minute


def test_no_queue_no_waiting(tmp_path):
    (tmp_path / "queue").mkdir()
    began = time.monotonic()
    with in_turn(tmp_path / "queue", began + LONG):
        assert time.monotonic() < began + LONG


@pytest.mark.slow
def test_it_is_for_the_owner_alone(vault):
    built = vault(GOOD)
    assert wrap("regen", vault=built).code == 0
    assert built.path(QUEUE).stat().st_mode & 0o777 == 0o600
