"""What every command gets: the global options, and how to print."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.config import VAULT_FILE, Config, load, store_address
from wrapgen.errors import NoVaultError, NoVaultHereError
from wrapgen.text.display import visible, visible_json
from wrapgen.vault.layout import find_vault
from wrapgen.whereabouts import real_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType
    from rich.progress import Progress, TaskID

    from wrapgen.session.folders import Folders
    from wrapgen.vault.index import Glance, ReadOptions


_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


class App(msgspec.Struct, dict=True):
    """The global options, and what depends on them."""

    vault: Path | None = None  # what `--vault` says
    today: date | None = None
    quiet: bool = False
    verbose: bool = False
    color: bool = True  # false when the command line forbids colour
    as_json: bool = False  # whether a program reads what is printed: one JSON document and nothing else
    started: float = msgspec.field(default_factory=time.monotonic)  # when the run began, in seconds
    holds_lock: bool = False  # whether this run holds the vault's lock now
    away: str = ""  # why the team's queue could not be reached in this run; "" while it can
    wrote: bool = False  # whether this run has done what its verb writes, so that a repeat would do it again
    _unprinted: OSError | None = None
    _noted: set[str] = set()

    @cached_property
    def root(self) -> Path:
        return find_vault(self.vault)

    @cached_property
    def config(self) -> Config:
        """The vault's configuration; of one that is not trusted, without what reads outside it."""
        from wrapgen.vault.layout import confined, is_trusted, outward_keys

        config = load(self.root / VAULT_FILE, Config, self.warn)
        outward = outward_keys(config)
        if not outward or is_trusted(self.root):
            return config
        keys = ", ".join(f"`{key}`" for key in outward)
        self.warn(f"{self.root / VAULT_FILE}: not used until you trust this vault: {keys}; `wrap trust` does that")
        return confined(config)

    @property
    def has_no_vault(self) -> bool:
        """Whether nothing names a vault, and there is none in this folder or above it."""
        try:
            self.root  # noqa: B018
        except NoVaultHereError:
            return True
        return False

    @property
    def config_or_defaults(self) -> Config:
        """The vault's configuration; the defaults outside of every vault."""
        try:
            return self.config
        except NoVaultError:
            return Config()

    def reload(self) -> None:
        self.__dict__.pop("config", None)

    @cached_property
    def store_address(self) -> str | None:
        """The address of the team's PostgreSQL, None where each vault keeps a file of its own; never to be shown."""
        return store_address()

    @property
    def now(self) -> datetime:
        """Local time with its zone, on the pinned day if there is one."""
        now = datetime.now().astimezone()
        return now if self.today is None else datetime.combine(self.today, now.timetz())

    @property
    def day(self) -> date:
        return self.now.date()

    @property
    def elapsed_ms(self) -> int:
        return round((time.monotonic() - self.started) * 1000)

    @property
    def folders(self) -> Folders:
        from wrapgen.session.folders import Folders

        root, projects = str(self.root), self.config.projects.items()
        named = [(real_path(root, path), name) for name, project in projects for path in project.paths]
        return Folders.of(root, named, self.config.project)

    @property
    def language(self) -> str:
        """The language of what is written for agents: the vault's, else that of the system."""
        named = next((value for name in _LOCALE_VARIABLES if (value := os.environ.get(name))), "")
        return self.config_or_defaults.lang or named.replace("-", "_").partition("_")[0].partition(".")[0].lower()

    @property
    def at_terminal(self) -> bool:
        return sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def on_screen(self) -> bool:
        return sys.stdout.isatty()

    @cached_property
    def console(self) -> Console:
        """The console for tables: unwrapped plain text into a pipe, colour and the screen's width on a terminal."""
        import shutil

        from rich.console import Console

        screen = self.on_screen
        # Asked here, because rich treats a dumb terminal as one of 80 columns.
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
        """Hold the vault's lock; what is read meanwhile may be cached."""
        from wrapgen.vault.lock import vault_lock

        with vault_lock(self.root, self.config):
            self.holds_lock = True
            try:
                yield
            finally:
                self.holds_lock = False

    def glance(self) -> Glance:
        from wrapgen.vault.index import Glance

        return Glance.at(self.root, self.config, self.read_options)

    @property
    def read_options(self) -> ReadOptions:
        """How files are read: remembered under the lock alone, with a progress bar when it takes long."""
        from wrapgen.vault.index import ReadOptions

        return ReadOptions(self.holds_lock, self.note, None if self.quiet or not sys.stderr.isatty() else _Bar(self))

    def note(self, text: str) -> None:
        """Print one line to stderr, only with `--verbose`, and each line only once."""
        if self.verbose and text not in self._noted:
            self._noted.add(text)
            _tell(text)

    def show(self, *renderables: RenderableType) -> None:
        """Print tables and styled lines for people; into a pipe without the padding of table cells."""
        if self.quiet or self.as_json:
            return
        with self._printing():
            if self.console.is_terminal:
                for one in renderables:
                    self.console.print(one)
                return
            with self.console.capture() as captured:
                for one in renderables:
                    self.console.print(one)
            sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))

    def say(self, text: str) -> None:
        """Print one line for people; control characters are escaped."""
        if not (self.quiet or self.as_json):
            self._print(visible(text) + "\n")

    def warn(self, text: str) -> None:
        """Print one line to stderr, unless `--quiet`."""
        if not self.quiet:
            _tell(text)

    def answer(self, document: dict[str, Any]) -> None:
        """Print what a command has to say, where a program reads it."""
        if self.as_json:
            self.print_json(document)

    def print_json(self, document: dict[str, Any]) -> None:
        text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode("utf-8")
        self._print(visible_json(text) + "\n")

    @property
    def was_read(self) -> bool:
        """Whether what was printed so far reached its reader, as far as the reader wanted it."""
        with self._printing():
            sys.stdout.flush()
        return self._unprinted is None or isinstance(self._unprinted, BrokenPipeError)

    def flush(self) -> None:
        """Write out what was printed, at the end of the run."""
        with self._printing():
            sys.stdout.flush()
        if (error := self._unprinted) is None:
            return
        if not self.wrote:
            raise error
        with suppress(OSError):  # else Python tries once more when it closes the stream
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        refused = sys.exc_info()[0] is not None  # the page was rebuilt, but what was asked for was not done: told next
        if not refused and not isinstance(error, BrokenPipeError):  # else the reader has seen enough
            _tell(f"it is done, but what it prints cannot be written ({error.strerror}). Do not run it again.")

    def _print(self, text: str) -> None:
        with self._printing():
            sys.stdout.write(text)

    @contextmanager
    def _printing(self) -> Iterator[None]:
        """What cannot be printed does not stop what is being written; `flush` says so at the end."""
        try:
            yield
        except OSError as error:
            self._unprinted = self._unprinted or error


def _tell(text: str) -> None:
    with suppress(OSError):  # nobody is left to be told
        sys.stderr.write(f"wrap: {visible(text)}\n")


_PATIENCE = 0.5  # seconds


class _Bar:
    """Draws how many files are done of how many, once that takes long."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._begun = time.monotonic()
        self._shown: tuple[Progress, TaskID] | None = None

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if self._shown is None and done < of and now - self._begun >= _PATIENCE:
            self._shown = self._drawn(of)
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, completed=done)
            if done >= of:
                bar.stop()
                self._shown = None

    def _drawn(self, of: int) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TextColumn("files"))
        console = Console(stderr=True, no_color=None if self._app.color else True)
        bar = Progress(*columns, console=console, transient=True)
        bar.start()
        return bar, bar.add_task("reading", total=of)
