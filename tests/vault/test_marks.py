"""The marks of one item, one by one; whole files stand in `tests/cases`."""

from datetime import date

import pytest

from tests.support import each
from wrapgen.notes import Priority
from wrapgen.vault.markdown.marks.item import open_mark, read_item


def read(raw):
    return read_item(raw, line=7, section=2)


@each([
        "Fix the login", "fix [x] in the middle", "see [1]", "a due diligence", "P4 is none", "(D) is none",
        "Wow!! really",
        "the 📅 sign", "due: tomorrow", "`P0` is code", "a ✅ b", "half ~~struck~~", "10:30 call", "call P0 first",
        "x] y",
        "[x](https://example.org)", "[[x]]", "[1] foot", "[ab] no mark",
    ])  # fmt: skip
def test_words_stay_words(raw):
    entry = read(raw)
    assert (entry.text, entry.done, entry.box, entry.conflict) == (raw, False, False, False)
    assert (entry.due, entry.priority, entry.created, entry.finished, entry.recurrence) == (None,) * 5
    assert (entry.line, entry.section) == (7, 2)


@each(["", "[ ]", "[x]", "[ ]   ", "[-] ", "☐", "[ ] <!-- a -->", "[ ] 📅 2026-05-30", "✅"])
def test_marks_alone_are_nothing(raw):
    assert read(raw) is None


@each(list(" /~>!?<*ibS"))
def test_open_boxes(mark):
    entry = read(f"[{mark}] Fix")
    assert (entry.text, entry.done, entry.box) == ("Fix", False, True)


@pytest.mark.parametrize("mark", list("xX-"))
def test_done_boxes(mark):
    entry = read(f"[{mark}] Fix")
    assert (entry.text, entry.done, entry.box) == ("Fix", True, True)


@each(["☐", "⬜", "⬜️", "🔲"])
def test_leading_ballots_are_open(ballot):
    entry = read(f"{ballot} Fix")
    assert (entry.text, entry.done) == ("Fix", False)


@each(["✅ Fix", "✔ Fix", "✔️ Fix", "☑ Fix", "☑️ Fix", "Fix ✅", "Fix ✔️", "Fix ☑", "~~Fix~~", "Fix ✅ 2026-04-28"])
def test_done_signs(raw):
    entry = read(raw)
    assert (entry.text, entry.done, entry.conflict) == ("Fix", True, False)


def test_a_done_date():
    assert read("[x] Fix ✅ 2026-04-28").finished == date(2026, 4, 28)


@each(["[ ] Fix ✅", "[ ] ✅ Fix", "[ ] Fix ✅ 2026-04-28", "[ ] ~~Fix~~", "[/] Fix ✔"])
def test_an_open_box_with_a_done_mark_is_a_conflict(raw):
    entry = read(raw)
    assert (entry.text, entry.done, entry.conflict) == ("Fix", False, True)


@pytest.mark.parametrize("raw", ["[x] Fix ✅", "[x] ~~Fix~~"])
def test_a_ticked_box_with_a_done_mark_is_no_conflict(raw):
    entry = read(raw)
    assert (entry.text, entry.done, entry.conflict) == ("Fix", True, False)


@each(["Fix 📅 2026-05-30", "Fix due:2026-05-30", "Fix (due 2026-05-30)", "📅 2026-05-30 Fix", "(due 2026-05-30) Fix"])
def test_due(raw):
    entry = read(raw)
    assert (entry.text, entry.due) == ("Fix", date(2026, 5, 30))


@pytest.mark.parametrize("raw", ["Fix 📅 2026-02-30", "Fix due:2026-13-01", "Fix (due 0000-01-01)"])
def test_a_day_that_no_calendar_has_is_text(raw):
    entry = read(raw)
    assert (entry.text, entry.due) == (raw, None)


