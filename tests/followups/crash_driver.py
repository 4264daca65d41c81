"""Kills a command at its n-th file-system call, and says what stands after that and after a second run.

Its argument is a JSON object: `vault` (a template), `work` (an empty folder), `first` and `second` (command lines),
optionally `undo`, and of how many calls one is chosen (`every`), by which chance (`seed`). Prints first the calls that
were counted, then one JSON document a line: the call, the files after the crash, after the second run, and after taking
everything back; last those of a run that was left alone. A kill is a kill: no handler, no `finally`, no buffer gets its
turn.

With `then`, names of what may follow with its command lines, each of these starts from what the kill has left; its
first command is killed itself where the name is one of `again`. `turns` has one of them follow each kill, in turn.
"""

import gc
import io
import json
import random
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.compiled import compiled_once
from tests.faults.inject import KILL, Fault, calls, child, met
from wrapgen.cli import run
from wrapgen.vault import cache


def quietly(work, folder, words):
    """Run the command; its exit code."""
    words = [word.replace("{vault}", str(folder)).replace("{work}", str(work)) for word in words]
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return int(run(words))


def killed(work, folder, at, words):
    """Run the command in a forked process; the call it died at, or None with its exit code."""
    fault = Fault(at) if at else None
    told, code = child(folder, fault, lambda: str(quietly(work, folder, words)).encode())
    return (told[0], None) if told else (None, int(code))


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes().decode("latin-1")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not str(path.relative_to(folder)).startswith(".agents")
    }


def warm_up(template, work, case):
    """Import everything that the commands need once, before forking: else each child would, and clear it up again."""
    folder = work / "warm"
    shutil.copytree(template, folder, symlinks=True)
    follow = [words for lines in case.get("then", {}).values() for words in lines]
    for words in (case["first"], case["second"], case.get("undo") or case["second"], *follow):
        quietly(work, folder, words)
    gc.freeze()


def main(given):
    case = json.loads(given)
    work, template = Path(case["work"]), Path(case["vault"])
    # A fresh copy of a vault is too young to be remembered, unless the machine is slow: either way the calls are these.
    cache._TICK_NS = 0
    with compiled_once():
        kill_everywhere(work, template, case)


def kill_everywhere(work, template, case):
    warm_up(template, work, case)
    folder = work / "vault"
    shutil.copytree(template, folder, symlinks=True)
    told = calls(folder, lambda: quietly(work, folder, case["first"]))
    shutil.rmtree(folder)
    print(json.dumps(sorted({call for call, _, _ in told})), flush=True)
    chance, times = random.Random(case["seed"]), met(told, KILL)
    for at in (*sorted(chance.sample(range(1, times + 1), times // case["every"])), 0):
        shutil.copytree(template, folder, symlinks=True)
        told = followed(work, folder, at, case, chance) if case.get("then") else record(work, folder, at, case)
        print(json.dumps(told), flush=True)
        shutil.rmtree(folder)


def record(work, folder, at, case):
    event, code = killed(work, folder, at, case["first"])
    told = {"n": at, "event": event, "code": code, "crashed": files(folder)}
    _, told["second"] = killed(work, folder, 0, case["second"])
    told["after"] = files(folder)
    undone = 0
    while undone == 0 and case.get("undo"):
        _, undone = killed(work, folder, 0, case["undo"])
    return {**told, "undo": undone, "undone": files(folder)}


def followed(work, folder, at, case, chance):
    """What stands after each thing that may follow a kill."""
    event, code = killed(work, folder, at, case["first"])
    told = {"n": at, "event": event, "code": code, "crashed": files(folder), "then": {}}
    left = work / "left"
    folder.rename(left)
    for name, lines in case["then"].items() if not case["turns"] else [chance.choice(list(case["then"].items()))]:
        shutil.copytree(left, folder, symlinks=True)
        end = chance.randint(1, case["longest"]) if name in case["again"] else 0
        ends = [killed(work, folder, end if number == 0 else 0, words) for number, words in enumerate(lines)]
        told["then"][name] = {"ends": ends, "files": files(folder)}
        shutil.rmtree(folder)
    left.rename(folder)
    return told
