"""Declarations of a source as lines, whatever its language: one writer for all, and a few for what differs. PURE."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from wrapgen.tracks.skeleton.languages import DeclarationWriter


class OutlineLine(NamedTuple):
    """A line of an outline, and where its declaration stands (offsets in bytes)."""

    start: int
    end: int  # behind the declaration, body included: what begins before it is shown below this line
    shown: int  # how far the line shows it: what is declared before is not shown again
    line: str
    bare: str  # the line without parameters
    name: str = ""  # what it declares, "" for a line that only belongs to its neighbour
    private: bool = False  # not meant for others; left out with all it holds, unless there is nothing else
    route: bool = False  # reached from outside, whatever holds it


_DECORATORS = frozenset({"decorator", "annotation", "marker_annotation"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_FIELDS = frozenset({"field_definition", "public_field_definition"})
_LEADS = frozenset(
    {"export_statement", "ambient_declaration", "lexical_declaration", "variable_declaration", "statement_block"}
)
_LEAD_WORDS = frozenset({"export", "default", "declare", "const", "let", "var"})
_SHOWN_BODIES = frozenset({"ordered_field_declaration_list"})
_STRINGS = frozenset(
    {"string", "template_string", "interpreted_string_literal", "raw_string_literal", "string_literal"}
)
_IN_PLACE = frozenset({"object", "func_literal", "closure_expression", *_FUNCTIONS})
"""Arguments of a route that are its body or its options."""
_GROUPS = frozenset({"Group", "Route", "PathPrefix", "Mount"})
_PATH = re.compile(r"[\"'`](?:[A-Z]+ )?[\w.]*[/*]")
_ON = r"(?i)(?:new\s+)?(?:[\w$]+\.){0,4}?\w*(?:%s)\d*\b"
_SURELY_SERVES = re.compile(_ON % "app|router|routes?|fastify|hono")
_SERVES = re.compile(_ON % r"app|router|routes?|fastify|hono|express|server|api|instance|group|scope|v\d+")
_PREDECLARED = frozenset(
    "bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 "
    "uint16 uint32 uint64 uintptr any".split()
)

Write = Callable[[DeclarationWriter, "Node"], Iterable[OutlineLine]]


def line_of(
    node: Node, line: str, *, name: str | None = None, private: bool = False, route: bool = False
) -> OutlineLine:
    """A line that shows all of a node."""
    name = line if name is None else name
    return OutlineLine(node.start_byte, node.end_byte, node.end_byte, line, line, name, private, route)


def item(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """A declaration without its body, the decorators that matter on lines before it."""
    kind, name = node.type, writer.field(node, "name") or writer.field(node, "property")
    if kind == "macro_definition" or (kind == "mod_item" and node.child_by_field_name("body") is None):
        return
    value = node.child_by_field_name("value")
    if kind == "assignment_expression":
        name, value = writer.field(node, "left"), node.child_by_field_name("right")
        if not name.startswith(("exports.", "module.exports")):
            return
    modifiers = [child for part in node.children if part.type == "modifiers" for child in part.children]
    decorators = [child for child in (*node.children, *modifiers) if child.type in _DECORATORS]
    private = is_private(writer, node, name, {child.type for child in modifiers})
    for mark in (child for child in modifiers if child.type in _DECORATORS):
        if writer.field(mark, "name").rpartition(".")[2] in writer.language.telling:
            yield line_of(mark, writer.text(mark), name="", private=private)
    given = value if value is not None and value.type in _FUNCTIONS else None
    until, params = _body(given or node), _parameters(given or node)
    without = [*decorators, *(_spring_defaults(writer, params) if modifiers and params is not None else ())]
    lead = _lead(node)
    head, without_head = node, ""
    if given is not None and kind in _FIELDS:
        head, without_head = given, f"{writer.signature(node, until=value, without=without)[0].rstrip(' =')} = "
    line, bare = (
        f"{lead}{without_head}{text.rstrip(' ;=:') if kind != 'pair' else text}".replace(" = | ", " = ")
        for text in writer.signature(head, until=until, params=params, without=without)
    )
    start = max((mark.end_byte for mark in decorators), default=node.start_byte)
    if kind == "method_declaration" and (receiver := node.child_by_field_name("receiver")) is not None:
        name = f"{writer.text(receiver)} {name}"
    yield OutlineLine(
        start, node.end_byte, until.start_byte if until else node.end_byte, line, bare, name or line, private
    )


def is_private(writer: DeclarationWriter, node: Node, name: str, words: Collection[str] = ()) -> bool:
    """By name or modifier; in Java a private field is part of what a record holds, a private constant is not."""
    if node.type == "mod_item":
        return name in {"test", "tests"}
    if "private" in words:
        return node.type != "field_declaration" or "static" in words
    if any(child.type == "accessibility_modifier" and writer.text(child) == "private" for child in node.children):
        return True
    hides = name[:1] in writer.language.hides if name else False
    return hides and not (name.startswith("__") and name.endswith("__"))


def _body(node: Node) -> Node | None:
    if node.type in {"function_definition", "class_definition"}:
        return next((child for child in reversed(node.children) if child.type == ":"), None)
    if node.type == "type_alias_declaration":
        value = node.child_by_field_name("value")
        return value if value is not None and value.type == "object_type" else None
    if node.type in {"type_spec", "type_alias"} and (kind := node.child_by_field_name("type")) is not None:
        inner = {"struct_type": "field_declaration_list", "interface_type": "{"}.get(kind.type)
        return next((child for child in kind.children if child.type == inner), None)
    body = node.child_by_field_name("body")
    return None if node.type == "enum_variant" or (body and body.type in _SHOWN_BODIES) else body


def _parameters(node: Node) -> Node | None:
    return node.child_by_field_name("parameters") or node.child_by_field_name("parameter")


def _lead(node: Node) -> str:
    """The words before a declaration that another node holds: `export const`, `declare`, `type`."""
    if node.type in {"type_spec", "type_alias"}:
        return "type "
    words: list[str] = []
    owner = node.parent
    while owner is not None and owner.type in _LEADS:
        words[:0] = [child.type for child in owner.children if child.type in _LEAD_WORDS]
        owner = owner.parent
    return "".join(f"{word} " for word in words)


def _spring_defaults(writer: DeclarationWriter, params: Node) -> Iterator[Node]:
    stack = [params]
    while stack:
        node = stack.pop()
        if node.type == "element_value_pair" and writer.field(node, "key") == "defaultValue":
            yield node
        stack.extend(node.named_children)


def _object(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """An object of functions: they stand below its name."""
    value = node.child_by_field_name("value")
    for one in value.named_children if value is not None else ():
        given = one.child_by_field_name("value") if one.type == "pair" else None
        if one.type == "method_definition" or (given is not None and given.type in _FUNCTIONS):
            name = writer.field(node, "name")
            line = f"{_lead(node)}{name}{writer.field(node, 'type')}"
            shown = value.start_byte if value is not None else node.end_byte
            yield OutlineLine(node.start_byte, node.end_byte, shown, line, line, name, is_private(writer, node, name))
            return


def _constants(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """The values of a type: a group of constants whose first one names the type."""
    specs = [child for child in node.named_children if child.type == "const_spec"]
    kind = specs[0].child_by_field_name("type") if specs else None
    if kind is not None and kind.type == "type_identifier" and writer.text(kind) not in _PREDECLARED:
        yield from (line_of(spec, f"const {writer.text(spec)}") for spec in specs)


def _attribute_item(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """An attribute of actix or Rocket that makes a function a route."""
    path = node.named_children[0].named_children[0] if node.named_children[0].named_children else None
    if path is not None and writer.text(path).rpartition("::")[2] in writer.language.telling:
        yield line_of(node, writer.text(node), name="", route=True)


def _decorator(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """A decorator of TypeScript that says what a class or a member is to others."""
    called = node.named_children[0] if node.named_children else None
    call = called is not None and called.type == "call_expression"
    name = writer.field(called, "function") if call and called is not None else writer.text(node)
    if name.lstrip("@") in writer.language.telling:
        after = node.next_named_sibling
        if node.parent is not None and node.parent.child_by_field_name("name") is not None:
            after = node.parent
        while after is not None and after.type in {"decorator", "comment"}:
            after = after.next_named_sibling
        hidden = after is not None and is_private(writer, after, writer.field(after, "name"))
        yield line_of(node, writer.text(node), name="", private=hidden)


def _route(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """A route of Express, Fastify, Hono, net/http, gin, echo, chi, fiber or axum: `receiver.verb("/path", ...)`."""
    kind, of, field = writer.language.call
    called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if called is None or given is None or called.type != kind:
        return
    receiver, verb = called.child_by_field_name(of), called.child_by_field_name(field)
    if receiver is None or verb is None or writer.raw(verb) not in writer.language.verbs:
        return
    arguments = [child for child in given.named_children if "comment" not in child.type]
    if not arguments or arguments[0].type not in _STRINGS or not _PATH.match(writer.beginning(arguments[0])):
        return
    if not _registers(writer, node, writer.raw(verb), arguments):
        return
    chained = receiver.type == node.type or "\n" in writer.raw(receiver)
    start = verb.start_byte if chained else node.start_byte
    head = f"{'' if chained else writer.text(receiver)}.{writer.text(verb)}"
    shown = [writer.text(one) for one in arguments if not _holds(one, _IN_PLACE)]
    head = f"{_given_to(writer, node)}{head}" if writer.raw(verb) in _GROUPS else head
    line = f"{head}{writer.field(node, 'type_arguments')}({', '.join(shown)})"
    bare = f"{head}({shown[0]})"
    yield OutlineLine(start, node.end_byte, node.start_byte, line, bare, bare, route=True)


def _given_to(writer: DeclarationWriter, node: Node) -> str:
    """The name that a group of routes gets in Go: its routes are registered by it."""
    statement = node.parent.parent if node.parent is not None else None
    if statement is None or statement.type not in {"short_var_declaration", "assignment_statement"}:
        return ""
    return f"{writer.field(statement, 'left')} := "


def _registers(writer: DeclarationWriter, call: Node, verb: str, arguments: list[Node]) -> bool:
    """Whether a call registers a route; clients of an API are asked for the same paths by the same verbs."""
    if verb in _GROUPS:
        return True
    last = arguments[-1]
    if len(arguments) < 2 or {one.type for one in arguments[1:]} & _STRINGS:
        return False
    if writer.language.call[0] != "member_expression":
        return last.type in _IN_PLACE or last.type in {"identifier", "selector_expression", "call_expression"}
    if last.type in _FUNCTIONS:
        return _SERVES.match(writer.beginning(call)) is not None
    handler = last.type in {"identifier", "member_expression", "call_expression", "array"}
    return handler and _SURELY_SERVES.match(writer.beginning(call)) is not None


def _holds(node: Node, kinds: frozenset[str]) -> bool:
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in kinds:
            return True
        stack.extend(current.named_children)
    return False


WRITERS: dict[str, Write] = {
    "item": item,
    "object": _object,
    "constants": _constants,
    "attribute_item": _attribute_item,
    "decorator": _decorator,
    "route": _route,
}
"""Writers of what a query captures; of any other definition, `item`."""
