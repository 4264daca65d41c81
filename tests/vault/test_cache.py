"""The cache is only a cache: what it holds, or does not, never shows."""

import os

import pytest

from tests.support import wrap

JOURNAL = "journals/2026/04/2026-04-23.md"
NOTES = {JOURNAL: "## Next\n\n- Fix the login\n", "projects/web/todos.md": "## Next Session\n\n- [ ] Add a retry\n"}


def texts(built):
    return sorted(item["text"] for item in wrap("regen", "--json", vault=built).json["items"])


def filled_cache(built):
    """The cache's files; notes as young as the clock's grain are not cached, so it may take some runs."""
    for _ in range(500):
        wrap("regen", vault=built)
        found = [path for path in (built.root / ".wrapgen" / "cache").rglob("*") if path.is_file()]
        if found := [path for path in found if path.name != ".gitignore"]:
            return found
    raise AssertionError("nothing was cached")


@pytest.mark.parametrize("harm", ["delete", "empty", "half", "noise"])
def test_a_harmed_cache_changes_nothing(vault, harm):
    built = vault(NOTES)
    files = filled_cache(built)
    page = built.dashboard.read_bytes()
    for path in files:
        data = path.read_bytes()
        if harm == "delete":
            path.unlink()
        else:
            path.write_bytes({"empty": b"", "half": data[: len(data) // 2], "noise": os.urandom(len(data))}[harm])
    result = wrap("regen", vault=built)
    assert result.code == 0
    assert result.err == ""
    assert built.dashboard.read_bytes() == page
    assert texts(built) == ["Add a retry", "Fix the login"]


def test_each_change_of_a_file_is_noticed(vault):
    built = vault(NOTES)
    assert texts(built) == ["Add a retry", "Fix the login"]
    journal = built.path(JOURNAL)
    journal.write_text("## Next\n\n- Mend the login\n", encoding="utf-8")
    assert texts(built) == ["Add a retry", "Mend the login"]
    journal.rename(journal.with_name("2026-04-22.md"))
    assert texts(built) == ["Add a retry", "Mend the login"]
    journal.with_name("2026-04-22.md").unlink()
    assert texts(built) == ["Add a retry"]


def test_the_same_size_and_time_are_noticed_all_the_same(vault):
    built = vault(NOTES)
    assert texts(built) == ["Add a retry", "Fix the login"]
    journal = built.path(JOURNAL)
    before = journal.stat()
    journal.write_text("## Next\n\n- Fix the logon\n", encoding="utf-8")
    os.utime(journal, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert journal.stat().st_size == before.st_size
    assert texts(built) == ["Add a retry", "Fix the logon"]


def test_another_configuration_is_noticed(vault):
    built = vault(NOTES)
    wrap("regen", vault=built)
    built.path("wrapgen.toml").write_text('[sections]\nnext = ["later"]\n', encoding="utf-8")
    assert texts(built) == []


def test_a_dashboard_that_somebody_edited_is_rebuilt(vault):
    built = vault(NOTES)
    wrap("regen", vault=built)
    wrap("regen", vault=built)
    page = built.dashboard.read_bytes()
    built.dashboard.write_bytes(page + b"more\n")
    assert wrap("regen", "--check", vault=built).code == 3
    wrap("regen", vault=built)
    assert built.dashboard.read_bytes() == page


def test_a_check_writes_nothing(vault):
    built = vault(NOTES)
    wrap("regen", "--check", vault=built)
    assert not (built.root / ".wrapgen").exists()
