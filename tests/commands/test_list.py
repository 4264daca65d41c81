"""`wrap list`: the ranked open items, with numbers that stay."""

import shutil
import time

import pytest

from tests.support import journal, next_list, wrap
from wrapgen.vault.entry_index import EntryIndex
from wrapgen.workflows.last_run import last_run

FILES = {
    **journal("2026-01-05", next_list("Oldest of all")),
    **journal("2026-01-06", next_list("(web) Nearly as old")),
    **journal("2026-04-23", next_list("(web) One", "(api) Two", "(web) Three", "Four")),
    "projects/web/todos.md": "",
    "projects/api/todos.md": "",
}


def numbers(result):
    return [(item["number"], item["text"]) for item in result.json["items"]]


def test_an_empty_vault(vault):
    built = vault()
    assert wrap("list", vault=built).code == 0
    assert wrap("list", "--json", vault=built).json["items"] == []


def test_the_schema(vault):
    document = wrap("list", "--json", vault=vault(FILES)).json
    assert document["schema"] == "wrapgen.list/1"
    assert document["items"][0]["number"] == 1
    assert document["items"][0]["fate"] == "shown"


def test_the_shown_items_in_their_order(vault):
    built = vault(FILES, config="cap = 2\n")
    assert numbers(wrap("list", "--json", vault=built)) == [(1, "One"), (2, "Two")]


def test_all_goes_on_behind_the_cap(vault):
    built = vault(FILES, config="cap = 2\n")
    expected = [(1, "One"), (2, "Two"), (3, "Three"), (4, "Four")]
    assert numbers(wrap("list", "--all", "--json", vault=built)) == expected


def test_what_is_not_shown_is_counted(vault):
    built = vault(FILES, config="cap = 2\n")
    assert wrap("list", vault=built).out.splitlines()[-1] == "2 more: wrap list --all"
    assert wrap("list", "-p", "web", vault=built).out.splitlines()[-1] == "1 more: wrap list --all -p web"
    assert wrap("list", "-p", "untagged", vault=built).out == "1 more: wrap list --all -p untagged\n"
    for words in (["--all"], ["-p", "api"], ["--expired"]):
        assert " more: " not in wrap("list", *words, vault=built).out


def test_a_project_keeps_the_numbers(vault):
    built = vault(FILES, config="cap = 2\n")
    assert numbers(wrap("list", "--all", "--project", "web", "--json", vault=built)) == [(1, "One"), (3, "Three")]
    assert numbers(wrap("list", "--project", "web", "--json", vault=built)) == [(1, "One")]


def test_expired_lists_all_of_them(vault):
    built = vault(FILES)
    assert [text for _, text in numbers(wrap("list", "--expired", "--json", vault=built))] == [
        "Nearly as old",
        "Oldest of all",
    ]
    assert "Oldest of all" not in wrap("list", "--all", vault=built).out


def test_the_printed_list_names_number_project_text_and_place(vault):
    line = wrap("list", vault=vault(FILES)).out.splitlines()[0]
    number, handle, *words = line.split()
    assert (number, words[:2]) == ("1", ["(web)", "One"])
    assert handle == wrap("list", "--json", vault=vault(FILES)).json["items"][0]["handle"]
    assert line.endswith("journals/2026/04/2026-04-23.md:3")


def test_an_unknown_project_is_an_error_that_names_the_known_ones(vault):
    result = wrap("list", "--project", "wbe", vault=vault(FILES))
    assert result.code != 0
    assert "web" in result.err


def test_words_narrow_it_to_what_has_them_all_whether_shown_or_not(vault):
    built = vault(FILES, config="cap = 2\n")
    assert numbers(wrap("list", "THREE", "--json", vault=built)) == [(3, "Three")]
    assert numbers(wrap("list", "web", "o", "n", "e", "--json", vault=built)) == [(1, "One"), (3, "Three")]
    result = wrap("list", "nowhere", vault=built)
    assert (result.code, result.out) == (0, "nothing open fits 'nowhere'\n")


def test_due_lists_what_has_a_due_day_the_earliest_first(vault):
    built = vault(journal("2026-04-23", next_list("One 📅 2026-06-01", "Two", "Three 📅 2026-04-25")))
    assert [text for _, text in numbers(wrap("list", "--due", "--json", vault=built))] == ["Three", "One"]


def test_snoozed_lists_what_is_hidden_with_the_day_until_when(vault):
    built = vault(journal("2026-04-23", next_list("One", "Two", "Three 🛫 2026-04-28")))
    wrap("snooze", "two", "tomorrow", vault=built)
    out = wrap("list", "--snoozed", vault=built).out
    assert "One" not in out
    assert "Two" in out
    assert "from 2026-04-25" in out
    assert "from 2026-04-28" in out


def test_lists_of_different_kinds_do_not_go_together(vault):
    assert wrap("list", "--expired", "--backlog", vault=vault(FILES)).code == 2


def test_age_and_urgency(vault):
    built = vault(journal("2026-04-21", next_list("One ⏫", "Two 📅 2026-04-20")))
    first, second = wrap("list", vault=built).out.splitlines()
    assert "  overdue 4 days  " in first
    assert "  ⏫ 3 days  " in second


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"journals/2026-04-23.md": "- [ ] renew passport ⏳ 2026-06-20\n"}, "1 not shown"),
        ({"projects/web/todos.md": "## Next\n\n- [x] Wax\n\n## Ideas\n\n- [ ] Cast new ones\n"}, "1 in the backlog"),
        ({"journals/2025/01/2025-01-02.md": "- [ ] Mow\n", "journals/2026-04-23.md": "Calm.\n"}, "1 expired"),
    ],
)
def test_nothing_is_open_is_not_said_of_what_is_not_shown(vault, tmp_path, files, said):
    built = vault(files)
    screen = wrap(vault=built).out
    wrap("page", "--out", tmp_path / "page.html", vault=built)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"\nNothing to show now: {said}.\n" in built.page
    assert f"Nothing to show now: {said}." in page
    places = (built.page, page, screen, wrap("list", vault=built).out, wrap("list", "-p", "web", vault=built).out)
    assert not any("nothing is open" in one.lower().replace("nothing is open here", "") for one in places)
    if "backlog" in said:
        assert f"nothing to show now: {said}" in wrap("list", "-p", "web", vault=built).out


@pytest.mark.parametrize("words", [[], ["--json"], ["-p", "web"]])
def test_a_list_of_the_last_rebuild_is_that_of_the_notes(vault, words):
    newest = journal("2026-04-24", next_list("(web) 修复登录 🔁 every day", "Rotate ⏫ due:2026-04-20"))
    built = vault({**FILES, **newest})
    assert wrap("snooze", "Four", "1w", vault=built).code == 0
    assert wrap("next", "One", vault=built).code == 0
    time.sleep(0.1)  # what changed within the clock's grain is not remembered
    wrap("regen", vault=built)
    assert last_run(EntryIndex(built.root, remember=False, say=print)).load().gist
    known = wrap("list", *words, vault=built).out
    shutil.rmtree(built.path(".wrapgen/cache"))
    assert wrap("list", *words, vault=built).out == known
