"""Runs a change of a file again and again, and ends it each time one system call later.

`killed.py FOLDER SCENARIO EDITS ENDS` prints one JSON list: for every call the number of calls that were made before
the end, and what then stood there. A scenario is an edit (`change`, `create`, `discard`), optionally `-plain` (without
exchange and leases), optionally with what an editor does (`+append`, `+rename`) just before one of the calls: then it
does so before one in EDITS of them, and for each of these the run ends before one in ENDS.
"""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wrapgen.errors import PublishError
from wrapgen.vault import writers
from wrapgen.vault.rewrite import discard, rewrite

OLD = b"# d\n\n## Next\n\n- a\n"
NEW = b"# d\n\n## Next\n\n- [ ] ours\n- a\n"
FIRST = b"# d\n\n- [ ] ours\n"
WORDS = b"- the editor's\n"
CALLS = (
    "access", "chmod", "close", "fstat", "fsync", "ftruncate", "link", "listdir", "lseek", "mkdir", "open", "read",
    "rename", "replace", "scandir", "stat", "truncate", "unlink", "utime", "write",
)  # fmt: skip
WROTE = "the-editor-wrote"
ALIVE_AFTER = 400


def add(data: bytes | None) -> bytes | None:
    if data is None:
        return FIRST
    return None if b"ours" in data else data.replace(b"- a\n", b"- [ ] ours\n- a\n")


def edit(scenario: str, file: Path, root: Path) -> None:
    """As often as it takes: an editor that lost the processor keeps the file open, which is refused."""
    while True:
        try:
            if scenario.startswith("discard"):
                discard(file, FIRST, root=root)
            else:
                rewrite(file, add, root=root)
        except PublishError as error:
            if "is open for writing" not in str(error):
                raise
        else:
            return


def editor(manner: str, file: Path, alive: int) -> None:
    """Write as another process; one that has to wait for this one to let it write is left behind."""
    child = os.fork()
    if child:
        patience = time.monotonic() + 0.02
        while time.monotonic() < patience and os.waitpid(child, os.WNOHANG) == (0, 0):
            time.sleep(0.001)
        return
    # Another process has no part in the files that are open here, nor in their leases.
    os.closerange(3, alive)
    os.closerange(alive + 1, 100)
    try:
        if manner == "append":
            descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
            os.write(descriptor, WORDS)
        else:
            copy = file.with_name("copy")
            copy.write_bytes(OLD + WORDS)
            copy.rename(file)
        (file.parent.parent / WROTE).touch()
    except FileNotFoundError:
        pass
    os._exit(0)


def instrument(before_call: Callable[[int], None]) -> None:
    """Count every call that can change or look at a file; `before_call` is told its number, from 0."""
    made = [0]
    busy = [False]

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **named: Any) -> Any:
            if not busy[0]:
                busy[0] = True
                before_call(made[0])
                busy[0] = False
                made[0] += 1
            return call(*args, **named)

        return wrapper

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    writers.exchange = counted(writers.exchange)


def run(scenario: str, root: Path, file: Path, end: int, meddle: int | None) -> int:
    """One run in a child that ends before call `end`, and in which an editor writes before call `meddle`."""
    alive, ended = os.pipe()
    child = os.fork()
    if child:
        os.close(ended)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.read(alive, 1)  # ends when child and editor have
        os.close(alive)
        return code
    os.close(alive)

    def before_call(number: int) -> None:
        if number == end:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == meddle:
            editor(scenario.partition("+")[2], file, ended)

    if "-plain" in scenario:
        writers.exchange = lambda *_: False
        writers._lease = lambda *_, **__: None
    instrument(before_call)
    edit(scenario, file, root)
    os._exit(0)


def main(folder: Path, scenario: str, edits: int, ends: int) -> None:
    found = []
    meddles: list[int | None] = list(range(0, 60, edits)) if "+" in scenario else [None]
    for meddle in meddles:
        for end in range(0, ALIVE_AFTER, 1 if meddle is None else ends):
            root = folder / "vault"
            file = root / "notes" / "d.md"
            file.parent.mkdir(parents=True)
            if not scenario.startswith("create"):
                file.write_bytes(FIRST if scenario.startswith("discard") else OLD)
            code = run(scenario, root, file, end, meddle)
            then = file.read_bytes().decode() if file.exists() else None
            edit(scenario, file, root)
            after = file.read_bytes().decode() if file.exists() else None
            left = sorted(path.name for path in file.parent.iterdir() if path != file)
            rescued = sorted((root / ".wrapgen").rglob("d.md.*"))
            words = [path.read_text() for path in rescued]
            found.append(
                {"end": end, "code": code, "wrote": (root / WROTE).exists(), "then": then, "after": after, "left": left}
                | {"rescued": words}
            )
            shutil.rmtree(root)
            if code == 0:
                break
            assert code == -signal.SIGKILL, code
        else:
            raise AssertionError("never came to its end")
    print(json.dumps(found))


main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
