"""Which vault an event is for, and whether hooks may act on it."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from wrapgen.late_pattern import late
from wrapgen.regular_files import text_of
from wrapgen.vault.headline import FILE as HEADLINE
from wrapgen.whereabouts import (
    VAULT_FILE,
    VAULT_VARIABLE,
    is_listed,
    named_folders,
    nearest_vault,
    tables_of,
    user_config_file,
    vault_owning,
    written,
)

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment
    from wrapgen.session.folders import Folders
    from wrapgen.workflows.app import App

_HEAD = 1 << 16  # bytes of a transcript in which its first lines name the folder
_CWD = late(r'"cwd"\s*:\s*"((?:[^"\\]|\\["\\/bfnrtu])*)"')


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


def vault_for(cwd: str, named: str | None = None) -> str | None:
    """The vault that a session in a folder hears of: one that it is in, whose configuration names it, or `named`.

    A default vault is for commands alone: a session in an unrelated folder hears of none. Raises `PlaceError` when the
    named folder is not a vault, or the user's configuration is needed and broken.
    """
    here = os.path.abspath(cwd)
    if named:
        return _vault(named)
    if variable := os.environ.get(VAULT_VARIABLE):
        return vault_owning(here, [_vault(variable)])
    if found := nearest_vault(here):
        return found
    own = _own_file()
    default = own.get("default_vault")
    return vault_owning(here, [*_trusted(own), *([default] if isinstance(default, str) and default else [])])


def is_trusted(root: str) -> bool:
    """Whether a vault is in the user's own list; raises `PlaceError` when that cannot be read."""
    return is_listed(root, _trusted(_own_file()))


def _trusted(own: dict[str, Any]) -> list[str]:
    listed = own.get("trusted_vaults")
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _vault(folder: str) -> str:
    if not os.path.isfile(os.path.join(folder, VAULT_FILE)):
        raise PlaceError(f"{folder} has no {VAULT_FILE}, so there is no vault; `wrap doctor` says more")
    return os.path.abspath(folder)


@cache
def _own_file() -> dict[str, Any]:
    file = user_config_file()
    try:
        return tables_of(written(file))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise PlaceError(f"{file} cannot be read ({error}), so no vault is known to be trusted") from error
    except ValueError as error:
        raise PlaceError(f"{file} is not valid TOML ({error}), so no vault is known to be trusted") from error


class Settings(NamedTuple):
    """What a session is told of a vault's configuration."""

    output: str  # the dashboard
    stages: str  # the folder of the snapshots
    folders: Folders


def settings_of(root: str) -> Settings:
    """A vault's configuration, as far as it is written as it must be; raises `OSError` and `PlaceError`."""
    from wrapgen.session.folders import Folders

    file = os.path.join(root, VAULT_FILE)
    try:
        tables = tables_of(written(file))
    except ValueError as error:
        raise PlaceError(f"{file} is not valid TOML ({error})") from error
    stage = tables.get("stage")
    return Settings(
        _word(tables, "output", "ACTIVE-STATUS.md"),
        _word(stage if isinstance(stage, dict) else {}, "dir", "snapshots"),
        Folders.of(root, named_folders(root, tables), _word(tables, "project", "")),
    )


def _word(table: dict[str, Any], key: str, otherwise: str) -> str:
    found = table.get(key)
    return found if isinstance(found, str) else otherwise


def is_checked(root: str) -> bool:
    """Tell whether a vault's configuration is older than its last rebuild, which would have refused a wrong one."""
    try:
        return os.stat(os.path.join(root, VAULT_FILE)).st_mtime_ns < os.stat(os.path.join(root, HEADLINE)).st_mtime_ns
    except OSError:
        return False


def app_of(moment: Moment) -> App:
    """The vault of an event, for a run that nobody watches; what that needs is loaded here and not before."""
    from pathlib import Path

    from wrapgen.workflows.app import App

    return App(vault=Path(moment.root), quiet=True)
