"""What one session leaves to the next: files by name, logs and sections by what stands there, and headings."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.config import SECTION_KEYS, escaped_heading, names_section, pattern_of, split_headings
from wrapgen.text.headings import NEXT, day_named, entry_heads, fold_name, has_role, is_parked, roles, session_subject
from wrapgen.vault.detect.file_names import any_word, is_hand_over, is_state_file, says_state
from wrapgen.vault.detect.proposal import Proposal, literal
from wrapgen.vault.detect.survey import TIME, Touched, number_of, row_glob
from wrapgen.vault.disk import LARGEST_FILE, below, read
from wrapgen.vault.git import Git, last_commits
from wrapgen.vault.markdown.parse import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from wrapgen.config import Config, SectionNames
    from wrapgen.notes import Document

COMMITS = 50
_OFTEN = 5  # of the last commits; a list that so many touched is lived in
_MOST = 8  # files and rows that are proposed
_DEEPEST = 3  # folders above such a file; one that is deeper is one of many
_ENTRIES = 2  # dated or session entries that say what is next make a file a log
_MOST_SECTIONS = 2  # of one file that are named one by one
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
_LEADS = re.compile(rf"\b{any_word('leads')}\b|{any_word('leads_anywhere')}")
# What of a heading will be another in the next entry: its number, day or bracket, and what it says behind a dash.
_VARIES = re.compile(r"(?<!\s)\s*(?:[(\[（【]|\s[—–-]\s|[:：]\s|\bv?\d).*", re.DOTALL)


class NextName(NamedTuple):
    """A heading that many journals have, with a list below, and that no configured name is."""

    title: str  # as written in the newest
    files: int  # how many journals have it
    of: int  # of how many
    newest: tuple[str, ...]  # the first items of the newest list


def touches(root: Path) -> dict[str, Touched]:
    """Return how many of the last commits touched each file, and when the last did; nothing outside of git."""
    commits = last_commits(Git(root, timeout=5.0), COMMITS)
    often = Counter(path for one in commits for path in one.paths)
    last = {path: one.day for one in reversed(commits) for path in one.paths}
    return {path: Touched(number, last[path]) for path, number in often.items()}


def named_hand_overs(
    paths: Iterable[str], document: Callable[[str], Document], touched: Mapping[str, Touched], names: SectionNames
) -> list[Proposal]:
    """Return the files, and rows of dated files, whose name or folder says that one session hands over in them.

    Where the newest of a row has no section of a *Next* name, but one that speaks of what comes next, that is meant.
    """
    rows: dict[str, list[str]] = {}
    for path in paths:
        folder = next((one for one in reversed(path.split("/")[:-1]) if not TIME.fullmatch(one)), "")
        if path.count("/") > _DEEPEST or not (is_hand_over(path) or is_hand_over(folder)):
            continue
        glob, _ = row_glob(path)
        if is_hand_over(path) or glob:
            rows.setdefault(glob or literal(path), []).append(path)
    found: list[tuple[str, list[str]]] = []
    for row, members in rows.items():
        glob = row if len(members) > 1 else literal(members[0])
        newest = document(max(members, key=number_of))
        leads = [] if _next_sections(newest, names)[0] else _leads(newest, names)
        found += [(f"{glob}#{lasting_heading(title, names)}", members) for title in leads] or [(glob, members)]
    return _liveliest(found, touched, "hand-overs")


def _leads(document: Document, names: SectionNames) -> list[str]:
    """Return the headings that speak of what comes next, with something below, though no name is among them."""
    holding = {entry.section for entry in document.entries if not entry.done and not entry.row}
    holding |= {one.entry.section for one in document.paragraphs}
    titles = [document.sections[at].title for at in sorted(holding - {-1})]
    return [one for one in titles if _LEADS.search(fold_name(one)) and not has_role(one, names)][:_MOST_SECTIONS]


def told_hand_overs(
    paths: Iterable[str], document: Callable[[str], Document], touched: Mapping[str, Touched], names: SectionNames
) -> list[Proposal]:
    """Return the logs, state files and files lived in that say in a section of their own what is next."""
    found: list[tuple[str, list[str]]] = []
    for path in paths:
        if path.count("/") > _DEEPEST:
            continue
        lived_in = path in touched and touched[path].commits >= _OFTEN
        within = document(path)
        sections, is_log = _next_sections(within, names)
        if says_state(path) or lived_in or is_log:
            found += [(glob, [path]) for glob in _sections_or_all(path, within, sections, names)]
    return _liveliest(found, touched, "what is next")


def _sections_or_all(path: str, document: Document, sections: Sequence[int], names: SectionNames) -> list[str]:
    """Return the globs of the sections that say what is next, that of the whole file where they have many names.

    What else stands in such a file is state: of the lists that six public vaults have there, 7 lines were right and 24
    wrong.
    """
    globs = _section_globs(path, document, sections, names)
    return globs if len(globs) <= _MOST_SECTIONS else [literal(path)]


def new_sections(
    paths: Iterable[str], document: Callable[[str], Document], touched: Mapping[str, Touched], config: Config
) -> list[Proposal]:
    """Return the headings of what is next in files of which `[sources]` names other sections alone."""
    found: list[tuple[str, list[str]]] = []
    for path in paths:
        within = document(path)
        named = [
            glob
            for key in SECTION_KEYS
            for glob in getattr(config.sources, key)
            if split_headings(glob)[1] and pattern_of(glob).match(path)
        ]
        sections, _ = _next_sections(within, config.names)
        new = [at for at in sections if not _is_named(within, at, named)]
        found += [(glob, [path]) for glob in _section_globs(path, within, new[:_MOST_SECTIONS], config.names)]
    return _liveliest(found, touched, "what is next, in a section of its own")


def _is_named(document: Document, at: int, globs: Sequence[str]) -> bool:
    """Tell whether a section, or one around it, is named by one of some globs that fit its file."""
    titles: list[str] = []
    while at >= 0:
        titles.insert(0, document.sections[at].title)
        at = document.sections[at].parent
    return any(names_section(glob, titles[:end]) for glob in globs for end in range(1, len(titles) + 1))


def _section_globs(path: str, document: Document, sections: Iterable[int], names: SectionNames) -> list[str]:
    titles = (document.sections[at].title for at in sections)
    return list(dict.fromkeys(f"{literal(path)}#{lasting_heading(one, names)}" for one in titles))


def _next_sections(document: Document, names: SectionNames) -> tuple[list[int], bool]:
    """Return the sections of what is next, and whether they stand in the entries of a log."""
    sections, heads = document.sections, entry_heads(document.sections, names.session)
    means = roles(sections, names)
    holding = {entry.section for entry in document.entries if not entry.done}
    holding |= {one.entry.section for one in document.paragraphs}
    found: dict[int, None] = {}
    for at in sorted(holding - {-1}):
        if means[at] != NEXT or is_parked(sections[at].title):
            continue
        top = at
        while (above := sections[top].parent) >= 0 and means[above] == NEXT:
            top = above
        found[top] = None
    entries = {head.section for at in found if (head := heads[at])}
    return [*found], len(entries) >= _ENTRIES


def lasting_heading(title: str, names: SectionNames) -> str:
    """Return a heading as it is written behind a path, with `*` for what will be another the next time."""
    bare = re.sub(r"\*\*|__|`", "", " ".join(title.split()))
    kept = _VARIES.sub("", bare)
    if kept == bare or not has_role(kept, names):
        return escaped_heading(bare)
    return f"{escaped_heading(kept)}*"


def hidden_hand_overs(root: Path, touched: Mapping[str, Touched], names: SectionNames) -> list[Proposal]:
    """Return hand-overs in the hidden folders that agents keep their notes in: read only when they are named."""
    found: list[str] = []
    for path in hidden_notes(root):
        deep = path.count("/") > _DEEPEST or not _PLAIN_FOLDERS.isdisjoint(path.casefold().split("/")[:-1])
        if (is_hand_over(path) or is_state_file(path)) and not deep:
            found.append(path)
    if not found:
        return []
    committed = Git(root, timeout=5.0).ask("ls-files", "-z", "--", ".*/**/*.md", ".*/*.md")
    known = None if committed is None else set(os.fsdecode(committed).split("\0"))
    rows = [
        (glob, [path])
        for path in found
        if known is None or path in known
        for glob in ([literal(path)] if is_hand_over(path) else _of_state(root, path, names))
    ]
    return _liveliest(rows, touched, "hand-overs")[:_MOST_HIDDEN]


def _of_state(root: Path, path: str, names: SectionNames) -> list[str]:
    """Return the globs of what a state file says is next; none for one that cannot be read."""
    try:
        document = parse(read(root / path, LARGEST_FILE).text)
    except OSError:
        return []
    return _sections_or_all(path, document, _next_sections(document, names)[0], names)


def hidden_notes(root: Path) -> Iterator[str]:
    """Return the paths of Markdown files in hidden folders, those of tools apart."""
    with os.scandir(root) as entries:
        names = sorted(one.name for one in entries if one.name.startswith(".") and one.is_dir(follow_symlinks=False))
    for name in names:
        if name.casefold() not in _OF_TOOLS:
            for entry in below(root / name):
                if entry.name.casefold().endswith(".md") and entry.is_file(follow_symlinks=False):
                    yield os.path.relpath(entry.path, root).replace("\\", "/")


def _liveliest(rows: Sequence[tuple[str, list[str]]], touched: Mapping[str, Touched], what: str) -> list[Proposal]:
    """Return proposals for rows of files, those first that most commits touched."""
    nothing = Touched(0, None)
    commits = {glob: max(touched.get(path, nothing).commits for path in paths) for glob, paths in rows}
    ordered = sorted(rows, key=lambda one: (-commits[one[0]], one[1][0].count("/"), one[0]))[:_MOST]
    return [
        Proposal(
            "hand_overs", glob, f"{what}, in {commits[glob]} of the last {COMMITS} commits" if commits[glob] else what
        )
        for glob, _ in ordered
    ]


def next_names(journals: Sequence[Document], names: SectionNames) -> list[NextName]:
    """Return headings of what is still to come that no name fits, in a third of the journals, each time above a list.

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
    """Return the open items below each heading that may be such a name, in its file."""
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
