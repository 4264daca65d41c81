"""A line goes into the list that exists and is read, before one that would have to be made."""

import pytest

from tests.followups.talks import neutral, orphans, said
from tests.support import wrap

LIST = "# List\n\n- [ ] Mend it\n"


def added(built, *words):
    result = wrap("add", *words, "--json", vault=built)
    assert result.code == 0, result.err
    return [one["path"] for one in result.json["lines"]]


@pytest.mark.parametrize("name", ["apps/shop/TODO.md", "apps/shop/tasks.md", "notes/shop/NEXT.md"])
def test_a_projects_own_list_under_whatever_name(vault, name):
    text = "# Shop\n\n## Next\n\n- Mend it\n" if name.endswith("NEXT.md") else LIST
    built = vault({name: text}, config="[projects.shop]\n[projects.till]\n[sources]\nlists = ['**/*.md']\n")
    assert added(built, "Oil it", "-p", "shop") == [name]
    assert not built.path("projects").exists()


def test_the_lists_of_others_and_prose_are_none(vault):
    files = {"apps/till/TODO.md": LIST, "apps/shop/guide.md": "# Guide\n\n- It is red\n"}
    built = vault(files, config="[projects.shop]\n[projects.till]\n[sources]\nlists = ['apps/**/*.md']\n")
    assert added(built, "Oil it", "-p", "shop") == ["projects/shop/todos.md"]


OWN = "project = 'home'\n[sources]\nhand_overs = ['HANDOFF.md']\nlists = ['*.md']\n"


def test_where_no_journals_are_kept_the_vaults_own_list_takes_what_names_no_project(vault):
    built = vault({"HANDOFF.md": "# Handoff\n\n- Finish the parser\n", "notes.md": "# N\n\n- It is red\n"}, config=OWN)
    assert added(built, "Ring Ann") == ["HANDOFF.md"]
    assert built.path("HANDOFF.md").read_text() == "# Handoff\n\n- Finish the parser\n- Ring Ann\n"
    found = wrap("list", "--all", "--json", vault=built).json["items"]
    assert {one["text"]: one["project"] for one in found} == {"Finish the parser": "home", "Ring Ann": "home"}


def test_a_follow_up_is_suggested_for_it(vault, tmp_path):
    built = vault({"TODO.md": LIST}, config=OWN)
    talk = tmp_path / "talk.json"
    talk.write_bytes(neutral(said("teach the printer landscape pages")))
    (one,) = orphans(built, talk).json["orphans"]
    assert (one["suggested"]["route"], one["suggested"]["project"]) == ("project", "home")


def test_no_journal_is_offered_where_none_is_kept(vault, tmp_path):
    built = vault({"TODO.md": LIST}, config=OWN)
    talk = tmp_path / "talk.json"
    talk.write_bytes(neutral(said("teach the printer landscape pages")))
    assert wrap("orphans", "--transcript", talk, vault=built).code == 0
    asked = wrap("orphans", "--ask", vault=built)
    assert asked.code == 0
    assert "TODO.md" in asked.out
    assert "journal" not in asked.out


def test_where_it_has_none_todays_journal_takes_it(vault):
    built = vault({}, config=OWN)
    assert added(built, "Ring Ann")[0].startswith("journals/")


def test_the_newest_entry_of_a_log_takes_it_wherever_it_stands(vault):
    log = "# Log\n\n## 2026-04-23\n\n### Next\n\n- Oil it\n\n## 2026-04-20\n\n### Next\n\n- Mend it\n"
    built = vault({"HANDOFF.md": log}, config=OWN)
    added(built, "Ring Ann")
    assert "- Oil it\n- Ring Ann\n" in built.path("HANDOFF.md").read_text()


def test_what_has_no_box_is_done_there_without_a_new_folder(vault):
    hand_over = "# Handoff\n\n## Next\n\n1. Ask Dana about coupons\n2. Finish the parser\n"
    built = vault({"HANDOFF.md": hand_over, "TODO.md": LIST}, config=OWN)
    wrap("next", "Dana", vault=built)
    result = wrap("done", "Dana", vault=built)
    assert result.code == 0, result.err
    assert "done: HANDOFF.md:5  Ask Dana about coupons" in result.out
    assert "its line has no box and stays as it is" in result.out
    assert not built.path("journals").exists()
    assert built.path("HANDOFF.md").read_text() == hand_over
    open_now = [one["text"] for one in wrap("list", "--all", "--json", vault=built).json["items"]]
    assert open_now == ["Finish the parser", "Mend it"]
    assert wrap("undo", vault=built).code == 0
    assert len(wrap("list", "--all", "--json", vault=built).json["items"]) == 3


def test_said_work_whose_words_stand_below_done_alone_is_finished(vault):
    journal = "# Day\n\n## Next\n\n- Ask Dana about coupons\n"
    built = vault({"journals/2026-04-24.md": journal})
    wrap("next", "Dana", vault=built)
    built.write("journals/2026-04-24.md", "# Day\n\n### Done\n\n- Ask Dana about coupons\n")
    found = wrap("audit", "--json", vault=built).json
    assert found["collected"] == 0, found
    assert found["stale_boxes"] == []
