"""Declarations of a source in order, each indented below the one that holds it."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from tree_sitter import Language, Parser, Point, Query, QueryCursor, Tree

from wrapgen.tracks.skeleton.declarations import WRITERS, OutlineLine, item
from wrapgen.tracks.skeleton.languages import LANGUAGES, DeclarationWriter
from wrapgen.tracks.skeleton.python import PYTHON

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


@dataclass(frozen=True, slots=True)
class Declaration:
    """A top-level declaration with all that it holds."""

    name: str  # what it declares
    lines: tuple[str, ...]  # its lines
    bare: tuple[str, ...]  # the same without parameters


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

    return _declarations(_parsed(source, language, late), source, language, beat)


def _parsed(source: bytes, language: str, late: Callable[[int, bool], bool]) -> Tree:
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
def _grammar(language: str) -> tuple[Language, Query]:
    """A grammar, and its own query for tags (less what refers to declarations) with ours; loaded when it is needed."""
    family = "typescript" if language == "tsx" else language
    wheel = import_module(f"tree_sitter_{family}")
    named = f"language_{language}" if family == "typescript" else "language"
    grammar = Language(getattr(wheel, named)())
    # Of what both languages declare, JavaScript's query speaks.
    also = import_module("tree_sitter_javascript").TAGS_QUERY if family == "typescript" else ""
    text = _PREDICATES.sub("", wheel.TAGS_QUERY + also) + LANGUAGES[language].query
    query = Query(grammar, text)
    source = text.encode()
    for at in range(query.pattern_count):
        if b"@reference" in source[query.start_byte_for_pattern(at) : query.end_byte_for_pattern(at)]:
            query.disable_pattern(at)
    return grammar, query


_INDENT = "    "
_DEEPEST = 12  # levels. Below, indentation would outweigh what it indents.
_PREDICATES = re.compile(r"\(#.*\)[ \t]*$", re.MULTILINE)


def _declarations(tree: Tree, source: bytes, language: str, beat: Callable[[], None]) -> list[Declaration]:
    """What a source without errors declares; `beat` is called for every capture, and may end the search by raising."""
    writer = DeclarationWriter(source, LANGUAGES[language])
    found: dict[OutlineLine, None] = {}
    closed: list[tuple[int, int]] = []
    for name, nodes in QueryCursor(_grammar(language)[1]).captures(tree.root_node).items():
        write = WRITERS.get(name) or PYTHON.get(name) or (item if name.startswith("definition.") else None)
        for node in nodes:
            beat()
            if name == "closed":
                closed.append((node.start_byte, node.end_byte))
            elif write:
                found.update(dict.fromkeys(write(writer, node)))
    ordered = sorted(found, key=lambda one: (one.start, -one.end))
    return _by_top(_public(_open(ordered, closed)))


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
    around: list[int] = []
    for one in ordered:
        while around and around[-1] <= one.start:
            around.pop()
        depth = len(around)
        around.append(one.end)
        if depth == 0 and (not groups or groups[-1][-1][1] > 0 or groups[-1][-1][0].name):
            groups.append([])
        if depth < _DEEPEST:
            groups[-1].append((one, depth))
    return [
        Declaration(
            next((one.name for one, depth in group if depth == 0 and one.name), ""),
            tuple(_INDENT * depth + one.line for one, depth in group),
            tuple(_INDENT * depth + one.bare for one, depth in group),
        )
        for group in groups
    ]
