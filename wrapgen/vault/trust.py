"""Which vaults automatic runs act for: those in the user's own list, and no other.

A `wrapgen.toml` may have come with somebody's repository. What stands in it decides which files are read and written
and which templates run, so hooks leave such a vault alone until its user has said `wrap trust`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.config import UserConfig, load, user_config_path
from wrapgen.whereabouts import is_listed

if TYPE_CHECKING:
    from pathlib import Path


def is_trusted(vault: Path) -> bool:
    """Whether automatic runs may act for a vault, see `is_listed`.

    Args:
        vault: the vault.

    Raises:
        ConfigError: the user's own file is broken; then nothing is known to be trusted.
    """
    return is_listed(str(vault), load(user_config_path(), UserConfig).trusted_vaults)
