"""What `wrap install` and `wrap uninstall` share: which host and scope, and showing what would change."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.errors import UsageError
from wrapgen.hosts.host import HOSTS, Scope
from wrapgen.hosts.installer import Guest
from wrapgen.hosts.places import found_here, places, program, skills, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.hosts.installer import InstallPlan, PlannedWrite
    from wrapgen.workflows.app import App

HOST = click.argument("host", type=click.Choice(list(HOSTS)), metavar="HOST", required=False)
SCOPE = click.option(
    "--scope",
    type=click.Choice([one.value for one in Scope]),
    default=Scope.USER.value,
    show_default=True,
    help="user: all your sessions; project: everyone in this project; local: only you in this project.",
)
DRY_RUN = click.option("--dry-run", is_flag=True, help="Show what would change, but write nothing.")


def named(host: str | None, command: str) -> str:
    """The host that a command is about."""
    if host is not None:
        return host
    here = found_here()
    titles = " and ".join(one.title for one in here) or "none that wrapgen knows"
    commands = " or ".join(f"`wrap {command} {one.name}`" for one in here or HOSTS.values())
    raise UsageError(f"no coding agent named; found here: {titles}", next_step=f"Run {commands}.")


def guest(host: str, scope: str, words: tuple[str, ...] | None = None, *, contract: bool | None = None) -> Guest:
    """Wrapgen in a host's settings; the scopes of a project are those of the working folder.

    Args:
        words: what starts wrapgen, None for the program that runs now.
        contract: whether the skills of the sub-agent contract are there too; None for what was last asked for.
    """
    there = places(HOSTS[host], Scope(scope), Path.cwd())
    return Guest(there, skills(words or spoken(program())), contract=contract)


def show(app: App, plan: InstallPlan) -> None:
    """Print what a plan would change."""
    for change in plan.changes:
        for line in _difference(change):
            app.say(line)
    if not plan.changes:
        app.say("nothing would change")
    warn(app, plan)


def warn(app: App, plan: InstallPlan) -> None:
    """Say what is kept although it is in the way."""
    for file, why in plan.left:
        app.warn(f"{file}: {why}")


def _difference(change: PlannedWrite) -> Iterator[str]:
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (change.before, change.after))
    old, new = ("/dev/null" if data is None else str(change.file) for data in (change.before, change.after))
    return difflib.unified_diff(before, after, old, new, lineterm="")
