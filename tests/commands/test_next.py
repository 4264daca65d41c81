"""`wrap next`: a person puts items first, sees who said what, and takes it back."""

import pytest

from tests.support import journal, next_list, wrap

TODOS = """# web

## Next Session

- [ ] Rotate the staging keys
- [ ] Write the retry for uploads
- [ ] Ask Ann for the customs papers
- [ ] Count the jars
- [ ] Sweep the yard

## Backlog

- [ ] Paint the garden gate
"""


@pytest.fixture
def notes(vault):
    return vault({"projects/web/todos.md": TODOS})


def first(vault, **options):
    return [one["text"].split()[0] for one in wrap("next", "--json", vault=vault, **options).json["next"]]


def shown(vault):
    return [text.split()[0] for text in wrap("audit", "--json", vault=vault).shown]


def test_nothing_is_said_yet(notes):
    assert "nothing is said to be next" in wrap("next", vault=notes).out
    assert wrap("next", "--json", vault=notes).json["next"] == []


def test_numbers_of_the_list_go_first_in_their_order(notes):
    wrap("list", vault=notes)
    assert wrap("next", "3", "5", "1", vault=notes).code == 0
    assert first(notes) == ["Ask", "Sweep", "Rotate"]
    assert shown(notes)[:3] == ["Ask", "Sweep", "Rotate"]


def test_later_ones_go_in_front_and_those_to_add_behind(notes):
    wrap("next", "the jars", vault=notes)
    wrap("next", "customs papers", vault=notes)
    wrap("next", "--add", "sweep the yard", vault=notes)
    assert first(notes) == ["Ask", "Count", "Sweep"]


def test_each_of_several_arguments_with_blanks_is_an_item(notes):
    assert wrap("next", "count the jars", "sweep the yard", vault=notes).code == 0
    assert first(notes) == ["Count", "Sweep"]
    assert wrap("next", "customs", "papers", vault=notes).code == 0
    assert first(notes) == ["Ask", "Count", "Sweep"]


def test_numbers_mean_the_list_that_was_printed(notes):
    wrap("next", "the jars", "sweep the yard", vault=notes)
    wrap("next", vault=notes)
    wrap("next", "2", vault=notes)
    assert first(notes) == ["Sweep", "Count"]


def test_backlog_is_lifted_and_goes_back_when_it_is_cleared_and_two_weeks_old(notes):
    wrap("next", "garden gate", vault=notes)
    assert shown(notes)[0] == "Paint"
    wrap("next", "--clear", "garden gate", vault=notes)
    assert shown(notes)[-1] == "Paint"
    assert "Paint the garden gate" not in wrap("audit", "--json", vault=notes, today="2026-05-08").items


def test_what_was_snoozed_is_shown_again(notes):
    wrap("snooze", "the jars", "2026-05-20", vault=notes)
    assert "Count" not in shown(notes)
    wrap("next", "count the jars", vault=notes)
    assert shown(notes)[0] == "Count"
    wrap("undo", vault=notes)
    assert "Count" not in shown(notes)


def test_it_leads_until_it_is_done(notes):
    wrap("next", "the jars", vault=notes)
    assert first(notes, today="2026-07-01") == ["Count"]
    wrap("done", "the jars", vault=notes)
    assert first(notes) == []


@pytest.mark.parametrize(("words", "left"), [((), []), (("the jars",), ["Sweep"])])
def test_clear_takes_all_back_or_one(notes, words, left):
    wrap("next", "count the jars", "sweep the yard", vault=notes)
    assert wrap("next", "--clear", *words, vault=notes).code == 0
    assert first(notes) == left
    wrap("undo", vault=notes)
    assert first(notes) == ["Count", "Sweep"]


def test_clear_of_nothing_writes_nothing(notes):
    assert "nothing was said to be next" in wrap("next", "--clear", vault=notes).out
    assert not notes.path(".wrapgen/said.jsonl").exists()


def test_each_is_undone_by_itself(notes):
    wrap("next", "the jars", vault=notes)
    once = notes.path(".wrapgen/said.jsonl").read_bytes()
    wrap("next", "customs papers", vault=notes)
    assert wrap("undo", vault=notes).code == 0
    assert notes.path(".wrapgen/said.jsonl").read_bytes() == once
    assert first(notes) == ["Count"]


def test_the_document(notes):
    wrap("next", "the jars", vault=notes)
    document = wrap("next", "--json", vault=notes, today="2026-04-26").json
    (one,) = document["next"]
    assert document["schema"] == "wrapgen.next/1"
    assert {name: one[name] for name in ("text", "path", "line", "quote", "project", "by", "said_on", "you")} == {
        "text": "Count the jars", "path": "projects/web/todos.md", "line": 8, "quote": "Count the jars",
        "project": "web", "by": "person", "said_on": "2026-04-24", "you": False,
    }  # fmt: skip
    assert one["commits_since"] is None
    assert one["id"].startswith(one["handle"])
    assert "said by you 2 days ago" in wrap("next", vault=notes, today="2026-04-26").out


@pytest.mark.parametrize("words", [("--add",), ("--add", "--clear"), ("no such item",)])
def test_what_means_nothing_is_a_usage_error(notes, words):
    assert wrap("next", *words, vault=notes).code == 2


def test_what_wrap_filed_makes_no_list_old(notes):
    notes.write("journals/2026/04/2026-04-23.md", "# Day\n\n## Next\n\n- Call the printer about the paper\n")
    assert shown(notes)[0] == "Call"
    wrap("add", "Buy stamps for the letters", vault=notes)
    assert shown(notes).index("Call") < shown(notes).index("Buy")
    again = wrap("audit", "--json", vault=notes, today="2026-04-25").items["Buy stamps for the letters"]
    assert "filed by wrap" in again["why"]


def test_a_snoozed_line_that_is_copied_into_the_next_days_note_stays_hidden(vault):
    built = vault(journal("2026-04-23", next_list("Renew the passport", "Buy nails")))
    assert wrap("snooze", "passport", "2026-05-04", vault=built, today="2026-04-23").code == 0
    built.write("journals/2026/04/2026-04-24.md", next_list("Renew the passport"))

    def open_now():
        return [one["text"] for one in wrap("list", "--json", vault=built, today="2026-04-24").json["items"]]

    assert open_now() == ["Buy nails"]
    hidden = wrap("list", "--snoozed", vault=built, today="2026-04-24").out
    assert "Renew the passport" in hidden
    assert "2026-05-04" in hidden
    assert wrap("next", "passport", vault=built, today="2026-04-24").code == 0
    assert open_now() == ["Renew the passport", "Buy nails"]
    assert wrap("undo", vault=built, today="2026-04-24").code == 0
    assert open_now() == ["Buy nails"]
    assert wrap("snooze", "passport", "off", vault=built, today="2026-04-24").code == 0
    assert sorted(open_now()) == ["Buy nails", "Renew the passport"]
