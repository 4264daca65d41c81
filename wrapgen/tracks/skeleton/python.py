"""What only Python's declarations have: decorators, attributes, types and routers in assignments. PURE."""

from collections.abc import Iterator

from tree_sitter import Node

from wrapgen.tracks.skeleton.declarations import OutlineLine, is_private, item, line_of
from wrapgen.tracks.skeleton.languages import DeclarationWriter

_ROUTE_KEYWORDS = frozenset({"methods", "response_model", "status_code", "prefix", "url_prefix", "detail"})
_MODEL_CALLS = ("Field", "Key", "Column", "Rel", "relationship", "mapped_column", "deferred", "backref")
_TYPE_CALLS = frozenset({"NewType", "TypedDict", "namedtuple", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag"})
_ROUTERS = frozenset({"APIRouter", "Blueprint"})
_MOUNTS = frozenset({"include_router", "register_blueprint", "add_url_rule", "add_api_route", "add_route", "mount"})
_URLS = frozenset({"path", "re_path", "url"})
_ENUMS = ("Enum", "Flag", "Choices")
_CONTAINERS = frozenset({"list", "call", "argument_list", "binary_operator", "parenthesized_expression"})


def decorated(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """The decorators of a Python definition that matter to callers; those of a route make it one wherever it stands."""
    definition = node.child_by_field_name("definition")
    if definition is None:
        return
    private = is_private(writer, definition, writer.field(definition, "name"))
    routed = False
    for decorator in (child for child in node.named_children if child.type == "decorator"):
        what = next((child for child in decorator.named_children if child.type != "comment"), None)
        called = what.child_by_field_name("function") if what is not None and what.type == "call" else what
        if what is None or called is None:
            continue
        last = _last_name(writer, called)
        if what.type == "call" and last in writer.language.verbs:
            routed = True
            line = f"@{_call(writer, what, _ROUTE_KEYWORDS)}"
            yield line_of(decorator, line, name="", private=private, route=True)
        elif last in writer.language.telling:
            yield line_of(decorator, f"@{writer.text(what)}", name="", private=private)
    if routed:
        yield from (one._replace(route=True) for one in item(writer, definition))


def init(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """Attributes that a constructor sets, each with the type that it is given there."""
    body, params = node.child_by_field_name("body"), node.child_by_field_name("parameters")
    home = (
        node.parent if node.parent is not None and node.parent.type == "block" else node.parent and node.parent.parent
    )
    if writer.field(node, "name") != "__init__" or body is None or params is None or home is None:
        return
    types = {_parameter(writer, one): one.child_by_field_name("type") for one in params.named_children}
    known = {_assigned(writer, one) for one in home.named_children}
    at = home.start_byte - 1  # between the class's line and its first member
    for statement in body.named_children:
        name = _assigned(writer, statement).removeprefix("self.")
        if f"self.{name}" != _assigned(writer, statement) or name in known or not name.isidentifier():
            continue
        known.add(name)
        assignment = statement.named_children[0]
        value = assignment.child_by_field_name("right")
        kind = assignment.child_by_field_name("type") or (types.get(writer.text(value)) if value else None)
        line = f"{name}: {writer.text(kind)}" if kind else name
        yield OutlineLine(at, at, at, line, line, name, is_private(writer, node, name))


def _parameter(writer: DeclarationWriter, node: Node) -> str:
    name = node.child_by_field_name("name") or next(iter(node.named_children), node)
    return writer.text(name)


def _assigned(writer: DeclarationWriter, statement: Node) -> str:
    assignment = statement.named_children[0] if statement.named_children else None
    if statement.type != "expression_statement" or assignment is None or assignment.type != "assignment":
        return ""
    left = assignment.child_by_field_name("left")
    return writer.text(left) if left is not None and left.type in {"identifier", "attribute"} else ""


def attribute(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """An attribute of a Python class, with its type, an enum's value or a model's kind of field."""
    left, kind, right = (node.child_by_field_name(name) for name in ("left", "type", "right"))
    name = line = writer.text(left) if left is not None else ""
    home = node.parent.parent.parent if node.parent and node.parent.parent else None
    bases = writer.field(home, "superclasses") if home is not None else ""
    if kind is not None:
        line = f"{name}: {writer.text(kind)}"
    elif right is None or name == "__slots__":
        return
    elif name == "__tablename__" or any(word in bases for word in _ENUMS):
        line = writer.text(node)
    elif right.type == "call":
        called = _last_name(writer, right.child_by_field_name("function"))
        if any(word in called for word in _MODEL_CALLS):
            line = f"{name} = {_call(writer, right, frozenset())}"
    yield line_of(node, line, name=name, private=is_private(writer, node, name))


def constant(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """A type, or a router with its prefix, that a module names; its other variables are no interface."""
    kind, right = node.child_by_field_name("type"), node.child_by_field_name("right")
    last = _last_name(writer, right.child_by_field_name("function")) if right and right.type == "call" else ""
    name = writer.field(node, "left")
    if (kind is not None and right is not None and writer.text(kind).endswith("TypeAlias")) or last in _TYPE_CALLS:
        yield line_of(node, writer.text(node), name=name, private=is_private(writer, node, name))
    elif last in _ROUTERS and right is not None:
        yield line_of(node, f"{name} = {_call(writer, right, _ROUTE_KEYWORDS)}", name=name)


def mount(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """A call that takes over the routes of another module."""
    call = node.named_children[0]
    if _last_name(writer, call.child_by_field_name("function")) in _MOUNTS:
        yield line_of(node, _call(writer, call, _ROUTE_KEYWORDS), route=True)


def urls(writer: DeclarationWriter, node: Node) -> Iterator[OutlineLine]:
    """The routes of a Django `urlpatterns`."""
    right = node.child_by_field_name("right")
    stack = [right] if right is not None and writer.field(node, "left") == "urlpatterns" else []
    while stack:
        current = stack.pop()
        if current.type == "call" and _last_name(writer, current.child_by_field_name("function")) in _URLS:
            yield line_of(current, _call(writer, current, frozenset()))
        elif current.type in _CONTAINERS:
            stack.extend(reversed(current.named_children))


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


PYTHON = {
    "definition.constant": constant,
    "decorated": decorated,
    "init": init,
    "attribute": attribute,
    "mount": mount,
    "urls": urls,
}
"""Writers of what the queries for Python capture."""
