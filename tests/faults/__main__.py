"""Prints the table of faults by write point: `python -m tests.faults`.

Rows are the writes of the program, columns what the system refuses there, or that the process is killed. A cell says
at how many calls that was tried (an error both once and from then on), and in which state the files were left.
"""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from tests.faults.matrix import COLUMNS, cells
from tests.faults.points import POINTS
from tests.support import MEMORY

_MEMORY = Path(MEMORY)  # a fsync costs nothing there


def main():
    given = _arguments()
    points = [one for one in POINTS if not given.points or any(word in one.name for word in given.points)]
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        found = cells(folder, points, columns=given.only or tuple(COLUMNS), every=given.every, seed=given.seed)
        bad = _print_json(found) if given.json else _print_table(found, given.only or COLUMNS)
    return 1 if bad else 0


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try one in N faults of a cell, by chance")
    parser.add_argument("--seed", type=int, default=1, help="of that choice")
    parser.add_argument("--only", action="append", choices=COLUMNS, help="only this column (may be repeated)")
    parser.add_argument("--json", action="store_true", help="one JSON object a cell instead of the table")
    parser.add_argument("points", nargs="*", metavar="WORD", help="only the write points whose names hold a word")
    return parser.parse_args()


def _print_json(found):
    bad = 0
    for cell in found:
        bad += len(cell.troubles)
        print(json.dumps(asdict(cell), default=sorted), flush=True)
    return bad


def _print_table(found, columns):
    started = time.monotonic()
    print(f"| write point | {' | '.join(columns)} |\n| --- |{' --- |' * len(columns)}")
    places = bad = 0
    for point, group in groupby(found, lambda cell: cell.point):
        row = []
        for cell in group:
            row.append(str(cell))
            places, bad = places + cell.places, bad + len(cell.troubles)
            for trouble in cell.troubles:
                print(trouble, file=sys.stderr)
        print(f"| {point} | {' | '.join(row)} |", flush=True)
    print(f"\n{places} faults, {bad} violations, {time.monotonic() - started:.0f} s")
    return bad


if __name__ == "__main__":
    sys.exit(main())
