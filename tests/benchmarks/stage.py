"""How long a stage snapshot takes to write, and how long the last of many writers of one task waits for its turn.

python tests/benchmarks/stage.py [--writers N] [--rounds N]

Prints the cost of one write in this process as a multiple of writing and syncing as many bytes bare, then starts all
writers at once: each signs in, all begin together, and each says how long it took to get its snapshot written.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from wrapgen.config import Config
from wrapgen.stage.compose import compose
from wrapgen.stage.context import here
from wrapgen.stage.record import Body, FrontMatter
from wrapgen.stage.store import Snapshots

TASK = "TUNE-0254"
HEADER = FrontMatter(TASK, "plan", "/dr-plan", "2026-04-24T09:00:00Z", "agent", "/dr-do", ("/dr-do TUNE-0254 | go",))
WRITER = """
import sys, time
from tests.benchmarks.stage import snapshot, store
import wrapgen.vault.lock  # what a first write imports is no wait
from wrapgen.stage.context import CommandContext
number, root = int(sys.argv[1]), sys.argv[2]
made, snapshots = snapshot(number), store(root)
print("ready", flush=True)
sys.stdin.readline()
began = time.perf_counter()
snapshots.write("TUNE-0254", made, CommandContext())
print(time.perf_counter() - began, flush=True)
"""


def store(root):
    return Snapshots(Path(root), Config())


def snapshot(number):
    return compose(HEADER, Body.of(b"writer %d\n" % number * 600), Config().stage.marker).data


def milliseconds(function, rounds):
    times = []
    for number in range(rounds):
        began = time.perf_counter()
        function(number)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def bare(folder):
    """What the disk alone asks for: a file of the same size, synced, renamed, its folder synced."""

    def write(number):
        temporary = folder / "temporary"
        with temporary.open("wb") as out:
            out.write(snapshot(number))
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(folder / "bare")
        descriptor = os.open(folder, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)

    return write


def crowd(root, writers):
    """Seconds that each of many writers needs when all begin at once."""
    command = [sys.executable, "-c", WRITER]
    children = [
        subprocess.Popen([*command, str(number), str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(writers)
    ]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    return sorted(float(child.communicate()[0]) for child in children)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--writers", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        snapshots = store(root)
        disk = milliseconds(bare(root), options.rounds)
        one = milliseconds(lambda number: snapshots.write(TASK, snapshot(number), here()), options.rounds)
        composing = milliseconds(snapshot, options.rounds)
        print(f"one write {one:.1f} ms = {one / disk:.1f} x bare write ({disk:.1f} ms); composing {composing:.2f} ms")
        waits = crowd(root, options.writers)
        alone = waits[0] * 1000
        print(
            f"{options.writers} writers of one task: first done after {alone:.0f} ms, half after "
            f"{statistics.median(waits) * 1000:.0f} ms, last after {waits[-1] * 1000:.0f} ms"
        )
        lines = list((root / "snapshots").glob(f"{TASK}*.snapshot.md"))
        print(f"left: {len(lines)} snapshots, {len(list((root / '.wrapgen/locks').glob(f'*{TASK}*')))} locks")


if __name__ == "__main__":
    main()
