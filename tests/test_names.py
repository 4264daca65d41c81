"""A class name has one meaning in the whole package: a reader who has met it once knows it everywhere."""

import re
from collections import defaultdict
from pathlib import Path

import wrapgen

PACKAGE = Path(wrapgen.__file__).parent
CLASS = re.compile(r"\s*class (\w+)[(:]")  # read as lines: to parse all modules takes seconds


def test_each_class_name_is_defined_once():
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := CLASS.match(line):
                places[found[1]].append(f"{path.relative_to(PACKAGE.parent)}:{number}")
    assert len(places) > 300, "the package was not found"
    shared = [f"{name}: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]
    assert not shared, "class names with more than one meaning:\n" + "\n".join(shared)
