"""A look at notes that are there already: what `wrapgen.toml` should say so that they are read."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from wrapgen.config import LeftOut
from wrapgen.regular_files import whole
from wrapgen.text.file_names import may_hand_over
from wrapgen.text.patterns import Pattern
from wrapgen.vault.detect import looking
from wrapgen.vault.detect.hand_overs import hand_over_files, hidden_hand_overs, touches
from wrapgen.vault.detect.proposal import Detected, FoundProjects
from wrapgen.vault.detect.tools import LOGSEQ, OBSIDIAN, logseq_settings, obsidian_settings
from wrapgen.vault.task_tools import task_folders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from wrapgen.vault.detect.proposal import Proposal
    from wrapgen.vault.index import Glance

# How deep below the folder the settings of a tool are looked for: a repository may hold more than the notes.
_DEPTH = 2
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
_TOOLS = ((OBSIDIAN, obsidian_settings), (LOGSEQ, logseq_settings))


def detect(glance: Glance) -> Detected:
    """Find out how the notes of a folder are kept, as far as its configuration does not read them yet."""
    root = glance.root
    said = [read(root, inside) for inside in _folders(root) for name, read in _TOOLS if (root / inside / name).exists()]
    asked = [one for settings in said for one in settings.proposals]
    told = [Pattern(glob).match for glob in glance.config.sources.transcripts]
    others = (one.path for one in glance.listing.others if not any(match(one.path) is not None for match in told))
    rest = _Rest([path for path in others if "\\" not in path])
    boxed = glance.unread.boxes
    proposals = rest.take(one for one in asked if one.key == "ignore")
    proposals += rest.take(looking.put_away(path for path in rest.paths if path in boxed))
    proposals += rest.take(one for one in asked if one.key == "journals")
    proposals += rest.take(looking.daily_notes(root, rest.paths))
    proposals += rest.take(task_folders(root, rest.paths))
    touched = touches(root)
    proposals += rest.take(hand_over_files(rest.paths, boxed, touched))
    read = {one.path for one in glance.listing.found}
    proposals += (one for one in hidden_hand_overs(root, touched) if one.glob not in read)
    proposals += rest.take(looking.lists(path for path in rest.paths if path in boxed))
    ignoring = [Pattern(one.glob).match for one in proposals if one.key == "ignore"]
    left_out = LeftOut(glance.config)
    texts = (one for one in looking.todo_txt_files(root) if one.glob not in read and not left_out.takes(one.glob))
    config = glance.config
    listed = [one.path for one in (*glance.listing.found, *glance.listing.others) if not left_out.takes(one.path)]
    kept = [path for path in listed if not any(match(path) for match in ignoring)]
    return Detected(
        (*proposals, *texts),
        next((one.task_filter for one in said if _is_used(root, boxed, one.task_filter)), ""),
        next((one.states for one in said if one.states), {}),
        projects=FoundProjects({})
        if config.project
        else _projects(root, kept, (*glance.listing.projects, *config.projects)),
    )


def _is_used(root: Path, paths: Iterable[str], task_filter: str) -> bool:
    """Whether a file with open boxes holds the filter: one that was set and forgotten would hide every task."""
    if not task_filter:
        return False
    tag = task_filter.encode()
    for path in paths:
        with suppress(OSError):
            if tag in whole(root / path):
                return True
    return False


class _Rest:
    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    def take(self, proposals: Iterable[Proposal]) -> list[Proposal]:
        """The proposals that account for some of the files, which are taken away."""
        good: list[Proposal] = []
        for one in proposals:
            match = Pattern(one.glob).match
            fits = [path for path in self.paths if (place := match(path)) and not place.impossible]
            if fits and one.glob not in {former.glob for former in good}:
                good.append(one)
                taken = set(fits)
                self.paths = [path for path in self.paths if path not in taken]
        return good


def _folders(root: Path) -> Iterator[str]:
    todo = [("", 0)]
    while todo:
        folder, depth = todo.pop(0)
        yield folder
        if depth == _DEPTH:
            continue
        try:
            with os.scandir(root / folder) as entries:
                names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:
            continue
        todo += [(f"{folder}/{name}" if folder else name, depth + 1) for name in names if not name.startswith(".")]


def _projects(root: Path, paths: Iterable[str], known: Iterable[str]) -> FoundProjects:
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
