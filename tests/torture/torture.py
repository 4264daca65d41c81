"""Everything at once on one vault: a crowd, editors, a reader and a killer; then what stands is looked up."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support import Vault, wrap
from tests.torture import check, ground
from tests.torture.certificate import Certificate
from tests.torture.crowd import Crowd
from tests.torture.killer import Killer
from tests.torture.plan import FILES, plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.torture.ground import Ground

HERE = Path(__file__).parent
LAST_TIMEOUT = 0.2  # seconds; nobody holds the lock any more


@dataclass(frozen=True, slots=True)
class Settings:
    """How hard.

    Attributes:
        runs: at least so many, those that are made again not counted.
        processes: how many are in flight at once.
        seconds: nothing new is begun after so long.
        seed: of the plan and the actors; what happens when is the machine's own.
    """

    runs: int = 1000
    processes: int = 50
    seconds: float = float("inf")
    seed: int = 1


def torture(folder: Path, settings: Settings) -> Certificate:
    """Run it.

    Args:
        folder: an empty folder; vault, conversations and logs stay there.
        settings: how hard.
    """
    started = time.monotonic()
    planned = plan(settings.runs, settings.seed)
    place = ground.lay(folder, planned)
    crowd = Crowd(place, settings.processes, started + settings.seconds)
    killer = Killer(place, crowd.running, settings.seed + 1)
    with ExitStack() as stack:
        stack.enter_context(_actor(place, "reader", place.vault.dashboard, place.logs / "reader.json"))
        with _editors(place, settings.seed) as editors:
            killer.start()
            crowd.work(planned.errands)
            killer.stop()
        faults = _after(place, crowd)
    watched = json.loads((place.logs / "reader.json").read_text("utf-8"))
    saved = [mark for name in editors for mark in place.editor_log(name).read_text("utf-8").splitlines()]
    now = check.Standing.of(place.vault)
    carried = [(session, task) for session, task in planned.tasks if session.name in crowd.begun]
    return Certificate(
        seed=settings.seed,
        seconds=time.monotonic() - started,
        runs=crowd.runs,
        in_flight=crowd.running.most,
        kills=killer.kills,
        locks=[_seconds(line) for line in place.waits.read_text("utf-8").splitlines()],
        looks=watched["looks"],
        pages=watched["pages"],
        editors=len(editors),
        verdict=check.judge(now, carried, saved),
        torn=[", ".join(one["faults"]) for one in watched["torn"]],
        faults={
            **faults,
            "items changed wrongly": check.changed_wrongly(place.vault, crowd.changed),
            "faults of the last page": check.page_faults(place.vault.dashboard.read_bytes(), now),
            "torn lines of state": now.torn,
            "temporary files left": check.leftovers(place.vault.root),
            "differences when rebuilt": _rebuilt(place.vault, folder / "copy"),
        },
    )


def _after(place: Ground, crowd: Crowd) -> dict[str, list[str]]:
    """The last two runs, with nobody else there: what was noticed late, and a lock that must be free at once."""
    failed = [f"{run.verb}: exit {run.code}, {run.error}" for run in crowd.runs if run.failed]
    place.vault.write("wrapgen.toml", f"lock_timeout = {LAST_TIMEOUT}\n")
    wrapped, rebuilt = (wrap(*words, vault=place.vault) for words in (["--no-prompt"], ["regen"]))
    blocked = [f"exit {run.code}: {run.err}" for run in (wrapped, rebuilt) if run.code]
    return {"failed runs": failed, "runs never through": crowd.undone, "blocked by a lock": blocked}


def _rebuilt(vault: Vault, copy: Path) -> list[str]:
    """Where a rebuild from nothing but the notes and the state gives another page."""
    shutil.copytree(vault.root, copy, symlinks=True)
    shutil.rmtree(copy / ".wrapgen" / "cache")
    (copy / vault.dashboard.name).unlink()
    again = wrap("regen", vault=copy)
    page = Vault(copy).page if again.code == 0 else again.err
    if page == vault.page:
        return []
    pairs = zip(vault.page.splitlines(), page.splitlines(), strict=False)
    return [f"{one!r} becomes {other!r}" for one, other in pairs if one != other] or ["another number of lines"]


def _seconds(line: str) -> tuple[float, float]:
    waited, held = line.split()
    return float(waited), float(held)


@contextmanager
def _editors(place: Ground, seed: int) -> Iterator[list[str]]:
    """All editors at work; their names."""
    files = [file for file in FILES for _ in range(file.editors)]
    names = [f"e{number}" for number in range(len(files))]
    with ExitStack() as stack:
        for name, file in zip(names, files, strict=True):
            words = [name, place.vault.path(file.path), file.manner, file.hold, file.boxes]
            stack.enter_context(_actor(place, "editor", *words, seed + int(name[1:]), place.editor_log(name)))
        yield names


@contextmanager
def _actor(place: Ground, name: str, *words: object) -> Iterator[None]:
    """A process at work beside this one, until it is asked to end."""
    command = [sys.executable, str(HERE / f"{name}.py"), *map(str, words)]
    with subprocess.Popen(command, env=place.environment()) as process:
        try:
            yield
        finally:
            ended = process.poll()
            process.send_signal(signal.SIGTERM)
            code = process.wait(timeout=60)
        assert ended is None, f"{name} has ended by itself"
        assert code == 0, f"{name} ended with {code}"
