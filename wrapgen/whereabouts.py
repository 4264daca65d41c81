"""Where a vault is, and whether its user trusts it, found out without loading anything large: hooks ask at every event.

The order in which a vault is looked for, which folders are its own, and what trust means, are here alone;
`wrapgen.vault.layout` puts words to it for commands.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from wrapgen.regular_files import object_of, text_of, whole

VAULT_FILE = "wrapgen.toml"
VAULT_VARIABLE = "WRAPGEN_VAULT"
_LARGEST = 1_000_000  # bytes, as for any configuration file
# A linked worktree's mark names `<main>/.git/worktrees/<name>` in so many bytes at most.
_LONGEST_MARK = 16_384


class Repository(NamedTuple):
    """Where a folder is in its git repository."""

    git: str  # the folder that all worktrees of the repository share, a real path
    inside: str  # its path in its worktree, "" for the top
    is_linked: bool  # whether that worktree is another than the main checkout


def nearest_vault(folder: str) -> str | None:
    """The nearest vault upwards from an absolute path, which need not exist; of linked worktrees the main one."""
    while not os.path.isfile(os.path.join(folder, VAULT_FILE)):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return main_vault(folder)


def main_vault(root: str) -> str:
    """The one vault that all worktrees of its repository are: the main checkout's, of a bare one that of its branch."""
    here = repository(os.path.realpath(root))
    if here is None or not here.is_linked:
        return root
    tops = [os.path.dirname(here.git)] if os.path.basename(here.git) == ".git" else _tops_on_its_branch(here.git)
    found = (os.path.normpath(os.path.join(top, here.inside)) for top in tops)
    return next((one for one in found if os.path.isfile(os.path.join(one, VAULT_FILE))), root)


def _tops_on_its_branch(git: str) -> Iterator[str]:
    head = _said(os.path.join(git, "HEAD"))
    for top, private in worktrees(git):
        if _said(os.path.join(private, "HEAD")) == head:
            yield top


def worktrees(git: str) -> Iterator[tuple[str, str]]:
    """The linked worktrees of a repository: the folder of each, and where git keeps what is its own."""
    folder = os.path.join(git, "worktrees")
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        private = os.path.join(folder, name)
        if mark := _said(os.path.join(private, "gitdir")):
            yield os.path.realpath(os.path.dirname(os.path.join(private, mark))), private


def _said(file: str) -> str:
    return text_of(file, _LONGEST_MARK).strip().replace("\0", "\ufffd")


def vault_owning(folder: str, vaults: Iterable[str]) -> str | None:
    """The vault that a folder is in, or whose configuration names it as a project's; of several the closest one.

    The folder is an absolute path, which need not exist; vaults that are gone or broken name nothing.
    """
    here = os.path.realpath(folder)
    home = repository(here)
    best, found = -1, None
    for vault in dict.fromkeys(map(as_written, vaults)):
        for path in _own_folders(vault):
            if len(path) > best and (is_within(here, path) or is_same_place(home, path)):
                best, found = len(path), vault
    return main_vault(found) if found else None


def is_same_place(home: Repository | None, path: str) -> bool:
    """Whether a place in a repository is in a folder (a real path), or in the same one of another worktree."""
    if home is None:
        return False
    if home.is_linked and is_within(os.path.normpath(os.path.join(os.path.dirname(home.git), home.inside)), path):
        return True
    there = repository(path)
    return there is not None and home.git == there.git and (not there.inside or is_within(home.inside, there.inside))


def is_within(folder: str, above: str) -> bool:
    """Whether a folder is another one or lies below it; both are real paths."""
    return folder == above or folder.startswith(os.path.join(above, ""))


def _own_folders(vault: str) -> Iterator[str]:
    """The real paths of a vault and its `[projects.*] paths`."""
    try:
        text = written(os.path.join(vault, VAULT_FILE))
    except (OSError, ValueError):
        return
    yield os.path.realpath(vault)
    try:
        tables = tables_of(text)
    except ValueError:
        return
    yield from (path for path, _ in named_folders(vault, tables))


def written(file: str) -> str:
    """What a configuration file holds; raises `OSError` and `ValueError`."""
    return whole(file, _LARGEST).decode("utf-8-sig")


def tables_of(text: str) -> dict[str, Any]:
    """What a configuration file says; commands validate all of it, hooks ask for a few keys. Raises `ValueError`."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError(str(error)) from None


def named_folders(vault: str, tables: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The real path of each folder that a vault's configuration names as a project's, with the project."""
    projects = tables.get("projects")
    for name, project in projects.items() if isinstance(projects, dict) else ():
        paths = project.get("paths") if isinstance(project, dict) else None
        for path in paths if isinstance(paths, list) else ():
            if isinstance(path, str) and "\0" not in path:
                yield real_path(vault, path), name


def real_path(vault: str, path: str) -> str:
    """The real path of a folder as a vault's configuration names it."""
    return os.path.realpath(os.path.join(vault, os.path.expanduser(path)))


def repository(folder: str) -> Repository | None:
    """The repository of a folder (a real path); of one that is gone, the one that is remembered of its worktree.

    A linked worktree has a file `.git` that names `<repository>/worktrees/<name>`.
    """
    if not os.path.isdir(folder) and (known := _remembered(folder)):
        return known
    top = folder
    while not os.path.lexists(mark := os.path.join(top, ".git")):
        top, below = os.path.dirname(top), top
        if top == below:
            return None
    git, is_linked = mark, False
    if not os.path.isdir(mark):
        git = os.path.normpath(os.path.join(top, _said(mark).partition("gitdir:")[2].strip()))
        shared = os.path.dirname(git)
        is_linked = os.path.basename(shared) == "worktrees" and git != shared
        git = os.path.dirname(shared) if is_linked else git
        if os.path.dirname(git) == git or git == top:
            return None
    return Repository(os.path.realpath(git), _below(folder, top), is_linked)


def _below(folder: str, top: str) -> str:
    return "" if folder == top else os.path.relpath(folder, top)


def worktrees_file() -> str:
    """Where the worktrees are noted that were once seen, each with its repository."""
    base = os.environ.get("XDG_STATE_HOME", "")
    base = base if os.path.isabs(base) else os.path.expanduser("~/.local/state")
    return os.path.join(base, "wrapgen", "worktrees.json")


def seen_worktrees() -> dict[str, str]:
    """The repository of each worktree that was once seen, by the worktree's folder."""
    return {top: git for top, git in object_of(worktrees_file()).items() if isinstance(git, str)}


def _remembered(folder: str) -> Repository | None:
    known = seen_worktrees()
    top = folder
    while known and top not in known:
        top, below = os.path.dirname(top), top
        if top == below:
            return None
    return Repository(known[top], _below(folder, top), True) if known else None


def main_checkout(folder: str) -> str | None:
    """The folder of the main checkout for one in a linked git worktree (a real path); None outside of such."""
    here = repository(folder)
    if here is None or not here.is_linked:
        return None
    return os.path.normpath(os.path.join(os.path.dirname(here.git), here.inside))


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
    """Whether a vault is in the user's list of trusted ones.

    A vault is known by its real path, so a link to a trusted vault is that vault, and one that was moved is another
    one. The list is taken as it is written: a link that was put in the place of a trusted vault leads to another one.
    """
    return os.path.normcase(os.path.realpath(vault)) in map(as_written, trusted)


def as_written(entry: str) -> str:
    """An entry of the list as it is compared with real paths."""
    return os.path.normcase(os.path.abspath(os.path.expanduser(entry)))
