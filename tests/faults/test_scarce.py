"""A disk that is really full, files that may not grow, descriptors that run out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from tests.faults.points import POINTS
from tests.faults.scarce import SCARCE
from tests.support import CHECKOUT, THOROUGH, child_environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and file systems of Linux"),
    pytest.mark.xdist_group("one disk for both"),
]
MOUNT = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
SMALL = 'mount -t tmpfs -o size=3m,nr_inodes=2000 tmpfs "$1" && shift && exec "$@"'


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """What came of it, on a small disk where one can be mounted."""
    folder = str(tmp_path_factory.mktemp("scarce"))
    every = {"limits": 1 if THOROUGH else 17}
    mount = [*MOUNT, SMALL, "-", folder]
    if shutil.which("unshare") and subprocess.run([*mount, "true"], check=False).returncode == 0:
        every["disk"] = 1 if THOROUGH else 32
    done = subprocess.run(
        [*(mount if "disk" in every else ()), sys.executable, "-m", "tests.faults.scarce", folder,
         *(f"{name}={number}" for name, number in every.items())],
        capture_output=True, cwd=CHECKOUT, env=child_environment(), timeout=1800, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(rows, what):
    scarcities = {type(one).__name__ for one in SCARCE[what]}
    assert {row["point"] for row in rows if row["fault"] in scarcities} == {point.name for point in POINTS}
    for scarcity in scarcities:
        of_it = [row for row in rows if row["fault"] == scarcity]
        assert sum(row["places"] for row in of_it) > 0, f"{scarcity} stood in nobody's way"
        assert {state for row in of_it for state in row["states"]} == {"old", "new"}
        assert [trouble for row in of_it for trouble in row["troubles"]] == []


def test_limits_of_the_process(rows):
    judge(rows, "limits")


def test_a_small_disk_that_is_full(rows):
    if not any(row["fault"] == "FullDisk" for row in rows):
        pytest.skip("no file system can be mounted here: neither root nor user namespaces")
    judge(rows, "disk")
