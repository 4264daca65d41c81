"""`wrap projects`: which there are, and changing that in `wrapgen.toml`."""

import pytest

from tests.support import next_list, wrap
from wrapgen.config import VAULT_FILE, Config, load

NOTES = {
    "projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Water the plants\n",
    "apps/till/TODO.md": "# till\n\n- [ ] Mend it\n",
    "journals/2026/04/2026-04-23.md": next_list("[till] Oil it"),
}
TOML = "# ours\n[projects.shop]\naliases = ['store']  # the old name\n"


@pytest.fixture
def built(vault, monkeypatch):
    built = vault(NOTES, config=TOML)
    monkeypatch.chdir(built.root)
    assert wrap("trust", vault=built).code == 0
    return built


def config(built):
    return load(built.path(VAULT_FILE), Config)


def test_the_document(built):
    assert wrap("projects", "add", "till", "apps/till", vault=built).code == 0
    document = wrap("projects", "--json", vault=built).json
    assert document["schema"] == "wrapgen.projects/1"
    assert document["project"] is None
    rows = {one.pop("name"): one for one in document["projects"]}
    assert rows == {
        "shop": {"own": False, "paths": [], "aliases": ["store"], "list": None, "items": 0},
        "till": {"own": False, "paths": ["apps/till"], "aliases": [], "list": None, "items": 1},
        "web": {"own": False, "paths": [], "aliases": [], "list": "projects/web/todos.md", "items": 1},
    }


def test_add_proposes_the_lists_in_its_folders(built):
    said = wrap("projects", "add", "till", "apps/till", vault=built).out
    assert "not read yet: apps/till/TODO.md; to read it: wrap sources add apps/till/TODO.md --as lists" in said
    assert wrap("sources", "add", "apps/till/TODO.md", "--as", "lists", vault=built).code == 0
    found = wrap("list", "-p", "till", "--json", vault=built).json["items"]
    assert sorted(one["text"] for one in found) == ["Mend it", "Oil it"]


def test_what_it_has_stays_and_comments_too(built, tmp_path):
    assert wrap("projects", "add", "shop", tmp_path, vault=built).code == 0
    assert config(built).projects["shop"].paths == (str(tmp_path.resolve()),)
    assert config(built).projects["shop"].aliases == ("store",)
    assert built.path(VAULT_FILE).read_text().startswith("# ours\n")


def test_remove(built):
    assert wrap("projects", "remove", "shop", vault=built).code == 0
    assert config(built).projects == {}
    result = wrap("projects", "remove", "shop", vault=built)
    assert (result.code, "no project is called 'shop'" in result.err) == (1, True)
    assert "a folder under projects/" in wrap("projects", "remove", "web", vault=built).err


@pytest.mark.parametrize("words", [("a/b",), ("..",), ("till", "none"), ("till", ".")])
def test_what_cannot_be_is_refused_and_nothing_is_written(built, words):
    before = built.path(VAULT_FILE).read_bytes()
    assert wrap("projects", "add", *words, vault=built).code == 2
    assert built.path(VAULT_FILE).read_bytes() == before


def test_the_vaults_own_project(vault):
    built = vault({"TODO.md": "- [ ] Mend it\n"}, config='project = "home"\n[sources]\nlists = ["TODO.md"]\n')
    document = wrap("projects", "--json", vault=built).json
    assert document["project"] == "home"
    assert [(one["name"], one["own"], one["items"]) for one in document["projects"]] == [("home", True, 1)]
    assert wrap("projects", "remove", "home", vault=built).code == 0
    assert config(built).project == ""
