"""Times whole processes, by turns, and how much memory the largest takes."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def timed(*command, codes=(0,)):
    """Seconds that a process takes, and the memory of the largest one of it and its children, in MB.

    `codes`: those with which it may end.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(CHECKOUT)
    start = time.perf_counter()
    quiet = None if codes == (0,) else subprocess.DEVNULL
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=quiet)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        sys.exit(f"{command} ended with {child.returncode}")
    return seconds, usage.ru_maxrss / 1024


class Times:
    """How long processes took, by name, and the most memory that any took, in MB."""

    def __init__(self):
        self.taken = {}
        self.memory = 0.0

    def take(self, name, *command, codes=(0,)):
        seconds, memory = timed(*command, codes=codes)
        self.taken.setdefault(name, []).append(seconds)
        self.memory = max(self.memory, memory)

    def medians(self):
        return {name: statistics.median(seconds) for name, seconds in self.taken.items()}
