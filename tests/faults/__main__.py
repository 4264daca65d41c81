"""Prints the table of faults by write point: `python -m tests.faults`.

Rows are the writes of the program, columns what the system refuses there, or that the process is killed. A cell says
at how many calls that was tried (an error both once and from then on), and in which state the files were left.
"""

import argparse
import errno
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.inject import ERRORS
from tests.faults.matrix import cells
from tests.faults.points import POINTS

MEMORY = Path("/dev/shm")  # a fsync costs nothing there
_NAMES = [errno.errorcode[error] for error in ERRORS] + ["crash"]


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try one in N calls, chosen by chance")
    parser.add_argument("--seed", type=int, default=1, help="of that choice")
    parser.add_argument("--json", action="store_true", help="one JSON object a cell instead of the table")
    parser.add_argument("points", nargs="*", metavar="WORD", help="only the write points whose names hold a word")
    given = parser.parse_args()
    points = [one for one in POINTS if not given.points or any(word in one.name for word in given.points)]
    started = time.monotonic()
    places = bad = 0
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        row = []
        if not given.json:
            print(f"| write point | {' | '.join(_NAMES)} |\n| --- |{' --- |' * len(_NAMES)}")
        for name, _, cell in cells(folder, points, every=given.every, seed=given.seed):
            places, bad = places + cell.places, bad + len(cell.troubles)
            column = _NAMES[len(row)]
            row.append(str(cell))
            if given.json:
                found = {"point": name, "fault": column, "places": cell.places, "states": sorted(cell.states)}
                print(json.dumps(found | {"troubles": cell.troubles}), flush=True)
            for trouble in () if given.json else cell.troubles:
                print(trouble, file=sys.stderr)
            if len(row) == len(_NAMES):
                if not given.json:
                    print(f"| {name} | {' | '.join(row)} |", flush=True)
                row = []
    if not given.json:
        print(f"\n{places} faults at {len(points)} write points, {bad} violations, {time.monotonic() - started:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
