"""The vault of an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment
    from wrapgen.workflows.app import App


def app_of(moment: Moment) -> App:
    """The vault of an event, for a run that nobody watches; what that needs is loaded here and not before."""
    from pathlib import Path

    from wrapgen.workflows.app import App

    return App(vault=Path(moment.root), quiet=True)
