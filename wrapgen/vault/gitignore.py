"""What git leaves out of a work tree, by its `.gitignore` files: a rebuild has no time to ask git."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.regular_files import text_of

if TYPE_CHECKING:
    from pathlib import Path

    from pathspec import GitIgnoreSpec

GITIGNORE = ".gitignore"
# A line beyond this is passed over: what it would have left out is counted, which does no harm.
_LONGEST = 300
_MOST_STARS = 6


class IgnoreRules(NamedTuple):
    """The lines of one file."""

    folder: str  # where it stands, relative to the vault with a slash at its end; "" for the vault itself
    spec: GitIgnoreSpec
    above: str = ""  # the way from the file's folder down to the vault, for a file above it


def ignored(path: str, stack: tuple[IgnoreRules, ...]) -> bool:
    """Whether rules, from the top of the work tree down, leave a path out; a folder ends in a slash."""
    for rules in reversed(stack):
        said = rules.spec.check_file(rules.above + path[len(rules.folder) :]).include
        if said is not None:
            return said
    return False


def above(root: Path) -> tuple[IgnoreRules, ...] | None:
    """The rules from the top of the work tree down to a vault, its own file excepted; None outside of git."""
    here = os.path.abspath(root)
    folders = [here]
    while not os.path.lexists(os.path.join(folders[-1], ".git")):  # noqa: PTH118 - on every run
        parent = os.path.dirname(folders[-1])  # noqa: PTH120
        if parent == folders[-1]:
            return None
        folders.append(parent)
    files = [(folders[-1], os.path.join(folders[-1], ".git", "info", "exclude"))]  # noqa: PTH118
    files += [(folder, os.path.join(folder, GITIGNORE)) for folder in reversed(folders[1:])]  # noqa: PTH118
    found: list[IgnoreRules] = []
    for folder, file in files:
        way = os.path.relpath(here, folder).replace(os.sep, "/")
        found += rules_of(file, "", "" if way == "." else f"{way}/")
    return tuple(found)


def rules_of(file: str, folder: str, way: str = "") -> tuple[IgnoreRules, ...]:
    """The rules of one file, as `IgnoreRules` says; none when it cannot be read or says nothing."""
    lines = [line for line in text_of(file).splitlines() if line.strip() and not line.startswith("#")]
    lines = [line for line in lines if len(line) <= _LONGEST and line.count("*") <= _MOST_STARS]
    if not lines:
        return ()
    return (IgnoreRules(f"{folder}/" if folder else "", _spec(lines), way),)


def _spec(lines: list[str]) -> GitIgnoreSpec:
    """All lines that mean something; git passes over the others."""
    from pathspec import GitIgnoreSpec  # loaded where there is something to leave out

    spec = GitIgnoreSpec.from_lines([])
    for line in lines:
        with suppress(ValueError):
            spec += GitIgnoreSpec.from_lines([line])
    return spec
