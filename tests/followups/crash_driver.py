"""Kills a command at its n-th file-system call, for every n, and says what stands after that and after a second run.

The argument is a JSON object: `vault` (a template), `work` (an empty folder), `first` and `second` (command lines), and
optionally `undo`. Prints one JSON document a line: the call, the files after the crash, after the second run, and after
taking everything back. A kill is a kill: no handler, no `finally`, no buffer gets its turn.
"""

import io
import json
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.faults.inject import Fault, child
from wrapgen.cli import run


def killed(work, folder, at, words):
    """Run the command in a forked process; the call it died at, or None with its exit code."""
    words = [word.replace("{vault}", str(folder)).replace("{work}", str(work)) for word in words]

    def quietly():
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            return str(int(run(words))).encode()

    told, code = child(folder, Fault(at) if at else None, quietly)
    return (told[0], None) if told else (None, int(code))


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
        event, code = killed(work, folder, at, case["first"])
        record = {"n": at, "event": event, "code": code, "crashed": files(folder)}
        _, record["second"] = killed(work, folder, 0, case["second"])
        record["after"] = files(folder)
        undone = 0
        while undone == 0 and case.get("undo"):
            _, undone = killed(work, folder, 0, case["undo"])
        record["undo"], record["undone"] = undone, files(folder)
        print(json.dumps(record), flush=True)
        shutil.rmtree(folder)
        if event is None:
            break
        at += every


if __name__ == "__main__":
    main()
