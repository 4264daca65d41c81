"""`wrap move`: items change their list with all that belongs to them; `wrap undo` gives every byte back."""

from __future__ import annotations

import pytest

from tests.followups import talks
from tests.followups.test_items import JOURNAL, WEB, YESTERDAY, fates, items
from tests.support import wrap

INFRA = "projects/infra/todos.md"
SEARCH = "projects/web/actives/search/todos.md"


def test_into_another_projects_list(projects):
    before = talks.notes(projects)
    wrap("list", vault=projects)
    document = wrap("move", "plants", "infra", "--json", vault=projects).json
    assert projects.path(WEB).read_text("utf-8") == "# web\n\n## Next Session\n"
    assert projects.path(INFRA).read_text("utf-8").endswith("- [ ] Paint the fence\n- [ ] Water the plants\n")
    assert [(item["project"], item["path"]) for item in document["items"]] == [("infra", INFRA)]
    assert document["items"][0]["handle"] == items(projects)["Water the plants"]["handle"]
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


def test_into_a_task(projects):
    before = talks.notes(projects)
    assert wrap("move", "fence", "web/search", vault=projects).code == 0
    assert projects.path(SEARCH).read_text("utf-8").endswith("- [ ] Sort the shelves\n- [ ] Paint the fence\n")
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


def test_several_at_once(projects):
    before = talks.notes(projects)
    wrap("list", vault=projects)
    assert wrap("move", "1-4", "infra", vault=projects).code == 0
    assert {item["path"] for item in items(projects).values()} == {INFRA}
    assert set(fates(projects).values()) == {"shown"}
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


@pytest.mark.parametrize("where", ["wbe", "web/serach", "infra/none"])
def test_an_unknown_place(projects, where):
    before = talks.notes(projects)
    result = wrap("move", "plants", where, vault=projects)
    assert result.code == 2
    assert talks.notes(projects) == before


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "block",
    [
        "- [ ] Water the plants\n  - slowly\n  - [ ] with rain\n    - cold",
        "1. [ ] Water the plants\n   in the morning\n\n   and the evening",
        "* Water the\n  plants 📅 2026-05-01\n\t- detail",
    ],
)
def test_what_is_below_it_goes_along(projects, block, ending):
    text = f"# web\n\n## Next Session\n\n- [ ] Mow the lawn\n{block}\n- [ ] Sow\n".replace("\n", ending)
    projects.write(WEB, text)
    before = talks.notes(projects)
    (item,) = [one for one in items(projects).values() if one["text"].startswith("Water")]
    result = wrap("move", item["handle"], "infra", vault=projects)
    assert result.code == 0, result.err
    assert projects.path(WEB).read_bytes().decode().count("\n") == text.count("\n") - block.count("\n") - 1
    moved = projects.path(INFRA).read_text("utf-8").split("fence\n")[1]
    assert [word for word in " ".join(moved.replace("(infra) ", "").split()).split() if word.isalpha()] == [
        word for word in block.split() if word.isalpha()
    ]
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


def test_its_age_goes_along(projects):
    """In a list it would have none, and whatever sounded like it and was done in March would resolve it."""
    projects.write("journals/2026/04/2026-04-01.md", "# Day\n\n## Done\n\n- (infra) Call the plumber at last\n")
    projects.write(YESTERDAY, "# Day\n\n## Next\n\n- Call the plumber at last\n")
    assert wrap("move", "plumber", "infra", vault=projects).code == 0
    assert "- [ ] Call the plumber at last ➕ 2026-04-23\n" in projects.path(INFRA).read_text("utf-8")
    item = items(projects)["Call the plumber at last"]
    assert (item["raised"], item["fate"]) == ("2026-04-23", "shown")


def test_what_is_merged_into_it_in_old_journals_stays_as_it_stands(projects):
    journal = "# Day\n\n## Next\n\n- (web) Water the plants 📅 2026-05-01\n  - the green ones\n"
    projects.write(YESTERDAY, journal)
    before = talks.notes(projects)
    assert wrap("move", "plants", "infra", vault=projects).code == 0
    assert projects.path(INFRA).read_text("utf-8").endswith("- [ ] Water the plants 📅 2026-05-01 ➕ 2026-04-23\n")
    assert projects.path(YESTERDAY).read_text("utf-8") == journal
    assert "plants" not in projects.path(WEB).read_text("utf-8")
    found = wrap("list", "plants", "--json", vault=projects).json["items"]
    assert [(one["path"], one["due"]) for one in found] == [(INFRA, "2026-05-01")]
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


def test_what_is_merged_into_it_is_one_item_there(projects):
    projects.write(YESTERDAY, "# Day\n\n## Next\n\n- (web) Water the plants 📅 2026-05-01\n  - the green ones\n")
    before = talks.notes(projects)
    assert wrap("move", "plants", "infra", "--all", vault=projects).code == 0
    assert (
        projects.path(INFRA)
        .read_text("utf-8")
        .endswith("- [ ] Water the plants 📅 2026-05-01 ➕ 2026-04-23\n  - the green ones\n")
    )
    assert "plants" not in projects.path(WEB).read_text("utf-8") + projects.path(YESTERDAY).read_text("utf-8")
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


