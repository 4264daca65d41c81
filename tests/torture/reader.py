"""Somebody who looks at the dashboard all the time, as a process of its own: `reader.py PAGE REPORT`; ends at SIGTERM.

Once there is a page, there must be a whole one at every look. Writes at the end how often it looked, how many different
pages it saw, and every fault with the page.
"""

import json
import signal
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.torture.page import faults

PAUSE = 0.002


@dataclass
class Reader:
    """What was seen; a page is examined once, however often it is met in a row."""

    looks: int = 0
    pages: int = 0
    torn: list[dict[str, object]] = field(default_factory=list)
    last: bytes | None = None

    def look(self, data: bytes | None) -> None:
        """See a page, or None where none is."""
        self.looks += 1
        if data is None:
            wrong = [] if self.last is None else ["is gone"]
        else:
            wrong = [] if data == self.last else faults(data)
            self.pages += data != self.last
            self.last = data
        if wrong:
            self.torn.append({"faults": wrong, "page": (data or b"").decode("utf-8", "replace")})

    def report(self) -> str:
        return json.dumps({name: value for name, value in asdict(self).items() if name != "last"})


def watch(page: Path) -> Reader:
    stop: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stop.append(number))
    reader = Reader()
    while not stop:
        try:
            reader.look(page.read_bytes())
        except FileNotFoundError:
            reader.look(None)
        time.sleep(PAUSE)
    return reader


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(watch(Path(sys.argv[1])).report(), "utf-8")
