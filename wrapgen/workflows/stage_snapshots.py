"""The stage snapshots of the vault that a command works on."""

from __future__ import annotations

import os
from math import isfinite
from typing import TYPE_CHECKING

from wrapgen.errors import UsageError

if TYPE_CHECKING:
    from wrapgen.stage.store import Snapshots
    from wrapgen.workflows.app import App

# The second name is datarim's, whose agents call this program unchanged.
LOCK_VARIABLES = ("WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "DR_SNAPSHOT_LOCK_TIMEOUT")


def snapshots_of(app: App) -> Snapshots:
    """The vault's snapshots, with the lock timeout from the environment.

    Raises:
        UsageError: the timeout is not a number of seconds.
    """
    from wrapgen.stage.store import LOCK_SECONDS, Snapshots

    seconds = LOCK_SECONDS
    name = next((name for name in LOCK_VARIABLES if os.environ.get(name)), None)
    if name is not None:
        try:
            seconds = float(os.environ[name])
        except ValueError:
            seconds = -1
        if not isfinite(seconds) or seconds < 0:
            raise UsageError(
                f"${name} is not a number of seconds: {os.environ[name]!r}", next_step="Set it to 60, or unset it."
            )
    return Snapshots(app.root, app.config, seconds)
