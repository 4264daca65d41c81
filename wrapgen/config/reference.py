"""The documentation of a configuration, made from its structs. PURE."""

import msgspec


class Key(msgspec.Struct, frozen=True):
    """One documented key."""

    name: str  # dotted name, `sections.next`
    allowed: str  # what may be there, in words
    default: str  # the default as TOML
    description: str  # one line


def describe(kind: type[msgspec.Struct], prefix: str = "") -> list[Key]:
    """Every key of a configuration, in the order of the file."""
    keys: list[Key] = []
    for field in msgspec.structs.fields(kind):
        shape = msgspec.inspect.type_info(field.type)
        name = f"{prefix}{field.name}"
        if isinstance(shape, msgspec.inspect.StructType):
            keys += describe(shape.cls, f"{name}.")
        elif isinstance(shape, msgspec.inspect.DictType) and isinstance(shape.value_type, msgspec.inspect.StructType):
            keys += describe(shape.value_type.cls, f"{name}.NAME.")
        elif isinstance(shape, msgspec.inspect.Metadata):
            default = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
            described = (shape.extra_json_schema or {}).get("description", "")
            keys.append(Key(name, _words(shape.type), _toml(default), described))
    return keys


def _words(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.LiteralType():
            return " or ".join(f'"{value}"' for value in kind.values)
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            name = "a whole number" if isinstance(kind, msgspec.inspect.IntType) else "a number"
            bounds = [f"at least {kind.ge:g}"] if kind.ge is not None else []
            bounds += [f"at most {kind.le:g}"] if kind.le is not None else []
            return " ".join([name, " and ".join(bounds)]).strip()
        case msgspec.inspect.DictType(value_type=msgspec.inspect.LiteralType() as allowed):
            return f"a table of {_words(allowed)}"
        case msgspec.inspect.DictType():
            return "a table of lists of texts"
        case msgspec.inspect.VarTupleType():
            return "a list of texts"
        case msgspec.inspect.BoolType():
            return "true or false"
        case _:
            return "a text"


def _toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            rows, row = [], "  "
            for entry in (_toml(entry) for entry in value):
                if len(row) + len(entry) > 110:
                    rows.append(row.rstrip())
                    row = "  "
                row += f"{entry}, "
            if not rows:
                return f"[{row.strip().rstrip(',')}]"
            return "[\n" + "\n".join([*rows, row.rstrip()]) + "\n]"
        case dict():
            return "{}"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case _:
            return str(value)
