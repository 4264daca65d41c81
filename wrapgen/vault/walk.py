"""Which files of the vault are sources: each folder is listed once, in an order that does not depend on the disk."""

from __future__ import annotations

import os
import time
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.config import KEYS, VAULT_FILE, Config, LeftOut, split_headings
from wrapgen.notes import Kind, Trouble
from wrapgen.regular_files import text_of
from wrapgen.text.file_names import ConflictCopy, may_be_copy, original_of
from wrapgen.text.patterns import ANY_DEPTH, Pattern, Place
from wrapgen.vault.cache import Stamp, entry_stamp
from wrapgen.vault.markdown.todo_txt import is_todo_txt

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NOTES = (".md", ".markdown")


class FoundFile(NamedTuple):
    """A file that a pattern names."""

    path: str  # relative to the vault, with forward slashes
    kind: Kind
    place: Place
    file: str  # the path to open
    stamp: Stamp  # identifies its content


class Listing(NamedTuple):
    """What is in the vault."""

    found: tuple[FoundFile, ...]  # the sources
    # Markdown files that no source reads; hidden ones, what is ignored and what git leaves out apart
    others: tuple[FoundFile, ...]
    projects: tuple[str, ...]  # the names of project folders, and those that names of files give
    copies: tuple[ConflictCopy, ...]  # left beside notes by synchronizing programs; neither sources nor unread
    troubles: tuple[Trouble, ...]  # what could not be listed


def list_sources(root: Path, config: Config) -> Listing:
    """Find every source file and every project, by kind and path; what cannot be listed is in `troubles`."""
    walker = _Walker(root, config.follow)
    left_out = LeftOut(config)
    found: set[str] = set()
    ordered: list[FoundFile] = []
    folders: set[tuple[str, ...]] = set()
    projects: set[str] = set()
    for kind, patterns in _patterns(config):
        of_kind: list[FoundFile] = []
        for pattern in patterns:
            any_name = pattern.segments[-1:] == ("*",)
            for path, entry in walker.expand(pattern):
                place = None if any_name and not _is_note(path) else pattern.match(path)
                if place is None or path in found or left_out.takes(path) or walker.is_copy(path):
                    continue
                if stamp := walker.stamp(path, entry, place):
                    found.add(path)
                    of_kind.append(FoundFile(path, kind, place, entry.path, stamp))
            if pattern.project_folder:
                folders.add(pattern.project_folder)
        projects.update(one.place.project for one in of_kind if one.place.project)
        ordered += sorted(of_kind, key=_PATH)
    projects |= {
        path.rpartition("/")[2]
        for folder in folders
        for path, entry in walker.expand(Pattern("/".join(folder)))
        if walker.is_folder(path, entry)
    }
    return Listing(
        found=_each_once(ordered, walker),
        others=tuple(sorted((one for one in walker.notes(found) if not left_out.takes(one.path)), key=_PATH)),
        projects=tuple(sorted(projects)),
        copies=tuple(ConflictCopy(path, original) for path, original in sorted(walker.copies.items()) if original),
        troubles=tuple(Trouble(path, error, unread=True) for path, error in sorted(walker.troubles.items())),
    )


def source_to_be(root: Path, config: Config, path: str) -> FoundFile | None:
    """Return a file that does not exist yet as `list_sources` would find it; None for one that is no source."""
    if LeftOut(config).takes(path):
        return None
    places = ((kind, one.match(path)) for kind, patterns in _patterns(config) for one in patterns)
    made_now = Stamp(0, time.time_ns(), 0, 0)
    return next((FoundFile(path, kind, at, str(root / path), made_now) for kind, at in places if at is not None), None)


def _patterns(config: Config) -> Iterator[tuple[Kind, list[Pattern]]]:
    """Yield the patterns of each kind: those of whole files, then those of files of which sections alone are read."""
    for of_sections in (False, True):
        for kind, key in KEYS.items():
            globs = map(split_headings, getattr(config.sources, key))
            named = [path for path, headings in globs if bool(headings) is of_sections]
            yield kind, [one for path in named for one in Pattern(path).choices]


def conversations(root: Path, config: Config) -> Iterator[str]:
    """The real paths of the conversations that are kept in the vault; a link that leads outside is not followed."""
    walker = _Walker(root, ())
    for pattern in (one for glob in config.sources.transcripts for one in Pattern(glob).choices):
        for path, entry in walker.expand(pattern):
            if walker.stamp(path, entry, Place()):
                yield os.path.realpath(entry.path)


_NAME = _PATH = itemgetter(0)


def _is_note(path: str) -> bool:
    """Whether `*` and `**` at the end of a glob mean this file: pictures and data are no notes."""
    return path.lower().endswith(_NOTES) or is_todo_txt(path)


