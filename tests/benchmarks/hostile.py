"""How time grows with the size of hostile notes and conversations, family by family; about linear is the aim.

python tests/benchmarks/hostile.py [--size CHARACTERS] [--only WORDS]

Runs `wrap regen` (notes) or `wrap orphans` (conversations) as whole processes on texts of the size, twice and four
times as long, and prints the seconds of the processor beyond those for an empty vault and the factors from one size to
the next: 2.0 is linear, 4.0 is the square. A factor above 2.6 that costs more than a second is marked.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
from itertools import pairwise
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT))

from tests.security import families  # noqa: E402

LONGEST = 120.0  # seconds


def seconds(name, text, *, said):
    """How long the processor is busy with a run, None when it takes too long."""
    with tempfile.TemporaryDirectory(prefix="wrapgen-hostile-") as folder:
        root = Path(folder)
        (root / "wrapgen.toml").touch()
        words = ("regen",)
        if said:
            (root / "talk.json").write_text(text, encoding="utf-8")
            words = ("orphans", "--transcript", str(root / "talk.json"))
        else:
            (root / "journals").mkdir()
            (root / "journals/2026-04-24.md").write_text(text, encoding="utf-8", newline="")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "wrapgen", "--vault", folder, "--today", "2026-04-24", *words]
        child = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        watch = threading.Timer(LONGEST, child.kill)
        watch.start()
        _, error = child.communicate()
        watch.cancel()
        if child.returncode < 0:
            return None
        if child.returncode:
            print(f"{name}: exit {child.returncode}: {error.decode()[-300:]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=250_000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    for title, names, make, said in (
        ("notes", [*families.NOTES, *families.WHOLE], families.note, False),
        ("conversations", [*families.TALKS], families.talk, True),
    ):
        bare = min(seconds("empty", families.NEXT if not said else '{"turns": []}', said=said) or 0 for _ in range(3))
        print(f"\n{title:32s} {'n':>7s} {'2n':>7s} {'4n':>7s}  factors   (n = {options.size}, empty {bare:.2f} s)")
        for name in names:
            if options.only not in name:
                continue
            row = []
            for size in (options.size, 2 * options.size, 4 * options.size):
                row.append(seconds(name, make(name, size), said=said))
                if row[-1] is None:
                    break
            taken = [max(one - bare, 0.01) for one in row if one is not None]
            factors = [after / before for before, after in pairwise(taken)]
            steep = len(taken) < 3 or (taken[-1] > 1 and factors[-1] > 2.6)
            shown = " ".join(f"{one:7.2f}" for one in taken)
            print(
                f"{name:32s} {shown}  {' '.join(f'{one:.1f}' for one in factors)}{'   STEEP' if steep else ''}",
                flush=True,
            )


if __name__ == "__main__":
    main()
