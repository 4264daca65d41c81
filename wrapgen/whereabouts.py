"""Where a vault is, and whether its user trusts it, found out without loading anything large: hooks ask at every event.

The order in which a vault is looked for, and what trust means, stand here alone; `wrapgen.vault.layout` and
`wrapgen.vault.trust` put words to it for commands.
"""

import os
import sys
from collections.abc import Iterable

VAULT_FILE = "wrapgen.toml"
VAULT_VARIABLE = "WRAPGEN_VAULT"


def nearest_vault(folder: str) -> str | None:
    """The nearest folder upwards that is a vault.

    Args:
        folder: where to begin; an absolute path, which need not exist.
    """
    while not os.path.isfile(os.path.join(folder, VAULT_FILE)):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return folder


def user_config_file() -> str:
    """Where the user's own file is, whether it exists or not."""
    if sys.platform == "linux" and not os.environ.get("ANDROID_DATA"):
        # What platformdirs says too; loading it costs more than all else that a hook with nothing to do does.
        base = os.environ.get("XDG_CONFIG_HOME", "")
        base = base if os.path.isabs(base) else os.path.expanduser("~/.config")
        folder = os.path.join(base, "wrapgen")
    else:
        import platformdirs

        folder = platformdirs.user_config_dir("wrapgen", appauthor=False)
    return os.path.join(folder, "config.toml")


def is_listed(vault: str, trusted: Iterable[str]) -> bool:
    """Whether a vault is in a list of trusted ones.

    A vault is known by its real path, so a link to a trusted vault is that vault, and one that was moved is another
    one. The list is taken as it is written: a link that was put in the place of a trusted vault leads to another one.

    Args:
        vault: the vault.
        trusted: the list, as it stands in the user's own file.
    """
    return os.path.normcase(os.path.realpath(vault)) in map(as_written, trusted)


def as_written(entry: str) -> str:
    """An entry of the list as it is compared with real paths."""
    return os.path.normcase(os.path.abspath(os.path.expanduser(entry)))
