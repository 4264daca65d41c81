"""Somebody who looks at the dashboard all the time, as a process of its own: `reader.py PAGE REPORT`; ends at SIGTERM.

Once there is a page, there must be a whole one at every look. Writes at the end how often it looked, how many different
pages it saw, and every fault with the page.
"""

import json
import signal
import sys
import time
from pathlib import Path

from tests.torture.page import faults

PAUSE = 0.002


def watch(page: Path) -> dict[str, object]:
    stop: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stop.append(number))
    looks = pages = 0
    torn: list[dict[str, object]] = []
    last: bytes | None = None
    while not stop:
        try:
            data = page.read_bytes()
            wrong = [] if data == last else faults(data)
        except FileNotFoundError:
            data, wrong = b"", [] if last is None else ["is gone"]
        looks += 1
        if wrong:
            torn.append({"faults": wrong, "page": data.decode("utf-8", "replace")})
        if data and data != last:
            pages, last = pages + 1, data
        time.sleep(PAUSE)
    return {"looks": looks, "pages": pages, "torn": torn}


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(watch(Path(sys.argv[1]))), "utf-8")
