"""Declarations of JavaScript, TypeScript and TSX sources. PURE."""

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
    dropped=frozenset({"comment", "statement_block", "class_body"}),
    valued=dict.fromkeys(
        ("required_parameter", "optional_parameter", "assignment_pattern", "object_assignment_pattern",
         "public_field_definition", "field_definition"), "="
    ),
    whole=frozenset({"string", "template_string", "template_literal_type"}),
    listed=frozenset({"object_type", "interface_body"}),
)  # fmt: skip
_LEADS = frozenset({"export_statement", "ambient_declaration"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_TELLING = frozenset(
    "Controller Get Post Put Patch Delete Options Head All Sse WebSocketGateway SubscribeMessage MessagePattern "
    "EventPattern Resolver Query Mutation Subscription Entity Table Column PrimaryColumn PrimaryGeneratedColumn "
    "OneToMany ManyToOne OneToOne ManyToMany Component Directive Pipe Injectable Module Input Output Prop".split()
)


def _declaration(writer: DeclarationWriter, node: Node, owner: Node | None) -> Iterator[OutlineLine]:
    """A function, class, interface, enum, alias or namespace, with the `export` before it."""
    body = node.child_by_field_name("body")
    params = node.child_by_field_name("parameters")
    if node.type == "type_alias_declaration":
        value = node.child_by_field_name("value")
        body = value if value is not None and value.type == "object_type" else None
    name = writer.field(node, "name")
    signature = writer.signature(node, until=body, params=params, without=_decorators(node))
    lead = _lead(owner)
    # A union's first `|` only lines the others up.
    line, bare = (f"{lead}{text.rstrip(' ;=')}".replace(" = | ", " = ") for text in (signature.line, signature.bare))
    yield OutlineLine(_start(node), node.end_byte, line, bare, name or line, _private(name))


def _lead(owner: Node | None) -> str:
    """`export`, `export default` or `declare`, whose node holds the declaration."""
    words: list[str] = []
    while owner is not None and owner.type in _LEADS:
        words[:0] = [child.type for child in owner.children if child.type in {"export", "default", "declare"}]
        # Only `export declare` is two nodes, and to find a parent tree-sitter searches from the top.
        owner = owner.parent if owner.type == "ambient_declaration" else None
    return "".join(f"{word} " for word in words)


def _variables(writer: DeclarationWriter, node: Node, owner: Node | None) -> Iterator[OutlineLine]:
    """Functions that are given to a name; other values are no interface."""
    keyword = writer.text(node.children[0]) if node.children else ""
    for declarator in node.named_children:
        value = declarator.child_by_field_name("value") if declarator.type == "variable_declarator" else None
        if value is None:
            continue
        name = writer.field(declarator, "name")
        head = f"{_lead(owner)}{keyword} {name}{writer.field(declarator, 'type')}"
        if value.type in _FUNCTIONS:
            yield _given(writer, declarator, value, f"{head} = ", name)
        elif value.type == "object" and any(_method_of(one) for one in value.named_children):
            yield OutlineLine(declarator.start_byte, declarator.end_byte, head, head, name, _private(name))


def _method_of(node: Node) -> bool:
    value = node.child_by_field_name("value") if node.type == "pair" else None
    return node.type == "method_definition" or (value is not None and value.type in _FUNCTIONS)


def _given(writer: DeclarationWriter, node: Node, function: Node, head: str, name: str) -> OutlineLine:
    """A function given to a name."""
    body = function.child_by_field_name("body")
    params = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    signature = writer.signature(function, until=body, params=params)
    return OutlineLine(
        node.start_byte, node.end_byte, head + signature.line, head + signature.bare, name, _private(name)
    )


def _assignment(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A function that a CommonJS module exports."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.type not in _FUNCTIONS or left.type != "member_expression":
        return
    name = writer.text(left)
    if name.startswith(("exports.", "module.exports")):
        yield _given(writer, node, right, f"{name} = ", name)


def _export(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A function without a name that a module exports."""
    value = node.child_by_field_name("value")
    if value is not None and value.type in _FUNCTIONS:
        yield _given(writer, node, value, "export default ", "default")


def _pair(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    value = node.child_by_field_name("value")
    if value is not None and value.type in _FUNCTIONS:
        name = writer.field(node, "key")
        yield _given(writer, node, value, f"{name}: ", name)


def _member(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A method or field of a class, interface or object."""
    for decorator in _decorators(node):
        yield from _decorator(writer, decorator, _owner)
    name = _named(writer, node)
    private = _hidden(writer, node)
    value = node.child_by_field_name("value")
    if value is not None and value.type in _FUNCTIONS:
        head = writer.signature(node, until=value, without=_decorators(node)).line
        span = _given(writer, node, value, f"{head.rstrip(' =')} = ", name)
        yield OutlineLine(span.start, span.end, span.line, span.bare, name, private)
        return
    params = node.child_by_field_name("parameters")
    body = node.child_by_field_name("body")
    signature = writer.signature(node, until=body, params=params, without=_decorators(node))
    yield OutlineLine(_start(node), node.end_byte, signature.line, signature.bare, name or signature.line, private)


def _entry(writer: DeclarationWriter, node: Node, owner: Node | None) -> Iterator[OutlineLine]:
    """A constant of an enum, with its value: it is part of what is stored and sent."""
    if owner is not None and owner.type == "enum_declaration":
        line = writer.text(node)
        yield OutlineLine(node.start_byte, node.end_byte, line, line, line)


def _decorator(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A decorator that says what a class or a member is to others."""
    called = node.named_children[0] if node.named_children else None
    name = (
        writer.field(called, "function")
        if called is not None and called.type == "call_expression"
        else writer.text(node)
    )
    if name.lstrip("@") not in _TELLING:
        return
    line = writer.text(node)
    yield OutlineLine(node.start_byte, node.end_byte, line, line, private=_decorates_private(writer, node))


def _decorates_private(writer: DeclarationWriter, node: Node) -> bool:
    inside = node.parent if node.parent is not None and node.parent.type in _MEMBERS else None
    after = inside or node.next_named_sibling
    while after is not None and after.type in {"decorator", "comment"}:
        after = after.next_named_sibling
    return after is not None and _hidden(writer, after)


def _decorators(node: Node) -> list[Node]:
    return [child for child in node.children if child.type == "decorator"]


def _start(node: Node) -> int:
    """Where a declaration begins behind its decorators."""
    return next((child.start_byte for child in node.children if child.type != "decorator"), node.start_byte)


def _named(writer: DeclarationWriter, node: Node) -> str:
    # JavaScript's grammar calls it a property.
    return writer.field(node, "name") or writer.field(node, "property")


def _hidden(writer: DeclarationWriter, node: Node) -> bool:
    return _private(_named(writer, node)) or any(
        child.type == "accessibility_modifier" and writer.text(child) == "private" for child in node.children
    )


def _private(name: str) -> bool:
    return name.startswith(("_", "#"))


def _route(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    """A route of Express, Fastify, Hono and their kin."""
    call = RouteCall.read(writer, node, _ACCESS)
    if call is None or not call.arguments or not _registers(writer, call):
        return
    if call.arguments[0].type == "object":
        line = f"{call.receiver}.route({{ {_address(writer, call.arguments[0])} }})"
        yield OutlineLine(call.start, node.end_byte, line, line, line, route=True)
        return
    following = tuple(chain(writer, call, _ACCESS)) if call.verb == "route" else ()
    end = following[-1].node.end_byte if following else node.end_byte
    line = call.line(writer, _ACCESS) + "".join(one.line(writer, _ACCESS) for one in following)
    bare = call.line(writer, _ACCESS, only=1) + "".join(f".{one.verb}()" for one in following)
    yield OutlineLine(call.start, end, line, bare, bare, route=True)


def _address(writer: DeclarationWriter, options: Node) -> str:
    """Verb and path of a route that is one object."""
    pairs = [pair for pair in options.named_children if writer.field(pair, "key") in _ADDRESS]
    return ", ".join(writer.text(pair) for pair in pairs)


def _registers(writer: DeclarationWriter, call: RouteCall) -> bool:
    """Whether a call registers a route; clients of an API are asked for the same paths by the same verbs."""
    first, last = call.arguments[0], call.arguments[-1]
    if call.verb == "route" and first.type == "object":
        keys = {writer.field(pair, "key") for pair in first.named_children}
        return "method" in keys and len(keys & _ADDRESS) > 1
    path = writer.text(first)[1:-1]
    if first.type not in {"string", "template_string"} or not path.startswith(("/", "*")):
        return False
    if call.verb == "route":
        return len(call.arguments) == 1
    if call.verb not in _VERBS or len(call.arguments) < 2:
        return False
    beginning = writer.beginning(call.node)
    if last.type in _FUNCTIONS:
        return _SERVES.match(beginning) is not None
    return last.type in _HANDLERS and _SURELY_SERVES.match(beginning) is not None


_ADDRESS = frozenset({"method", "url", "path"})
_VERBS = frozenset("get post put patch delete del options head all use ws".split())
# Options of a route hold what it does, too.
_ACCESS = Access("member_expression", "object", "property", _VERBS | {"route"}, bodies=_FUNCTIONS | {"object"})
_HANDLERS = frozenset({"identifier", "member_expression", "call_expression", "array"})
_ON = r"(?i)(?:new\s+)?(?:[\w$]+\.){0,4}?\w*(?:%s)\d*\b"
_SURELY_SERVES = re.compile(_ON % "app|router|routes?|fastify|hono")
_SERVES = re.compile(_ON % r"app|router|routes?|fastify|hono|express|server|api|instance|group|scope|v\d+")
_ROUTES = Finder(
    """
    (call_expression
      function: (member_expression)
      arguments: (arguments . [(string) (template_string) (object)])) @route
    """,
    re.compile(rb"\.(?:get|post|put|patch|delete|del|options|head|all|use|ws|route)\s*(?:<|\(\s*[\"'`{/])"),
)

_DECLARATIONS = (
    "function_declaration", "generator_function_declaration", "function_signature", "class_declaration",
    "abstract_class_declaration", "interface_declaration", "enum_declaration", "type_alias_declaration",
    "internal_module", "module",
)  # fmt: skip
_MEMBERS = (
    "method_definition", "method_signature", "abstract_method_signature", "public_field_definition",
    "field_definition", "property_signature", "call_signature", "construct_signature", "index_signature",
)  # fmt: skip

RULES = Rules(
    manners=_MANNERS,
    declares={
        **dict.fromkeys(_DECLARATIONS, _declaration),
        **dict.fromkeys(_MEMBERS, _member),
        "lexical_declaration": _variables,
        "variable_declaration": _variables,
        "assignment_expression": _assignment,
        "export_statement": _export,
        "decorator": _decorator,
        "call_expression": _route,
        "pair": _pair,
        "enum_assignment": _entry,
        "property_identifier": _entry,
        "string": _entry,
    },
    opens=frozenset(
        {"program", "export_statement", "ambient_declaration", "class_declaration", "abstract_class_declaration",
         "class_body", "interface_declaration", "interface_body", "object_type", "type_alias_declaration",
         "enum_declaration", "enum_body", "internal_module", "module", "lexical_declaration",
         "variable_declaration", "variable_declarator", "object", "expression_statement", "statement_block"}
    ),
    scopes=frozenset(
        {"class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration", "object",
         "internal_module", "module", *_LEADS}
    ),
    routes=_ROUTES,
)  # fmt: skip
