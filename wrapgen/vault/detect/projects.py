"""Which projects somebody's notes are about, by the folders that have a list of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from wrapgen.text.file_names import may_hand_over

_LIST = re.compile(r"(?:.*[-_ .])?(?:plan|roadmap|progress|backlog|todo|tasks)s?", re.IGNORECASE)
_NO_PROJECT = re.compile(
    r"[\W\d_]*(?:docs?|documentation|(?:daily[-_ ]?)?notes?|journals?|daily|dailies|logs?|devlogs?|worklogs?|sessions?"
    r"|hand-?offs?|plans?|specs?|reviews?|archives?|templates?|examples?|tests?|src|lib|scripts?|tools?|assets|inbox|meetings?|knowledge|wiki|memory|areas?"
    r"|resources|projects?|apps|packages|services|work|research|reports?|tasks?|issues?|backlog|content|posts|guides?|config"
    r"|status|active|done|completed|references?|concepts?|people|decisions?|designs?|adrs?|features?|skills?|prompts?)[\W\d_]*|\..*|\d{4}.*",
    re.IGNORECASE,
)
# What makes the folder itself a repository of something.
_REPOSITORY = (".git", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "CLAUDE.md", "AGENTS.md", "README.md")
# Folders that hold projects; in others the folders are parts of the one that all is about.
_HOLDERS = re.compile(
    r"[\W\d_]*(?:projects?|apps|packages|services|clients?|repos|products|work)[\W\d_]*", re.IGNORECASE
)
_MOST = 12


class FoundProjects(NamedTuple):
    """The projects that are proposed: several folders, or one name for all."""

    folders: dict[str, str]  # by name, the folder relative to the vault
    own: str = ""


def projects(root: Path, paths: Iterable[str], known: Iterable[str]) -> FoundProjects:
    """Look for folders with a list, progress or plan file of their own that no known project is."""
    names = {name.casefold() for name in known if name}
    found: dict[str, str] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        stem = name.rpartition(".")[0]
        above, _, title = folder.rpartition("/")
        stands = not above or _HOLDERS.fullmatch(above)
        if not folder or not stands or _NO_PROJECT.fullmatch(title) or title.casefold() in names:
            continue
        if may_hand_over(path) or _LIST.fullmatch(stem):
            found.setdefault(title, folder)
    if len(found) + len(names) > 1:
        return FoundProjects(dict(list(found.items())[:_MOST]))
    if names:
        return FoundProjects({})
    repository = any(os.path.lexists(root / one) for one in _REPOSITORY)
    only = next(iter(found), "")
    return FoundProjects({}, root.resolve().name if repository else only)
