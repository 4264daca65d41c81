"""Measures whole processes, by turns: what they take of the processor and by the clock, and their memory."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[2]


class Taken(NamedTuple):
    """What a process took."""

    processor: float  # seconds, its children that it waited for included; a busy machine changes them little
    clock: float  # seconds
    memory: float  # MB, of the largest of them


def taken(*command, codes=(0,)):
    """Run a process; `codes` are those with which it may end."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(CHECKOUT)
    start = time.perf_counter()
    quiet = None if codes == (0,) else subprocess.DEVNULL
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=quiet)
    _, status, usage = os.wait4(child.pid, 0)
    clock = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        sys.exit(f"{command} ended with {child.returncode}")
    return Taken(usage.ru_utime + usage.ru_stime, clock, usage.ru_maxrss / 1024)


class Times:
    """What processes took, by name."""

    def __init__(self):
        self._taken = {}

    def take(self, name, *command, codes=(0,)):
        self._taken.setdefault(name, []).append(taken(*command, codes=codes))

    def medians(self):
        return {name: Taken(*map(statistics.median, zip(*runs, strict=True))) for name, runs in self._taken.items()}


def table(medians, units, number):
    """Lines that say what each kind of run took, also in multiples of others.

    Args:
        units: what others are multiples of, each with what they may be at most.
        number: of the notes, for what each of them costs.
    """
    yield f"{'':18s} {'processor':>10s} {'clock':>9s} {'each':>8s} {'memory':>7s}" + "".join(
        f"  {f'x {unit}':>9s} {'at most':>7s}" for unit in units
    )
    for name, one in medians.items():
        multiples = (
            f"  {one.processor / medians[unit].processor:9.1f} {limits.get(name, '')!s:>7s}"
            for unit, limits in units.items()
        )
        yield (
            f"{name:18s} {one.processor * 1000:7.0f} ms {one.clock * 1000:6.0f} ms "
            f"{one.processor / number * 1e6:5.0f} us {one.memory:4.0f} MB{''.join(multiples)}"
        )
