"""Which paths a vault's configuration may name."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from wrapgen.config.file_roles import SECTION_KEYS, split_headings
from wrapgen.config.schema import Config, Sources
from wrapgen.notes import Kind
from wrapgen.text.patterns import ANY_DEPTH, Pattern, foreign_syntax
from wrapgen.text.wildcards import stars
from wrapgen.whereabouts import VAULT_FILE

# More of them fit one path in so many ways that looking for files would not end.
_MOST_ANY_DEPTH = 2
_MOST_WILDCARDS = 3
_MOST_CHOICES = 100
# Folders that are not notes: the program's own, and git's.
_OWN_FOLDERS = (".agents", ".git", ".wrapgen")
KEPT_OUTPUT = ".before-wrapgen"
"""What the names of copies say of text that stood in the dashboard's place."""


KEYS = {
    Kind.JOURNAL_NEXT: "journals",
    Kind.ACTIVE_TODOS: "active_todos",
    Kind.PROJECT_TODOS: "project_todos",
    Kind.PROGRESS: "progress",
    Kind.HAND_OVERS: "hand_overs",
    Kind.LISTS: "lists",
}
"""The key of `[sources]` that holds the globs of each kind; a file that several kinds match belongs to the first."""


class PathTrouble(NamedTuple):
    """A path that cannot be used."""

    keys: tuple[str, ...]  # where it is in the file
    value: str  # the path
    what: str  # why it cannot be used
    next_step: str  # what to do instead


def path_troubles(config: Config) -> Iterator[PathTrouble]:
    """The paths by which a vault's own file would make wrapgen reach beside the vault or write over notes."""
    for name in Sources.__struct_fields__:
        for glob in getattr(config.sources, name):
            path, headings = split_headings(glob)
            if trouble := _path_trouble(path) or _glob_trouble(path) or _heading_trouble(name, headings):
                yield PathTrouble(("sources", name), glob, *trouble)
    for keys, value, what, another in (
        (("output",), config.output, "the dashboard", 'name, such as "ACTIVE-STATUS.md"'),
        (("stage", "dir"), config.stage.dir, "snapshots", 'folder, such as "snapshots"'),
    ):
        reserved = (f"is reserved, so {what} cannot use it", f"Choose another {another}.")
        if trouble := _path_trouble(value) or (reserved if _is_reserved(value) else None):
            yield PathTrouble(keys, value, *trouble)


def _path_trouble(value: str) -> tuple[str, str] | None:
    pure = PurePosixPath(value.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or re.match(r"^[A-Za-z]:", value):
        return "leads outside the vault", "Give a path relative to the vault, without `..`."
    if pure.parts.count(ANY_DEPTH) > _MOST_ANY_DEPTH or any(_wildcards(part) > _MOST_WILDCARDS for part in pure.parts):
        most = f"Use `**` at most {_MOST_ANY_DEPTH} times, and at most {_MOST_WILDCARDS} wildcards in one name."
        return "has too many wildcards", most
    if not value.isprintable():
        return "contains control characters", "Use only printable characters."
    if not pure.parts:
        return "does not name a file", "Give a path relative to the vault."
    return None


def _glob_trouble(glob: str) -> tuple[str, str] | None:
    if why := foreign_syntax(glob):
        return why, "Globs know `*`, `**`, `?`, `{a,b}`, `<project>`, `<task>` and YYYY, MM, DD; write one with these."
    choices = 1
    for braces in re.findall(r"\{([^{}]*)\}", glob):
        choices *= braces.count(",") + 1
    if choices > _MOST_CHOICES:
        return "has too many choices in braces", f"Write several globs; one may have {_MOST_CHOICES} choices."
    return None


def _heading_trouble(name: str, headings: tuple[str, ...]) -> tuple[str, str] | None:
    if headings and name not in SECTION_KEYS:
        return "names a section", f"path#heading is for {', '.join(SECTION_KEYS)}."
    if any(not heading.strip() or stars(heading) > _MOST_WILDCARDS for heading in headings):
        return "names no heading", f"Write path#heading, with at most {_MOST_WILDCARDS} `*` for any words."
    return None


def _wildcards(part: str) -> int:
    """How many pieces of any length a name of a pattern has."""
    return sum(map(part.count, ("*", "<project>", "<task>", "{")))


def _is_reserved(value: str) -> bool:
    """Whether a path is for what the program needs."""
    path = PurePosixPath(_normal(value).casefold())
    return path.parts[0] in _OWN_FOLDERS or str(path) == VAULT_FILE


def is_source(path: str, config: Config) -> bool:
    """Whether a path is one of the notes that are read."""
    return not LeftOut(config).takes(path) and any(
        Pattern(split_headings(glob)[0]).match(path) is not None
        for key in KEYS.values()
        for glob in getattr(config.sources, key)
    )


class LeftOut:
    """What is never read, whatever a pattern says: what the program writes itself, and what the user wants ignored."""

    def __init__(self, config: Config) -> None:
        self._output = _normal(config.output)
        self._kept_output = str(PurePosixPath(self._output).with_suffix(KEPT_OUTPUT))
        self._folders = tuple(f"{folder}/" for folder in (*_OWN_FOLDERS, _normal(config.stage.dir)))
        whole = (path for path, headings in map(split_headings, config.sources.ignore) if not headings)
        self._ignored = tuple(Pattern(glob).match for glob in whole)

    def takes(self, path: str) -> bool:
        return (
            path.startswith((*self._folders, self._kept_output))
            or path == self._output
            or any(match(path) is not None for match in self._ignored)
        )


def _normal(path: str) -> str:
    return str(PurePosixPath(path.replace("\\", "/")))
