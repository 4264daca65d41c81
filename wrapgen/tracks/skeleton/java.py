"""Declarations of Java sources. PURE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.declaration_writer import DeclarationWriter, Manners
from wrapgen.tracks.skeleton.outline import OutlineLine, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_MANNERS = Manners(
    dropped=frozenset({"line_comment", "block_comment", "block", "class_body"}),
    valued={"variable_declarator": "=", "annotation_type_element_declaration": "default"},
    whole=frozenset({"string_literal", "character_literal"}),
)
_ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
# Spring, JAX-RS, JPA and Lombok: what makes a class or a member a route or a record.
_TELLING = frozenset(
    "RestController Controller RequestMapping GetMapping PostMapping PutMapping PatchMapping DeleteMapping "
    "MessageMapping Path GET POST PUT PATCH DELETE HEAD OPTIONS Entity Table Document Embeddable Id Column "
    "OneToMany ManyToOne OneToOne ManyToMany Data Value Builder Getter Setter FeignClient FunctionalInterface".split()
)


def _declaration(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A type or a member, its annotations on lines before it."""
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    words = modifiers.children if modifiers is not None else []
    annotations = [word for word in words if word.type in _ANNOTATIONS]
    private = _private(node, {word.type for word in words})
    for annotation in annotations:
        if writer.field(annotation, "name").rpartition(".")[2] in _TELLING:
            line = writer.text(annotation)
            yield OutlineLine(annotation.start_byte, annotation.end_byte, line, line, private=private)
    start = max((annotation.end_byte for annotation in annotations), default=node.start_byte)
    params = node.child_by_field_name("parameters")
    until = node.child_by_field_name("body")
    without = [*annotations, *(_defaults(writer, params) if params is not None else ())]
    signature = writer.signature(node, until=until, params=params, without=without)
    line, bare = signature.line.rstrip(" ;"), signature.bare.rstrip(" ;")
    yield OutlineLine(start, node.end_byte, line, bare, writer.field(node, "name") or line, private)


def _defaults(writer: DeclarationWriter, params: Node) -> Iterator[Node]:
    """Default values that stand in annotations, as Spring's do."""
    stack = [params]
    while stack:
        node = stack.pop()
        if node.type == "element_value_pair" and writer.field(node, "key") == "defaultValue":
            yield node
        stack.extend(node.named_children)


def _private(node: Node, words: set[str]) -> bool:
    """A private field is part of what a record holds; a private constant or method is not."""
    return "private" in words and (node.type != "field_declaration" or "static" in words)


_DECLARATIONS = (
    "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
    "annotation_type_declaration", "method_declaration", "constructor_declaration", "field_declaration",
    "constant_declaration", "enum_constant", "annotation_type_element_declaration",
)  # fmt: skip

RULES = Rules(
    manners=_MANNERS,
    declares=dict.fromkeys(_DECLARATIONS, _declaration),
    opens=frozenset(
        {"program", "class_declaration", "class_body", "interface_declaration", "interface_body", "enum_declaration",
         "enum_body", "enum_body_declarations", "record_declaration", "annotation_type_declaration",
         "annotation_type_body"}
    ),
)  # fmt: skip
