"""Declarations of Python sources. PURE."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.tracks.skeleton.declaration_writer import DeclarationWriter, Manners
from wrapgen.tracks.skeleton.outline import OutlineLine, Rules
from wrapgen.tracks.skeleton.routes import Finder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_MANNERS = Manners(
    dropped=frozenset({"comment", "line_continuation"}),
    valued=dict.fromkeys(("default_parameter", "typed_default_parameter"), "="),
    whole=frozenset({"string"}),
)
_VERBS = frozenset(
    "route get post put patch delete head options trace websocket api_route websocket_route action api_view".split()
)
# Decorators that say how a thing is used; others are its own business.
_TELLING = frozenset(
    "property cached_property setter getter deleter staticmethod classmethod abstractmethod overload final "
    "override dataclass dataclass_transform contextmanager asynccontextmanager runtime_checkable define frozen "
    "mutable attrs attr s unique".split()
)
_ROUTE_KEYWORDS = frozenset({"methods", "response_model", "status_code", "prefix", "url_prefix", "detail"})
_MODEL_CALLS = ("Field", "Key", "Column", "Rel", "relationship", "mapped_column", "deferred", "backref")
_TYPE_CALLS = frozenset({"NewType", "TypedDict", "namedtuple", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag"})
_ROUTERS = frozenset({"APIRouter", "Blueprint"})
_MOUNTS = frozenset({"include_router", "register_blueprint", "add_url_rule", "add_api_route", "add_route", "mount"})
_URLS = frozenset({"path", "re_path", "url"})
_ENUMS = ("Enum", "Flag", "Choices")


def _decorated(writer: DeclarationWriter, node: Node, owner: Node | None) -> Iterator[OutlineLine]:
    definition = node.child_by_field_name("definition")
    if definition is None:
        return
    private = _private(writer.field(definition, "name"))
    decorators = [child for child in node.named_children if child.type == "decorator"]
    for decorator in decorators:
        line = _decorator(writer, decorator)
        if line:
            route = _is_route(writer, decorator)
            yield OutlineLine(decorator.start_byte, decorator.end_byte, line, line, private=private, route=route)
    if any(_is_route(writer, decorator) for decorator in decorators):
        yield from (replace(span, route=True) for span in _function(writer, definition, owner))


def _is_route(writer: DeclarationWriter, node: Node) -> bool:
    call = node.named_children[0] if node.named_children else None
    called = call.child_by_field_name("function") if call is not None and call.type == "call" else None
    return _last_name(writer, called) in _VERBS


def _decorator(writer: DeclarationWriter, node: Node) -> str:
    """A decorator that matters to callers, else nothing."""
    what = next((child for child in node.named_children if child.type != "comment"), None)
    if what is None:
        return ""
    if what.type != "call":
        return f"@{writer.text(what)}" if _last_name(writer, what) in _TELLING else ""
    called = what.child_by_field_name("function")
    last = _last_name(writer, called)
    if last in _VERBS:
        return f"@{_call(writer, what, _ROUTE_KEYWORDS)}"
    return f"@{writer.text(what)}" if last in _TELLING else ""


def _function(writer: DeclarationWriter, node: Node, owner: Node | None) -> Iterator[OutlineLine]:
    name = writer.field(node, "name")
    params = node.child_by_field_name("parameters")
    signature = writer.signature(node, until=_colon(node), params=params)
    yield OutlineLine(node.start_byte, node.end_byte, signature.line, signature.bare, name, _private(name))
    if name == "__init__" and owner is not None and params is not None:
        yield from _set_in_init(writer, node, owner)


def _set_in_init(writer: DeclarationWriter, node: Node, owner: Node) -> Iterator[OutlineLine]:
    """Attributes that the constructor sets, each with the type that it is given there."""
    body, params, home = (
        node.child_by_field_name("body"),
        node.child_by_field_name("parameters"),
        owner.child_by_field_name("body"),
    )
    if body is None or params is None or home is None:
        return
    types = {_parameter(writer, one): one.child_by_field_name("type") for one in params.named_children}
    known = {_assigned(writer, one) for one in home.named_children}
    # Between the class's line and its first member.
    at = home.start_byte - 1
    for statement in body.named_children:
        name = _assigned(writer, statement).removeprefix("self.")
        if f"self.{name}" != _assigned(writer, statement) or name in known or not name.isidentifier():
            continue
        known.add(name)
        assignment = statement.named_children[0]
        value = assignment.child_by_field_name("right")
        kind = assignment.child_by_field_name("type") or (types.get(writer.text(value)) if value else None)
        line = f"{name}: {writer.text(kind)}" if kind else name
        yield OutlineLine(at, at, line, line, name, _private(name))


def _parameter(writer: DeclarationWriter, node: Node) -> str:
    name = node.child_by_field_name("name") or next(iter(node.named_children), node)
    return writer.text(name)


def _assigned(writer: DeclarationWriter, statement: Node) -> str:
    """What a statement assigns to, or nothing."""
    assignment = statement.named_children[0] if statement.named_children else None
    if statement.type != "expression_statement" or assignment is None or assignment.type != "assignment":
        return ""
    left = assignment.child_by_field_name("left")
    return writer.text(left) if left is not None and left.type in {"identifier", "attribute"} else ""


def _class(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    name = writer.field(node, "name")
    line = writer.signature(node, until=_colon(node)).line
    yield OutlineLine(node.start_byte, node.end_byte, line, line, name, _private(name))


def _statement(writer: DeclarationWriter, node: Node, owner: Node | None) -> Iterator[OutlineLine]:
    what = node.named_children[0] if node.named_children else None
    if what is None:
        return
    if what.type == "call":
        if _last_name(writer, what.child_by_field_name("function")) in _MOUNTS:
            line = _call(writer, what, _ROUTE_KEYWORDS)
            yield OutlineLine(node.start_byte, node.end_byte, line, line, line, route=True)
        return
    left, right = what.child_by_field_name("left"), what.child_by_field_name("right")
    if left is None:
        return
    name = writer.text(left)
    if owner is None and name == "urlpatterns" and right is not None:
        yield from _urls(writer, right)
    elif what.type == "assignment":
        line = _field(writer, what, owner) if owner is not None else _alias(writer, what)
        if line:
            yield OutlineLine(node.start_byte, node.end_byte, line, line, name, _private(name))


def _field(writer: DeclarationWriter, node: Node, owner: Node) -> str:
    """An attribute of a class."""
    left, kind, right = (node.child_by_field_name(field) for field in ("left", "type", "right"))
    name = writer.text(left) if left is not None else ""
    if kind is not None:
        return f"{name}: {writer.text(kind)}"
    bases = owner.child_by_field_name("superclasses")
    if right is None or name == "__slots__":
        return ""
    if name == "__tablename__" or (bases is not None and any(word in writer.text(bases) for word in _ENUMS)):
        return writer.text(node)
    called = right.child_by_field_name("function") if right.type == "call" else None
    if called is not None and any(word in _last_name(writer, called) for word in _MODEL_CALLS):
        return f"{name} = {_call(writer, right, frozenset())}"
    return name


def _alias(writer: DeclarationWriter, node: Node) -> str:
    """A type, or a router with its prefix, that a module names; its other variables are no interface."""
    kind, right = node.child_by_field_name("type"), node.child_by_field_name("right")
    if right is None:
        return ""
    if kind is not None:
        return writer.text(node) if writer.text(kind).endswith("TypeAlias") else ""
    last = _last_name(writer, right.child_by_field_name("function")) if right.type == "call" else ""
    if last in _ROUTERS:
        left = node.child_by_field_name("left")
        return f"{writer.text(left)} = {_call(writer, right, _ROUTE_KEYWORDS)}" if left is not None else ""
    return writer.text(node) if last in _TYPE_CALLS else ""


def _urls(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """The routes of a Django `urlpatterns`."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "call" and _last_name(writer, current.child_by_field_name("function")) in _URLS:
            line = _call(writer, current, frozenset())
            yield OutlineLine(current.start_byte, current.end_byte, line, line, line)
        elif current.type in {"list", "call", "argument_list", "binary_operator", "parenthesized_expression"}:
            stack.extend(reversed(current.named_children))


