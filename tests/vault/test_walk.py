"""Which files are sources, and links between them."""

import os

import pytest

from tests.support import audit, journal, next_list, wrap

pytestmark = pytest.mark.skipif(os.name != "posix", reason="symbolic links of POSIX")
GOOD = journal("2026-04-23", next_list("Fix the login"))


def link(built, path, target):
    file = built.path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(target)


def troubles(built):
    return [one["path"] for one in audit(built).json["unreadable"]]


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "2026-04-22.md").write_text(next_list("Add the retry"), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_link_out_of_the_vault_is_skipped_and_listed(vault, outside):
    built = vault(GOOD)
    link(built, "journals/2026-04-22.md", outside / "2026-04-22.md")
    assert troubles(built) == ["journals/2026-04-22.md"]
    assert audit(built).fates == {"Fix the login": "shown"}


@pytest.mark.slow
def test_a_linked_folder_out_of_the_vault_is_skipped_and_listed(vault, outside):
    built = vault(GOOD)
    link(built, "journals/old", outside)
    assert troubles(built) == ["journals/old"]
    assert audit(built).fates == {"Fix the login": "shown"}


@pytest.mark.slow
@pytest.mark.parametrize("follow", ["journals/old", "journals/old/", "journals"])
def test_a_linked_folder_is_read_when_follow_names_it(vault, outside, follow):
    built = vault(GOOD, config=f'follow = ["{follow}"]\n', trusted=True)
    link(built, "journals/old", outside)
    assert troubles(built) == []
    assert audit(built).fates == {"Fix the login": "shown", "Add the retry": "shown"}


@pytest.mark.slow
def test_follow_names_only_what_it_names(vault, outside):
    built = vault(GOOD, config='follow = ["journals/ol"]\n', trusted=True)
    link(built, "journals/old", outside)
    assert troubles(built) == ["journals/old"]


def test_a_linked_file_is_read_when_follow_names_it(vault, outside):
    built = vault(GOOD, config='follow = ["journals/2026-04-22.md"]\n', trusted=True)
    link(built, "journals/2026-04-22.md", outside / "2026-04-22.md")
    assert troubles(built) == []
    assert "Add the retry" in audit(built).fates


@pytest.mark.slow
def test_a_vault_whose_name_begins_alike_is_outside(vault, tmp_path):
    twin = tmp_path / "vault-twin"
    twin.mkdir()
    (twin / "2026-04-22.md").write_text(next_list("Add the retry"), encoding="utf-8")
    built = vault(GOOD)
    link(built, "journals/old", twin)
    assert troubles(built) == ["journals/old"]


@pytest.mark.slow
def test_a_link_inside_the_vault_is_followed_once(vault):
    built = vault(GOOD)
    link(built, "journals/latest", "2026")
    assert [item["path"] for item in audit(built).json["items"]] == ["journals/2026/04/2026-04-23.md"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("target", [".", "..", "../..", "loop"])
def test_a_loop_of_links_ends(vault, target):
    built = vault(GOOD)
    link(built, "journals/2026/loop", target)
    assert audit(built).fates == {"Fix the login": "shown"}


def test_two_links_that_lead_into_each_other_end(vault):
    built = vault(GOOD)
    for here, there in (("a", "b"), ("b", "a")):
        link(built, f"journals/{here}/to", built.path(f"journals/{there}"))
    assert audit(built).fates == {"Fix the login": "shown"}


def test_a_broken_link_is_listed(vault):
    built = vault(GOOD)
    link(built, "journals/2026-04-22.md", "nowhere.md")
    assert troubles(built) == ["journals/2026-04-22.md"]


def test_a_link_to_itself_is_listed(vault):
    built = vault(GOOD)
    link(built, "journals/2026-04-22.md", "2026-04-22.md")
    assert troubles(built) == ["journals/2026-04-22.md"]


def test_a_vault_that_is_reached_by_a_link(vault, tmp_path):
    built = vault(GOOD)
    door = tmp_path / "door"
    door.symlink_to(built.root)
    built.root = door
    assert audit(built).fates == {"Fix the login": "shown"}


def test_file_names_with_odd_characters(vault):
    built = vault({"journals/a #1 (b) [c]/2026-04-23 한글 & more.md": next_list("Fix the login")})
    assert audit(built).fates == {"Fix the login": "shown"}


def test_a_file_name_that_is_not_utf8(vault):
    built = vault(GOOD)
    name = os.fsencode(built.path("journals")) + b"/2026-04-22-caf\xe9.md"
    with open(name, "wb") as file:  # noqa: PTH123 - a path of bytes
        file.write(next_list("Add the retry").encode())
    assert set(audit(built).fates) == {"Fix the login", "Add the retry"}


@pytest.mark.parametrize(
    "path", ["journals/.trash/2026-04-22.md", "journals/.2026-04-22.md", "projects/.old/todos.md", ".git/2026-04-22.md"]
)
def test_hidden_files_are_no_sources(vault, path):
    built = vault({**GOOD, path: next_list("Add the retry", heading="## Next Session")})
    assert audit(built).fates == {"Fix the login": "shown"}


def test_a_day_that_no_calendar_has_is_listed(vault):
    built = vault({**GOOD, "journals/2026-13-01.md": next_list("Never"), "journals/2025-02-29.md": next_list("Never")})
    assert troubles(built) == ["journals/2025-02-29.md", "journals/2026-13-01.md"]


def test_own_patterns(vault):
    config = (
        '[sources]\njournals = ["daily/YYYY_MM_DD.md", "log/YYYY/MM-DD.md"]\nproject_todos = ["todo-<project>.md"]\n'
    )
    built = vault(
        {
            "daily/2026_04_22.md": next_list("Add the retry"),
            "log/2026/04-23.md": next_list("Fix the login"),
            "todo-web.md": next_list("Rotate the keys", heading="## Next Session"),
            "journals/2026-04-23.md": next_list("Not read any more"),
        },
        config=config,
    )
    items = audit(built).items
    assert {text: (item["raised"], item["project"]) for text, item in items.items()} == {
        "Add the retry": ("2026-04-22", None),
        "Fix the login": ("2026-04-23", None),
        "Rotate the keys": (None, "web"),
    }


def test_a_pattern_that_also_fits_the_output_leaves_it_out(vault):
    config = 'output = "projects/web/todos.md"\n[sources]\nlists = ["**/*.md"]\n'
    built = vault({"notes/a.md": "- [ ] Fix the login\n", "snapshots/b.md": "- [ ] Never\n"}, config=config)
    wrap("regen", vault=built)
    assert audit(built).fates == {"Fix the login": "shown"}


def test_a_file_belongs_to_the_first_kind_that_fits(vault):
    config = '[sources]\nlists = ["**/*.md"]\n'
    built = vault({**GOOD, "lists/<a>.md": "- [ ] Add the retry\n"}, config=config)
    assert {one["text"]: one["kind"] for one in audit(built).json["items"]} == {
        "Fix the login": "journal_next",
        "Add the retry": "lists",
    }


def test_a_list_has_the_project_and_the_task_of_its_pattern(vault):
    built = vault({"areas/web/login.md": "- [ ] Fix it\n"}, config='[sources]\nlists = ["areas/<project>/<task>.md"]\n')
    assert audit(built).items["Fix it"]["project"] == "web"


@pytest.mark.parametrize("glob", ["notes/**", "notes/**/*", "notes/{**,x}"])
@pytest.mark.parametrize("ignored", ["", 'ignore = ["notes/old/**"]\n'])
def test_any_name_means_notes_only(vault, glob, ignored):
    files = {
        "notes/a.md": "- [ ] Paint the hull\n",
        "notes/old/b.markdown": "- [ ] Wash the car\n",
        "notes/todo.txt": "Sell the sail\n",
        "notes/old/c.json": "- [ ] Never\n",
        "notes/d.png": "- [ ] Never\n",
    }
    built = vault(files, config=f'[sources]\nlists = ["{glob}"]\n{ignored}')
    assert troubles(built) == []
    expected = {"Paint the hull", "Wash the car", "Sell the sail"} - ({"Wash the car"} if ignored else set())
    assert set(audit(built).fates) == expected
