"""Declarations of Go sources. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.declaration_writer import DeclarationWriter, Manners
from wrapgen.tracks.skeleton.outline import OutlineLine, Rules
from wrapgen.tracks.skeleton.routes import Access, Finder, RouteCall, chain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_MANNERS = Manners(
    dropped=frozenset({"comment", "block"}),
    whole=frozenset({"interpreted_string_literal", "raw_string_literal"}),
    listed=frozenset({"field_declaration_list", "interface_type"}),
)
_BODIES = {"struct_type", "interface_type"}


def _function(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    params = node.child_by_field_name("parameters")
    signature = writer.signature(node, until=node.child_by_field_name("body"), params=params)
    name = writer.field(node, "name")
    receiver = node.child_by_field_name("receiver")
    full = f"{writer.text(receiver)} {name}" if receiver is not None else name
    yield OutlineLine(node.start_byte, node.end_byte, signature.line, signature.bare, full)


def _type(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A type; the members of a struct or an interface stand on lines of their own."""
    kind = node.child_by_field_name("type")
    line = f"type {writer.text(node)}"
    if kind is not None and kind.type in _BODIES:
        body = next((child for child in kind.children if child.type in {"field_declaration_list", "{"}), None)
        line = f"type {writer.signature(node, until=body).line}"
    yield OutlineLine(node.start_byte, node.end_byte, line, line, writer.field(node, "name"))


def _member(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    signature = writer.signature(node, params=node.child_by_field_name("parameters"))
    yield OutlineLine(node.start_byte, node.end_byte, signature.line, signature.bare, signature.line)


def _constants(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """The values of a type: a group of constants whose first one names the type."""
    specs = [child for child in node.named_children if child.type == "const_spec"]
    kind = specs[0].child_by_field_name("type") if specs else None
    if kind is None or kind.type != "type_identifier" or writer.text(kind) in _PREDECLARED:
        return
    for spec in specs:
        line = f"const {writer.text(spec)}"
        yield OutlineLine(spec.start_byte, spec.end_byte, line, line, line)


def _route(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A route of net/http, gin, echo, chi, fiber or gorilla/mux."""
    call = RouteCall.read(writer, node, _ACCESS)
    if call is None or call.verb == "Methods" or not call.arguments or not _registers(writer, call):
        return
    following = chain(writer, call, _ACCESS) if call.verb in _CHAINED else ()
    methods = [one for one in following if one.verb == "Methods"]
    end = methods[-1].node.end_byte if methods else node.end_byte
    after = "".join(one.line(writer, _ACCESS) for one in methods)
    given = _given_to(writer, node) if call.verb in _GROUPS else ""
    line, bare = (f"{given}{call.line(writer, _ACCESS, only=only)}{after}" for only in (None, 1))
    yield OutlineLine(call.start, end, line, bare, bare, route=True)


def _registers(writer: DeclarationWriter, call: RouteCall) -> bool:
    first, last = call.arguments[0], call.arguments[-1]
    path = writer.text(first)[1:-1]
    if first.type not in _STRINGS or not _PATH.match(path):
        return False
    if call.verb in _GROUPS:
        return True
    others = {argument.type for argument in call.arguments[1:]}
    return call.verb in _VERBS and len(call.arguments) > 1 and not others & _STRINGS and last.type in _HANDLERS


def _given_to(writer: DeclarationWriter, node: Node) -> str:
    """The name that a group of routes gets: its routes are registered by it."""
    statement = node.parent.parent if node.parent is not None else None
    if statement is None or statement.type not in {"short_var_declaration", "assignment_statement"}:
        return ""
    return f"{writer.field(statement, 'left')} := "


_STRINGS = frozenset({"interpreted_string_literal", "raw_string_literal"})
_GROUPS = frozenset({"Group", "Route", "PathPrefix", "Mount"})
_VERBS = frozenset(
    "GET POST PUT PATCH DELETE HEAD OPTIONS Any Get Post Put Patch Delete Head Options Connect Trace All Use Static "
    "Handle HandleFunc Method MethodFunc".split()
)
_ACCESS = Access(
    "selector_expression", "operand", "field", _VERBS | _GROUPS | {"Methods"}, bodies=frozenset({"func_literal"})
)
_HANDLERS = frozenset({"identifier", "selector_expression", "func_literal", "call_expression"})
# gorilla/mux names the methods behind the path.
_CHAINED = frozenset({"Handle", "HandleFunc"})
# Go's own router takes `GET /path`.
_PATH = re.compile(r"(?:[A-Z]+ )?[\w.]*/")
_ROUTES = Finder(
    """
    (call_expression
      function: (selector_expression)
      arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)])) @route
    """,
    re.compile(rb"\.(?:[A-Z]+|[A-Z][a-z]+|HandleFunc|PathPrefix)\([\"`](?:[A-Z]+ )?[\w.]*/"),
)

_PREDECLARED = frozenset(
    "bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 "
    "uint16 uint32 uint64 uintptr any".split()
)

RULES = Rules(
    manners=_MANNERS,
    declares={
        "function_declaration": _function,
        "method_declaration": _function,
        "type_spec": _type,
        "type_alias": _type,
        "field_declaration": _member,
        "method_elem": _member,
        "type_elem": _member,
        "const_declaration": _constants,
        "call_expression": _route,
    },
    opens=frozenset(
        {"source_file", "type_declaration", "type_spec", "struct_type", "field_declaration_list", "interface_type"}
    ),
    routes=_ROUTES,
)
