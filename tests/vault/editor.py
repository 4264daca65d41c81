"""An editor at work, as a process of its own: `editor.py FILE append|hold|rename PAUSE`; ends at SIGTERM.

`append` opens and closes the file for every line, as a shell's `>>` does; `hold` keeps it open all the time; `rename`
reads it, and puts a copy with one line more in its place. Prints `ready`, and at the end how many lines it wrote.
"""

import os
import signal
import sys
import time
from pathlib import Path


def main(path: str, manner: str, pause: float) -> None:
    stop: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stop.append(number))
    held = os.open(path, os.O_WRONLY | os.O_APPEND) if manner == "hold" else None
    print("ready", flush=True)
    written = 0
    while not stop:
        line = f"- editor {written}\n".encode()
        if manner == "rename":
            copy = Path(f"{path}.editor")
            copy.write_bytes(Path(path).read_bytes() + line)
            copy.replace(path)
        else:
            descriptor = held if held is not None else os.open(path, os.O_WRONLY | os.O_APPEND)
            os.write(descriptor, line)
            if held is None:
                os.close(descriptor)
        written += 1
        time.sleep(pause)
    print(written, flush=True)


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
