"""One writer at a time, and a dead one blocks nobody."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from tests.support import child_environment, finish, journal, next_list, spawn, wrap

GOOD = journal("2026-04-23", next_list("Fix the login"))
IMPATIENT = "lock_timeout = 0.2\n"
LOCK = ".agents/locks/active-status.lock"

HOLDER = """
import sys
from pathlib import Path
from wrapgen.config import Config, load
from wrapgen.vault.lock import vault_lock
root = Path(sys.argv[1])
with vault_lock(root, load(root / "wrapgen.toml", Config)):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def hold():
    """Holds the lock of a vault in another process until the test ends or says otherwise."""
    children = []

    def start(built):
        child = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(built.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=child_environment(),
        )
        children.append(child)
        assert child.stdout.readline() == "held\n"
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate()


@pytest.mark.slow
def test_a_free_lock_holds_nobody_up(vault):
    built = vault(GOOD, config="lock_timeout = 0\n")
    assert wrap("regen", vault=built).code == 0
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("words", [("regen",), ()])
@pytest.mark.parametrize("sort", ["", 'lock = "shared"\n'])
def test_a_held_lock_is_exit_4_and_names_the_holder(vault, hold, words, sort):
    built = vault(GOOD, config=IMPATIENT + sort)
    holder = hold(built)
    result = wrap(*words, vault=built)
    assert result.code == 4
    assert str(holder.pid) in result.err
    assert socket.gethostname() in result.err
    assert "0.2" in result.err
    assert not built.dashboard.exists()


@pytest.mark.slow
def test_reading_needs_no_lock(vault, hold):
    built = vault(GOOD, config=IMPATIENT)
    hold(built)
    assert [wrap(*words, vault=built).code for words in (("audit",), ("list",), ("explain", "login"))] == [0, 0, 0]


@pytest.mark.slow
def test_a_holder_that_lets_go_is_waited_for(vault, hold):
    built = vault(GOOD, config="lock_timeout = 60\n")
    holder = hold(built)
    waiting = spawn("--vault", built.root, "--today", "2026-04-24", "regen")
    holder.stdin.write("\n")
    holder.stdin.flush()
    assert finish(waiting).code == 0
    assert built.dashboard.exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_holder_blocks_nobody(vault, hold):
    built = vault(GOOD, config=IMPATIENT)
    holder = hold(built)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert wrap("regen", vault=built).code == 0


def test_a_lock_file_that_was_left_behind_blocks_nobody(vault):
    built = vault({**GOOD, LOCK: "", f"{LOCK}.holder": '{"pid": 1, "host": "gone", "since": "x"}'}, config=IMPATIENT)
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("rubbish", ["", "{", "[]", '{"pid": "x"}', "\x00"])
def test_a_holder_whose_name_cannot_be_read(vault, hold, rubbish):
    built = vault(GOOD, config=IMPATIENT)
    hold(built)
    built.path(f"{LOCK}.holder").write_text(rubbish, encoding="utf-8")
    result = wrap("regen", vault=built)
    assert result.code == 4
    assert "unexpected" not in result.err


@pytest.mark.slow
def test_the_folder_of_another_tool_is_its_lock(vault):
    built = vault({**GOOD, f"{LOCK}/manifest.json": '{"owner": "other-tool", "pid": 77}'}, config=IMPATIENT)
    result = wrap("regen", vault=built)
    assert result.code == 4
    assert "manifest.json" in result.err
    assert "other-tool" in result.err
    assert built.path(f"{LOCK}/manifest.json").exists()
    assert not built.dashboard.exists()


@pytest.mark.slow
def test_the_empty_folder_of_another_tool_is_its_lock(vault):
    built = vault(GOOD, config=IMPATIENT)
    built.path(LOCK).mkdir(parents=True)
    assert wrap("regen", vault=built).code == 4
    built.path(LOCK).rmdir()
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
def test_the_error_is_one_paragraph_with_a_next_step(vault):
    built = vault(GOOD, config=IMPATIENT)
    built.path(LOCK).mkdir(parents=True)
    err = wrap("regen", vault=built).err
    assert err.startswith("wrap: ")
    assert err.count("\n") == 1