def _each_once(found: list[FoundFile], walker: _Walker) -> tuple[FoundFile, ...]:
    """Drop the second path to a file that a link inside the vault creates."""
    if not walker.followed_links:
        return tuple(found)
    real = {one.path: os.path.realpath(one.file) for one in found}
    direct = {real[one.path]: one.path for one in reversed(found)}
    direct |= {real[one.path]: one.path for one in found if real[one.path] == os.path.abspath(one.file)}
    return tuple(one for one in found if direct[real[one.path]] == one.path)


class _Walker:
    def __init__(self, root: Path, follow: tuple[str, ...]) -> None:
        self.root, self.follow = root, follow
        self.troubles: dict[str, str] = {}
        self.followed_links = False
        self.copies: dict[str, str | None] = {}
        self._listed: dict[str, dict[str, os.DirEntry[str]]] = {}
        self._where: dict[str, str] = {}
        self._real_root = os.path.realpath(root)
        self._where[""] = str(self.root)

    def expand(self, pattern: Pattern) -> list[tuple[str, os.DirEntry[str]]]:
        """Every path whose segments fit, in no order.

        No folder is searched twice for the same segment, however many `**` lead to it; and none is too deep.
        """
        found: list[tuple[str, os.DirEntry[str]]] = []
        todo = [("", 0, frozenset((self._real_root,)))]  # with the real folders that links led through
        seen: set[tuple[str, int]] = set()
        linked: set[tuple[str, int]] = set()
        while todo:
            folder, index, above = todo.pop()
            if (folder, index) in seen:
                continue
            seen.add((folder, index))
            segment = pattern.segments[index]
            last = index == len(pattern.segments) - 1
            if segment == ANY_DEPTH and not last:
                todo.append((folder, index + 1, above))
            deeper = index if segment == ANY_DEPTH else index + 1
            for name, entry in self._fitting(folder, pattern, index):
                path = f"{folder}/{name}" if folder else name
                if last:
                    found.append((path, entry))
                elif self.is_folder(path, entry):
                    inside = above
                    if entry.is_symlink():
                        real = os.path.realpath(entry.path)
                        if real in above or self._real_root.startswith(real + os.sep):
                            self.troubles[path] = "is a link that leads back to a parent folder"
                            continue
                        if (real, deeper) in linked:  # two links in each of thirty folders make a billion paths
                            continue
                        linked.add((real, deeper))
                        inside = above | {real}
                    self._where[path] = entry.path  # a name that is not valid UTF-8 is not its readable form
                    todo.append((path, deeper, inside))
        return found

    def notes(self, known: Container[str]) -> Iterator[FoundFile]:
        """The other Markdown files that are not hidden, that git does not leave out, and that are no links."""
        above = _rules_above(self.root)
        todo: list[tuple[str, tuple[_IgnoreRules, ...]]] = [("", above or ())]
        while todo:
            folder, rules = todo.pop()
            entries = self._entries(folder)
            if folder and VAULT_FILE in entries:
                continue  # another vault's notes
            if above is not None and _GITIGNORE in entries:
                rules += _rules_of(entries[_GITIGNORE].path, folder)
            for name, entry in entries.items():
                path = f"{folder}/{name}" if folder else name
                if name[0] == "." or path in known:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if not _is_ignored(f"{path}/", rules):
                        self._where[path] = entry.path
                        todo.append((path, rules))
                elif name.lower().endswith(_NOTES) and not _is_ignored(path, rules):
                    with suppress(OSError):  # it is gone by now
                        if entry.is_file(follow_symlinks=False) and not self.is_copy(path):
                            yield FoundFile(path, Kind.LISTS, Place(), entry.path, entry_stamp(entry))

    def is_copy(self, path: str) -> bool:
        """Whether this is somebody's conflict copy, which is then remembered."""
        if not may_be_copy(path.rpartition("/")[2]):
            return False
        if path not in self.copies:
            beside = self._entries(path.rpartition("/")[0])

            def read(one: str) -> str:
                return text_of(beside[one.rpartition("/")[2]].path)

            self.copies[path] = original_of(path, beside, read)
        return self.copies[path] is not None

    def _fitting(self, folder: str, pattern: Pattern, index: int) -> Iterable[tuple[str, os.DirEntry[str]]]:
        """What a folder holds that fits one segment of a pattern, with readable names."""
        entries = self._entries(folder)
        segment = pattern.segments[index]
        if pattern.literals[index]:
            return ((segment, entries[segment]),) if segment in entries else ()
        # As everywhere, a wildcard does not mean hidden files: editors keep trash and history there.
        hidden = segment.startswith(".")
        return [
            (name, entry)
            for name, entry in sorted(entries.items(), key=_NAME)
            if (hidden or not name.startswith("."))
            and (segment == ANY_DEPTH or pattern.segment_regexes[index].fullmatch(entry.name))
        ]

    def _entries(self, folder: str) -> dict[str, os.DirEntry[str]]:
        known = self._listed.get(folder)
        if known is None:
            known = self._listed[folder] = {}
            try:
                with os.scandir(self._where[folder]) as entries:
                    known |= {_readable(entry.name): entry for entry in entries}
            except FileNotFoundError:
                pass
            except OSError as error:
                self.troubles[folder or "."] = error.strerror or str(error)
        return known

    def is_folder(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Whether this is a folder that may be entered."""
        try:
            if entry.is_dir(follow_symlinks=False):
                return True
            return entry.is_dir() and self._may_follow(path, entry)
        except OSError as error:
            self.troubles[path] = error.strerror or str(error)
            return False

    def stamp(self, path: str, entry: os.DirEntry[str], place: Place) -> Stamp | None:
        """The stamp of a file that may be read; None for any other, which is then listed among the troubles."""
        trouble: str | None = None
        try:
            if entry.is_file(follow_symlinks=False) and not place.impossible:
                return entry_stamp(entry)
            if entry.is_symlink() and not self._may_follow(path, entry):
                return None
            if entry.is_dir():
                trouble = "is a folder, not a file"
            elif not entry.is_file():
                trouble = "is a broken link" if entry.is_symlink() else "is not a regular file"
            elif place.impossible:
                trouble = "is named after a day that does not exist"
            else:
                return entry_stamp(entry)
        except OSError as error:
            trouble = error.strerror or str(error)
        self.troubles[path] = trouble
        return None

    def _may_follow(self, path: str, entry: os.DirEntry[str]) -> bool:
        self.followed_links = True
        real = os.path.realpath(entry.path)
        if real == self._real_root or real.startswith(self._real_root + os.sep):
            return True
        if any(path == allowed.strip("/") or path.startswith(allowed.strip("/") + "/") for allowed in self.follow):
            return True
        self.troubles[path] = "is a link that leads outside the vault (allow it with `follow`)"
        return False


def _readable(name: str) -> str:
    """A file name as text that can be printed and encoded; names need not be valid UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8") if not name.isascii() else name


_GITIGNORE = ".gitignore"
# A line beyond this is passed over: what it would have left out is counted, which does no harm.
_LONGEST = 300
_MOST_STARS = 6


class _IgnoreRules(NamedTuple):
    """The lines of one file."""

    folder: str  # where it stands, relative to the vault with a slash at its end; "" for the vault itself
    spec: GitIgnoreSpec
    above: str = ""  # the way from the file's folder down to the vault, for a file above it


def _is_ignored(path: str, stack: tuple[_IgnoreRules, ...]) -> bool:
    """Whether rules, from the top of the work tree down, leave a path out; a folder ends in a slash."""
    for rules in reversed(stack):
        said = rules.spec.check_file(rules.above + path[len(rules.folder) :]).include
        if said is not None:
            return said
    return False


def _rules_above(root: Path) -> tuple[_IgnoreRules, ...] | None:
    """The rules from the top of the work tree down to a vault, its own file excepted; None outside of git."""
    here = os.path.abspath(root)
    folders = [here]
    while not os.path.lexists(os.path.join(folders[-1], ".git")):  # noqa: PTH118 - on every run
        parent = os.path.dirname(folders[-1])  # noqa: PTH120
        if parent == folders[-1]:
            return None
        folders.append(parent)
    files = [(folders[-1], os.path.join(folders[-1], ".git", "info", "exclude"))]  # noqa: PTH118
    files += [(folder, os.path.join(folder, _GITIGNORE)) for folder in reversed(folders[1:])]  # noqa: PTH118
    found: list[_IgnoreRules] = []
    for folder, file in files:
        way = os.path.relpath(here, folder).replace(os.sep, "/")
        found += _rules_of(file, "", "" if way == "." else f"{way}/")
    return tuple(found)


def _rules_of(file: str, folder: str, way: str = "") -> tuple[_IgnoreRules, ...]:
    """The rules of one file, as `_IgnoreRules` says; none when it cannot be read or says nothing."""
    lines = [line for line in text_of(file).splitlines() if line.strip() and not line.startswith("#")]
    lines = [line for line in lines if len(line) <= _LONGEST and line.count("*") <= _MOST_STARS]
    if not lines:
        return ()
    from pathspec import GitIgnoreSpec  # loaded where there is something to leave out

    spec = GitIgnoreSpec.from_lines([])
    for line in lines:
        with suppress(ValueError):  # one that means nothing; git passes over it
            spec += GitIgnoreSpec.from_lines([line])
    return (_IgnoreRules(f"{folder}/" if folder else "", spec, way),)
