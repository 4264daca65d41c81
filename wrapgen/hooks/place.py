"""Which vault an event is for, and whether hooks may act on it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.late_pattern import late
from wrapgen.regular_files import text_of, whole
from wrapgen.whereabouts import VAULT_FILE, VAULT_VARIABLE, is_listed, nearest_vault, user_config_file, vault_owning

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment
    from wrapgen.workflows.app import App

_LARGEST = 1_000_000  # bytes, as for any configuration file
_HEAD = 1 << 16  # bytes of a transcript in which its first lines name the folder
_CWD = late(r'"cwd"\s*:\s*"((?:[^"\\]|\\["\\/bfnrtu])*)"')


class FoundVault(NamedTuple):
    """A vault."""

    root: str  # the vault
    trusted: bool  # whether it is in the user's own list


class PlaceError(Exception):
    """The file that names the vault or the trusted ones is broken."""


def began_in(transcript: str) -> str:
    """The folder in which a session began: as the host says, else as its transcript begins; "" for neither."""
    said = os.environ.get("CLAUDE_PROJECT_DIR") or os.environ.get("GEMINI_PROJECT_DIR") or ""
    if os.path.isabs(said) and os.path.isdir(said):  # a session's own folder follows every `cd`
        return said
    if not transcript.endswith(".jsonl"):
        return ""
    named = _CWD.search(text_of(transcript, _HEAD))
    import json

    folder = json.loads(f'"{named[1]}"') if named else ""
    return folder if os.path.isabs(folder) and "\0" not in folder else ""


def vault_for(cwd: str, named: str | None = None) -> FoundVault | None:
    """The vault that a session in a folder hears of: one that it is in, whose configuration names it, or `named`.

    A default vault is for commands alone: a session in an unrelated folder hears of none. Raises `PlaceError` when the
    named folder is not a vault, or the user's configuration is broken.
    """
    own = _own_file()
    listed = own.get("trusted_vaults")
    trusted = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    here = os.path.abspath(cwd)
    if named:
        root: str | None = _vault(named)
    elif variable := os.environ.get(VAULT_VARIABLE):
        root = vault_owning(here, [_vault(variable)])
    else:
        default = own.get("default_vault")
        known = [*trusted, *([default] if isinstance(default, str) and default else [])]
        root = nearest_vault(here) or vault_owning(here, known)
    return FoundVault(root, is_listed(root, trusted)) if root else None


def _vault(folder: str) -> str:
    if not os.path.isfile(os.path.join(folder, VAULT_FILE)):
        raise PlaceError(f"{folder} has no {VAULT_FILE}, so there is no vault; `wrap doctor` says more")
    return os.path.abspath(folder)


def _own_file() -> dict[str, object]:
    """The user's configuration. Commands validate all of it; here two keys are enough."""
    file = user_config_file()
    try:
        text = whole(file, _LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise PlaceError(f"{file} cannot be read ({error}), so no vault is known to be trusted") from error
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PlaceError(f"{file} is not valid TOML ({error}), so no vault is known to be trusted") from None


def app_of(moment: Moment) -> App:
    """The vault of an event, for a run that nobody watches; what that needs is loaded here and not before."""
    from pathlib import Path

    from wrapgen.workflows.app import App

    return App(vault=Path(moment.root), quiet=True)