def _type(writer: DeclarationWriter, node: Node, _owner: Node | None) -> Iterator[OutlineLine]:
    line = writer.text(node)
    yield OutlineLine(node.start_byte, node.end_byte, line, line, line)


def _call(writer: DeclarationWriter, node: Node, keywords: frozenset[str]) -> str:
    """A call with its positional arguments and those keywords, less functions written in place."""
    called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    kept: list[str] = []
    for argument in arguments.named_children if arguments is not None else ():
        name = argument.child_by_field_name("name") if argument.type == "keyword_argument" else None
        if argument.type in {"comment", "lambda", "dictionary"} or (name and writer.text(name) not in keywords):
            continue
        kept.append(_call(writer, argument, keywords) if argument.type == "call" else writer.text(argument))
    return f"{writer.text(called) if called is not None else ''}({', '.join(kept)})"


def _last_name(writer: DeclarationWriter, node: Node | None) -> str:
    return writer.text(node).rpartition(".")[2] if node is not None and node.type in {"identifier", "attribute"} else ""


def _colon(node: Node) -> Node | None:
    return next((child for child in reversed(node.children) if child.type == ":"), None)


def _private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


# Application factories register routes inside of a function.
_ROUTES = Finder(
    """
    (decorated_definition (decorator (call)) definition: (function_definition)) @route
    (expression_statement (call function: (attribute))) @route
    """,
    re.compile(rf"@[\w.]+\.(?:{'|'.join(_VERBS)})\(|\.(?:{'|'.join(_MOUNTS)})\(".encode()),
)

RULES = Rules(
    manners=_MANNERS,
    declares={
        "decorated_definition": _decorated,
        "function_definition": _function,
        "class_definition": _class,
        "expression_statement": _statement,
        "type_alias_statement": _type,
    },
    opens=frozenset(
        {
            "module", "class_definition", "decorated_definition", "block", "if_statement", "else_clause",
            "elif_clause", "try_statement", "except_clause", "finally_clause", "with_statement",
        }
    ),
    scopes=frozenset({"class_definition"}),
    routes=_ROUTES,
)  # fmt: skip
