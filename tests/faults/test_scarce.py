"""A disk that is really full, files that may not grow, descriptors that run out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from tests.faults.points import POINTS
from tests.support import CHECKOUT, THOROUGH, child_environment

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and file systems of Linux")
MOUNT = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
SMALL = 'mount -t tmpfs -o size=3m,nr_inodes=2000 tmpfs "$1" && shift && exec "$@"'


def rows(folder, what, every, before=()):
    done = subprocess.run(
        [*before, sys.executable, "-m", "tests.faults.scarce", str(folder), what, str(every)],
        capture_output=True, cwd=CHECKOUT, env=child_environment(), timeout=1800, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(found, scarcities):
    assert {row["point"] for row in found} == {point.name for point in POINTS}
    for scarcity in scarcities:
        of_it = [row for row in found if row["fault"] == scarcity]
        assert sum(row["places"] for row in of_it) > 0, f"{scarcity} stood in nobody's way"
        assert {state for row in of_it for state in row["states"]} == {"old", "new"}
        assert [trouble for row in of_it for trouble in row["troubles"]] == []


def test_limits_of_the_process(tmp_path):
    judge(rows(tmp_path, "limits", 1 if THOROUGH else 12), ["SmallFiles", "FewDescriptors"])


def test_a_small_disk_that_is_full(tmp_path):
    if (
        not shutil.which("unshare")
        or subprocess.run([*MOUNT, SMALL, "-", str(tmp_path), "true"], check=False).returncode
    ):
        pytest.skip("no file system can be mounted here: neither root nor user namespaces")
    judge(rows(tmp_path, "disk", 1 if THOROUGH else 24, [*MOUNT, SMALL, "-", str(tmp_path)]), ["FullDisk", "NoFiles"])
