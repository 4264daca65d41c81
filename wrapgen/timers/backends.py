"""Which of them the machine has."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from wrapgen.errors import WrapgenError
from wrapgen.timers.cron import Cron
from wrapgen.timers.run import run
from wrapgen.timers.units import Launchd, Systemd

if TYPE_CHECKING:
    from wrapgen.timers.job import Job


class Backend(Protocol):
    """Something that starts programs by the clock."""

    name: str

    def is_here(self) -> bool:
        """Whether the machine has the program that it is asked by."""

    def shown(self, job: Job) -> str:
        """What would be written, for people."""

    def install(self, job: Job) -> bool:
        """Put a job in, in the place of the one that it has for the vault; whether anything changed."""

    def remove(self, job: Job) -> bool:
        """Take a job out; whether it was there."""


BACKENDS: dict[str, Backend] = {one.name: one for one in (Cron(), Systemd(), Launchd())}


def present() -> Backend | None:
    """The backend of this machine; None when it has none that is known."""
    if sys.platform == "darwin" and BACKENDS["launchd"].is_here():
        return BACKENDS["launchd"]
    # A machine may have systemd but no manager for this user, as in containers.
    if BACKENDS["systemd"].is_here() and run("systemctl", "--user", "show-environment").code == 0:
        return BACKENDS["systemd"]
    if BACKENDS["cron"].is_here():
        return BACKENDS["cron"]
    return None


def usual() -> Backend:
    """The backend that machines of this kind have, for showing what it would be given."""
    return BACKENDS["launchd" if sys.platform == "darwin" else "cron"]


def needed() -> Backend:
    """The backend of this machine.

    Raises:
        WrapgenError: it has none that is known.
    """
    if found := present():
        return found
    raise WrapgenError(
        "no scheduler found here: no crontab, no systemd user session, no launchd",
        next_step="Install cron, or let something else run what `wrap schedule --print` shows.",
    )
