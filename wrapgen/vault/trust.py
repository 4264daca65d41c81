"""Which vaults automatic runs act for: those in the user's own list, and no other.

A `wrapgen.toml` may have come with somebody's repository. What stands in it decides which files are read and written
and which templates run, so hooks leave such a vault alone until its user has said `wrap trust`.
"""

from __future__ import annotations

import os
from pathlib import Path

from wrapgen.config import UserConfig, load, user_config_path


def is_trusted(vault: Path) -> bool:
    """Whether automatic runs may act for a vault.

    A vault is known by its real path: a link to a trusted vault is that vault, one that was moved is another one, and
    a link put in the place of a trusted vault leads to one that is not trusted.

    Args:
        vault: the vault.

    Raises:
        ConfigError: the user's own file is broken; then nothing is known to be trusted.
    """
    real = real_path(vault)
    return any(real_path(Path(known)) == real for known in load(user_config_path(), UserConfig).trusted_vaults)


def real_path(vault: Path) -> str:
    """By what a vault is known: its path without links, spelled as the system compares paths."""
    return os.path.normcase(os.path.realpath(vault.expanduser()))
