"""No fault at any write leaves anything but the old or the new: see `python -m tests.faults` for every call of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.faults.matrix import COLUMNS
from tests.faults.points import POINTS
from tests.support import CHECKOUT, THOROUGH, child_environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs fork, and /proc to name descriptors"),
    pytest.mark.xdist_group("one matrix for all"),
]
ONE_IN = 1 if THOROUGH else 300
SEED = 1
# A page that is written as any beginner would, and what comes of kills until one has torn it; its write is a late one.
NAIVE = """
import json, sys
from pathlib import Path
from tests.faults.inject import KILL, Fault, met
from tests.faults.matrix import Stage
from tests.faults.matrix import COLUMNS
from tests.faults.points import POINTS
from tests.faults.verdict import troubles
from wrapgen.vault import disk
disk.publish = lambda file, data, **_: bool(file.write_bytes(data))
stage = Stage(next(point for point in POINTS if point.name == "regen: new page"), Path(sys.argv[1]))
for at in reversed(range(1, met(stage.calls(), KILL) + 1)):
    one = stage.outcome(Fault(at))
    found = troubles(stage.point, stage.clean, one) if one else []
    print(json.dumps(found))
    if any("torn" in trouble for trouble in found):
        break
"""


def python(*words):
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True, cwd=CHECKOUT, env=child_environment(), timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def matrix():
    """One in so many faults of every cell, and at least one, by chance; of the errors one a row, in turn."""
    return python("-m", "tests.faults", "--json", "--every", str(ONE_IN), "--seed", str(SEED))


@pytest.mark.parametrize("name", [point.name for point in POINTS])
def test_every_file_is_the_old_or_the_new_one_and_the_next_run_finishes(matrix, name):
    row = [cell for cell in matrix if cell["point"] == name]
    assert len(row) == (len(COLUMNS) if THOROUGH else 2)
    assert row[-1]["fault"] == "crash"
    assert all(cell["places"] for cell in row)
    assert [trouble for cell in row for trouble in cell["troubles"]] == []


def test_faults_are_met_before_and_after_the_change(matrix):
    seen = defaultdict(set)
    for cell in matrix:  # a sample has too few of each error
        seen[cell["fault"] if THOROUGH or cell["fault"] == "crash" else "an error"] |= set(cell["states"])
    assert seen == {fault: {"old", "new"} for fault in (COLUMNS if THOROUGH else ("crash", "an error"))}


def test_a_writer_that_tears_files_is_found_out(tmp_path):
    troubles = [trouble for found in python("-c", NAIVE, str(tmp_path)) for trouble in found]
    assert any("the dashboard is torn" in trouble for trouble in troubles)
