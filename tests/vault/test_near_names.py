"""Files that are nearly named like sources are named, and no others."""

import pytest

from tests.support import journal, next_list, wrap
from wrapgen.config import Config, load
from wrapgen.vault.near_names import near_names

TODOS, PROGRESS, DAY = "projects/web/todos.md", "projects/web/PROGRESS.md", "journals/2026/11/2026-11-02.md"
TASK = "projects/web/actives/search/todos.md"
FORMS = {
    "projects/web/todo.md": TODOS,
    "projects/web/TODOS.md": TODOS,
    "projects/web/Todo.md": TODOS,
    "projects/web/to-dos.md": TODOS,
    "projects/web/todos.MD": TODOS,
    "projects/web/todos.markdown": TODOS,
    "projects/web/todos.txt": TODOS,
    "projects/web/todos": TODOS,
    "projects/web/todos.md.md": TODOS,
    "projects/web/progress.md": PROGRESS,
    "projects/web/Progress.MD": PROGRESS,
    "projects/web/PROGESS.md": PROGRESS,
    "Projects/web/todos.md": TODOS,
    "project/web/todos.md": TODOS,
    "projects/web/active/search/todos.md": TASK,
    "projects/web/actives/search/todo.md": TASK,
    "journals/2026/11/2026-11-2.md": DAY,
    "journals/2026/11/2026_11_02.md": DAY,
    "journals/2026/11/20261102.md": DAY,
    "journals/2026/11/2026.11.02.md": DAY,
    "journals/2026/11/26-11-02.md": DAY,
    "journals/2026/11/02-11-2026.md": DAY,
    "journals/2026/11/13-Nov-2026.md": "journals/2026/11/2026-11-13.md",
    "journals/2026/11/11-13-2026.md": "journals/2026/11/2026-11-13.md",
    "journals/2026/11/2026-11-02.MD": DAY,
    "journals/2026/11/2026-11-02.txt": DAY,
    "journals/2026/11/2026-11-2 Release.md": "journals/2026/11/2026-11-02 Release.md",
    "Journals/2026/11/2026-11-02.md": DAY,
    "journal/2026/11/2026-11-02.md": DAY,
}
OTHERS = (
    "projects/web/README.md", "projects/web/notes.md", "projects/web/todos.json", "projects/web/todos.py",
    "projects/web/src/todo.md", "docs/todo.md", "todo.md", "journals/index.md", "journals/2026-11-02.png",
    "journals/2026-13-40.md", "journals/2026.md", "journals/.trash/2026-11-2.md", "projects/.old/todo.md",
    TODOS, PROGRESS, DAY, TASK,
)  # fmt: skip


def found(built):
    return [(one.path, one.meant) for one in near_names(built.root, load(built.path("wrapgen.toml"), Config))]


@pytest.mark.parametrize(("path", "meant"), FORMS.items())
def test_it_is_named_with_what_it_may_mean(vault, path, meant):
    assert found(vault({path: "- [ ] Water the plants\n"})) == [(path, meant)]


@pytest.mark.parametrize("path", OTHERS)
def test_others_are_not(vault, path):
    assert found(vault({path: "- [ ] Water the plants\n"})) == []


def test_globs_of_ones_own(vault):
    built = vault(
        {"log/2026_11_02.md": "", "log/2026-11-03.md": "", "log/old/2026-11-04.md": "", "work/lists/home.MD": ""},
        config='[sources]\njournals = ["log/YYYY_MM_DD.md"]\nlists = ["work/lists/*.md", "work/{home,garden}.md"]\n',
    )
    built.write("work/hom.md", "")
    assert found(built) == [("log/2026-11-03.md", "log/2026_11_03.md"), ("work/hom.md", "work/home.md")]


def test_what_is_ignored_or_another_vaults_is_not(vault):
    built = vault({"projects/web/todo.md": "", "projects/api/todo.md": "", "projects/api/wrapgen.toml": ""})
    assert [path for path, _ in found(built)] == ["projects/web/todo.md"]
    built.write("wrapgen.toml", '[sources]\nignore = ["projects/web/todo.md"]\n')
    assert found(built) == []


def test_sources_and_doctor_name_them(vault):
    files = dict.fromkeys(FORMS, "- [ ] Water the plants\n") | journal("2026-04-23", next_list("Fix the login"))
    built = vault(files)
    said = wrap("sources", vault=built).out
    assert said.count("; rename it if you mean ") == 20
    assert "not read: 9 more files nearly named like a source" in said
    document = wrap("sources", "--json", vault=built).json
    assert {one["path"]: one["meant"] for one in document["nearly_named"]} == FORMS
    findings = wrap("doctor", "--json", vault=built).json["findings"]
    assert sum("nearly named like a source" in one["what"] for one in findings) == 21


def test_a_conflict_copy_is_named_as_such_alone(vault):
    copy = "journals/2026-4-23 (conflicted copy 2026-04-24).md"
    built = vault({copy: "- [ ] Water the plants\n"} | journal("2026-04-23", next_list("Fix the login")))
    findings = wrap("doctor", "--json", vault=built).json["findings"]
    assert [one["what"] for one in findings if one["where"] == copy] == [
        "a conflict copy of journals/2026-4-23.md, not read"
    ]
    assert copy not in [one["path"] for one in wrap("sources", "--json", vault=built).json["nearly_named"]]
