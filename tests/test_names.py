"""A class name has one meaning in the whole package: a reader who has met it once knows it everywhere."""

import ast
from collections import defaultdict
from pathlib import Path

import wrapgen

PACKAGE = Path(wrapgen.__file__).parent


def test_each_class_name_is_defined_once():
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path.relative_to(PACKAGE.parent)}:{node.lineno}")
    assert len(places) > 300, "the package was not found"
    shared = [f"{name}: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]
    assert not shared, "class names with more than one meaning:\n" + "\n".join(shared)
