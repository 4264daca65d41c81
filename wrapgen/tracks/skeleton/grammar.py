"""Which grammar reads a source, and reading it within bounds."""

from __future__ import annotations

import re
import time
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.outline import Declaration, declarations

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Language, Point, Tree

LARGEST = 500_000
"""Bytes. A larger source was made by a program."""
_SLOWEST = 1.0
"""Seconds of processor time for one source; a usual one of the largest size takes half of it."""
_CHUNK = 1 << 16
# Recovering from an error takes memory by the square of the nesting: tree-sitter needs 30 MB at 1,000 levels and
# 900 MB at 10,000, and nothing can stop it. People write ten levels.
_MOST_NESTED = 400
_BRACKETS = re.compile(rb"[()\[\]{}]")
# Types nest in `<`, and an arrow closes nothing.
_ANGLES = re.compile(rb"=>|->|[()\[\]{}<>;]")

_NAMES = {
    "python": ("py", "pyi", "pyw", "python3"),
    "javascript": ("js", "jsx", "mjs", "cjs"),
    "typescript": ("ts", "mts", "cts"),
    "tsx": (),
    "go": ("golang",),
    "rust": ("rs",),
    "java": (),
}
_ALIASES = {alias: name for name, aliases in _NAMES.items() for alias in (name, *aliases)}


class UnreadableError(Exception):
    """A source that does not parse, or not within bounds."""


class ReadingTime:
    """Processor time of this process that all sources together may take."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    def deadline(self) -> float:
        return min(self._end, time.process_time() + _SLOWEST)


def known(name: str) -> str:
    """The grammar for a language's name or a file's suffix without its dot, in any case; or nothing."""
    return _ALIASES.get(name.lower(), "")


def outline(text: str, language: str, patience: ReadingTime) -> list[Declaration]:
    """What a source declares; raises `UnreadableError`."""
    source = text.encode(errors="replace")
    if len(source) > LARGEST or _too_nested(source, angles=language != "python"):
        raise UnreadableError
    deadline = patience.deadline()

    def late(*_progress: object) -> bool:
        return time.process_time() >= deadline

    def beat() -> None:
        if late():
            raise UnreadableError

    return declarations(_parsed(source, language, late), source, language, _grammar(language)[1], beat)


def _parsed(source: bytes, language: str, late: Callable[[int, bool], bool]) -> Tree:
    from tree_sitter import Parser

    def read(offset: int, _point: Point) -> bytes:
        return source[offset : offset + _CHUNK]

    try:
        tree = Parser(_grammar(language)[0]).parse(read, progress_callback=late)
    except ValueError as stopped:
        raise UnreadableError from stopped
    if tree.root_node.has_error:
        raise UnreadableError
    return tree


def _too_nested(source: bytes, *, angles: bool) -> bool:
    """Whether brackets stand deeper in one another than people write; those of strings and comments count too."""
    depth = angle = 0
    for match in (_ANGLES if angles else _BRACKETS).finditer(source):
        mark = match[0]
        if mark in b"([{":
            depth += 1
        elif mark in b")]}":
            depth = max(0, depth - 1)
        elif mark == b"<":
            angle += 1
        elif mark == b">":
            angle = max(0, angle - 1)
        if mark in b";{}":
            # A comparison never closes.
            angle = 0
        if depth + angle > _MOST_NESTED:
            return True
    return False


@cache
def _grammar(language: str) -> tuple[Language, str]:
    """A grammar and the query that it ships for tags; its wheel is loaded only when a source needs it."""
    from tree_sitter import Language

    if language in {"typescript", "tsx"}:
        wheel = import_module("tree_sitter_typescript")
        pointer = wheel.language_tsx() if language == "tsx" else wheel.language_typescript()
        # Of what both languages declare, JavaScript's query speaks.
        return Language(pointer), wheel.TAGS_QUERY + _grammar("javascript")[1]
    wheel = import_module(f"tree_sitter_{language}")
    return Language(wheel.language()), wheel.TAGS_QUERY
