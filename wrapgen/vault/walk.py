"""Which files of the vault are sources: each folder is listed once, in an order that does not depend on the disk."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.model import Kind, Trouble
from wrapgen.patterns import ANY_DEPTH, Pattern, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.config import Config

_TABLE = {
    Kind.JOURNAL_NEXT: "journals",
    Kind.ACTIVE_TODOS: "active_todos",
    Kind.PROJECT_TODOS: "project_todos",
    Kind.PROGRESS: "progress",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A file that a pattern names.

    Attributes:
        path: relative to the vault, with forward slashes.
        file: the path to open.
    """

    path: str
    kind: Kind
    place: Place
    file: Path


@dataclass(frozen=True, slots=True)
class Listing:
    """What is in the vault: sources, names of project folders, and what could not be listed."""

    found: tuple[Found, ...]
    projects: tuple[str, ...]
    troubles: tuple[Trouble, ...]


def list_sources(root: Path, config: Config) -> Listing:
    """Find every source file and every project folder.

    Args:
        root: the vault.
        config: names the patterns, and the links that may lead out of the vault.

    Returns:
        the listing, by kind and path. Nothing is raised for a single file or folder: what cannot be listed stands in
        `troubles`.
    """
    walker = _Walker(root, config.follow)
    found: dict[str, Found] = {}
    projects: set[str] = set()
    for kind in Kind:
        for glob in getattr(config.sources, _TABLE[kind]):
            pattern = Pattern(glob)
            for path, entry in walker.expand(pattern):
                place = pattern.match(path)
                if place is not None and path not in found and walker.is_file(path, entry, place):
                    found[path] = Found(path, kind, place, Path(entry.path))
            if pattern.project_folder:
                names = walker.expand(Pattern("/".join(pattern.project_folder)))
                projects.update(_readable(entry.name) for path, entry in names if walker.is_folder(path, entry))
    return Listing(
        found=_each_once(sorted(found.values(), key=lambda one: (one.kind.chain, one.path)), walker),
        projects=tuple(sorted(projects)),
        troubles=tuple(Trouble(path, error) for path, error in sorted(walker.troubles.items())),
    )


def _each_once(found: list[Found], walker: _Walker) -> tuple[Found, ...]:
    """Drop the second way to a file that a link inside the vault makes."""
    if not walker.followed_links:
        return tuple(found)
    real = {one.path: os.path.realpath(one.file) for one in found}
    direct = {real[one.path]: one.path for one in reversed(found)}
    direct |= {real[one.path]: one.path for one in found if real[one.path] == os.path.abspath(one.file)}
    return tuple(one for one in found if direct[real[one.path]] == one.path)


@dataclass(slots=True)
class _Walker:
    root: Path
    follow: tuple[str, ...]
    troubles: dict[str, str] = field(default_factory=dict)
    followed_links: bool = False
    _listed: dict[str, list[os.DirEntry[str]]] = field(default_factory=dict)
    _real_root: str = ""

    def __post_init__(self) -> None:
        self._real_root = os.path.realpath(self.root)

    def expand(self, pattern: Pattern) -> Iterator[tuple[str, os.DirEntry[str]]]:
        """Every path whose segments fit, in the order of the names."""
        yield from self._expand("", pattern, 0, frozenset((self._real_root,)))

    def _expand(
        self, folder: str, pattern: Pattern, index: int, above: frozenset[str]
    ) -> Iterator[tuple[str, os.DirEntry[str]]]:
        segment = pattern.segments[index]
        last = index == len(pattern.segments) - 1
        if segment == ANY_DEPTH and not last:
            yield from self._expand(folder, pattern, index + 1, above)
        for entry in self._entries(folder):
            # As everywhere, a wildcard does not mean hidden files: editors keep trash and history there.
            if entry.name.startswith(".") and not segment.startswith("."):
                continue
            path = f"{folder}/{_readable(entry.name)}" if folder else _readable(entry.name)
            if segment != ANY_DEPTH and not pattern.segment_matches(index, entry.name):
                continue
            if last:
                yield path, entry
            elif self.is_folder(path, entry):
                inside = self._below(path, entry, above)
                if inside is not None:
                    deeper = index if segment == ANY_DEPTH else index + 1
                    yield from self._expand(path, pattern, deeper, inside)

    def _below(self, path: str, entry: os.DirEntry[str], above: frozenset[str]) -> frozenset[str] | None:
        """The real folders that lie above the files in this one; None when a link leads back into one of them."""
        if not entry.is_symlink():
            return above
        real = os.path.realpath(entry.path)
        if real in above or self._real_root.startswith(real + os.sep):
            self.troubles[path] = "is a link that leads back to a folder around it"
            return None
        return above | {real}

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        if folder not in self._listed:
            try:
                with os.scandir(self.root / folder) as entries:
                    self._listed[folder] = sorted(entries, key=lambda entry: entry.name)
            except FileNotFoundError:
                self._listed[folder] = []
            except OSError as error:
                self.troubles[folder or "."] = error.strerror or str(error)
                self._listed[folder] = []
        return self._listed[folder]

    def is_folder(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Whether this is a folder that may be entered."""
        try:
            return entry.is_dir() and (not entry.is_symlink() or self._may_follow(path, entry))
        except OSError as error:
            self.troubles[path] = error.strerror or str(error)
            return False

    def is_file(self, path: str, entry: os.DirEntry[str], place: Place) -> bool:
        """Whether this is a file that may be read; if not, it is listed among the troubles."""
        trouble: str | None = None
        try:
            if entry.is_symlink() and not self._may_follow(path, entry):
                return False
            if entry.is_dir():
                trouble = "is a folder, not a file"
            elif not entry.is_file():
                trouble = "is a broken link" if entry.is_symlink() else "is not a regular file"
            elif place.impossible:
                trouble = "is named after a day that does not exist"
        except OSError as error:
            trouble = error.strerror or str(error)
        if trouble:
            self.troubles[path] = trouble
        return trouble is None

    def _may_follow(self, path: str, entry: os.DirEntry[str]) -> bool:
        self.followed_links = True
        real = os.path.realpath(entry.path)
        if real == self._real_root or real.startswith(self._real_root + os.sep):
            return True
        if any(path == allowed.strip("/") or path.startswith(allowed.strip("/") + "/") for allowed in self.follow):
            return True
        self.troubles[path] = "is a link that leads out of the vault (allow it with `follow`)"
        return False


def _readable(name: str) -> str:
    """A file name as text that can be printed and encoded; names need not be valid UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8") if not name.isascii() else name
