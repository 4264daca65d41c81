"""Daily notes are found by how their dates are written, whatever the folders are called."""

import pytest

from tests.support import Vault
from wrapgen.vault.detect import daily_notes


def patterns(root):
    return [one.pattern for one in daily_notes(root)]


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("2026-04-23.md", "YYYY-MM-DD.md"),
        ("2026_04_23.md", "YYYY_MM_DD.md"),
        ("20260423.md", "YYYYMMDD.md"),
        ("journals/2026_04_23.md", "journals/**/YYYY_MM_DD.md"),
        ("daily/2026/04/2026-04-23 Thursday.md", "daily/**/YYYY-MM-DD*.md"),
        ("2026/04-23.md", "YYYY/MM-DD.md"),
        ("diary/2026/04-23.md", "diary/YYYY/MM-DD.md"),
        ("diary/2026/0423 Thursday.md", "diary/YYYY/MMDD*.md"),
        ("diary/2026/04/23.md", "diary/YYYY/MM/DD.md"),
        ("diary/2026/04/23 Thursday.md", "diary/YYYY/MM/DD*.md"),
        ("2026/April/04-23.md", "YYYY/April/MM-DD.md"),
    ],
)
def test_the_way_a_date_is_written(tmp_path, path, pattern):
    built = Vault(tmp_path / "vault")
    built.write(path, "## Next\n- Fix the login\n")
    assert patterns(built.root) == [pattern]


@pytest.mark.parametrize(
    "path",
    [
        "notes/2026-13-45.md", "notes/20260423123.md", "2026/23.md", "2026/04/notes.md", "2026/04/99.md",
        "2026/a/b/23.md", "notes/23.md", "04-23.md", ".obsidian/2026-04-23.md", "a/.trash/2026-04-23.md",
        "2026-04-23.txt",
    ],
)  # fmt: skip
def test_what_is_no_daily_note(tmp_path, path):
    built = Vault(tmp_path / "vault")
    built.write(path, "x")
    assert patterns(built.root) == []


def test_the_richest_comes_first_with_its_days(tmp_path):
    built = Vault(tmp_path / "vault")
    for path in ("log/2026-04-21.md", "diary/2026/04-23.md", "diary/2026/04-20.md"):
        built.write(path, "x")
    first, second = daily_notes(built.root)
    assert (first.pattern, first.files) == ("diary/YYYY/MM-DD.md", ("diary/2026/04-20.md", "diary/2026/04-23.md"))
    assert (f"{first.first}", f"{first.last}") == ("2026-04-20", "2026-04-23")
    assert second.files == ("log/2026-04-21.md",)
