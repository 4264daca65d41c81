"""Every write point with every fault at every call: what came of it."""

import errno
import io
import json
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.faults.inject import ERRORS, KILL, Fault, Manner, calls, child, met
from tests.faults.points import POINTS, Case
from tests.faults.verdict import Clean, Outcome, Ran, State, states, troubles
from tests.support import TODAY, Vault
from wrapgen.cli import run
from wrapgen.vault import cache

_HOME_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME")
_LONGEST = 1000
_DENSER = 4  # there are fewer calls to be killed at
COLUMNS = {errno.errorcode[error]: error for error in ERRORS} | {"crash": KILL}


@dataclass
class Cell:
    """What came of one kind of fault at one write point.

    Attributes:
        point: the row.
        fault: the column.
        places: how often the fault happened.
        states: in which states the files were left.
        troubles: what was wrong.
    """

    point: str
    fault: str
    places: int = 0
    states: set[str] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)

    def add(self, stage, one):
        self.places += 1
        self.states |= states(stage.clean, one)
        self.troubles += troubles(stage.point, stage.clean, one)

    def __str__(self):
        seen = "/".join(one for one in ("old", "new") if one in self.states) or "same"
        return f"{self.places} {seen}" + (f" {len(self.troubles)} BAD" if self.troubles else "")


class Stage:
    """A point's vault, made anew for each fault.

    Args:
        folder: an empty folder; what lies there is the stage's own.
    """

    def __init__(self, point, folder):
        # A fresh copy of a vault is too young to be remembered: here it need not be waited for.
        cache._TICK_NS = 0
        self.point = point
        self._folder = folder
        self._world = folder / "world"  # what may be at fault: the vault and the home folder
        self._template = folder / "template"
        for name in _HOME_VARIABLES:
            os.environ[name] = str(self._world / "home")
        (self._world / "home").mkdir(parents=True)
        aside = folder / "aside"
        aside.mkdir()
        vault = Vault(self._world / "vault")
        point.prepare(Case(vault, aside))
        self._world.rename(self._template)
        self.clean = self._without_fault()

    def _words(self, words):
        names = {"{vault}": str(self._world / "vault"), "{aside}": str(self._folder / "aside")}
        for name, path in names.items():
            words = [word.replace(name, path) for word in words]
        return ["--vault", names["{vault}"], "--today", TODAY, *words]

    def _reset(self):
        shutil.rmtree(self._world, ignore_errors=True)
        shutil.copytree(self._template, self._world, symlinks=True)

    def _state(self):
        return State.of(self._world / "vault", self._world / "home")

    def _run(self, words, fault=None, prelude=None):
        def ran():
            if prelude:
                prelude()
            return json.dumps(asdict(_ran(self._words(words)))).encode()

        told, answer = child(self._world, fault, ran)
        return told, Ran(None) if answer is None else Ran(**json.loads(answer))

    def _without_fault(self):
        self._reset()
        before = self._state()
        # Not in a child: what is imported here need not be imported by each of them.
        ran, after = _ran(self._words(self.point.words)), self._state()
        again = _ran(self._words(self.point.again or self.point.words))
        assert ran.code == 0, ran.err
        assert again.code in self.point.codes, again.err
        return Clean(before, after, self._state(), ran)

    def outcome(self, fault):
        """What comes of a fault; None when the run ends before it is reached."""
        self._reset()
        told, ran = self._run(self.point.words, fault)
        return self._then(fault, told, ran) if told else None

    def calls(self):
        """What the run calls, as (call, kind, times)."""
        self._reset()
        return calls(self._world, lambda: _ran(self._words(self.point.words)))

    def scarce(self, scarcity):
        """What comes of a run while something is really scarce."""
        self._reset()
        with scarcity.around(self._folder):
            _, ran = self._run(self.point.words, prelude=scarcity.prelude)
        return self._then(scarcity, ("run", f"{self._world}/", scarcity.kind), ran)

    def _then(self, fault, told, ran):
        then = self._state()
        _, again = self._run(self.point.again or self.point.words)
        return Outcome(fault, told, ran, then, again, self._state())


def _ran(words):
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = run(words)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return Ran(int(code), *texts)


def cells(folder, points=POINTS, *, columns=tuple(COLUMNS), every=1, seed=1) -> Iterator[Cell]:
    """Run the matrix.

    Args:
        folder: an empty folder to work in.
        points: the rows.
        columns: the names of the faults.
        every: try one in so many of the faults of a cell, at random, and at least one; rows then take turns with
            the errors, one each, as what a file is left as hardly depends on which one it was.
        seed: of that choice.

    Yields:
        the cells, row by row.
    """
    chance = random.Random(seed)
    for number, point in enumerate(points):
        stage = Stage(point, _made(Path(folder) / str(number)))
        told = stage.calls() if every > 1 else []
        for column in columns if every == 1 else _in_turn(columns, number):
            cell, error = Cell(point.name, column), COLUMNS[column]
            if every > 1:
                _some(cell, stage, *_chosen(error, told, every, chance))
            else:
                _all(cell, stage, error)
            yield cell
        shutil.rmtree(Path(folder) / str(number))


def _in_turn(columns, number):
    """A crash, and one of the errors."""
    errors = [column for column in columns if COLUMNS[column] != KILL]
    return [column for column in columns if COLUMNS[column] == KILL or column == errors[number % len(errors)]]


def _manners(error):
    return [Manner.ONCE] if error == KILL else list(Manner)


def _all(cell, stage, error):
    for manner in _manners(error):
        at = 1
        while at < _LONGEST and (one := stage.outcome(Fault(at, error, manner))):
            cell.add(stage, one)
            at += 1


def _some(cell, stage, faults, wanted):
    """Try faults until so many were met: a run may make a call less than the one whose calls were counted."""
    for fault in faults:
        if one := stage.outcome(fault):
            cell.add(stage, one)
            wanted -= 1
        if not wanted:
            break


def _chosen(error, told, every, chance):
    all_of_them = [Fault(at, error, manner) for at in range(1, met(told, error) + 1) for manner in _manners(error)]
    share = every if error != KILL else -(-every // _DENSER)
    return chance.sample(all_of_them, len(all_of_them)), max(1, len(all_of_them) // share)


def _made(folder):
    folder.mkdir()
    return folder
