"""`wrap brief` without a state: what git and the vault know."""

import subprocess

import pytest

from tests.brief.reading import read
from tests.support import journal, next_list, wrap

TASK = "# Timetable cache\n\n- [ ] Serve the week\n"


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")


def git(folder, *words):
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def code(tmp_path, monkeypatch):
    """A working folder under git, with a file that changed and a new one."""
    folder = tmp_path / "code"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "feature/brief")
    git(folder, "config", "user.email", "me@example.com")
    git(folder, "config", "user.name", "me")
    (folder / "old.py").write_text("1\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    (folder / "old.py").write_text("2\n")
    (folder / "new.py").write_text("3\n")
    monkeypatch.chdir(folder)
    return folder


def brief(vault, *words):
    result = wrap("brief", *words, vault=vault)
    assert result.code == 0, result.err
    return read(result.out.rstrip("\n"), "en")


def config_for(folder):
    return f"[projects.web]\npaths = ['{folder}']\n"


def test_everything_that_is_known(vault, code):
    day = "# Day\n\n## Session: web\n\n### Decisions\n\n- Cache for a day\n\n" + next_list("(web) Ship it")
    built = vault(
        {"projects/web/actives/cache/todos.md": TASK, "projects/api/todos.md": "", **journal("2026-04-23", day)},
        config=config_for(code),
        trusted=True,
    )
    made = brief(built)
    assert made.task == "Timetable cache"
    assert sorted(made.lists["files"]) == ["new.py (created)", "old.py (modified)"]
    assert made.lists["decisions"] == ["Cache for a day"]
    assert sorted(made.lists["pending"]) == ["Serve the week", "Ship it"]
    assert made.as_of.startswith("As of: 2026-04-24T")
    assert made.as_of.endswith(" (feature/brief)")
    document = wrap("brief", "--format", "json", vault=built).json
    assert document["branch"] == "feature/brief"
    assert document["generated_at"].startswith("2026-04-24T")


def test_another_projects_work_is_not_told(vault, code):
    text = (
        next_list("(web) Ours", "(api) Theirs", "Nobody's") + "\n## Session: api\n\n### Decisions\n\n- Theirs alone\n"
    )
    built = vault(
        {
            "projects/web/todos.md": "",
            "projects/api/actives/other/todos.md": "# Their task\n\n- [ ] Theirs as well\n",
            **journal("2026-04-23", text),
        },
        config=config_for(code),
        trusted=True,
    )
    made = brief(built)
    assert made.lists["pending"] == ["Ours"]
    assert made.lists["decisions"] == []
    assert made.task == ""


def test_a_folder_of_no_project_is_told_everything(vault):
    built = vault({"projects/web/todos.md": "", **journal("2026-04-23", next_list("(web) One", "Two"))})
    assert sorted(brief(built).lists["pending"]) == ["One", "Two"]


def test_no_more_than_the_dashboard_shows(vault):
    built = vault(journal("2026-04-23", next_list(*(f"Number {n} of its own" for n in range(9)))), config="cap = 4\n")
    assert len(brief(built).lists["pending"]) == 4


def test_the_newest_session_where_no_task_is_active(vault):
    built = vault(
        {
            **journal("2026-04-22", "## Session: web one\n"),
            **journal("2026-04-23", "## Session: web two\n\n## Session: web three\n\n### Next\n\n- x\n"),
            "projects/web/actives/done/todos.md": "# Finished\n\n- [x] All of it\n",
        }
    )
    assert brief(built).task == "Session: web three"


def test_an_active_task_without_a_heading_is_its_first_item(vault):
    built = vault({"projects/web/actives/cache/todos.md": "- [x] Begin\n- [ ] Go on\n"})
    assert brief(built).task == "Begin"


def test_the_task_changed_last(vault):
    built = vault(
        {f"projects/web/actives/{name}/todos.md": f"# {name}\n\n- [ ] x {name}\n" for name in "abc"},
        changed={"projects/web/actives/a/todos.md": "2026-04-25"},
    )
    assert brief(built).task == "a"


def test_an_empty_vault_without_git(vault):
    made = brief(vault())
    assert (made.task, set(map(tuple, made.lists.values()))) == ("", {()})


def test_what_is_new_since(vault, tmp_path):
    built = vault(journal("2026-04-23", next_list("One")))
    earlier = tmp_path / "earlier.json"
    earlier.write_text(wrap("brief", "--format", "json", vault=built).out, encoding="utf-8")
    built.write("journals/2026/04/2026-04-24.md", next_list("Two and more"))
    assert brief(built, "--since", earlier).lists["pending"] == ["Two and more"]


def test_secrets_stay_where_they_are(vault):
    key = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    built = vault(journal("2026-04-23", f"## Decisions\n\n- Use {key}\n\n" + next_list(f"Rotate {key}")))
    assert key not in wrap("brief", vault=built).out


def test_nothing_is_written(vault):
    built = vault(journal("2026-04-23", next_list("One")))
    before = built.snapshot()
    brief(built)
    assert built.snapshot() == before


def test_a_vault_that_is_one_project_knows_its_folder_as_that_project(vault, monkeypatch):
    built = vault(
        {"projects/web/todos.md": "- [ ] Of another project\n", "TODO.md": "- [ ] Ours\n"},
        config='project = "shop"\n[sources]\nlists = ["TODO.md"]\n',
    )
    monkeypatch.chdir(built.root)
    assert wrap("brief", "--format", "json", vault=built).json["pending"] == ["Ours"]