@pytest.mark.parametrize(
    ("raw", "priority"),
    [
        ("🔺 Fix", Priority.HIGHEST), ("Fix ⏫", Priority.HIGH), ("Fix 🔼", Priority.MEDIUM), ("Fix 🔽", Priority.LOW),
        ("Fix ⏬", Priority.LOWEST), ("P0 Fix", Priority.HIGHEST), ("P1: Fix", Priority.HIGH), ("P2 Fix",
        Priority.MEDIUM),
        ("P3 Fix", Priority.LOW), ("(A) Fix", Priority.HIGH), ("(B) Fix", Priority.MEDIUM), ("(C) Fix", Priority.LOW),
        ("Fix !!", Priority.HIGH), ("!! Fix", Priority.HIGH),
    ],
)  # fmt: skip
def test_priorities(raw, priority):
    entry = read(raw)
    assert (entry.text, entry.priority) == ("Fix", priority)


def test_the_strongest_priority_counts():
    assert read("(C) Fix 🔺").priority == Priority.HIGHEST


def test_created_and_recurrence():
    entry = read("[ ] Fix 🔁 every week ➕ 2026-05-01")
    assert (entry.text, entry.created, entry.recurrence) == ("Fix", date(2026, 5, 1), "every week")


def test_all_marks_at_once():
    entry = read("[ ] (A) Fix it 🔁 every day 📅 2026-05-30 ➕ 2026-05-01 🔺")
    assert (entry.text, entry.due, entry.created) == ("Fix it", date(2026, 5, 30), date(2026, 5, 1))
    assert (entry.priority, entry.recurrence) == (Priority.HIGHEST, "every day")


def test_marks_in_code_are_text():
    raw = "Explain `📅 2026-05-30`, `🔺` and `✅ 2026-05-30`"
    entry = read(raw)
    assert (entry.text, entry.due, entry.priority, entry.done) == (raw, None, None, False)


@each(["#waiting", "09:00 -", "{{title}}", "<% tp.file.title %>", "@ann", "---", "2026", "[[]]"])
def test_no_words_are_no_item(raw):
    assert read(f"[ ] {raw}") is None
    assert open_mark(f"[ ] {raw}") == " "


@each(["#42", "09:00 call", "로그인", "買", "x", "{{a}} or {{b}}", "#tag word"])
def test_few_words_are_an_item(raw):
    assert read(f"[ ] {raw}").text == raw


@each(["TODO", "LATER", "NOW", "DOING", "WAITING", "WAIT", "IN-PROGRESS"])
def test_open_markers(marker):
    entry = read(f"{marker} fix it")
    assert (entry.text, entry.done, entry.box, entry.mark) == ("fix it", False, True, marker)


@pytest.mark.parametrize("marker", ["DONE", "CANCELED", "CANCELLED"])
def test_finished_markers(marker):
    entry = read(f"{marker} fix it")
    assert (entry.text, entry.done, entry.box) == ("fix it", True, True)


@each(["TODOs", "Todo fix", "NOWHERE to go", "do it LATER", "IN PROGRESS fix"])
def test_words_that_are_no_markers(raw):
    entry = read(raw)
    assert (entry.text, entry.box) == (raw, False)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("⏳ 2026-05-30", "scheduled"), ("⌛2026-05-30", "scheduled"), ("[scheduled:: 2026-05-30]", "scheduled"),
        ("SCHEDULED: <2026-05-30 Sat>", "scheduled"), ("🛫️ 2026-05-30", "start"), ("(start:: 2026-05-30)", "start"),
        ("🗓️2026-05-30", "due"), ("DEADLINE: <2026-05-30>", "due"), ("❌ 2026-05-30", "finished"),
        ("[completion:: 2026-05-30]", "finished"), ("CLOSED: [2026-05-30 Sat 10:00]", "finished"),
        ("[created::2026-05-30]", "created"),
    ],
)  # fmt: skip
def test_days_of_every_format(raw, name):
    entry = read(f"Fix it {raw}")
    assert (entry.text, getattr(entry, name)) == ("Fix it", date(2026, 5, 30))


def test_names_of_items():
    entry = read("[ ] Fix 🆔 a-1 ⛔ b_2 , c3 🏁 delete ^note-7")
    assert (entry.text, entry.ident, entry.depends) == ("Fix", "a-1", ("b_2", "c3"))
    assert read("[ ] Fix 🆔 a*1").text == "Fix 🆔 a*1"


def test_a_rule_ends_where_the_next_sign_or_tag_begins():
    entry = read("[ ] Fix 🔁 every week #home")
    assert (entry.text, entry.recurrence) == ("Fix #home", "every week")


