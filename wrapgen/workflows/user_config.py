"""The user's own file, and keys of a vault's: what is trusted, the default, the contract; what a vault reaches."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.config import VAULT_FILE, Config, UserConfig, load, user_config_path
from wrapgen.dashboard.render import USER_TEMPLATES
from wrapgen.text.display import count
from wrapgen.vault import disk, session_registry
from wrapgen.vault.disk import publish
from wrapgen.vault.layout import is_trusted
from wrapgen.whereabouts import as_written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tomlkit import TOMLDocument
    from tomlkit.items import Table

    from wrapgen.hosts.installer import ContractNote


def own() -> UserConfig:
    """What the user's own file says."""
    return load(user_config_path(), UserConfig)


def set_own(keys: Mapping[str, object]) -> None:
    """Set keys of the user's own file, unless it is broken."""
    own()
    # Many keep such files in a folder of their own and link to them: the link stays.
    set_keys(Path(os.path.realpath(user_config_path())), keys)


def trust(vault: Path, *, default: bool = False) -> bool:
    """Write a vault into the list of trusted ones, once, by its real path."""
    known = is_trusted(vault)
    keys: dict[str, object] = {} if known else {"trusted_vaults": [*own().trusted_vaults, os.path.realpath(vault)]}
    if default:
        keys["default_vault"] = str(vault)
    if keys:
        set_own(keys)
    return not known


def distrust(vault: Path) -> bool:
    """Remove a vault from the trusted ones, however it is spelled there."""
    known = own().trusted_vaults
    meant = _spellings(vault)
    kept = [one for one in known if as_written(one) not in meant]
    if len(kept) < len(known):
        set_own({"trusted_vaults": kept})
    return len(kept) < len(known)


def forget_default(vault: Path) -> bool:
    """Stop a vault from being the default, however it is spelled there."""
    known = own().default_vault
    if not known or as_written(known) not in _spellings(vault):
        return False
    set_own({"default_vault": ""})
    return True


def _spellings(vault: Path) -> set[str]:
    return {as_written(str(vault)), os.path.normcase(os.path.realpath(vault))}


def set_keys(file: Path, keys: Mapping[str, object]) -> None:
    """Set top-level keys or tables of a TOML file, made when missing, as `with_keys` does."""
    with disk.refused("cannot be written", file):
        file.parent.mkdir(parents=True, exist_ok=True)
        text = disk.whole(file).decode("utf-8") if file.exists() else ""
    publish(file, with_keys(text, keys).encode("utf-8"), root=file.parent)


def with_keys(text: str, keys: Mapping[str, object]) -> str:
    """Return a TOML file with top-level keys or tables set; comments and everything else stay as they are.

    A mapping sets the keys of a table, and a mapping in it is written in one line; None in a table removes a key, and a
    table that is left blank.
    """
    import tomlkit

    mark = "\ufeff" if text.startswith("\ufeff") else ""
    document = tomlkit.parse(text.removeprefix(mark))
    for key, value in keys.items():
        if isinstance(value, dict):
            table = document.setdefault(key, tomlkit.table())
            for name, entry in value.items():
                if entry is None:
                    table.pop(name, None)
                else:
                    _put(table, name, entry)
            if isinstance(table, tomlkit.items.Table) and not table.as_string().strip():
                del document[key]
        else:
            _put(document, key, value)
    return f"{mark}{tomlkit.dumps(document)}"


_LONG_LIST = 100  # characters; a longer one has a line for each entry


def _put(table: Table | TOMLDocument, key: str, value: object) -> None:
    """Set a key, to a table in one line; a list keeps the comments and the layout that it has."""
    import tomlkit

    present = table.get(key)
    if isinstance(value, dict):
        value, given = tomlkit.inline_table(), value
        value.update(given)
    if isinstance(present, tomlkit.items.Array) and isinstance(value, list):
        for entry in [one for one in present if one not in value]:
            present.remove(entry)
        for entry in value:
            if entry not in present:
                present.append(entry)
    if present != value:
        if isinstance(value, list):
            entries, value = value, tomlkit.array()
            value.extend(entries)
            value.multiline(len(value.as_string()) > _LONG_LIST)
        table[key] = value


def reach(root: Path) -> Iterator[str]:
    """What a user should know before trusting a vault, one line each."""
    config = load(root / VAULT_FILE, Config)
    if config.follow:
        yield f"reads files outside of it, through links in {', '.join(config.follow)}"
    for name, project in config.projects.items():
        if project.paths:
            yield f"reads conversations held in {', '.join(project.paths)} (project {name})"
    if named := sum(1 for _ in session_registry.transcripts(str(root))):
        yield f"names {count(named, 'conversation')} to read, wherever they are"
    if os.path.lexists(root / USER_TEMPLATES):
        yield f"has templates of its own in {USER_TEMPLATES}"


_ALL, _LEVEL = "*", "warn"


def turn_contract_on(file: Path) -> ContractNote | None:
    """Turn the sub-agent contract on for types that the vault does not name; what takes it back, None if it was on."""
    from wrapgen.hosts.installer import ContractNote

    levels: dict[str, str] = dict(load(file, Config).agents.contract)
    if _ALL in levels:
        return None
    before = disk.whole(file)
    set_keys(file, {"agents": {"contract": {**levels, _ALL: _LEVEL}}})
    return ContractNote(before.decode("utf-8"), disk.digest(disk.whole(file)))


def turn_contract_off(file: Path, note: ContractNote | None) -> bool:
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
        set_keys(file, {"agents": {"contract": levels or None}})
    return level in (None, _LEVEL)
