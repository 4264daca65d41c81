"""What `wrap install` and `wrap uninstall` share: which host and scope, and showing what would change."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.hosts.guest import Guest
from wrapgen.hosts.host import HOSTS, Scope
from wrapgen.hosts.places import places
from wrapgen.hosts.program import program, spoken
from wrapgen.hosts.skills import skills

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.app import App
    from wrapgen.hosts.guest import Change, Plan

HOST = click.argument("host", type=click.Choice(list(HOSTS)), metavar="HOST")
SCOPE = click.option(
    "--scope",
    type=click.Choice([one.value for one in Scope]),
    default=Scope.USER.value,
    show_default=True,
    help="For all your sessions; for everybody in this folder's project; for you alone in it.",
)
DRY_RUN = click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")


def guest(host: str, scope: str, words: tuple[str, ...] | None = None) -> Guest:
    """Wrapgen in a host's settings; the scopes of a project are those of the working folder.

    Args:
        host: the host's name.
        scope: whose settings.
        words: what starts wrapgen, None for the program that runs now.
    """
    there = places(HOSTS[host], Scope(scope), Path.cwd())
    return Guest(there, skills(words or spoken(program())))


def show(app: App, plan: Plan) -> None:
    """Print what a plan would change."""
    for change in plan.changes:
        for line in _difference(change):
            app.say(line)
    if not plan.changes:
        app.say("nothing would change")
    warn(app, plan)


def warn(app: App, plan: Plan) -> None:
    """Say what stays although it is in the way."""
    for file, why in plan.left:
        app.warn(f"{file}: {why}")


def _difference(change: Change) -> Iterator[str]:
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (change.before, change.after))
    old, new = ("/dev/null" if data is None else str(change.file) for data in (change.before, change.after))
    return difflib.unified_diff(before, after, old, new, lineterm="")
