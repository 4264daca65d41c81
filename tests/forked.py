"""The program as a process of its own, forked from one that has imported it: most of a start is imports."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from pathlib import Path

from tests.support import Result
from wrapgen.__main__ import main

_FORKS = multiprocessing.get_context("forkserver")  # by a process without threads, unlike this one
_FORKS.set_forkserver_preload(["tests.loaded", "wrapgen.__main__"])
_OUTPUTS = {1: "out", 2: "err"}


def forked(*words: str | Path, patience: float, memory: int | None = None) -> Result:
    """Run the program in this folder and environment; a hang is a failure.

    Args:
        words: its arguments.
        patience: seconds.
        memory: bytes of address space that it may have.
    """
    with tempfile.TemporaryDirectory() as folder:
        given = ([str(word) for word in words], dict(os.environ), _umask(), Path(folder), memory)
        child = _FORKS.Process(target=_run, args=given)
        child.start()
        child.join(patience)
        hangs = child.exitcode is None
        if hangs:
            child.kill()
            child.join()
        code = child.exitcode
        child.close()
        assert not hangs, f"still there after {patience} seconds: {words}"
        return Result(code, *((Path(folder) / name).read_bytes().decode("utf-8") for name in _OUTPUTS.values()))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _run(words: list[str], environment: dict[str, str], mask: int, folder: Path, memory: int | None) -> None:
    """What the child does; it has this folder already."""
    import resource

    for descriptor, name in _OUTPUTS.items():
        file = os.open(folder / name, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, descriptor)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.umask(mask)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.argv = ["wrap", *words]
    main()
