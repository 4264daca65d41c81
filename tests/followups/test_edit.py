"""`wrap edit`: other words, and nothing else changes; `wrap undo` gives every byte back."""

from __future__ import annotations

import sys

import pytest

from tests.followups import talks
from tests.followups.test_items import JOURNAL, WEB, YESTERDAY, fates, items
from tests.support import TODAY, wrap

TABLE = "| Task | State |\n|---|---|\n"
LIST = "# web\n\n## Next Session\n\n"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("- [ ] Water the plants", "- [ ] Feed the cat"),
        ("* Water the plants", "* Feed the cat"),
        ("7. [/] (web) Water the plants 📅 2026-05-01 ⏫", "7. [/] (web) Feed the cat 📅 2026-05-01 ⏫"),
        ("- [ ] (A) Water the\n      plants #garden\n  - slowly", "- [ ] (A) Feed the cat\n  - slowly"),
        ("- [ ] Water 📅 2026-05-01 the plants ^a1", "- [ ] Feed the cat 📅 2026-05-01 ^a1"),
        ("- [ ] Water the plants\n  - [ ] with rain", "- [ ] Feed the cat\n  - [ ] with rain"),
        ("- [ ] Water `the` **plants**", "- [ ] Feed the cat"),
        (
            "| Task | State |\n|---|---|\n| Water the plants | ⏳ |",
            "| Task | State |\n|---|---|\n| Feed the cat | ⏳ |",
        ),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_only_the_words_change(projects, line, after, ending):
    head = LIST.replace("\n", ending)
    before = b"\xef\xbb\xbf" + (head + line.replace("\n", ending) + f"{ending}- [ ] Mow the lawn{ending}").encode()
    projects.write(WEB, before)
    (item,) = [one for one in items(projects).values() if one["path"] == WEB and one["text"].startswith("Water")]
    result = wrap("edit", item["handle"], "Feed", "the", "cat", vault=projects)
    assert result.code == 0, result.err
    text = projects.path(WEB).read_bytes().decode("utf-8-sig")
    assert text == head + after.replace("\n", ending) + f"{ending}- [ ] Mow the lawn{ending}"
    assert wrap("undo", vault=projects).code == 0
    assert projects.path(WEB).read_bytes() == before


def test_a_mark_in_the_new_words_takes_the_place_of_the_old_one(projects):
    projects.write(WEB, f"{LIST}- [ ] Water the plants ⏫ 📅 2026-05-01 #garden\n")
    assert wrap("edit", "plants", "Water the plants #garden 📅 2026-06-01", vault=projects).code == 0
    found = items(projects)["Water the plants #garden"]
    assert (found["due"], found["priority"]) == ("2026-06-01", "high")


@pytest.mark.parametrize("words", ["", " ", "a\nb", "[x] done", "Water | plants", "✅ done"])
def test_words_that_would_not_be_this_item_are_refused(projects, words):
    projects.write(WEB, "# web\n\n## Next Session\n\n| Task | State |\n|---|---|\n| Water the plants | ⏳ |\n")
    before = talks.notes(projects)
    assert wrap("edit", "plants", words, vault=projects).code in (1, 2)
    assert talks.notes(projects) == before


def test_what_is_merged_into_it_in_old_journals_stays_as_it_stands(projects):
    journal = "# Day\n\n## Next\n\n- (web) Water the plants 📅 2026-05-01\n"
    projects.write(YESTERDAY, journal)
    before = talks.notes(projects)
    assert wrap("edit", "plants", "Feed the cat", vault=projects).code == 0
    assert projects.path(YESTERDAY).read_text("utf-8") == journal
    found = {one["text"]: one["due"] for one in wrap("list", "--all", "--json", vault=projects).json["items"]}
    assert found["Feed the cat"] == "2026-05-01"
    assert "Water the plants" not in found
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


def test_what_is_merged_into_it_too(projects):
    projects.write(YESTERDAY, "# Day\n\n## Next\n\n- (web) Water the plants 📅 2026-05-01\n")
    before = talks.notes(projects)
    document = wrap("edit", "plants", "Feed the cat", "--all", "--json", vault=projects).json
    assert {line["path"] for line in document["lines"]} == {WEB, YESTERDAY}
    assert projects.path(YESTERDAY).read_text("utf-8").endswith("- (web) Feed the cat 📅 2026-05-01\n")
    assert [text for text in items(projects) if "plants" in text] == []
    assert wrap("undo", vault=projects).code == 0
    assert talks.notes(projects) == before


