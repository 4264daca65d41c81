"""Holders that are killed, and doctors that clear up behind them, all at once: `shared_torture.py ROOT SECONDS`.

Goes on for so long, and until each of these things came about a few times (a busy machine needs longer for that).
Prints one JSON object: how often the lock was held, how many were killed, how many locks were cleared, and how often
two held it at a time.
"""

import fcntl
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from wrapgen.config import Config
from wrapgen.vault.lock import LOCK_FILE, vault_lock
from wrapgen.vault.shared_lock import Life, clear, owners

root, seconds = Path(sys.argv[1]), float(sys.argv[2])
config = Config(lock="shared", lock_timeout=60)


LEAST = 3
PATIENCE = 200


def told() -> list[str]:
    return (root / "told").read_text().splitlines() if (root / "told").exists() else []


def tell(word: str) -> None:
    descriptor = os.open(root / "told", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(descriptor, f"{word}\n".encode())
    os.close(descriptor)


def worker() -> None:
    while True:
        with vault_lock(root, config):
            witness = os.open(root / "witness", os.O_RDWR | os.O_CREAT)  # a kernel lock ends with its holder
            try:
                fcntl.flock(witness, fcntl.LOCK_EX | fcntl.LOCK_NB)
                tell("held")
            except OSError:
                tell("overlap")
            time.sleep(random.random() * 0.01)
            os.close(witness)


def doctor() -> None:
    while True:
        for owner in owners(root / LOCK_FILE):
            if owner.life is Life.GONE and clear(root / LOCK_FILE, owner):
                tell("cleared")


def born(what: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    random.seed(os.getpid())
    try:
        what()
    except BaseException as error:
        tell(f"error {error!r}")
    os._exit(1)


def end(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


workers = [born(worker) for _ in range(3)]
doctors = [born(doctor) for _ in range(2)]
began = time.monotonic()
kills = 0
while (age := time.monotonic() - began) < seconds or (
    age < PATIENCE and min(kills, told().count("held"), told().count("cleared")) < LEAST
):
    time.sleep(random.random() * 0.06)
    at = random.randrange(len(workers))
    end(workers[at])
    kills += 1
    workers[at] = born(worker)
for child in workers + doctors:
    end(child)
for owner in owners(root / LOCK_FILE):
    clear(root / LOCK_FILE, owner)
words = told()
counts = {word: words.count(word) for word in ("held", "overlap", "cleared")}
print(json.dumps({**counts, "kills": kills, "errors": sorted({one for one in words if one.startswith("error")})}))
