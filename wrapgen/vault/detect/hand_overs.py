"""What one session leaves to the next, boxes or not: files, by name and by how often they change, and headings."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.resources import any_word
from wrapgen.text.headings import day_named, fold_name, has_role, is_parked, session_subject
from wrapgen.vault.detect.file_names import is_hand_over, is_state_file, may_hand_over
from wrapgen.vault.detect.proposal import Proposal, literal
from wrapgen.vault.disk import below
from wrapgen.vault.git import Git

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from wrapgen.config import SectionNames
    from wrapgen.notes import Document

_COMMITS = 50
_OFTEN = 5  # of the last commits; a list that so many touched is lived in
_MOST = 8  # files that are proposed one by one
_DEEPEST = 3  # folders above such a file; one that is deeper is one of many
# A heading is proposed where so many of the journals have it, and at least so many of them.
_SHARE, _FEWEST = 1 / 3, 3
_MOST_HIDDEN = 4
_OF_TOOLS = frozenset((
    ".git", ".github", ".gitlab", ".obsidian", ".logseq", ".trash", ".wrapgen", ".vscode", ".idea", ".venv", ".cache",
    ".history", ".stversions", ".stfolder", ".npm", ".nuxt", ".next", ".svn", ".hg", ".tox", ".devcontainer",
))  # fmt: skip
# What agents are told by, and what is put away.
_PLAIN_FOLDERS = frozenset(
    ("skills", "commands", "prompts", "templates", "agents", "rules", "memory", "archive", "archived", "hooks")
)
_ITEMS_SHOWN = 3
# What speaks of what is still to come, in headings that no list of names holds.
_AHEAD = re.compile(rf"\b{any_word('ahead')}\b|{any_word('ahead_anywhere')}")


class NextName(NamedTuple):
    """A heading that many journals have, with a list below, and that no configured name is."""

    title: str  # as written in the newest
    files: int  # how many journals have it
    of: int  # of how many
    newest: tuple[str, ...]  # the first items of the newest list


def touches(root: Path) -> Counter[str]:
    """How many of the last commits touched each file, by its path relative to the vault; nothing outside of git."""
    said = Git(root, timeout=5.0).ask(
        "log", f"-{_COMMITS}", "--format=", "--name-only", "-z", "--relative", "--no-renames"
    )
    return Counter(filter(None, os.fsdecode(said or b"").replace("\n", "\0").split("\0")))


def hand_over_files(paths: Iterable[str], holding: Collection[str], touched: Counter[str]) -> list[Proposal]:
    """The files by which sessions hand over, those first that most commits touched.

    Of Markdown files that nothing accounts for; `holding` are those with open boxes or a *Next* list.
    """
    found: list[str] = []
    for path in paths:
        if path.count("/") > _DEEPEST:
            continue
        lived_in = path in holding and touched[path] >= _OFTEN
        near = "/" not in path or path in holding  # "celery-tasks.md" somewhere below may be about anything
        if is_hand_over(path) or lived_in or (may_hand_over(path) and near):
            found.append(path)
    return _liveliest(found, touched, holding, _MOST)


def hidden_hand_overs(root: Path, touched: Counter[str]) -> list[Proposal]:
    """Hand-overs in the hidden folders that agents keep their notes in: read only when they are named."""
    committed = Git(root, timeout=5.0).ask("ls-files", "-z", "--", ".*/**/*.md", ".*/*.md")
    known = None if committed is None else set(os.fsdecode(committed).split("\0"))
    found: list[str] = []
    for path in _hidden_notes(root):
        deep = path.count("/") > _DEEPEST or not _PLAIN_FOLDERS.isdisjoint(path.casefold().split("/")[:-1])
        if (is_hand_over(path) or is_state_file(path)) and not deep and (known is None or path in known):
            found.append(path)
    return _liveliest(found, touched, (), _MOST_HIDDEN)


def _hidden_notes(root: Path) -> Iterator[str]:
    with os.scandir(root) as entries:
        names = sorted(one.name for one in entries if one.name.startswith(".") and one.is_dir(follow_symlinks=False))
    for name in names:
        if name.casefold() not in _OF_TOOLS:
            for entry in below(root / name):
                if entry.name.casefold().endswith(".md") and entry.is_file(follow_symlinks=False):
                    yield os.path.relpath(entry.path, root).replace("\\", "/")


def _liveliest(paths: list[str], touched: Counter[str], holding: Collection[str], most: int) -> list[Proposal]:
    paths.sort(key=lambda path: (-touched[path], path not in holding, path.count("/"), path))
    found: list[Proposal] = []
    for path in paths[:most]:
        what = "hand-over" if may_hand_over(path) else "list"
        commits = f"in {touched[path]} of the last {_COMMITS} commits" if touched[path] else "by its name"
        found.append(Proposal("lists", literal(path), f"{what}, {commits}"))
    return found


def next_names(journals: Sequence[Document], names: SectionNames) -> list[NextName]:
    """Headings of what is still to come that no name fits, in a third of the journals, each time above a list.

    The journals are given with the newest first.
    """
    seen: Counter[str] = Counter()
    newest: dict[str, tuple[str, tuple[str, ...]]] = {}
    for document in journals:
        for title, items in _lists(document, names).items():
            seen[fold_name(title)] += 1
            newest.setdefault(fold_name(title), (title, items))
    enough = max(_FEWEST, len(journals) * _SHARE)
    return [
        NextName(newest[name][0], number, len(journals), newest[name][1])
        for name, number in seen.most_common()
        if number >= enough
    ]


def _lists(document: Document, names: SectionNames) -> dict[str, tuple[str, ...]]:
    """The open items below each heading that may be such a name, in its file."""
    found: dict[str, tuple[str, ...]] = {}
    for at, section in enumerate(document.sections):
        title = section.title
        known = has_role(title, names) or session_subject(title, names.session) is not None or is_parked(title)
        if known or day_named(title) or not _AHEAD.search(fold_name(title)):
            continue
        items = [entry.text for entry in document.entries if entry.section == at and not entry.done]
        if items:
            found.setdefault(title, tuple(items[:_ITEMS_SHOWN]))
    return found
