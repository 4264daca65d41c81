"""Declarations of Rust sources. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.declaration_writer import DeclarationWriter, Manners
from wrapgen.tracks.skeleton.outline import OutlineLine, Rules
from wrapgen.tracks.skeleton.routes import Access, Finder, RouteCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_MANNERS = Manners(
    dropped=frozenset({"line_comment", "block_comment", "block"}),
    valued={"const_item": "="},
    whole=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
)
# Attributes of actix and Rocket that make a function a route.
_VERBS = frozenset(["get", "post", "put", "patch", "delete", "head", "options", "route", "connect", "trace", "catch"])


def _item(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """An item; members of a body in braces stand on lines of their own."""
    body = node.child_by_field_name("body")
    if node.type == "enum_variant" or (body is not None and body.type == "ordered_field_declaration_list"):
        body = None
    signature = writer.signature(node, until=body, params=node.child_by_field_name("parameters"))
    line, bare = signature.line.rstrip(" ;"), signature.bare.rstrip(" ;")
    name = writer.field(node, "name")
    yield OutlineLine(node.start_byte, node.end_byte, line, bare, name or line)


def _member(writer: DeclarationWriter, node: Node, owner: Node | None) -> Iterator[OutlineLine]:
    if owner is not None:
        yield from _item(writer, node, owner)


def _module(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    body, name = node.child_by_field_name("body"), writer.field(node, "name")
    if body is not None:
        line = writer.signature(node, until=body).line
        yield OutlineLine(node.start_byte, node.end_byte, line, line, name, private=name in {"test", "tests"})


def _attribute(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    attribute = node.named_children[0] if node.named_children else None
    path = attribute.named_children[0] if attribute is not None and attribute.named_children else None
    if path is not None and writer.text(path).rpartition("::")[2] in _VERBS:
        line = writer.text(node)
        yield OutlineLine(node.start_byte, node.end_byte, line, line, route=True)


def _route(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A route of axum."""
    call = RouteCall.read(writer, node, _ACCESS)
    if call is None or len(call.arguments) < 2 or not writer.text(call.arguments[0]).startswith('"/'):
        return
    line, bare = (call.line(writer, _ACCESS, only=only) for only in (None, 1))
    yield OutlineLine(call.start, node.end_byte, line, bare, bare, route=True)


_MOUNTS = frozenset({"route", "nest", "nest_service", "route_service"})
_ACCESS = Access("field_expression", "value", "field", _MOUNTS, bodies=frozenset({"closure_expression"}))
_ROUTES = Finder(
    """
    (call_expression function: (field_expression) arguments: (arguments . (string_literal))) @route
    """,
    re.compile(rb"\.(?:route|nest|nest_service|route_service)\(\s*\""),
)

_ITEMS = (
    "function_item", "function_signature_item", "struct_item", "enum_item", "union_item", "trait_item", "type_item",
    "impl_item", "associated_type", "field_declaration", "enum_variant",
)  # fmt: skip

RULES = Rules(
    manners=_MANNERS,
    declares={
        **dict.fromkeys(_ITEMS, _item),
        "const_item": _member,
        "mod_item": _module,
        "attribute_item": _attribute,
        "call_expression": _route,
    },
    opens=frozenset(
        {"source_file", "struct_item", "union_item", "enum_item", "trait_item", "impl_item", "mod_item",
         "field_declaration_list", "enum_variant_list", "declaration_list", "foreign_mod_item"}
    ),
    scopes=frozenset({"trait_item", "impl_item"}),
    routes=_ROUTES,
)  # fmt: skip
