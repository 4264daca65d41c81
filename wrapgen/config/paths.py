"""Which paths a vault's configuration may name."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.config.schema import Sources
from wrapgen.patterns import ANY_DEPTH, Pattern
from wrapgen.whereabouts import VAULT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.config.schema import Config

# More of them fit one path in so many ways that looking for files would not end.
_MOST_ANY_DEPTH = 2
_MOST_WILDCARDS = 3
# Folders that are not notes: the program's own, and git's.
_OWN_FOLDERS = (".agents", ".git", ".wrapgen")


class PathTrouble(NamedTuple):
    """A path that cannot be used.

    Attributes:
        keys: where it stands in the file.
        value: the path.
        what: why it cannot be used.
        next_step: what to do instead.
    """

    keys: tuple[str, ...]
    value: str
    what: str
    next_step: str


def path_troubles(config: Config) -> Iterator[PathTrouble]:
    """The paths by which a vault's own file would make wrapgen reach beside the vault or write over notes.

    Args:
        config: the vault's configuration.
    """
    named: list[tuple[tuple[str, ...], str]] = [
        (("sources", name), glob) for name in Sources.__struct_fields__ for glob in getattr(config.sources, name)
    ]
    own = {("output",): _output_trouble, ("stage", "dir"): _snapshots_trouble}
    for keys, value in [*named, (("output",), config.output), (("stage", "dir"), config.stage.dir)]:
        if trouble := _path_trouble(value) or (own[keys](config) if keys in own else None):
            yield PathTrouble(keys, value, *trouble)


def _path_trouble(value: str) -> tuple[str, str] | None:
    """Why a path or pattern cannot be used, and what to do instead."""
    pure = PurePosixPath(value.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or re.match(r"^[A-Za-z]:", value):
        return "leads out of the vault", "Give a path relative to the vault, without `..`."
    if pure.parts.count(ANY_DEPTH) > _MOST_ANY_DEPTH or any(_wildcards(part) > _MOST_WILDCARDS for part in pure.parts):
        most = f"Use `**` at most {_MOST_ANY_DEPTH} times, and at most {_MOST_WILDCARDS} wildcards in one name."
        return "has too many wildcards", most
    if not value.isprintable():
        return "holds control characters", "Give a path of printable characters."
    if not pure.parts:
        return "names no file", "Give a path relative to the vault."
    return None


def _wildcards(part: str) -> int:
    """How many pieces of any length a name of a pattern has."""
    return part.count("*") + part.count("<project>") + part.count("<task>")


def _output_trouble(config: Config) -> tuple[str, str] | None:
    """Why the dashboard cannot stand there: it would be written over notes, or over what the program needs."""
    output = PurePosixPath(config.output.replace("\\", "/"))
    if output.parts[0].casefold() in _OWN_FOLDERS or str(output).casefold() == VAULT_FILE:
        return "is not free for the dashboard", 'Choose another name, such as "ACTIVE-STATUS.md".'
    if is_source(str(output), config.sources):
        return "is read as a source, and a rebuild would overwrite it", "Choose a name that no source pattern fits."
    return None


def _snapshots_trouble(config: Config) -> tuple[str, str] | None:
    """Why stage snapshots cannot stand there: in the program's own folders, or where they would be read as notes."""
    folder = PurePosixPath(config.stage.dir.replace("\\", "/"))
    if folder.parts[0] in _OWN_FOLDERS:
        return "is not free for snapshots", 'Choose another folder, such as "snapshots".'
    if is_source(str(folder / "TUNE-0254.snapshot.md"), config.sources):
        return "is read as a source, so snapshots would be taken for notes", "Choose a folder that no pattern reaches."
    return None


def is_source(path: str, sources: Sources) -> bool:
    """Whether a path is one of the notes that are read.

    Args:
        path: relative to the vault, with forward slashes.
        sources: the configured patterns.
    """
    globs = (glob for name in Sources.__struct_fields__ for glob in getattr(sources, name))
    return any(Pattern(glob).match(path) is not None for glob in globs)
