"""Where the team's store is: from the user's own file or the environment, never from a vault, which may be foreign.

Such an address usually contains a password, so it is never shown in full.
"""

from __future__ import annotations

import os
import re

from wrapgen.config.load import load, user_config_path
from wrapgen.config.schema import STORE_ADDRESS, UserConfig
from wrapgen.errors import ConfigError

STORE_VARIABLE = "WRAPGEN_STORE"

# Up to the last @, since a password may hold one that nobody wrote as %40.
_SECRETS = re.compile(r"(?P<before>://[^:/?#@]*:)[^ ]*(?=@)|(?P<name>[?&](?:ssl)?password=)[^&#]*", re.IGNORECASE)
_HIDDEN = "***"


def store_address() -> str | None:
    """The address of the team's store; None where each vault keeps a file of its own.

    Raises:
        ConfigError: the user's own file is broken, or the environment names something else than a PostgreSQL.
    """
    named = os.environ.get(STORE_VARIABLE)
    if named is None:
        return load(user_config_path(), UserConfig).agents.store or None
    if not re.fullmatch(STORE_ADDRESS, named):
        raise ConfigError(
            "is not the address of a PostgreSQL server",
            where=f"${STORE_VARIABLE}",
            next_step="Write it as postgresql://user@host/database, or unset it.",
        )
    return named or None


def shown_address(address: str) -> str:
    """An address without its passwords.

    Args:
        address: as libpq takes it.
    """
    return _SECRETS.sub(lambda found: (found["before"] or found["name"]) + _HIDDEN, address)
