"""`wrapgen.toml` and the user's own file: their schema, and loading them."""

from wrapgen.config.file_roles import (
    SECTION_KEYS,
    FileRole,
    SectionRole,
    escaped_heading,
    pattern_of,
    role_of,
    split_headings,
)
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
    SectionNames,
    Sections,
    Sources,
    Stage,
    Tasks,
    UserConfig,
    UserReader,
)
from wrapgen.whereabouts import VAULT_FILE

__all__ = [
    "KEPT_OUTPUT",
    "KEYS",
    "READERS",
    "RESOLVE_THRESHOLD",
    "SECTION_KEYS",
    "VAULT_FILE",
    "Agents",
    "Config",
    "FileRole",
    "FollowUps",
    "LeftOut",
    "LinkStyle",
    "Project",
    "SectionNames",
    "SectionRole",
    "Sections",
    "Sources",
    "Stage",
    "Tasks",
    "UserConfig",
    "UserReader",
    "escaped_heading",
    "is_source",
    "load",
    "load_text",
    "pattern_of", "role_of",
    "shown_address",
    "split_headings",
    "store_address",
    "user_config_path",
]  # fmt: skip
