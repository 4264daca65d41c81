"""What gives the vault another version, by which a page knows that it is old."""

import pytest

from tests.serving.kit import NOTE, NOTES
from tests.support import TODAY, next_list
from wrapgen.serving import shelf
from wrapgen.serving.shelf import VaultShelf
from wrapgen.workflows.app import App


@pytest.fixture
def built(vault):
    return vault(NOTES)


@pytest.fixture
def version(built, monkeypatch):
    monkeypatch.setattr(shelf, "_LEAST", 0)
    monkeypatch.setattr(shelf, "_SHARE", 0)
    return VaultShelf(App(vault=built.root)).version


@pytest.mark.parametrize(
    "path",
    ["journals/2026/04/2026-04-25.md", NOTE, "notes/private.md", "wrapgen.toml", ".wrapgen/history.jsonl",
     ".wrapgen/templates/page.html.j2", ".wrapgen/state/pending.jsonl"],
)  # fmt: skip
def test_what_the_page_shows(built, version, path):
    before = version()
    assert version() == before
    built.write(path, next_list("Paint the door") if path.endswith(".md") else "# cap = 3\n", changed="2026-04-25")
    after = version()
    assert after != before
    built.path(path).unlink()
    assert version() != after


@pytest.mark.parametrize(
    "path",
    ["ACTIVE-STATUS.md", ".git/index", ".agents/locks/active-status.lock", ".wrapgen/cache/files-00",
     ".wrapgen/page/index.html", ".wrapgen/state/hooks/fired/Stop", ".wrapgen/state/hooks.log",
     ".wrapgen/state/listed.jsonl"],
)  # fmt: skip
def test_what_programs_write_for_themselves(built, version, path):
    before = version()
    built.write(path, "x")
    assert version() == before


def test_a_configuration_that_breaks_and_is_mended(built, version):
    before = version()
    built.write("wrapgen.toml", "nonsense = 1\n")
    broken = version()
    assert broken != before
    built.write("wrapgen.toml", "")
    assert version() == before


def test_a_vault_is_looked_at_at_most_twice_a_second(built):
    asked = VaultShelf(App(vault=built.root))
    before = asked.version()
    built.write(NOTE, next_list("Paint the door"), changed=TODAY)
    assert asked.version() == before
