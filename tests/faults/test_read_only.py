"""A vault that nobody may write: what only looks works and writes nothing, the rest says so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.followups.conftest import PROJECTS
from tests.support import TODAY, Result, child_environment, wrap

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mounts and capabilities of Linux")
BIND = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'
# Root may write everywhere, unless it gives that up.
MERE = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
LOOKS = (
    ("audit",),
    ("audit", "--json"),
    ("list",),
    ("explain", "plants"),
    ("regen", "--check"),
    ("orphans", "--dry-run"),
)
WRITES = (
    ("regen",),
    ("add", "Rotate the keys"),
    ("done", "projects/web/todos.md:5"),
    ("snooze", "1", "3"),
    ("orphans",),
    ("page",),
)
# One process, as a start of each would take longer than all that they do.
ALL = """
import json, sys
from dataclasses import astuple
from tests.support import wrap
print(json.dumps([astuple(wrap(*words, today=None)) for words in json.loads(sys.argv[1])]))
"""


@pytest.fixture
def page(vault):
    """A vault in use, its dashboard up to date."""
    built = vault(PROJECTS)
    assert wrap("add", "Sweep the yard", vault=built).code == 0
    return built


@pytest.fixture(params=["a file system that is read-only", "permissions"])
def barred(request, page):
    """Runs the program on the vault, which cannot be written; and what it must say."""
    if request.param == "permissions":
        before, says = MERE, ("Permission denied", "Change the permissions")
        for path in (*page.root.rglob("*"), page.root):
            path.chmod(0o500 if path.is_dir() else 0o400)
    else:
        before, says = [*BIND, READ_ONLY, "-", str(page.root)], ("Read-only file system", "writable")
    if before and (not shutil.which(before[0]) or subprocess.run([*before, "true"], check=False).returncode):
        pytest.skip(f"{before[0]} is not allowed here")

    def run(*commands):
        before_each = ["--vault", str(page.root), "--today", TODAY]
        command = [*before, sys.executable, "-c", ALL, json.dumps([[*before_each, *words] for words in commands])]
        done = subprocess.run(command, capture_output=True, env=child_environment(), timeout=60, check=True)
        return [Result(*one) for one in json.loads(done.stdout)]

    yield run, says
    for folder in (page.root, *(Path(above) / name for above, names, _ in os.walk(page.root) for name in names)):
        folder.chmod(0o700)


@pytest.mark.slow
def test_what_only_looks_works(barred, page):
    run, _ = barred
    before = page.snapshot()
    for words, result in zip(LOOKS, run(*LOOKS), strict=True):
        assert (result.code, result.err) == (0, ""), words
    assert page.snapshot() == before


@pytest.mark.slow
def test_what_writes_says_why_it_cannot(barred, page):
    run, (what, step) = barred
    before = page.snapshot()
    for words, result in zip(WRITES, run(*WRITES), strict=True):
        assert (result.code, result.out) == (1, ""), words
        assert str(page.root) in result.err
        assert what in result.err
        assert step in result.err
        assert "defect" not in result.err
    assert page.snapshot() == before
