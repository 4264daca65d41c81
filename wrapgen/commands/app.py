"""What every command is given: the global options, and how to say something."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wrapgen.config import VAULT_FILE, Config, load, store_address
from wrapgen.text import visible, visible_json
from wrapgen.vault.layout import find_vault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import Console, RenderableType

    from wrapgen.vault.index import Glance


@dataclass
class App:
    """The global options, and what follows from them.

    Attributes:
        vault: what `--vault` says.
        color: false when the command line forbids colour.
        started: start of the run, in seconds of the monotonic clock.
        holds_lock: whether this run holds the vault's lock now.
        away: why the team's queue could not be reached in this run; "" while it can.
    """

    vault: Path | None = None
    today: date | None = None
    quiet: bool = False
    verbose: bool = False
    color: bool = True
    started: float = field(default_factory=time.monotonic)
    holds_lock: bool = False
    away: str = ""
    _noted: set[str] = field(default_factory=set, init=False, repr=False)

    @cached_property
    def root(self) -> Path:
        """The vault.

        Raises:
            NoVaultError: there is none.
        """
        return find_vault(self.vault)

    @cached_property
    def config(self) -> Config:
        """The vault's configuration.

        Raises:
            ConfigError: it is broken.
        """
        return load(self.root / VAULT_FILE, Config)

    @cached_property
    def store_address(self) -> str | None:
        """The address of the team's PostgreSQL, None where each vault keeps a file of its own; never to be shown.

        Raises:
            ConfigError: the user's own file is broken, or `WRAPGEN_STORE` is no such address.
        """
        return store_address()

    @property
    def now(self) -> datetime:
        """Local time with its zone, on the pinned day if there is one."""
        now = datetime.now().astimezone()
        return now if self.today is None else datetime.combine(self.today, now.timetz())

    @property
    def day(self) -> date:
        """The day that this run stands for."""
        return self.now.date()

    @property
    def elapsed_ms(self) -> int:
        """Milliseconds since the start."""
        return round((time.monotonic() - self.started) * 1000)

    @cached_property
    def console(self) -> Console:
        """Where tables go: plain text without wrapping into a pipe, colour and the screen's width on a terminal."""
        from rich.console import Console

        screen = sys.stdout.isatty()
        # Asked here, as rich takes a terminal that cannot draw for one of 80 columns.
        size = shutil.get_terminal_size() if screen else os.terminal_size((10_000, 100))
        return Console(
            no_color=None if self.color else True,
            force_terminal=screen,
            width=size.columns,
            height=size.lines,
            soft_wrap=not screen,
            highlight=False,
            emoji=False,
            markup=False,
        )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the vault's lock; what is read meanwhile may be remembered in the cache.

        Raises:
            ConfigError: the configuration is broken; that must fail before the lock is taken.
            LockHeldError: another run holds the lock.
            PublishError: the lock file cannot be made.
        """
        from wrapgen.vault.lock import vault_lock

        with vault_lock(self.root, self.config):
            self.holds_lock = True
            try:
                yield
            finally:
                self.holds_lock = False

    def glance(self) -> Glance:
        """List the vault's files without reading them."""
        from wrapgen.commands.progress import shown_late
        from wrapgen.vault.index import Glance, Manner

        manner = Manner(self.holds_lock, self.note, None if self.quiet else shown_late(self))
        return Glance.at(self.root, self.config, manner)

    def note(self, text: str) -> None:
        """Print one line to stderr, with `--verbose` alone; the same line once."""
        if self.verbose and text not in self._noted:
            self._noted.add(text)
            sys.stderr.write(f"wrap: {visible(text)}\n")

    def show(self, *renderables: RenderableType) -> None:
        """Print tables and styled lines, unless `--quiet`; into a pipe without the blanks that fill a table's cells."""
        if self.quiet:
            return
        if self.console.is_terminal:
            for one in renderables:
                self.console.print(one)
            return
        with self.console.capture() as captured:
            for one in renderables:
                self.console.print(one)
        sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))

    def say(self, text: str) -> None:
        """Print one line for people, unless `--quiet`; control characters are shown, not sent."""
        if not self.quiet:
            sys.stdout.write(visible(text) + "\n")

    def warn(self, text: str) -> None:
        """Print one line to stderr, unless `--quiet`."""
        if not self.quiet:
            sys.stderr.write(f"wrap: {visible(text)}\n")

    def print_json(self, document: dict[str, Any]) -> None:
        """Print one JSON document on stdout."""
        import msgspec

        text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode("utf-8")
        sys.stdout.write(visible_json(text) + "\n")
