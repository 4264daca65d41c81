"""Which vaults automatic runs act for: those in the user's own list, and no other.

A `wrapgen.toml` may have come with somebody's repository. What stands in it decides which files are read and written
and which templates run, so hooks leave such a vault alone until its user has said `wrap trust`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wrapgen.config import UserConfig, load, user_config_path

if TYPE_CHECKING:
    from pathlib import Path


def is_trusted(vault: Path) -> bool:
    """Whether automatic runs may act for a vault.

    A vault is known by its real path, so a link to a trusted vault is that vault, and one that was moved is another
    one. The list is taken as it is written: a link that was put in the place of a trusted vault leads to another one.

    Args:
        vault: the vault.

    Raises:
        ConfigError: the user's own file is broken; then nothing is known to be trusted.
    """
    known = load(user_config_path(), UserConfig).trusted_vaults
    return os.path.normcase(os.path.realpath(vault)) in map(as_written, known)


def as_written(entry: str) -> str:
    """An entry of the list as it is compared with real paths."""
    return os.path.normcase(os.path.abspath(os.path.expanduser(entry)))  # noqa: PTH111
