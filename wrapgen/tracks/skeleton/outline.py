"""Declarations of a source in order, each indented below the one that holds it. PURE."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.declaration_writer import DeclarationWriter, Manners

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree

    from wrapgen.tracks.skeleton.routes import Finder

_INDENT = "    "
_DEEPEST = 12
"""Levels. Below, indentation would outweigh what it indents."""


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A line of an outline, and where its declaration stands."""

    start: int  # offset in bytes of the declaration
    end: int  # offset behind it, body included: what begins before it is shown below this line
    line: str  # the declaration without its body
    bare: str  # the same without parameters
    name: str = ""  # what it declares, empty for a line that only belongs to its neighbour
    private: bool = False  # not meant for others; left out with all it holds, unless there is nothing else
    route: bool = field(default=False, compare=False)  # reached from outside, whatever holds it


Describe = Callable[[DeclarationWriter, "Node", "Node | None"], Iterable[OutlineLine]]
"""What a node declares, given the nearest scope around it (None at the top)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a language's declarations are found."""

    manners: Manners  # what of its syntax is never written
    declares: dict[str, Describe]  # node types that declare something
    opens: frozenset[str]  # node types that may hold declarations
    scopes: frozenset[str] = frozenset()  # those of them that own what they hold
    routes: Finder | None = None  # where else declarations stand: bodies are not opened


@dataclass(frozen=True, slots=True)
class Declaration:
    """A top-level declaration with all that it holds."""

    name: str  # what it declares
    lines: tuple[str, ...]  # its lines
    bare: tuple[str, ...]  # the same without parameters


def spans(tree: Tree, source: bytes, rules: Rules, beat: Callable[[], None]) -> Iterator[OutlineLine]:
    """What a source declares; a body is entered only where its node type opens, or for its routes.

    Args:
        tree: without errors.
        beat: called for every node; what it raises ends the search.
    """
    writer = DeclarationWriter(source, rules.manners)
    stack: list[tuple[Node, Node | None]] = [(tree.root_node, None)]
    while stack:
        beat()
        node, owner = stack.pop()
        kind = node.type
        describe = rules.declares.get(kind)
        if describe:
            yield from describe(writer, node, owner)
        if kind in rules.opens:
            inner = node if kind in rules.scopes else owner
            stack.extend((child, inner) for child in reversed(node.named_children))
    if rules.routes and rules.routes.hint.search(source):
        for node in _captured(tree, rules.routes.query):
            beat()
            yield from (span for span in rules.declares[node.type](writer, node, None) if span.route)


def _captured(tree: Tree, query: str) -> Iterator[Node]:
    from tree_sitter import QueryCursor

    yield from QueryCursor(_compiled(tree.language, query)).captures(tree.root_node).get("route", ())


@lru_cache
def _compiled(language: Language, query: str) -> Query:
    from tree_sitter import Query

    return Query(language, query)


def entries(found: Iterable[OutlineLine]) -> list[Declaration]:
    """Lines of declarations, by the top-level declaration that they belong to.

    Args:
        found: declarations in any order; one may be found twice.
    """
    ordered = sorted(dict.fromkeys(found), key=lambda span: (span.start, -span.end))
    groups: list[list[tuple[OutlineLine, int]]] = []
    for span, depth in _nested(_public(ordered) or ordered):
        if depth == 0 and (not groups or groups[-1][-1][1] > 0 or groups[-1][-1][0].name):
            groups.append([])
        groups[-1].append((span, depth))
    return [_entry(group) for group in groups]


def _public(ordered: Iterable[OutlineLine]) -> list[OutlineLine]:
    """Declarations that are not private, nor stand in a private one."""
    kept: list[OutlineLine] = []
    hidden_until = 0
    for span in ordered:
        if span.private and not span.route:
            hidden_until = max(hidden_until, span.end)
        elif span.start >= hidden_until or span.route:
            kept.append(span)
    return kept


def _nested(ordered: Iterable[OutlineLine]) -> Iterator[tuple[OutlineLine, int]]:
    """Each declaration with its depth."""
    around: list[int] = []
    for span in ordered:
        while around and around[-1] <= span.start:
            around.pop()
        if len(around) < _DEEPEST:
            yield span, len(around)
        around.append(span.end)


def _entry(group: list[tuple[OutlineLine, int]]) -> Declaration:
    name = next((span.name for span, depth in group if depth == 0 and span.name), "")
    return Declaration(
        name,
        tuple(_INDENT * depth + span.line for span, depth in group),
        tuple(_INDENT * depth + span.bare for span, depth in group),
    )
