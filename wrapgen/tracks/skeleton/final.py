"""The last version of every file that a conversation wrote or showed, as signatures."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.text import visible
from wrapgen.tracks.record import Interface
from wrapgen.tracks.skeleton.blocks import CodeBlock, code_blocks
from wrapgen.tracks.skeleton.grammar import Patience, UnreadableError, known, outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.tracks.record import FileState, Step
    from wrapgen.tracks.skeleton.outline import Entry

PATIENCE = 3.0
"""Seconds of processor time for all sources together; the oldest ones are left unread when it is over."""
_FAMILIES = {"typescript": "javascript", "tsx": "javascript"}


@dataclass(frozen=True, slots=True)
class _Version:
    """What a file held last.

    Attributes:
        order: counts all versions of the conversation.
        name: as it is listed.
        language: a grammar's name, or empty.
        text: all of it.
        gone: the file was deleted.
        nameless: a code block that names no file.
    """

    order: int
    name: str
    language: str = ""
    text: str = ""
    gone: bool = False
    nameless: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    version: _Version
    entries: Sequence[Entry]
    readable: bool


def interfaces(steps: Iterable[Step]) -> tuple[Interface, ...]:
    """Signatures of every file in its final version, in the order of these versions.

    What a tool wrote is what a file holds: a code block of the same path is an excerpt of it, and left out. Of code
    blocks that name no file, only what is declared nowhere later is shown.

    Args:
        steps: of one conversation in order.
    """
    versions = _Versions()
    for step in steps:
        versions.add(step)
    patience = Patience(PATIENCE)
    # The newest first: they matter most when time is short.
    newest_first = [_read(version, patience) for version in reversed(versions.final())]
    return tuple(reversed(_listed(newest_first)))


class _Versions:
    """Files as they change, in the order of the conversation."""

    def __init__(self) -> None:
        self._count = 0
        self._written: dict[str, _Version] = {}
        self._shown: dict[str, _Version] = {}
        self._nameless: dict[tuple[str, str], _Version] = {}

    def add(self, step: Step) -> None:
        """Take over what a step wrote and showed."""
        for number, block in enumerate(code_blocks(step.text), start=1):
            self._show(
                block,
                f"code block {number} in turn {step.number}" if number > 1 else f"code block in turn {step.number}",
            )
        for state in step.files:
            self._write(state)

    def final(self) -> list[_Version]:
        """The last versions, the oldest first."""
        named = [version for key, version in self._shown.items() if not self._covered(key, version)]
        written = [version for version in self._written.values() if not version.gone]
        return sorted([*named, *written, *self._nameless.values()], key=lambda version: version.order)

    def _write(self, state: FileState) -> None:
        self._count += 1
        version = _Version(self._count, state.path, _by_suffix(state.path), state.text, state.gone)
        self._written[_key(state.path)] = version

    def _show(self, block: CodeBlock, nameless: str) -> None:
        self._count += 1
        tagged = known(block.tag)
        if not block.name:
            if tagged:
                version = _Version(self._count, nameless, tagged, block.text, nameless=True)
                self._nameless[tagged, block.text] = version
            return
        language = _by_suffix(block.name)
        if block.tag and not tagged and language:
            # A patch of the file, or what a command said about it.
            return
        self._shown[_key(block.name)] = _Version(self._count, block.name, language or tagged, block.text)

    def _covered(self, key: str, version: _Version) -> bool:
        """Whether a tool wrote the file that a block names, by its whole path or by the end of it."""
        whole = (
            self._written[path] for path in self._by_last_part().get(_last(key), ()) if f"/{path}".endswith(f"/{key}")
        )
        return any(not one.gone or one.order > version.order for one in whole)

    def _by_last_part(self) -> dict[str, list[str]]:
        paths: dict[str, list[str]] = {}
        for path in self._written:
            paths.setdefault(_last(path), []).append(path)
        return paths


def _read(version: _Version, patience: Patience) -> _Read:
    if not version.language:
        return _Read(version, (), readable=False)
    try:
        return _Read(version, outline(version.text, version.language, patience), readable=True)
    except UnreadableError:
        return _Read(version, (), readable=False)


def _listed(newest_first: Iterable[_Read]) -> list[Interface]:
    """Interfaces in the order given; of a nameless block only what no later source declares."""
    newest_first = list(newest_first)
    elsewhere = {entry.lines for one in newest_first if not one.version.nameless for entry in one.entries}
    later: set[tuple[str, str]] = set()
    listed: list[Interface] = []
    for one in newest_first:
        language, entries = one.version.language, one.entries
        family = _FAMILIES.get(language, language)
        if one.version.nameless:
            entries = [entry for entry in entries if entry.lines not in elsewhere and (family, entry.name) not in later]
        later.update((family, entry.name) for entry in one.entries)
        if entries or not (one.version.nameless and one.readable):
            listed.append(_interface(one, entries))
    return listed


def _interface(one: _Read, entries: Iterable[Entry]) -> Interface:
    entries = tuple(entries)
    return Interface(
        name=visible(one.version.name),
        language=one.version.language,
        lines=tuple(visible(line) for entry in entries for line in entry.lines),
        bare=tuple(visible(line) for entry in entries for line in entry.bare),
        readable=one.readable,
    )


def _key(path: str) -> str:
    """What paths of the same file have in common."""
    path = posixpath.normpath(path.replace("\\", "/"))
    return path[0].lower() + path[1:] if path[1:2] == ":" else path


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _by_suffix(path: str) -> str:
    """The grammar for a file's name."""
    return known(_last(path.replace("\\", "/")).rpartition(".")[2])
