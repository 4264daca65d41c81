"""An editor at work, as a process of its own: `editor.py NAME FILE MANNER HOLD BOXES SEED LOG`; ends at SIGTERM.

It adds line after line at the end of a note, each with a mark of its own, and notes every mark in a log outside the
vault once the line is saved. `append` opens and closes the file for every line, as a shell's `>>` does; `rename` reads
the note, puts a copy with one line more beside it and renames that into its place; `over` reads it, and writes it anew
in place, in two pieces. Between reading and saving it dawdles for up to HOLD seconds: so stale its copy may be. BOXES
is the share of its lines that are open boxes. It has bad luck with its moments: it saves now and then, and very often
just while a run replaces the same note.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

LONGEST_PAUSE = 4.0  # seconds
LOOK = 0.003
BAD_LUCK = 0.6
LINES_AT_ONCE = 3
LINES_THAT_TIRE = 100


class Editor:
    def __init__(self, name: str, file: Path, manner: str, hold: float, boxes: float, seed: int, log: Path) -> None:
        self.name, self.file, self.hold, self.boxes = name, file, hold, boxes
        self.save = {"append": self.append, "rename": self.rename, "over": self.over}[manner]
        self.rng = random.Random(seed)
        self.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.stopped = False
        self.number = 0

    def work(self) -> None:
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "stopped", True))
        while not self.stopped:
            self.wait()
            for _ in range(self.rng.randint(1, LINES_AT_ONCE)):
                self.add_line()

    def wait(self) -> None:
        """Until it is time for the next line, or somebody else begins to replace the file."""
        tired = 1 + self.number / LINES_THAT_TIRE  # or long runs would spend their time with reading what it wrote
        until = time.monotonic() + self.rng.uniform(0, LONGEST_PAUSE) * tired
        lucky = self.rng.random() > BAD_LUCK
        while not self.stopped and time.monotonic() < until and (lucky or not self.is_being_replaced()):
            time.sleep(LOOK)

    def is_being_replaced(self) -> bool:
        return any(self.file.parent.glob(f".{self.file.name}.*.wrapgen-*"))

    def add_line(self) -> None:
        mark = f"{self.name}n{self.number}x"
        box = "[ ] " if self.rng.random() < self.boxes else ""
        try:
            self.save(f"- {box}note the {mark}\n".encode())
        except FileNotFoundError:
            mark = f"MISSING {self.file}"
        os.write(self.log, f"{mark}\n".encode())
        self.number += 1

    def append(self, line: bytes) -> None:
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND)
        os.write(descriptor, line)
        os.close(descriptor)

    def rename(self, line: bytes) -> None:
        text = self.read() + line
        copy = self.file.with_name(f".{self.file.name}~{self.name}")
        copy.write_bytes(text)
        copy.replace(self.file)

    def over(self, line: bytes) -> None:
        text = self.read() + line
        descriptor = os.open(self.file, os.O_WRONLY | os.O_TRUNC)
        half = len(text) // 2
        os.write(descriptor, text[:half])
        time.sleep(0.001)
        os.write(descriptor, text[half:])
        os.close(descriptor)

    def read(self) -> bytes:
        text = self.file.read_bytes()
        if self.hold:
            time.sleep(self.rng.uniform(0, self.hold))
        return text


if __name__ == "__main__":
    name, file, manner, hold, boxes, seed, log = sys.argv[1:]
    Editor(name, Path(file), manner, float(hold), float(boxes), int(seed), Path(log)).work()
