"""A progress bar while many files are read: on a terminal only, and only if it takes long."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress, TaskID

    from wrapgen.workflows.app import App

_PATIENCE = 0.5  # seconds


def shown_late(app: App) -> Callable[[int, int], None] | None:
    """The callback that draws the bar from files done and total; None where there is no terminal."""
    return _Bar(app) if sys.stderr.isatty() else None


class _Bar:
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
