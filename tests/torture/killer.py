"""Kills one run in so many: one that holds the lock, one that is just replacing a file, or any, at any moment."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from tests.torture.plan import FILES
from wrapgen.vault.lock import LOCK_FILE

if TYPE_CHECKING:
    from tests.torture.crowd import Running
    from tests.torture.ground import Ground

SHARE = 0.2
LONGEST_PAUSE = 0.25  # seconds
PATIENCE = 2.0  # seconds to wait for somebody to aim at
LOOK = 0.0005


class Aim(StrEnum):
    """Which run is killed."""

    ANY = "at any moment"
    HOLDER = "while they held the lock"
    WRITER = "while they replaced a file"


class Killer(threading.Thread):
    """Works until it is told to stop.

    Attributes:
        kills: how many, by aim.
    """

    def __init__(self, ground: Ground, running: Running, seed: int) -> None:
        super().__init__(daemon=True)
        self._holder = ground.vault.path(f"{LOCK_FILE}.holder")
        own = (ground.vault.root, ground.vault.path(".wrapgen/state"), ground.vault.path(".wrapgen/cache"))
        self._folders = sorted({*own, *(ground.vault.path(file.path).parent for file in FILES)})
        self._running = running
        self._rng = random.Random(seed)
        self._stopped = threading.Event()
        self.kills: Counter[Aim] = Counter()

    def run(self) -> None:
        while not self._stopped.wait(self._rng.uniform(0, LONGEST_PAUSE)):
            if self.kills.total() < SHARE * self._running.started:
                aim = self._rng.choice(list(Aim))
                victim = self._running.any(self._rng) if aim is Aim.ANY else self._somebody(aim)
                if victim and self._running.kill(victim):
                    self.kills[aim] += 1

    def stop(self) -> None:
        """Kill nobody any more."""
        self._stopped.set()
        self.join()

    def _somebody(self, aim: Aim) -> int | None:
        """The process that holds the lock, as soon as it does what is aimed at."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not self._stopped.wait(LOOK):
            if aim is Aim.HOLDER or self._replacing():
                return self._pid_of_holder()
        return None

    def _replacing(self) -> bool:
        """Whether a temporary file stands somewhere: whoever made it is in the middle of a replacement."""
        return any(".wrapgen-" in path.name for folder in self._folders if folder.is_dir() for path in folder.iterdir())

    def _pid_of_holder(self) -> int | None:
        try:
            return int(json.loads(self._holder.read_bytes())["pid"])
        except (OSError, ValueError, KeyError):
            return None
