"""Kills a command at its n-th file-system call, for every n, and says what stands after that and after a second run.

The argument is a JSON object: `vault` (a template), `work` (an empty folder), `first` and `second` (command lines), and
optionally `undo`. Prints one JSON document a line: the call, the files after the crash, after the second run, and after
taking everything back. A kill is a kill: no handler, no `finally`, no buffer gets its turn.
"""

import io
import json
import os
import shutil
import signal
import sys
from pathlib import Path

from wrapgen.cli import run
from wrapgen.vault import swap

_WATCHED = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod",
            "os.truncate", "fcntl.flock", "fcntl.fcntl"}  # fmt: skip
_CALLS = ("write", "pwrite", "fsync", "fdatasync", "ftruncate", "close")


class Killer:
    """Counts calls below a folder, and dies at one of them."""

    def __init__(self, folder, at):
        self.folder, self.at, self.count = str(folder), at, 0
        self.torn = None

    def audit(self, event, arguments):
        if event in _WATCHED and any(self.inside(argument) for argument in arguments[:2]):
            self.step(event)

    def inside(self, argument):
        try:
            return os.fsdecode(argument).startswith(self.folder)
        except TypeError:
            return False

    def step(self, event):
        self.count += 1
        if self.count == self.at:
            os.write(3, event.encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def wrapped(self, name):
        real = getattr(os, name)

        def call(descriptor, *rest):
            if self.count + 1 == self.at and name == "write" and descriptor > 3 and len(rest[0]) > 1:
                real(descriptor, bytes(rest[0])[: len(rest[0]) // 2])  # half a line, as a full disk leaves it
            if descriptor != 3:
                self.step(f"os.{name}")
            return real(descriptor, *rest)

        return call


def watch_exchanges(killer):
    """Exchanging two files is a call of the C library, which no audit hook tells."""
    real = getattr(swap, "_renameat2", None)
    if real is not None:

        def call(*arguments):
            killer.step("before renameat2")
            done = real(*arguments)
            killer.step("after renameat2")
            return done

        swap._renameat2 = call


def child(work, folder, at, words):
    """Run the command in a forked process; the call it died at, or None with its exit code."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(write, 3)
        sys.stdout = sys.stderr = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        killer = Killer(folder, at)
        if at:
            for name in _CALLS:
                if hasattr(os, name):
                    setattr(os, name, killer.wrapped(name))
            watch_exchanges(killer)
            sys.addaudithook(killer.audit)
        code = 99
        try:
            code = run([word.replace("{vault}", str(folder)).replace("{work}", str(work)) for word in words])
        finally:
            os._exit(int(code))
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        event = pipe.read().decode()
    _, status = os.waitpid(pid, 0)
    return (event or "unknown", None) if os.WIFSIGNALED(status) else (None, os.waitstatus_to_exitcode(status))


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes().decode("latin-1")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not str(path.relative_to(folder)).startswith(".agents")
    }


def warm_up(template, work, case):
    """Import everything that the commands need once, before forking: else each child would."""
    folder = work / "warm"
    shutil.copytree(template, folder, symlinks=True)
    out, sys.stdout, sys.stderr = sys.stdout, io.StringIO(), io.StringIO()
    for words in (case["first"], case["second"], case.get("undo") or case["second"]):
        run([word.replace("{vault}", str(folder)).replace("{work}", str(work)) for word in words])
    sys.stdout = out


def main():
    case = json.loads(sys.argv[1])
    work, template = Path(case["work"]), Path(case["vault"])
    every = int(case.get("every", 1))
    warm_up(template, work, case)
    at = 1
    while True:
        folder = work / "vault"
        shutil.copytree(template, folder, symlinks=True)
        event, code = child(work, folder, at, case["first"])
        record = {"n": at, "event": event, "code": code, "crashed": files(folder)}
        _, record["second"] = child(work, folder, 0, case["second"])
        record["after"] = files(folder)
        undone = 0
        while undone == 0 and case.get("undo"):
            _, undone = child(work, folder, 0, case["undo"])
        record["undo"], record["undone"] = undone, files(folder)
        print(json.dumps(record), flush=True)
        shutil.rmtree(folder)
        if event is None:
            break
        at += every


if __name__ == "__main__":
    main()
