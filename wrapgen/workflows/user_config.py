"""The user's own file: the default vault, the vaults that hooks may act on; and what a vault holds beyond notes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.config import VAULT_FILE, Config, UserConfig, UserReader, load, user_config_path
from wrapgen.dashboard.render import USER_TEMPLATES
from wrapgen.text.display import count
from wrapgen.vault import disk, session_registry
from wrapgen.vault.files import publish
from wrapgen.vault.trust import is_trusted
from wrapgen.whereabouts import as_written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tomlkit import TOMLDocument
    from tomlkit.items import InlineTable, Table


def trusted() -> tuple[str, ...]:
    """The trusted vaults, as they are in the user's own file."""
    return load(user_config_path(), UserConfig).trusted_vaults


def trust(vault: Path, *, default: bool = False) -> bool:
    """Write a vault into the list of trusted ones, once, by its real path."""
    known = is_trusted(vault)
    keys: dict[str, object] = {} if known else {"trusted_vaults": [*trusted(), os.path.realpath(vault)]}
    if default:
        keys["default_vault"] = str(vault)
    if keys:
        _set(keys)
    return not known


def distrust(vault: Path) -> bool:
    """Remove a vault from the trusted ones, however it is spelled there."""
    known = trusted()
    meant = _spellings(vault)
    kept = [one for one in known if as_written(one) not in meant]
    if len(kept) < len(known):
        _set({"trusted_vaults": kept})
    return len(kept) < len(known)


def default_vault() -> str:
    """The default vault, empty for none."""
    return load(user_config_path(), UserConfig).default_vault


def make_default(vault: Path) -> None:
    """Make a vault the default."""
    load(user_config_path(), UserConfig)
    _set({"default_vault": str(vault)})


def forget_default(vault: Path) -> bool:
    """Stop a vault from being the default, however it is spelled there."""
    known = default_vault()
    if not known or as_written(known) not in _spellings(vault):
        return False
    _set({"default_vault": ""})
    return True


def reader() -> UserReader:
    """The configured reader and its limits."""
    return load(user_config_path(), UserConfig).reader


def name_reader(command: str) -> None:
    """Set a known program as the reader of conversations; "" for none."""
    load(user_config_path(), UserConfig)
    _set({"reader": {"command": command}})


def _spellings(vault: Path) -> set[str]:
    return {as_written(str(vault)), os.path.normcase(os.path.realpath(vault))}


def _set(keys: Mapping[str, object]) -> None:
    # Many keep such files in a folder of their own and link to them: the link stays.
    set_keys(Path(os.path.realpath(user_config_path())), keys)


def set_keys(file: Path, keys: Mapping[str, object]) -> None:
    """Set top-level keys or tables of a TOML file, made when missing; comments and everything else stay as they are.

    A mapping sets the keys of a table, and a mapping in it is written in one line; None in a table removes a key, and a
    table that is left blank.
    """
    import tomlkit

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = disk.whole(file).decode("utf-8") if file.exists() else ""
    except OSError as error:
        raise disk.cannot("cannot be written", file, error) from error
    document = tomlkit.parse(text)
    for key, value in keys.items():
        if isinstance(value, dict):
            table = document.setdefault(key, tomlkit.table())
            for name, entry in value.items():
                if entry is None:
                    table.pop(name, None)
                else:
                    _put(table, name, inline(entry) if isinstance(entry, dict) else entry)
            if isinstance(table, tomlkit.items.Table) and not table.as_string().strip():
                del document[key]
        else:
            _put(document, key, value)
    publish(file, tomlkit.dumps(document).encode("utf-8"), root=file.parent)


def _put(table: Table | TOMLDocument, key: str, value: object) -> None:
    """Set a key; a list keeps the comments and the layout that it has."""
    from tomlkit.items import Array

    present = table.get(key)
    if isinstance(present, Array) and isinstance(value, list):
        for entry in [one for one in present if one not in value]:
            present.remove(entry)
        for entry in value:
            if entry not in present:
                present.append(entry)
    if present != value:
        table[key] = value


def inline(mapping: Mapping[str, object]) -> InlineTable:
    """A table in one line."""
    import tomlkit

    table = tomlkit.inline_table()
    table.update(mapping)
    return table


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
