"""Declarations of a source in order, each indented below the one that holds it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.declarations import WRITERS, OutlineLine, item
from wrapgen.tracks.skeleton.languages import LANGUAGES, DeclarationWriter
from wrapgen.tracks.skeleton.python import PYTHON

if TYPE_CHECKING:
    from tree_sitter import Language, Point, Query, Tree


LARGEST = 500_000  # bytes. A larger source was made by a program.
_SLOWEST = 1.0  # seconds of processor time for one source; a usual one of the largest size takes half of it
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


_INDENT = "    "
_DEEPEST = 12  # levels. Below, indentation would outweigh what it indents.
_PREDICATES = re.compile(r"\(#.*\)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A top-level declaration with all that it holds."""

    name: str  # what it declares
    lines: tuple[str, ...]  # its lines
    bare: tuple[str, ...]  # the same without parameters


def declarations(tree: Tree, source: bytes, language: str, tags: str, beat: Callable[[], None]) -> list[Declaration]:
    """What a source without errors declares; `beat` is called for every capture, and may end the search by raising."""
    from tree_sitter import QueryCursor

    writer = DeclarationWriter(source, LANGUAGES[language])
    found: dict[OutlineLine, None] = {}
    closed: list[tuple[int, int]] = []
    for name, nodes in QueryCursor(_compiled(tree.language, language, tags)).captures(tree.root_node).items():
        write = WRITERS.get(name) or PYTHON.get(name) or (item if name.startswith("definition.") else None)
        for node in nodes:
            beat()
            if name == "closed":
                closed.append((node.start_byte, node.end_byte))
            elif write:
                found.update(dict.fromkeys(write(writer, node)))
    ordered = sorted(found, key=lambda one: (one.start, -one.end))
    return _by_top(_public(_open(ordered, closed)))


@cache
def _compiled(grammar: Language, language: str, tags: str) -> Query:
    """The grammar's own query, without what refers to declarations, and ours."""
    from tree_sitter import Query

    query = Query(grammar, _PREDICATES.sub("", tags) + LANGUAGES[language].query)
    text = (_PREDICATES.sub("", tags) + LANGUAGES[language].query).encode()
    for at in range(query.pattern_count):
        if b"@reference" in text[query.start_byte_for_pattern(at) : query.end_byte_for_pattern(at)]:
            query.disable_pattern(at)
    return query


def _open(ordered: Iterable[OutlineLine], closed: Sequence[tuple[int, int]]) -> list[OutlineLine]:
    """Lines that stand neither in a body that holds nothing for others nor in what another line shows."""
    kept: list[OutlineLine] = []
    regions = iter(sorted(closed))
    region = next(regions, None)
    until = shown = 0
    for one in ordered:
        while region is not None and region[0] <= one.start:
            # A body that begins with the line itself holds it only when it goes further.
            if region[0] < one.start or region[1] > one.end:
                until = max(until, region[1])
            region = next(regions, None)
        if one.route or one.start >= max(until, shown):
            kept.append(one)
            shown = max(shown, one.shown if one.end > one.start else 0)
    return kept


def _public(ordered: Sequence[OutlineLine]) -> list[OutlineLine]:
    """Declarations that are not private, nor stand in a private one; all, where there are no others."""
    kept: list[OutlineLine] = []
    hidden_until = 0
    for one in ordered:
        if one.private and not one.route:
            hidden_until = max(hidden_until, one.end)
        elif one.start >= hidden_until or one.route:
            kept.append(one)
    return kept or list(ordered)


def _by_top(ordered: Iterable[OutlineLine]) -> list[Declaration]:
    groups: list[list[tuple[OutlineLine, int]]] = []
    for one, depth in _nested(ordered):
        if depth == 0 and (not groups or groups[-1][-1][1] > 0 or groups[-1][-1][0].name):
            groups.append([])
        groups[-1].append((one, depth))
    return [
        Declaration(
            next((one.name for one, depth in group if depth == 0 and one.name), ""),
            tuple(_INDENT * depth + one.line for one, depth in group),
            tuple(_INDENT * depth + one.bare for one, depth in group),
        )
        for group in groups
    ]


def _nested(ordered: Iterable[OutlineLine]) -> Iterator[tuple[OutlineLine, int]]:
    around: list[int] = []
    for one in ordered:
        while around and around[-1] <= one.start:
            around.pop()
        if len(around) < _DEEPEST:
            yield one, len(around)
        around.append(one.end)
