"""Standard streams that are closed, full or left: a plain message and a code, and no file in their place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import THOROUGH, Vault, journal, next_list

pytestmark = pytest.mark.skipif(os.name != "posix", reason="closed streams of POSIX")
TODAY = "2026-04-24"
SHOWN = (("list",), ("audit", "--json"), ("explain", "x"))
DONE = (("--no-prompt",), ("regen",), ("orphans",), ("--version",), ("statusline",), ("hook", "SessionStart"))
CLOSED = (">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-")
# Each command with two or three of the ways, each way with three commands.
DONE_WITH = [
    (words, shell)
    for one, words in enumerate(DONE)
    for other, shell in enumerate(CLOSED)
    if THOROUGH or (one + other) % 2 == 0
]


@pytest.fixture
def full(tmp_path):
    vault = Vault(tmp_path / "vault")
    for name, text in journal(TODAY, next_list("(web) Fix the login")).items():
        vault.write(name, text)
    return vault


def run(vault, *words, shell):
    """Run it as a shell would, with streams as `shell` says; gives its code and what it said on those that are open."""
    options = () if words[0] in ("--version", "statusline", "hook") else ("--vault", str(vault.root), "--today", TODAY)
    command = f'"$0" -m wrapgen "$@" {shell}'
    return subprocess.run(
        ["bash", "-c", command, sys.executable, *options, *words],
        capture_output=True, text=True, cwd=vault.root, stdin=subprocess.DEVNULL, timeout=60, check=False,
    )  # fmt: skip


def plain(result):
    assert "bug" not in result.stderr
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", SHOWN, ids=" ".join)
def test_what_only_shows_says_that_it_cannot(full, words):
    result = run(full, *words, shell=">&-")
    plain(result)
    assert result.returncode == 1
    assert result.stderr.startswith("wrap: standard output is closed")
    assert run(full, *words, shell=">&- 2>&-").returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize(("words", "shell"), DONE_WITH, ids=" ".join)
def test_what_does_something_does_it(full, words, shell):
    result = run(full, *words, shell=shell)
    plain(result)
    assert result.returncode == 0, result.stderr


def test_a_rebuild_without_streams_writes_the_dashboard_and_nothing_else_into_it(full):
    assert run(full, "regen", shell="<&- >&- 2>&-").returncode == 0
    assert run(full, "regen", "--check", shell="").returncode == 0
    assert "Fix the login" in Path(full.root, "ACTIVE-STATUS.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("lst",), ("list", "--none")], ids=" ".join)
@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full", "2>&1 >/dev/null | true; exit ${PIPESTATUS[0]}"])
def test_the_code_of_an_error_stays_where_its_message_cannot_be_written(full, words, shell):
    if "/dev/full" in shell and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    assert run(full, *words, shell=shell).returncode == 2


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error(full):
    result = run(full, "audit", "--json", shell="| head -1; exit ${PIPESTATUS[0]}")
    plain(result)
    assert result.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("words", [("--version",), ("list",)], ids=" ".join)
def test_a_full_disk_behind_it_is_said(full, words):
    result = run(full, *words, shell=">/dev/full")
    plain(result)
    assert result.returncode == 1
    assert "No space left" in result.stderr
