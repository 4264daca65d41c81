"""Declarations of Go sources. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.outline import Rules, Span
from wrapgen.tracks.skeleton.scribe import Manners, Scribe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_MANNERS = Manners(
    dropped=frozenset({"comment", "block"}),
    whole=frozenset({"interpreted_string_literal", "raw_string_literal"}),
    listed=frozenset({"field_declaration_list", "interface_type"}),
)
_BODIES = {"struct_type", "interface_type"}


def _function(scribe: Scribe, node: Node, _owner: Node | None) -> Iterator[Span]:
    params = node.child_by_field_name("parameters")
    signature = scribe.signature(node, until=node.child_by_field_name("body"), params=params)
    name = scribe.field(node, "name")
    receiver = node.child_by_field_name("receiver")
    full = f"{scribe.text(receiver)} {name}" if receiver is not None else name
    yield Span(node.start_byte, node.end_byte, signature.line, signature.bare, full)


def _type(scribe: Scribe, node: Node, _owner: Node | None) -> Iterator[Span]:
    """A type; the members of a struct or an interface stand on lines of their own."""
    kind = node.child_by_field_name("type")
    line = f"type {scribe.text(node)}"
    if kind is not None and kind.type in _BODIES:
        body = next((child for child in kind.children if child.type in {"field_declaration_list", "{"}), None)
        line = f"type {scribe.signature(node, until=body).line}"
    yield Span(node.start_byte, node.end_byte, line, line, scribe.field(node, "name"))


def _member(scribe: Scribe, node: Node, _owner: Node | None) -> Iterator[Span]:
    signature = scribe.signature(node, params=node.child_by_field_name("parameters"))
    yield Span(node.start_byte, node.end_byte, signature.line, signature.bare, signature.line)


def _constants(scribe: Scribe, node: Node, _owner: Node | None) -> Iterator[Span]:
    """The values of a type: a group of constants whose first one names the type."""
    specs = [child for child in node.named_children if child.type == "const_spec"]
    kind = specs[0].child_by_field_name("type") if specs else None
    if kind is None or kind.type != "type_identifier" or scribe.text(kind) in _PREDECLARED:
        return
    for spec in specs:
        line = f"const {scribe.text(spec)}"
        yield Span(spec.start_byte, spec.end_byte, line, line, line)


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
    },
    opens=frozenset(
        {"source_file", "type_declaration", "type_spec", "struct_type", "field_declaration_list", "interface_type"}
    ),
)
