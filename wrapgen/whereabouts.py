"""Where a vault is, and whether its user trusts it, found out without loading anything large: hooks ask at every event.

The order in which a vault is looked for, which folders are its own, and what trust means, are here alone;
`wrapgen.vault.layout` and `wrapgen.vault.trust` put words to it for commands.
"""

import os
import sys
from collections.abc import Iterable, Iterator

from wrapgen.regular_files import whole

VAULT_FILE = "wrapgen.toml"
VAULT_VARIABLE = "WRAPGEN_VAULT"
_LARGEST = 1_000_000  # bytes, as for any configuration file
# A linked worktree's mark names `<main>/.git/worktrees/<name>` in so many bytes at most.
_LONGEST_MARK = 16_384


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


def vault_owning(folder: str, vaults: Iterable[str]) -> str | None:
    """The vault that a folder is in, or whose configuration names it as a project's; of several the closest one.

    Args:
        folder: an absolute path, which need not exist.
        vaults: those that may be meant, as they are in the user's own file; ones that are gone or broken name nothing.
    """
    here = [os.path.realpath(folder)]
    if main := main_checkout(here[0]):
        here.append(main)
    best, found = -1, None
    for vault in dict.fromkeys(map(as_written, vaults)):
        for path in _own_folders(vault):
            if len(path) > best and any(is_within(one, path) for one in here):
                best, found = len(path), vault
    return found


def is_within(folder: str, above: str) -> bool:
    """Whether a folder is another one or lies below it; both are real paths."""
    return folder == above or folder.startswith(os.path.join(above, ""))


def _own_folders(vault: str) -> Iterator[str]:
    """The real paths of a vault and its `[projects.*] paths`; commands validate the rest of its configuration."""
    import tomllib

    try:
        data = whole(os.path.join(vault, VAULT_FILE), _LARGEST)
    except OSError:
        return
    yield os.path.realpath(vault)
    try:
        projects = tomllib.loads(data.decode("utf-8-sig")).get("projects")
    except (ValueError, RecursionError):
        return
    for project in projects.values() if isinstance(projects, dict) else ():
        paths = project.get("paths") if isinstance(project, dict) else None
        for path in paths if isinstance(paths, list) else ():
            if isinstance(path, str) and "\0" not in path:
                yield os.path.realpath(os.path.join(vault, os.path.expanduser(path)))


def main_checkout(folder: str) -> str | None:
    """The folder of the main checkout that corresponds to a folder in a linked git worktree.

    A linked worktree has a file `.git` that names `<main>/.git/worktrees/<name>`.

    Args:
        folder: a real path.

    Returns:
        the corresponding folder of the main checkout; None outside of linked worktrees.
    """
    top = folder
    while not os.path.lexists(mark := os.path.join(top, ".git")):
        top, below = os.path.dirname(top), top
        if top == below:
            return None
    if not os.path.isfile(mark):
        return None
    try:
        said = whole(mark, _LONGEST_MARK).decode("utf-8", "replace")
    except OSError:
        return None
    named = said.partition("gitdir:")[2].strip().replace("\0", "\ufffd")
    worktrees, name = os.path.split(os.path.normpath(os.path.join(top, named)))
    git = os.path.dirname(worktrees)
    if os.path.basename(worktrees) != "worktrees" or not name or os.path.dirname(git) == git:
        return None
    return os.path.normpath(os.path.join(os.path.realpath(os.path.dirname(git)), os.path.relpath(folder, top)))


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
        trusted: the list, as it is in the user's own file.
    """
    return os.path.normcase(os.path.realpath(vault)) in map(as_written, trusted)


def as_written(entry: str) -> str:
    """An entry of the list as it is compared with real paths."""
    return os.path.normcase(os.path.abspath(os.path.expanduser(entry)))