def test_what_is_there_already_stays_and_its_copies_go(projects):
    projects.write(YESTERDAY, "# Day\n\n## Next\n\n- (web) Water the plants\n")
    assert wrap("move", "plants", "web", "--all", vault=projects).code == 0
    assert projects.path(WEB).read_text("utf-8") == "# web\n\n## Next Session\n\n- [ ] Water the plants\n"
    assert "plants" not in projects.path(YESTERDAY).read_text("utf-8")


def test_a_line_of_todo_txt(vault):
    text = "x 2026-04-01 Sow\n(A) 2026-04-20 Water the plants @home due:2026-05-01\nRake\n"
    built = vault({"todo.txt": text, WEB: "# web\n"}, config='[sources]\nlists = ["todo.txt"]\n')
    before = talks.notes(built)
    assert wrap("move", "plants", "web", vault=built).code == 0
    assert built.path("todo.txt").read_text("utf-8") == "x 2026-04-01 Sow\nRake\n"
    item = items(built)["Water the plants @home"]
    assert (item["due"], item["priority"], item["raised"]) == ("2026-05-01", "high", "2026-04-20")
    assert wrap("undo", vault=built).code == 0
    assert talks.notes(built) == before


def test_the_only_line_of_a_file(vault):
    built = vault({"todo.txt": "Water the plants\n", WEB: "# web\n"}, config='[sources]\nlists = ["todo.txt"]\n')
    before = talks.notes(built)
    assert wrap("move", "plants", "web", vault=built).code == 0
    assert wrap("undo", vault=built).code == 0
    assert talks.notes(built) == before


def test_a_table_row_is_refused_and_nothing_is_written(projects):
    projects.write(WEB, "# web\n\n## Next Session\n\n| Task | State |\n|---|---|\n| Water the plants | ⏳ |\n")
    before = talks.notes(projects)
    result = wrap("move", "plants", "infra", vault=projects)
    assert result.code == 1
    assert "by hand" in result.err
    assert talks.notes(projects) == before


def test_undo_never_leaves_its_words_nowhere(projects):
    """The list that it came from was written anew since: it stays where it was moved to."""
    wrap("move", "plants", "infra", vault=projects)
    projects.write(WEB, "# Other notes\n")
    result = wrap("undo", vault=projects)
    assert "kept" in result.out
    assert "Water the plants" in projects.path(INFRA).read_text("utf-8")


def test_undo_after_other_lines_changed(projects):
    projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Mow\n- [ ] Water the plants\n- [ ] Sow\n")
    wrap("move", "plants", "infra", vault=projects)
    projects.write(WEB, "# web\n\nHello\n\n## Next Session\n\n- [ ] Dig\n- [ ] Mow\n- [ ] Sow\n- [ ] Reap\n")
    assert wrap("undo", vault=projects).code == 0
    assert projects.path(WEB).read_text("utf-8").splitlines()[6:] == [
        "- [ ] Dig", "- [ ] Mow", "- [ ] Water the plants", "- [ ] Sow", "- [ ] Reap"
    ]  # fmt: skip


def test_a_snoozed_item_stays_hidden(projects):
    wrap("snooze", "plants", "5", vault=projects)
    wrap("move", "plants", "infra", vault=projects)
    assert fates(projects)["Water the plants"] == "overflow"


@pytest.mark.parametrize("to", ["infra", "web/search", "home"])
def test_what_was_decided_goes_with_it_and_comes_back_with_it(projects, to):
    projects.path("projects/home").mkdir()  # a list that is made for it
    projects.write(JOURNAL, "# Day\n\n## Done\n\n- Paint the fence\n- Sweep the yard\n")
    projects.write(WEB, "# web\n\n## Next Session\n\n- [ ] Water the plants\n- [ ] Sweep the yard\n")
    wrap("snooze", f"{WEB}:5", "5", vault=projects)
    wrap("keep", f"{WEB}:6", vault=projects)
    decided = {"Water the plants": "overflow", "Sweep the yard": "shown"}
    assert decided.items() <= fates(projects).items()
    assert wrap("move", f"{WEB}:5", f"{WEB}:6", to, vault=projects).code == 0
    assert {one["path"] for text, one in items(projects).items() if text in decided} != {WEB}
    assert decided.items() <= fates(projects).items()
    wrap("undo", vault=projects)
    assert decided.items() <= fates(projects).items()


def test_a_decision_that_is_undone_holds_nowhere(projects):
    wrap("snooze", "plants", "5", vault=projects)
    (snoozed,) = wrap("undo", "--list", "--json", vault=projects).json["receipts"]
    wrap("move", "plants", "infra", vault=projects)
    assert wrap("undo", snoozed["receipt"], vault=projects).code == 0
    assert fates(projects)["Water the plants"] == "shown"


def test_a_new_item_with_the_former_words_is_another_one(projects):
    wrap("snooze", "plants", "5", vault=projects)
    wrap("move", "plants", "infra", vault=projects)
    wrap("snooze", "plants", "off", vault=projects)
    wrap("done", "plants", vault=projects)
    wrap("add", "Water the plants", "-p", "web", vault=projects)
    assert fates(projects)["Water the plants"] == "shown"


def test_the_page_is_rebuilt(projects):
    wrap("move", "plants", "infra", vault=projects)
    assert wrap("regen", "--check", vault=projects).code == 0
