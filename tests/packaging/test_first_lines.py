"""The first line of the README does everything on a fresh machine, from a checkout, as it is typed."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.installed import run
from tests.support import CHECKOUT

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(shutil.which("git") is None or not (CHECKOUT / ".git").exists(), reason="not a checkout"),
]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The checkout as it is, without what git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT, check=True, capture_output=True,
    ).stdout.decode()  # fmt: skip
    folder = tmp_path / "wrapgen"
    for name in filter(None, listed.split("\0")):
        if (CHECKOUT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, folder / name)
    return folder


def test_it_sets_up_and_runs_the_main_job(clone: Path, tmp_path: Path) -> None:
    block = re.search(r"^```sh\n(.*?)^```", (clone / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert block is not None
    line = block[1].splitlines()[0].partition("#")[0].strip()
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PIP_COMPILE": "0"}  # much of it is never run
    out = run("sh", "-ec", line, cwd=clone, env=environment)
    assert "collected" in out
    assert (tmp_path / "wrapgen-demo" / "ACTIVE-STATUS.md").is_file()
