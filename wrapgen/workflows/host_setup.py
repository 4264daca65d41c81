"""What `wrap install` and `wrap uninstall` share: host and scope, what would change, the sub-agent contract."""

import difflib
from pathlib import Path

import click

from wrapgen.config import Config, load
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.hosts.host import HOSTS, Scope
from wrapgen.hosts.installer import Guest, InstallPlan
from wrapgen.hosts.places import found_here, places, program, skills, spoken
from wrapgen.hosts.record import ContractNote
from wrapgen.vault import disk
from wrapgen.vault.files import publish
from wrapgen.workflows import user_config
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
        before, after = ((data or b"").decode("utf-8", "replace") for data in (change.before, change.after))
        old, new = ("/dev/null" if data is None else str(change.file) for data in (change.before, change.after))
        for line in difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm=""):
            app.say(line)
    if not plan.changes:
        app.say("nothing would change")
    warn(app, plan)


def warn(app: App, plan: InstallPlan) -> None:
    """Say what is kept although it is in the way."""
    for file, why in plan.left:
        app.warn(f"{file}: {why}")


_ALL, _LEVEL = "*", "warn"


def turn_on(file: Path) -> ContractNote | None:
    """Turn the contract on for sub-agents that the vault does not name; what takes it back, None if it was on."""
    levels: dict[str, str] = dict(load(file, Config).agents.contract)
    if _ALL in levels:
        return None
    before = disk.whole(file)
    user_config.set_keys(file, {"agents": {"contract": {**levels, _ALL: _LEVEL}}})
    return ContractNote(before.decode("utf-8"), disk.digest(disk.whole(file)))


def turn_off(file: Path, note: ContractNote | None) -> bool:
    """Take the contract out: the file's former bytes if nobody has changed it since, else the level alone.

    Returns:
        whether it is off for the types that the vault does not name; not where somebody has chosen another level.
    """
    if note and disk.digest(disk.whole(file)) == note.written:
        publish(file, note.before.encode("utf-8"), root=file.parent)
        return True
    levels: dict[str, str] = dict(load(file, Config).agents.contract)
    level = levels.pop(_ALL, None)
    if level == _LEVEL:
        user_config.set_keys(file, {"agents": {"contract": levels or None}})
    return level in (None, _LEVEL)


def say_off(app: App, file: Path, note: ContractNote | None) -> None:
    """Take the contract out and say so, or why not; whatever else was asked for is done already."""
    try:
        if turn_off(file, note):
            app.say(f"{file}: sub-agents are no longer told the form of their answer")
        else:
            app.warn(f"{file}: `contract` below [agents] was changed by someone else, so it stays")
    except (WrapgenError, OSError) as error:
        app.warn(f"{file}: `contract` below [agents] stays: {error}")
