"""Declarations of a source in order, each indented below the one that holds it. PURE."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.scribe import Manners, Scribe

if TYPE_CHECKING:
    from tree_sitter import Node

_INDENT = "    "
_DEEPEST = 12
"""Levels. Below, indentation would outweigh what it indents."""


@dataclass(frozen=True, slots=True)
class Span:
    """A line of an outline, and where its declaration stands.

    Attributes:
        start: offset in bytes of the declaration.
        end: offset behind it, body included: what begins before it is shown below this line.
        line: the declaration without its body.
        bare: the same without parameters.
        name: what it declares, empty for a line that only belongs to its neighbour.
        private: not meant for others; left out unless there is nothing else.
    """

    start: int
    end: int
    line: str
    bare: str
    name: str = ""
    private: bool = False


Describe = Callable[[Scribe, "Node", "Node | None"], Iterable[Span]]
"""What a node declares, given the nearest scope around it (None at the top)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a language's declarations are found.

    Attributes:
        manners: what of its syntax is never written.
        declares: node types that declare something.
        opens: node types that may hold declarations.
        scopes: those of them that own what they hold.
    """

    manners: Manners
    declares: dict[str, Describe]
    opens: frozenset[str]
    scopes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Entry:
    """A top-level declaration with all that it holds.

    Attributes:
        name: what it declares.
        lines: its lines.
        bare: the same without parameters.
    """

    name: str
    lines: tuple[str, ...]
    bare: tuple[str, ...]


def spans(root: Node, source: bytes, rules: Rules) -> Iterator[Span]:
    """What a source declares; a body is entered only where its node type opens.

    Args:
        root: of the syntax tree.
        source: as it was parsed.
        rules: of its language.
    """
    scribe = Scribe(source, rules.manners)
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, owner = stack.pop()
        kind = node.type
        describe = rules.declares.get(kind)
        if describe:
            yield from describe(scribe, node, owner)
        if kind in rules.opens:
            inner = node if kind in rules.scopes else owner
            stack.extend((child, inner) for child in reversed(node.named_children))


def entries(found: Iterable[Span]) -> list[Entry]:
    """Lines of declarations, by the top-level declaration that they belong to.

    Args:
        found: declarations in any order.
    """
    ordered = sorted(set(found), key=lambda span: (span.start, -span.end))
    nested = list(_nested(ordered))
    if any(span.name and not hidden for span, _, hidden in nested):
        nested = [one for one in nested if not one[2]]
    groups: list[list[tuple[Span, int]]] = []
    for span, depth, _ in nested:
        if depth == 0 and (not groups or groups[-1][-1][0].name or groups[-1][-1][1] > 0):
            groups.append([])
        groups[-1].append((span, depth))
    return [_entry(group) for group in groups]


def _nested(ordered: Iterable[Span]) -> Iterator[tuple[Span, int, bool]]:
    """Each declaration with its depth, and whether it or one around it is private."""
    around: list[tuple[int, bool]] = []
    for span in ordered:
        while around and around[-1][0] <= span.start:
            around.pop()
        hidden = span.private or (bool(around) and around[-1][1])
        if len(around) < _DEEPEST:
            yield span, len(around), hidden
        around.append((span.end, hidden))


def _entry(group: list[tuple[Span, int]]) -> Entry:
    name = next((span.name for span, depth in group if depth == 0 and span.name), "")
    return Entry(
        name,
        tuple(_INDENT * depth + span.line for span, depth in group),
        tuple(_INDENT * depth + span.bare for span, depth in group),
    )
