"""The sub-agent contract in a vault's `wrapgen.toml`: written by `wrap install --contract`, and taken out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.config import Config, load
from wrapgen.errors import WrapgenError
from wrapgen.hosts.record import ContractNote
from wrapgen.vault import disk
from wrapgen.vault.files import publish
from wrapgen.workflows import user_config

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.workflows.app import App

_ALL, _LEVEL = "*", "warn"


def turn_on(file: Path) -> ContractNote | None:
    """Turn the contract on for the types of sub-agents that the vault does not name.

    Returns:
        what is needed to take it back; None when it was on already.
    """
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