@pytest.mark.slow
def test_sources_are_read_inside_the_lock(vault, hold):
    """A run that waited must see what was written while it waited."""
    built = vault(GOOD, config="lock_timeout = 60\n")
    holder = hold(built)
    waiting = spawn("--vault", built.root, "--today", "2026-04-24", "regen")
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(1.5)
    built.write("journals/2026/04/2026-04-24.md", next_list("Written while it waited"))
    holder.stdin.write("\n")
    holder.stdin.flush()
    assert finish(waiting).code == 0
    assert "Written while it waited" in built.page


def test_two_runs_at_once_leave_one_whole_page(vault):
    built = vault(
        GOOD | journal("2026-04-22", next_list(*(f"Write chapter {n}" for n in range(200)))), config="cap = 300\n"
    )
    children = [spawn("--vault", built.root, "--today", "2026-04-24", "regen", "--json") for _ in range(2)]
    results = [finish(child) for child in children]
    assert [result.code for result in results] == [0, 0]
    assert sorted(json.loads(result.out)["changed"] for result in results) == [False, True]
    assert wrap("regen", "--check", vault=built).code == 0
    assert [path.name for path in built.root.iterdir() if "tmp" in path.name] == []


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["", ".wrapgen/state/", ".wrapgen/cache/"])
def test_what_a_killed_run_left_is_removed_by_the_next_one_that_holds_the_lock(vault, folder):
    """Also where nothing changed since, so that nothing is written; it may hold words of a conversation."""
    built = vault(GOOD)
    assert wrap("regen", vault=built).code == 0
    left = [
        built.write(f"{folder}{name}", "half") for name in (".pending.jsonl.7.ab.wrapgen-tmp", "clock.7.cd.wrapgen-tmp")
    ]
    theirs = built.write(f"{folder}.pending.jsonl.swp", "an editor's")
    assert wrap("regen", vault=built).out.startswith("ACTIVE-STATUS.md: unchanged")
    assert [file.exists() for file in left] == [False, False]
    assert theirs.exists()


@pytest.mark.slow
def test_what_stands_beside_a_dashboard_outside_of_the_vault_is_left_alone(vault, tmp_path):
    outside = tmp_path / "outside" / ".page.md.7.ab.wrapgen-tmp"
    outside.parent.mkdir()
    outside.write_text("half")
    built = vault(GOOD)
    built.dashboard.symlink_to(outside.with_name("page.md"))
    assert wrap("regen", vault=built).code == 1
    assert outside.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("folder", [".agents", ".agents/locks"])
def test_a_lock_folder_that_cannot_be_entered(vault, folder):
    built = vault(GOOD)
    assert wrap("regen", vault=built).code == 0
    built.path(folder).chmod(0)
    try:
        results = [wrap("regen", vault=built), wrap("doctor", vault=built)]
    finally:
        built.path(folder).chmod(0o700)
    assert [result.code for result in results] == [1, 3]
    assert folder in results[0].err
    assert "unexpected" not in results[0].err


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX kernels")
@pytest.mark.parametrize(
    ("number", "step"),
    [
        (errno.ENOSYS, 'write `lock = "shared"` into wrapgen.toml'),
        (errno.ENOLCK, 'write `lock = "shared"` into wrapgen.toml'),
        (errno.EIO, "Check the disk"),
    ],
)
def test_a_file_system_that_gives_no_lock_is_told_with_what_to_do(vault, monkeypatch, number, step):
    import fcntl

    def refuse(_, how):
        if how & fcntl.LOCK_EX:
            raise OSError(number, os.strerror(number))

    built = vault(GOOD, config=IMPATIENT)
    monkeypatch.setattr(fcntl, "flock", refuse)
    result = wrap("regen", vault=built)
    assert (result.code, built.dashboard.exists()) == (1, False)
    assert f"{LOCK}: the lock cannot be taken ({os.strerror(number)})" in result.err
    assert step in result.err
