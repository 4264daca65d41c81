"""Calls that register a route, wherever in a source they stand. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from tree_sitter import Node

    from wrapgen.tracks.skeleton.declaration_writer import DeclarationWriter


@dataclass(frozen=True, slots=True)
class Finder:
    """Where routes may stand."""

    # a tree-sitter query without predicates: of a source that is read in pieces it would read all of it for each of
    # them. What it captures as `route` is described like a declaration, and kept when it is a route.
    query: str
    # found in every source that the query could match in; running it costs as much as a tenth of parsing
    hint: re.Pattern[bytes]


@dataclass(frozen=True, slots=True)
class Access:
    """How a grammar writes `receiver.verb`."""

    kind: str  # the node's type
    of: str  # field of what stands before the dot
    verb: str  # field of what stands behind it
    verbs: frozenset[str]  # methods that a route may be registered by
    bodies: frozenset[str]  # types of arguments that are bodies written in place, and not shown


@dataclass(frozen=True, slots=True)
class RouteCall:
    """A call `receiver.verb(arguments)` by one of the verbs."""

    node: Node  # the call
    receiver: str  # what stands before the dot; empty when it is a call itself, the link before in a chain
    verb: str  # the method called
    start: int  # offset in bytes of the receiver, in a chain of the verb
    arguments: tuple[Node, ...]  # without comments

    @classmethod
    def read(cls, writer: DeclarationWriter, node: Node, access: Access) -> RouteCall | None:
        """The call that a node is, or None for any other."""
        called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if called is None or called.type != access.kind or arguments is None:
            return None
        of, verb = called.child_by_field_name(access.of), called.child_by_field_name(access.verb)
        if of is None or verb is None or writer.raw(verb) not in access.verbs:
            return None
        chained = node.type == of.type or "\n" in writer.raw(of)
        kept = tuple(child for child in arguments.named_children if "comment" not in child.type)
        start = verb.start_byte if chained else node.start_byte
        return cls(node, "" if chained else writer.text(of), writer.text(verb), start, kept)

    def line(self, writer: DeclarationWriter, access: Access, *, only: int | None = None) -> str:
        """The call on one line, without arguments that hold functions written in place.

        Args:
            only: how many arguments are shown; all when None.
        """
        shown = [writer.text(one) for one in self.arguments[:only] if not holds(one, access.bodies)]
        types = writer.field(self.node, "type_arguments") if only is None else ""
        return f"{self.receiver}.{self.verb}{types}({', '.join(shown)})"


def holds(node: Node, kinds: frozenset[str]) -> bool:
    """Whether a node or one inside of it is of one of these types."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in kinds:
            return True
        stack.extend(current.named_children)
    return False


def chain(writer: DeclarationWriter, call: RouteCall, access: Access) -> Iterator[RouteCall]:
    """Calls on the result of a call, as in `route("/x").get(list).post(create)`."""
    node = call.node
    while (link := node.parent) is not None and link.type == access.kind:
        outer = link.parent
        following = RouteCall.read(writer, outer, access) if outer is not None else None
        if following is None:
            return
        yield following
        node = following.node
