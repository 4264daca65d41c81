"""The text of a stage from any stream: only its ends are kept, and one that says nothing is given up."""

import io
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stage.kit import FILE, PLAN, body, front, written
from tests.support import child_environment, examples
from wrapgen.errors import SnapshotError
from wrapgen.stage import reading as module
from wrapgen.stage.reading import read_file, read_stream
from wrapgen.stage.record import CAP, Body

posix = pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")


def agree(read, data):
    """A body that was read is the one that the bytes are, as far as any snapshot can tell."""
    assert read.size == len(data)
    assert read.head[:CAP] == data[:CAP]
    assert read.tail[-CAP:] == data[-CAP:]
    assert max(len(read.head), len(read.tail)) <= CAP


@settings(max_examples=examples(60))
@given(st.lists(st.integers(0, 9000), max_size=8))
def test_in_whatever_pieces_it_comes(sizes):
    pieces = [bytes([65 + index]) * size for index, size in enumerate(sizes)]

    left = [piece for piece in pieces if piece]

    class Pieces(io.RawIOBase):
        def read(self, _size=-1):
            return left.pop(0) if left else b""

    agree(read_stream(Pieces()), b"".join(pieces))


@pytest.mark.parametrize("size", [0, 1, CAP - 1, CAP, CAP + 1, 2 * CAP, 3_000_000])
def test_a_file(tmp_path, size):
    data = bytes(range(256)) * (size // 256 + 1)
    file = tmp_path / "body"
    file.write_bytes(data[:size])
    agree(read_file(file), data[:size])
    with file.open("rb") as stream:
        agree(read_stream(stream), data[:size])


def test_whole_bodies_are_whole():
    assert read_stream(io.BytesIO(b"text")) == Body.of(b"text")


@posix
def test_a_huge_pipe_is_read_to_its_end_in_little_memory():
    import tracemalloc

    read, write = os.pipe()

    def feed():
        with os.fdopen(write, "wb") as out:
            out.write(b"the head\n")
            for _ in range(64):
                out.write(b"x" * (1 << 20))
            out.write(b"\nthe tail\n")

    feeder = threading.Thread(target=feed)
    feeder.start()
    tracemalloc.start()
    with os.fdopen(read, "rb") as stream:
        found = read_stream(stream)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    feeder.join()
    assert found.size == 64 * (1 << 20) + 19
    assert (found.head[:9], found.tail[-10:]) == (b"the head\n", b"\nthe tail\n")
    assert peak < 16 << 20


@posix
def test_a_stream_that_gives_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.05)
    read, write = os.pipe()
    with os.fdopen(read, "rb") as stream, os.fdopen(write, "wb") as out:
        with pytest.raises(SnapshotError, match="does not end"):
            read_stream(stream, 0.05)
        out.write(b"something, and then nothing")
        out.flush()
        with pytest.raises(SnapshotError, match="does not end"):
            read_stream(stream, 60)


IMPATIENT = """
import sys
from wrapgen.cli import run
from wrapgen.commands import stage_
stage_._UNNAMED_SECONDS = 0.3
sys.exit(run(sys.argv[1:]))
"""


def waiting(vault, *words, program=("-m", "wrapgen")):
    """The program, waiting for a pipe that nobody writes to."""
    command = [sys.executable, *program, "--vault", str(vault.root), "stage", "write", *PLAN, *words]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=child_environment(),
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - the tests start no threads
    )  # fmt: skip


def hear_interrupts():
    """A shell that starts the tests in the background lets its children ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.slow
@posix
def test_an_unnamed_stdin_that_gives_nothing_is_not_waited_for_long(vault):
    built = vault()
    old = written(built)
    child = waiting(built, program=("-c", IMPATIENT))
    try:
        code = child.wait(60)
        err = child.stderr.read().decode()
    finally:
        child.kill()
        child.communicate()
    assert code == 1
    assert "</dev/null" in err
    assert built.path(FILE).read_bytes() == old


def await_read(pipe):
    """Wait until a child has taken out of a pipe what was written into it: it is at work then."""
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    deadline = time.monotonic() + 60
    while int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
@posix
def test_interrupted_while_it_waits(vault):
    built = vault()
    child = waiting(built, "--body-file", "-")
    child.stdin.write(b"half of it")
    child.stdin.flush()
    await_read(child.stdin)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert b"interrupted" in err
    assert not built.path("snapshots").exists()


@pytest.mark.slow
@posix
def test_a_slow_program_is_waited_for(vault):
    built = vault()
    child = waiting(built, "--body-file", "-")
    for piece in (b"one ", b"two ", b"three"):
        child.stdin.write(piece)
        child.stdin.flush()
        time.sleep(0.2)
    child.communicate(timeout=60)
    assert child.returncode == 0
    data = built.path(FILE).read_bytes()
    assert body(data) == b"one two three"
    front(data)
