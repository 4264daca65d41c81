"""One writer of a task at a time; a dead one blocks nobody, one of another task neither."""

import os
import signal
import subprocess
import sys

import pytest

from tests.stage.kit import FILE, PLAN, TASK, body, front, write, written
from tests.support import child_environment, finish, spawn, wrap

HOLDER = """
import sys
from pathlib import Path
from wrapgen.config import Config, load
from wrapgen.stage.store import Snapshots
root = Path(sys.argv[1])
with Snapshots(root, load(root / "wrapgen.toml", Config)).locked(sys.argv[2]):
    print("held", flush=True)
    sys.stdin.readline()
"""
WRITERS = 16


@pytest.fixture
def hold():
    """Holds the lock of a task in another process until the test ends or says otherwise."""
    children = []

    def start(built, task=TASK):
        child = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(built.root), task],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=child_environment(),
        )  # fmt: skip
        children.append(child)
        assert child.stdout.readline() == "held\n"
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate()


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "DR_SNAPSHOT_LOCK_TIMEOUT"])
@pytest.mark.parametrize("sort", ["", 'lock = "shared"\n'])
def test_a_held_lock_is_exit_4_and_names_its_holder(vault, hold, monkeypatch, name, sort):
    built = vault(config=sort)
    old = written(built)
    monkeypatch.setenv(name, "0.1")
    holder = hold(built)
    for result in (write(built, "another"), wrap("stage", "archive", TASK, vault=built)):
        assert result.code == 4
        assert str(holder.pid) in result.err
        assert "0.1" in result.err
    assert built.path(FILE).read_bytes() == old


@pytest.mark.slow
def test_reading_needs_no_lock_and_other_tasks_are_free(vault, hold, monkeypatch):
    built = vault()
    written(built)
    monkeypatch.setenv("WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "0")
    hold(built)
    assert wrap("stage", "next", TASK, vault=built).code == 0
    assert write(built, task="WEB-0001").code == 0
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_holder_blocks_nobody(vault, hold, monkeypatch):
    built = vault()
    monkeypatch.setenv("WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "0")
    holder = hold(built)
    assert write(built).code == 4
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert write(built).code == 0


@pytest.mark.slow
def test_a_holder_that_lets_go_is_waited_for(vault, hold):
    built = vault()
    holder = hold(built)
    waiting = spawn("--vault", built.root, "stage", "write", *PLAN)
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(1)
    holder.stdin.write("\n")
    holder.stdin.flush()
    assert finish(waiting).code == 0
    assert built.path(FILE).exists()


def test_the_locks_of_the_former_system_do_not_matter(vault):
    """A folder of that name beside the snapshots, left by a killed run, held everybody up for ever."""
    built = vault()
    built.path(f"snapshots/.lock.{TASK}").mkdir(parents=True)
    assert written(built)


CROWD = """
import io, os, sys
from wrapgen.cli import run
import wrapgen.commands.stage_, wrapgen.stage.compose, wrapgen.stage.store
words, writers = sys.argv[2:], int(sys.argv[1])
begin, starter = os.pipe()
children = []
for number in range(writers):
    if (child := os.fork()) == 0:
        os.close(starter)
        sys.stdin = io.TextIOWrapper(io.BytesIO(b"writer %d\\n" % number * 400))
        os.read(begin, 1)
        os._exit(run([*words, "--captured-by", f"writer-{number}"]))
    children.append(child)
os.close(starter)
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_many_writers_of_one_task_leave_one_whole_result_and_no_lock(vault):
    """All begin at the same moment; what stands are whole results of four of them."""
    built = vault()
    words = ["--quiet", "--vault", str(built.root), "stage", "write", *PLAN, "--body-file", "-"]
    done = subprocess.run(
        [sys.executable, "-c", CROWD, str(WRITERS), *words], capture_output=True, env=child_environment(), timeout=240,
        check=True, text=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (f"{[0] * WRITERS}\n", "")
    stand = sorted(path.name for path in built.path("snapshots").iterdir() if path.name != ".gitignore")
    formers = [f"{TASK}.{number}.snapshot.md" for number in (1, 2, 3)]
    assert stand == sorted([f"{TASK}.snapshot.md", *formers])
    writers = []
    for name in stand:
        data = built.path(f"snapshots/{name}").read_bytes()
        writers.append(front(data)["captured_by"])
        assert body(data) == f"writer {writers[-1].split('-')[1]}\n".encode() * 400
    assert len(set(writers)) == 4
    assert list(built.path(".wrapgen/locks").glob(f"*{TASK}*")) == []
