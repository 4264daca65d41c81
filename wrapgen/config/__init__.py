"""`wrapgen.toml` and the user's own file: their schema, and loading them."""

from wrapgen.config.load import load, load_text, shown_address, store_address, user_config_path
from wrapgen.config.paths import KEPT_OUTPUT, KEYS, LeftOut, is_source
from wrapgen.config.schema import (
    READERS,
    RESOLVE_THRESHOLD,
    Agents,
    Config,
    FollowUps,
    LinkStyle,
    Project,
    Sections,
    Sources,
    Stage,
    Tasks,
    UserConfig,
    UserReader,
)
from wrapgen.whereabouts import VAULT_FILE

__all__ = [
    "KEPT_OUTPUT", "KEYS", "READERS", "RESOLVE_THRESHOLD", "VAULT_FILE", "Agents", "Config", "FollowUps", "LeftOut",
    "LinkStyle", "Project", "Sections", "Sources", "Stage", "Tasks", "UserConfig", "UserReader", "is_source",
    "load", "load_text", "shown_address", "store_address", "user_config_path",
]  # fmt: skip
