"""Programs in a pseudo-terminal, their screens read by a terminal emulator."""

from __future__ import annotations

import re
import signal
import sys
import time

import pexpect
import pyte

from tests import forked
from tests.support import CHECKOUT, child_environment

PATIENCE = 120  # seconds, on a busy machine; only ever reached when the screen asked for does not come
UP, DOWN, LEFT, RIGHT, ENTER, ESC, CTRL_C, CTRL_U = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C", "\r", "\x1b", "\x03", "\x15"


class Screen:
    """What stands on a screen of this size: `Screen(80, 24).feed(output)`."""

    def __init__(self, columns, lines):
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""

    def feed(self, data):
        self.raw += data
        self.stream.feed(data)
        return self

    @property
    def buffer(self):
        return self.screen.buffer

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines)

    @property
    def links(self):
        """Where the links go that a terminal opens (OSC 8), in their order."""
        return re.findall(r"\x1b]8;[^;]*;([^\x1b\x07]+)(?:\x1b\\|\x07)", self.raw)


class Terminal(Screen):
    """A child process: `with Terminal(words) as terminal: terminal.see("...").press(ENTER)`.

    Its arguments are the words behind `python`, another program, or a function that a process that has imported
    everything calls; the environment; and the size of the screen.
    """

    def __init__(self, words, *, env, columns, lines, program=sys.executable, cwd=CHECKOUT):
        words = [str(word) for word in words]
        options = {"env": env, "dimensions": (lines, columns), "cwd": str(cwd), "timeout": PATIENCE}
        if callable(program):
            self.child = forked.InTerminal(program, words, **options)
        else:
            self.child = pexpect.spawn(program, words, encoding="utf-8", **options)
        self.child.delaybeforesend = None
        super().__init__(columns, lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Not by `close` alone, which gives a killed child a tenth of a second to be gone.
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            self.child.wait()
        self.child.close()

    def _read(self):
        try:
            data = self.child.read_nonblocking(65536, timeout=0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.feed(data)
        return True

    def see(self, *expected):
        """Wait until all of this stands on the screen."""
        deadline = time.monotonic() + PATIENCE
        while not all(part in self.text for part in expected):
            if not self._read() or time.monotonic() > deadline:
                assert all(part in self.text for part in expected), f"not seen: {expected}\n{self.text}"
        return self

    def lose(self, words):
        """Wait until this stands on the screen no more."""
        deadline = time.monotonic() + PATIENCE
        while words in self.text:
            assert self._read(), f"ended with: {words}\n{self.text}"
            assert time.monotonic() < deadline, f"still seen: {words}\n{self.text}"
        return self

    def press(self, *keys):
        self.child.send("".join(keys))
        return self

    def point(self, label):
        """Move the pointer to the row of this name, looking after each key."""
        deadline = time.monotonic() + PATIENCE
        while self.pointed is None and self._read() and time.monotonic() < deadline:
            pass
        for _ in range(20):
            if (self.pointed or "").startswith(f" » {label}"):
                return self
            before = self.pointed
            self.press(DOWN)
            deadline = time.monotonic() + PATIENCE
            # Half of a redraw may show no pointer at all: another key then would go one row too far.
            while self.pointed in (None, before) and self._read() and time.monotonic() < deadline:
                pass
        raise AssertionError(f"no row {label}\n{self.text}")

    def choose(self, label):
        """Point to the row of this name and take it."""
        return self.point(label).press(ENTER)

    @property
    def pointed(self):
        return next((line for line in self.lines if line.startswith(" » ")), None)

    def finish(self):
        """Read to the end; the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < deadline, f"does not end\n{self.text}"
        self.child.wait()
        self.child.close()
        return self.child.exitstatus


class Wrap(Terminal):
    """The program itself: `Wrap("--vault", vault, ...)`; `more` is added to its environment."""

    def __init__(self, *words, columns=100, lines=50, term="xterm-256color", **more):
        env = {name: value for name, value in child_environment().items() if name != "NO_COLOR"}
        env |= {"TERM": term, **more}
        super().__init__(words, program=forked.program, env=env, columns=columns, lines=lines)
