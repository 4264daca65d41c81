"""Every write point while something is really scarce: `python -m tests.faults.scarce FOLDER limits=N disk=N`.

`disk` fills the file system that the folder is on, so that must be a small one made for it; `limits` sets those of a
process. Of either every N-th amount is tried. Prints one JSON object a write point and scarcity.
"""

import errno
import json
import os
import resource
import shutil
import sys
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.faults.inject import Manner
from tests.faults.matrix import Stage
from tests.faults.points import POINTS
from tests.faults.verdict import states, troubles

_PAGE = 4096


@dataclass(frozen=True)
class _Scarcity:
    """How much of something there is.

    Attributes:
        at: the amount that is left.
    """

    at: int
    error: int = errno.ENOSPC
    manner: Manner = Manner.ON
    kind: str = "data"

    def prelude(self):
        """What the process does before it runs."""

    def around(self, folder):
        del folder
        return nullcontext()


class FullDisk(_Scarcity):
    """A file system with so many pages left."""

    @contextmanager
    def around(self, folder):
        filler = folder / "filler"
        left = os.statvfs(folder).f_bavail - self.at
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            for _ in range(left):
                file.write(bytes(_PAGE))
        yield
        filler.unlink()


class NoFiles(_Scarcity):
    """A file system that holds so many more files."""

    @contextmanager
    def around(self, folder):
        fillers = folder / "fillers"
        fillers.mkdir()
        for number in range(os.statvfs(folder).f_ffree - self.at):
            (fillers / str(number)).touch()
        yield
        shutil.rmtree(fillers)


class SmallFiles(_Scarcity):
    """A process that may write files of so many bytes."""

    def prelude(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.at, self.at))


class FewDescriptors(_Scarcity):
    """A process that may open so many more files."""

    def prelude(self):
        free = os.dup(0)
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free + self.at, free + self.at))


SCARCE = {
    "disk": [*map(FullDisk, range(16)), *map(NoFiles, range(16))],
    "limits": [
        *(SmallFiles(size, errno.EFBIG) for size in (0, 1, 100, 300, 600, 1000, 1500, 2000, 3000)),
        *(FewDescriptors(number, errno.EMFILE, kind="read") for number in range(8)),
    ],
}


def main(folder, what):
    for number, point in enumerate(POINTS):
        place = folder / str(number)
        place.mkdir()
        stage = Stage(point, place)
        rows = {}
        for scarcity in _chosen(what, number):
            one = stage.scarce(scarcity)
            row = rows.setdefault(type(scarcity).__name__, {"places": 0, "states": set(), "troubles": []})
            row["places"] += one.ran.code != 0
            row["states"] |= states(stage.clean, one)
            row["troubles"] += troubles(point, stage.clean, one)
        for name, row in rows.items():
            print(json.dumps({"point": point.name, "fault": name, **row}, default=sorted), flush=True)
        shutil.rmtree(place)


def _chosen(what, number):
    for name, every in what.items():
        yield from (one for index, one in enumerate(SCARCE[name]) if (index + number) % every == 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), {name: int(every) for name, _, every in (word.partition("=") for word in sys.argv[2:])})