@each([
        "[ ] Paint the sign @{2026-12-24}",
        "[ ] Paint the sign @{2026-12-24} @@{14:30}",
        "[ ] Paint the sign @[[2026-12-24]]",
        "[ ] Paint the sign @due(2026-12-24)",
        "[ ] Paint the sign @due(2026-12-24T14:30)",
        "[ ] Paint the sign 📅 \u200e2026-12-24",
        "[ ] Paint the sign 📅\u200b2026-12-24",
        "[ ] Paint the sign 📅 2026‑12‑24",
        "[ ] Paint the sign 📅\u00a02026-12-24",
        "[ ] Paint the sign due：2026-12-24",
        "[ ] Paint the sign (due: \u20602026-12-24)",
        "[ ] Paint the sign [due:: \u200f2026–12–24]",
        "[ ] Paint the sign DEADLINE: <\u200b2026-12-24 Thu>",
        "[ ] Paint the sign %% ask Ann first %% due:2026-12-24",
        "[ ] Paint the sign due:2026-12-24 %% ask Ann first %%",
    ])  # fmt: skip
def test_a_due_day_as_other_tools_write_it(raw):
    item = read(raw)
    assert item.due == date(2026, 12, 24)
    assert item.text in ("Paint the sign", "Paint the sign %% ask Ann first %%")


@pytest.mark.parametrize("raw", ["[ ] Mail @ann about 2026", "[ ] Escape `@{2026-12-24}`", "[ ] Print %% and %d"])
def test_signs_that_are_no_marks(raw):
    item = read(raw)
    assert (item.text, item.due) == (raw[4:], None)


@each(["[×]", "[ｘ]", "［x］", "[x]"])
def test_ticks_of_other_keyboards(box):
    assert read(f"{box} Paint the sign").done


@each([
        ':LOGBOOK:\n* State "DONE" from "TODO" [2026-11-18 Wed 12:18]\n:END:',
        ":LOGBOOK:\nCLOCK: [2026-11-18 Wed 12:18]\n:END:", ":PROPERTIES:\n:ID: 1\n:END:", ":LOGBOOK:",
    ])  # fmt: skip
def test_drawers_are_no_words(drawer):
    assert read(f"TODO Clean the filter\nSCHEDULED: <2026-11-20 Fri>\n{drawer}").text == "Clean the filter"


@each([
        "[x] Buy the milk (from [[2026-11-23]])", "[ ] Buy the milk (rolled over from 2026-11-23)",
        "[ ] Buy the milk [>]", "Buy the milk (from [[Daily/2026-11-23|Monday]])",
    ])  # fmt: skip
def test_what_a_rollover_leaves_is_no_text(raw):
    assert read(raw).text == "Buy the milk"


def test_where_it_comes_from_is_text():
    assert read("Copy the rows (from the export)").text == "Copy the rows (from the export)"


@each([
        "**Tiers — DONE 2026-08-06.** Both halves are built; the rest is still to come",
        "The client - SHIPPED for v1", "**Gate — DONE: phases 1–3, phase 4 on Friday.**", "Debt 4 → **MERGED**。",
        "**Debt 35 CLOSED** as option b", "DONE: write it down", "**[DONE 2026-04-24] Watermark**: in the store",
        "Login: FIXED (a1b2c3d)", "~~**Which syntax?**~~ **ANSWERED 2026-08-07**, no longer open",
        "~~Three flags~~ **All three resolved 2026-08-06**: one was real",
    ])  # fmt: skip
def test_a_line_that_says_that_it_is_done_is(raw):
    assert read(raw).done


@each([
        "Rename the label — DONE button overlaps it", "Ship it — DONE, tests still open", "Search: NOT DONE",
        "Count rows with `status = COMPLETED` anew", "When it is DONE, tell them", "Part one — DONE when merged",
        "Write the DONE criteria", "~~Fix~~ rebuild the login", "fixed width for the table",
    ])  # fmt: skip
def test_a_word_in_capitals_may_be_part_of_the_work(raw):
    assert not read(raw).done


def test_an_open_box_whose_line_says_done_is_a_conflict():
    entry = read("[ ] Ship the client — SHIPPED 2026-08-07")
    assert (entry.done, entry.conflict) == (False, True)
