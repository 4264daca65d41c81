"""The map of the code names files that are there, and says where each is."""

import re
from pathlib import Path

import wrapgen
from tests.support import each

ROOT = Path(wrapgen.__file__).parent
MAP = Path(__file__).resolve().parents[1] / "docs/architecture.md"
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def named() -> list[tuple[str, str]]:
    """Every file that the map names, with the folders named on the same line."""
    found = []
    for line in MAP.read_text("utf-8").splitlines():
        folders = " ".join(re.findall(r"`([\w/]+/)`", line))
        found += [(name, folders) for name in re.findall(r"`([\w/]+\.py)`", line)]
    return found


@each(named())
def test_each_file_that_the_map_names_is_found_without_a_search(name, folders):
    exact = [name, *(f"{folder}{name}" for folder in folders.split())]
    assert any(path in FILES for path in exact) or sum(path.endswith(f"/{name}") for path in FILES) == 1


def test_every_folder_of_the_package_is_on_the_map():
    text = MAP.read_text("utf-8")
    assert [path for path in FILES if "/" in path and f"`{path.split('/')[0]}/`" not in text] == []