def test_a_line_of_todo_txt(vault):
    built = vault({"todo.txt": "(A) 2026-04-20 Water the plants @home due:2026-05-01\n"},
                  config='[sources]\nlists = ["todo.txt"]\n')  # fmt: skip
    assert wrap("edit", "plants", "Feed the cat @home", vault=built).code == 0
    assert built.path("todo.txt").read_text("utf-8") == "(A) 2026-04-20 Feed the cat @home due:2026-05-01\n"


def test_another_project_in_front_is_a_move(projects):
    result = wrap("edit", "plants", "(infra) Water the plants", vault=projects)
    assert result.code == 2
    assert "wrap move" in result.err


def test_it_names_the_new_handle(projects):
    out = wrap("edit", "plants", "Feed the cat", vault=projects).out
    assert out.startswith(f"now {items(projects)['Feed the cat']['handle']}  {WEB}:5  ")


def test_a_snoozed_item_stays_hidden(projects):
    wrap("snooze", "plants", "5", vault=projects)
    wrap("edit", "plants", "Feed the cat", vault=projects)
    assert fates(projects)["Feed the cat"] == "overflow"
    wrap("undo", vault=projects)
    assert fates(projects)["Water the plants"] == "overflow"


def test_a_follow_up_that_was_routed_is_not_lost_by_it(projects, waiting, tmp_path):
    """Else it would be asked about again: the line that it was routed to is gone."""
    (key,) = waiting(projects, "add a retry to the uploader").values()
    assert talks.route(projects, tmp_path / "answers.json", talks.answer(key, "journal")).code == 0
    wrap("edit", "retry", "Rewrite that whole program in Rust", vault=projects)
    assert wrap("orphans", "--json", vault=projects).json["orphans"] == []
    assert "potentially lost" not in wrap("audit", vault=projects).out
    wrap("undo", vault=projects)
    assert wrap("orphans", "--json", vault=projects).json["orphans"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="the editor is a script")
def test_without_words_the_editor_opens_on_them(projects, tmp_path, monkeypatch):
    program = tmp_path / "editor"
    program.write_text("#!/bin/sh\nsed -i 's/plants/cactus/' \"$1\"\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(program))
    assert wrap("edit", "plants", vault=projects).code == 0
    assert "- [ ] Water the cactus" in projects.path(WEB).read_text("utf-8")
    monkeypatch.delenv("EDITOR")


def test_the_page_is_rebuilt(projects):
    wrap("edit", "plants", "Feed the cat", vault=projects)
    assert wrap("regen", "--check", vault=projects).code == 0


def test_todays_journal(projects):
    projects.write(JOURNAL, f"# {TODAY}\n\n## Next\n\n- Call Ann\n- Call Bob\n")
    assert wrap("edit", f"{JOURNAL}:5", "Write to Ann", vault=projects).code == 0
    assert projects.path(JOURNAL).read_text("utf-8").endswith("- Write to Ann\n- Call Bob\n")


def test_an_answer_names_the_mark_that_was_given(projects):
    projects.write(WEB, f"{LIST}- [ ] Water the plants\n")
    handle = items(projects)["Water the plants"]["handle"]
    result = wrap("edit", handle, "prio:high", "due:2026-05-01", vault=projects)
    assert "Water the plants 📅 2026-05-01 ⏫" in result.out
    assert wrap("edit", handle, "due:2026-05-02", vault=projects).out.count("📅") == 1


PROSE = [
    "Water the plants while the ledger is exported. It is slow.",
    "### Task 9: Water the plants",
    "> Water the plants",
]


@pytest.mark.parametrize("words", PROSE)
@pytest.mark.parametrize("verb", [("edit", "plants", "Feed the cat"), ("move", "plants", "infra")])
def test_what_stands_in_no_list_is_told_to_be_changed_in_its_file(projects, words, verb):
    projects.write("HANDOFF.md", f"# Hand-over\n\n## Next\n\n{words}\n")
    projects.write(WEB, LIST)
    projects.write("wrapgen.toml", '[sources]\nhand_overs = ["HANDOFF.md#Next"]\n')
    before = talks.notes(projects)
    result = wrap(*verb, vault=projects)
    assert result.code == 1
    assert "HANDOFF.md:5: is a paragraph, heading or quote" in result.err
    assert "wrap open HANDOFF.md:5" in result.err
    assert talks.notes(projects) == before
