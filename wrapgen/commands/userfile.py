"""The user's own file: which vault is the default, and which vaults hooks may act for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.config import UserConfig, load, user_config_path

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def trust(vault: Path) -> None:
    """Write a vault into the list of trusted ones, once.

    Raises:
        ConfigError: the user's own file is broken.
        PublishError: it cannot be written.
    """
    known = load(user_config_path(), UserConfig).trusted_vaults
    if str(vault) not in known:
        _set({"trusted_vaults": [*known, str(vault)]})


def default_vault() -> str:
    """The vault that is used outside of every vault, empty for none.

    Raises:
        ConfigError: the user's own file is broken.
    """
    return load(user_config_path(), UserConfig).default_vault


def make_default(vault: Path) -> None:
    """Make a vault the default.

    Raises:
        ConfigError: the user's own file is broken.
        PublishError: it cannot be written.
    """
    load(user_config_path(), UserConfig)
    _set({"default_vault": str(vault)})


def _set(keys: Mapping[str, object]) -> None:
    set_keys(user_config_path(), keys)


def set_keys(file: Path, keys: Mapping[str, object]) -> None:
    """Set top-level keys or tables of a TOML file; comments and everything else stay as they are.

    Args:
        file: the file, made when missing, with its folder.
        keys: what to set; a mapping sets the keys of a table.

    Raises:
        PublishError: it cannot be written; the former file is untouched.
    """
    import tomlkit

    from wrapgen.errors import PublishError
    from wrapgen.vault.files import publish

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text(encoding="utf-8") if file.exists() else ""
    except OSError as error:
        raise PublishError(
            f"cannot be written ({error.strerror})", where=str(file), next_step="Change its permissions."
        ) from error
    document = tomlkit.parse(text)
    for key, value in keys.items():
        if isinstance(value, dict):
            table = document.setdefault(key, tomlkit.table())
            for name, entry in value.items():
                table[name] = entry
        else:
            document[key] = value
    publish(file, tomlkit.dumps(document).encode("utf-8"), root=file.parent)
