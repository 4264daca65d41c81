"""`wrapgen.toml` and the user's own file: what they can say, and what they say."""

from wrapgen.config.address import shown_address, store_address
from wrapgen.config.load import load, user_config_path
from wrapgen.config.paths import is_source
from wrapgen.config.schema import (
    READERS,
    Agents,
    Config,
    FollowUps,
    Project,
    Sections,
    Sources,
    Stage,
    Tracks,
    UserConfig,
    UserReader,
)
from wrapgen.whereabouts import VAULT_FILE

__all__ = [
    "READERS",
    "VAULT_FILE",
    "Agents",
    "Config",
    "FollowUps",
    "Project",
    "Sections",
    "Sources",
    "Stage",
    "Tracks",
    "UserConfig",
    "UserReader",
    "is_source",
    "load",
    "shown_address",
    "store_address",
    "user_config_path",
]
