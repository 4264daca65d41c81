"""Many who run the program at once: each takes the next errand and makes its runs until they are through."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from tests.torture.ground import Ground
    from tests.torture.plan import Errand, Session, Task, Verb

CHILD = Path(__file__).with_name("child.py")
HANG = 900  # seconds
TRIES = 40
DONE, COULD_NOT, USAGE, LOCKED = 0, 1, 2, 4
GONE = "no open item"
# What may be answered to somebody whose note is just being written; it stays pending, and he comes again.
REFUSALS = ("is open for writing in another program", "keeps changing while it is read")
DEFECTS = ("Traceback", "defect")


@dataclass(frozen=True, slots=True)
class Run:
    """A process that has ended; negative codes are signals."""

    verb: Verb
    code: int
    error: str
    seconds: float

    @property
    def through(self) -> bool:
        # The one before was killed when all was written: then the item is not called so, or not open, any more.
        return self.code == DONE or (self.verb.changes_an_item and self.code == USAGE and GONE in self.error)

    @property
    def refused(self) -> bool:
        """Whether it did all but add to a note that was just being written."""
        lines = self.error.splitlines()
        return self.code == COULD_NOT and bool(lines) and all(any(why in line for why in REFUSALS) for line in lines)

    @property
    def failed(self) -> bool:
        """Whether it ended as no run may."""
        known = self.through or self.refused or self.code == LOCKED or self.code < 0
        return not known or any(word in self.error for word in DEFECTS)


@dataclass(slots=True)
class Running:
    """The processes that are in flight, so that some of them can be killed."""

    processes: dict[int, subprocess.Popen[str]] = field(default_factory=dict)
    started: int = 0
    most: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)

    def add(self, process: subprocess.Popen[str]) -> None:
        with self.guard:
            self.processes[process.pid] = process
            self.started += 1
            self.most = max(self.most, len(self.processes))

    def remove(self, process: subprocess.Popen[str]) -> None:
        with self.guard:
            del self.processes[process.pid]

    def kill(self, pid: int) -> bool:
        """Kill a process if it is one of these, and has not ended."""
        with self.guard:
            process = self.processes.get(pid)
            if process is None or process.poll() is not None:
                return False
            process.kill()
            return True

    def any(self, rng: random.Random) -> int | None:
        with self.guard:
            return rng.choice(list(self.processes)) if self.processes else None


class Crowd:
    """Makes the runs.

    Args:
        ground: where.
        processes: how many are in flight at once.
        until: moment of the monotonic clock from which nothing new is begun.

    Attributes:
        runs: those that have ended.
        undone: runs that never got through, sessions among them left out of the check.
        begun: the sessions of errands that were begun, by name.
        changed: the items that were changed, with the verb.
    """

    def __init__(self, ground: Ground, processes: int, until: float) -> None:
        self._ground = ground
        self._processes = processes
        self._until = until
        self.running = Running()
        self.runs: list[Run] = []
        self.undone: list[str] = []
        self.begun: set[str] = set()
        self.changed: list[tuple[Verb, Task]] = []

    def work(self, errands: Iterable[Errand]) -> None:
        """Run all errands; returns when the last one is through."""
        with ThreadPoolExecutor(self._processes) as pool:
            try:
                for future in [pool.submit(self._errand, errand) for errand in errands]:
                    future.result()
            finally:
                self._until = 0.0  # interrupted, nothing new is begun

    def _errand(self, errand: Errand) -> None:
        if time.monotonic() >= self._until:
            return
        if errand.session is not None:
            self.begun.add(errand.session.name)
        for verb in errand.verbs:
            self._until_through(verb, errand.session, errand.item)
        if errand.item is not None:
            self.changed.append((errand.verbs[0], errand.item))

    def _until_through(self, verb: Verb, session: Session | None, item: Task | None) -> None:
        for _ in range(TRIES):
            run = self.run(verb, session, item)
            if run.through or run.failed:
                return
        self.undone.append(f"{verb} of {session.name if session else 'nothing'}: {run.error}")

    def run(self, verb: Verb, session: Session | None = None, item: Task | None = None) -> Run:
        """One run, from the start of the process to its end."""
        command = [sys.executable, str(CHILD), str(self._ground.waits), *self._ground.words(verb, session, item)]
        started = time.monotonic()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
            encoding="utf-8", env=self._ground.environment(), cwd=self._ground.home,
        )  # fmt: skip
        self.running.add(process)
        try:
            error = process.communicate(timeout=HANG)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            error = process.communicate()[1] + f"Hung for {HANG} seconds: a defect"
        finally:
            self.running.remove(process)
        run = Run(verb, process.returncode, error, time.monotonic() - started)
        self.runs.append(run)
        return run
