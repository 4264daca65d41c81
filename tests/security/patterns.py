"""Every pattern of the package, and by which methods it looks at a text."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import wrapgen
from wrapgen.late_pattern import _Late

_ROOT = Path(wrapgen.__file__).parent


class Use(NamedTuple):
    """A pattern as the package uses it; with "?" among the methods where that cannot be seen."""

    where: str
    pattern: re.Pattern[str]
    methods: frozenset[str]


@cache
def uses() -> list[Use]:
    """All of them: the values of the modules, and those written where they are used."""
    found: dict[re.Pattern[str], Use] = {}
    for info in pkgutil.walk_packages(wrapgen.__path__, "wrapgen."):
        if not info.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(info.name)).items():
                for pattern in _patterns_in(value, 0):
                    methods = _calls(info.name, name) if isinstance(value, re.Pattern | _Late) else {"?"}
                    _add(found, f"{info.name}.{name}", _as_text(pattern), methods)
    for path, tree in _trees().items():
        for pattern, method in _written_in_place(tree):
            _add(found, path, pattern, {method})
    return list(found.values())


def _add(found: dict[re.Pattern[str], Use], where: str, pattern: re.Pattern[str], methods: set[str]) -> None:
    old = found.get(pattern, Use(where, pattern, frozenset()))
    found[pattern] = old._replace(methods=old.methods | methods)


def _patterns_in(value: object, depth: int) -> list[re.Pattern]:
    if isinstance(value, re.Pattern):
        return [value]
    if isinstance(value, _Late):
        return [value._compile()]
    if depth > 3 or isinstance(value, type):
        return []
    if isinstance(value, tuple | list | frozenset | set):
        inner = list(value)
    elif isinstance(value, dict):
        inner = list(value.values())
    elif is_dataclass(value):
        inner = [getattr(value, field.name) for field in fields(value)]
    else:
        return []
    return [pattern for one in inner for pattern in _patterns_in(one, depth + 1)]


def _as_text(pattern: re.Pattern) -> re.Pattern[str]:
    if isinstance(pattern.pattern, str):
        return pattern
    return re.compile(pattern.pattern.decode("latin-1"), pattern.flags | re.ASCII)


@cache
def _trees() -> dict[str, ast.Module]:
    return {
        ".".join(path.relative_to(_ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text("utf-8")
        )
        for path in _ROOT.rglob("*.py")
    }


@cache
def _methods(path: str) -> dict[str, set[str]]:
    """By name as a module writes it: the methods that are called on it; "?" for another use or one with a position."""
    found: dict[str, set[str]] = {}
    tree = _trees()[path]
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            method = parents[node]
            call = parents.get(method)
            called = isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and len(call.args) == 1
            if not isinstance(method, ast.Attribute) or isinstance(call, ast.Call):
                found.setdefault(ast.unparse(node), set()).add(method.attr if called else "?")
    return found


@cache
def _imported(path: str) -> dict[tuple[str, str], str]:
    """What a module imports by name: (module, name) to the name it has there."""
    return {
        (str(node.module), alias.name): alias.asname or alias.name
        for node in ast.walk(_trees()[path])
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _calls(module: str, name: str) -> set[str]:
    """The methods that the package calls on a value of a module."""
    parent, _, own = module.rpartition(".")
    found = set()
    for path in _trees():
        written = name if path == module else _imported(path).get((module, name))
        if written is None and (through := _imported(path).get((parent, own))):
            written = f"{through}.{name}"
        found |= _methods(path).get(written or "", set())
    return found or {"?"}


def _written_in_place(tree: ast.Module) -> list[tuple[re.Pattern[str], str]]:
    """The patterns given to functions of `re` as plain texts."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[ast.Constant(value=str(text)), *_]
            ) if method not in ("escape", "compile"):
                flags = [getattr(re, word.attr) for word in ast.walk(node) if _is_flag(word)]
                found.append((re.compile(text, sum(flags)), method))
    return found


def _is_flag(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr.isupper() and ast.unparse(node.value) == "re"
