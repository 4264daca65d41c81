"""Projects as people have them: a note each, a folder each, or one list for all that there is."""

from __future__ import annotations

import pytest

from tests.support import next_list, wrap
from wrapgen.config import VAULT_FILE, Config, load

KITCHEN = "Projects/Kitchen Remodel.md"
NOTES = {
    KITCHEN: "- [ ] Order the tiles\n",
    "Projects/Tax.md": "- [ ] File the return\n",
    "Projects/Choir.md": "Rehearsals are on Mondays.\n",
    "Daily/2026-04-23.md": next_list("Buy milk", "Kitchen Remodel: measure the sink"),
}


@pytest.fixture
def notes(vault):
    built = vault(NOTES)
    assert wrap("init", "--detect", built.root).code == 0
    return built


def files(built):
    return {str(one.relative_to(built.root)) for one in built.root.rglob("*.md")} - {"ACTIVE-STATUS.md"}


def projects(built):
    items = wrap("list", "--all", "--json", vault=built).json["items"]
    return {one["text"]: one["project"] for one in items}


def test_each_note_of_a_folder_of_projects_is_one(notes):
    assert load(notes.path(VAULT_FILE), Config).sources.lists == ("Projects/<project>.md",)
    assert projects(notes) == {
        "Order the tiles": "Kitchen Remodel",
        "File the return": "Tax",
        "Buy milk": None,
        "measure the sink": "Kitchen Remodel",
    }
    known = wrap("projects", "--json", vault=notes).json["projects"]
    assert {one["name"]: one["list"] for one in known} == {
        "Choir": "Projects/Choir.md",
        "Kitchen Remodel": KITCHEN,
        "Tax": "Projects/Tax.md",
    }


@pytest.mark.parametrize("name", ["Kitchen Remodel", "kitchen remodel", "KITCHEN  Remodel"])
def test_a_name_that_is_shown_is_taken_everywhere(notes, name):
    assert wrap("add", "-p", name, "Paint the wall", vault=notes).code == 0
    assert wrap("move", "return", name, vault=notes).code == 0
    assert wrap("move", "milk", *name.split(), vault=notes).code == 0
    listed = wrap("list", "-p", name, "--json", vault=notes).json["items"]
    texts = {"Order the tiles", "measure the sink", "Paint the wall", "File the return", "Buy milk"}
    assert {one["text"] for one in listed} == texts
    assert all(words in notes.path(KITCHEN).read_text() for words in texts - {"measure the sink"})
    assert files(notes) == set(NOTES)  # nothing is filed beside the note that has the name


def test_a_project_that_is_made_known_is_filed_into_the_note_of_its_name(vault):
    built = vault(NOTES, config='[sources]\nlists = ["Projects/*.md"]\n')
    assert wrap("projects", "add", "kitchen remodel", vault=built).code == 0
    assert wrap("add", "-p", "kitchen remodel", "Paint the wall", vault=built).code == 0
    assert "Paint the wall" in built.path(KITCHEN).read_text()
    assert files(built) == set(NOTES)


@pytest.mark.parametrize("folder", ["01 Projects", "프로젝트", "Clients"])
def test_folders_of_such_a_folder_are_projects_too(vault, folder):
    deep = {f"{folder}/{name}/notes/a.md": "- [ ] Paint\n" for name in ("One", "Two", "Three", "Four", "Five")}
    built = vault({f"{folder}/Tax.md": "- [ ] File the return\n", **deep})
    assert wrap("init", "--detect", built.root).code == 0
    assert load(built.path(VAULT_FILE), Config).sources.lists == (
        f"{folder}/<project>.md",
        f"{folder}/<project>/**/*.md",
    )
    known = wrap("projects", "--json", vault=built).json["projects"]
    assert {one["name"] for one in known} == {"One", "Two", "Three", "Four", "Five", "Tax"}


@pytest.mark.parametrize("git", [True, False])
def test_a_folder_with_one_list_files_there(vault, git):
    built = vault({"TODO.md": "- [ ] Paint the fence\n"}, name="allotment")
    if git:
        built.path(".git").mkdir()
    assert wrap("init", "--detect", built.root).code == 0
    assert wrap("add", "Mow the lawn", vault=built).code == 0
    assert built.path("TODO.md").read_text() == "- [ ] Paint the fence\n- [ ] Mow the lawn\n"
    assert files(built) == {"TODO.md"}
    assert set(projects(built).values()) == {"allotment"}


def test_a_task_is_named_in_any_case(vault):
    built = vault({"projects/web/actives/Search/todos.md": "- [ ] Sort\n", "projects/web/todos.md": "- [ ] Paint\n"})
    assert wrap("move", "paint", "WEB/search", vault=built).code == 0
    assert "Paint" in built.path("projects/web/actives/Search/todos.md").read_text()


def test_a_file_of_the_same_name_elsewhere_is_not_about_it(vault):
    files = {"Projects/Tax.md": "- [ ] File the return\n", "notes/Tax.md": "- [ ] Read the law\n"}
    built = vault(files, config='[sources]\nlists = ["Projects/<project>.md", "notes/*.md"]\n')
    assert projects(built) == {"File the return": "Tax", "Read the law": None}


@pytest.mark.parametrize("name", ["README", "readme", "index", "_index"])
def test_the_note_about_the_folder_is_no_project(vault, name):
    built = vault({**NOTES, f"Projects/{name}.md": "- [ ] Archive old ones\n"})
    assert wrap("init", "--detect", built.root).code == 0
    assert projects(built)["Archive old ones"] is None
    assert name not in {one["name"] for one in wrap("projects", "--json", vault=built).json["projects"]}
