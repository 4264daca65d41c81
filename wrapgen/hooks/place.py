"""Which vault an event is for, and whether hooks may act for it."""

import os
from typing import NamedTuple

from wrapgen.whereabouts import VAULT_FILE, VAULT_VARIABLE, is_listed, nearest_vault, user_config_file

_LARGEST = 1_000_000  # bytes, as for any configuration file


class Found(NamedTuple):
    """A vault.

    Attributes:
        root: the vault.
        trusted: whether it is in the user's own list.
    """

    root: str
    trusted: bool


class PlaceError(Exception):
    """What should say where the vault is, or which ones are trusted, does not."""


def vault_for(cwd: str, named: str | None = None) -> Found | None:
    """The vault of a working folder, looked for in the same order as by every command.

    Args:
        cwd: the session's working folder.
        named: the vault named on the command line.

    Returns:
        None where there is none.

    Raises:
        PlaceError: the one named is none, or the user's own file is broken.
    """
    own = _own_file()
    root = _named(named or os.environ.get(VAULT_VARIABLE)) or nearest_vault(os.path.abspath(cwd))
    root = root or _named(os.path.expanduser(str(own.get("default_vault") or "")))
    if root is None:
        return None
    trusted = own.get("trusted_vaults")
    entries = [one for one in trusted if isinstance(one, str)] if isinstance(trusted, list) else []
    return Found(root, is_listed(root, entries))


def _named(folder: str | None) -> str | None:
    if not folder:
        return None
    if not os.path.isfile(os.path.join(folder, VAULT_FILE)):
        raise PlaceError(f"{folder} has no {VAULT_FILE}, so there is no vault; `wrap doctor` says more")
    return os.path.abspath(folder)


def _own_file() -> dict[str, object]:
    """The user's own file. Commands check every word of it; here two keys are enough."""
    file = user_config_file()
    try:
        with open(file, "rb") as data:
            text = data.read(_LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise PlaceError(f"{file} cannot be read ({error}), so no vault is known to be trusted") from error
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PlaceError(f"{file} is not valid TOML ({error}), so no vault is known to be trusted") from None
