"""The next occurrence of repeating work, by the rules of Obsidian Tasks and todo.txt."""

from __future__ import annotations

from datetime import date

import pytest

from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.recurrence import next_day, next_line
from wrapgen.vault.markdown.tick import finish

TODAY = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("rule", "day", "then"),
    [
        ("every day", "2026-11-28", "2026-11-29"),
        ("every 3 days", "2026-11-28", "2026-12-01"),
        ("every other week", "2026-11-27", "2026-12-11"),
        ("every weekday", "2026-11-27", "2026-11-30"),
        ("every week on monday, thursday", "2026-11-23", "2026-11-26"),
        ("every 2 weeks on tue", "2026-11-24", "2026-12-08"),
        ("every sunday and monday", "2026-11-22", "2026-11-23"),
        ("every month", "2026-01-31", "2026-02-28"),
        ("every month on the 1st and 15th", "2026-11-03", "2026-11-15"),
        ("every month on the 31st", "2026-11-03", "2026-12-31"),
        ("every month on the last", "2026-11-30", "2026-12-31"),
        ("every month on the last friday", "2026-11-27", "2026-12-25"),
        ("every 3 months on the 3rd thursday", "2026-11-19", "2027-02-18"),
        ("every january on the 15th", "2026-11-27", "2027-01-15"),
        ("every april and december on the 1st and 24th", "2026-04-01", "2026-04-24"),
        ("every year", "2024-02-29", "2025-02-28"),
        ("every full moon", "2026-11-27", None),
        ("every 0 days", "2026-11-27", None),
        ("+1w", "2026-11-27", None),
    ],
)
def test_the_next_day_of_a_rule(rule, day, then):
    found = next_day(rule, date.fromisoformat(day))
    assert (found and found.isoformat()) == then


@pytest.mark.parametrize(
    ("line", "then"),
    [
        ("- [ ] Pay ⏫ 🔁 every month 📅 2026-11-28", "- [ ] Pay ⏫ 🔁 every month 📅 2026-12-28"),
        ("* [/] Pay ⏳ 2026-11-26 📅 2026-11-28 🔁 every week", "* [ ] Pay ⏳ 2026-12-03 📅 2026-12-05 🔁 every week"),
        ("- [ ] Pay 🔁 every week when done 📅 2026-11-20", "- [ ] Pay 🔁 every week when done 📅 2026-12-02"),
        ("- [ ] Pay 🔁 every week ➕ 2026-01-01 📅 2026-11-28", "- [ ] Pay 🔁 every week ➕ 2026-11-25 📅 2026-12-05"),
        ("- [ ] Pay 🔁 every week 🆔 a1 📅 2026-11-28 ^ab", "- [ ] Pay 🔁 every week 📅 2026-12-05"),
        ("- [ ] Pay [due:: 2026-11-28] [repeat:: every day]", "- [ ] Pay [due:: 2026-11-29] [repeat:: every day]"),
        ("- [ ] Read the report of 2026-11-28 🔁 every day 📅 2026-11-28",
         "- [ ] Read the report of 2026-11-28 🔁 every day 📅 2026-11-29"),
        ("- [ ] Pay 🔁 whenever 📅 2026-11-28", None),
    ],
)  # fmt: skip
def test_the_next_line(line, then):
    (entry,) = parse(line).entries
    assert next_line(line, entry, TODAY) == then


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_it_stands_above_the_finished_one(ending):
    text = f"# web{ending or chr(10)}- [ ] Pay 🔁 every day 📅 2026-11-28{ending}"
    change = finish("a.md", text.encode(), [2], TODAY)[2]
    after = change.apply(text.encode()).decode().splitlines()
    assert after[1:] == ["- [ ] Pay 🔁 every day 📅 2026-11-29", "- [x] Pay 🔁 every day 📅 2026-11-28"]


@pytest.mark.parametrize(
    ("line", "then"),
    [
        ("(A) 2026-11-01 Pay +flat due:2026-11-28 rec:+1m", "(A) 2026-11-25 Pay +flat due:2026-12-28 rec:+1m"),
        ("Pay due:2026-11-20 t:2026-11-18 rec:1w", "Pay due:2026-12-02 t:2026-11-30 rec:1w"),
        ("Pay due:2026-11-24T18:00 rec:1d", "Pay due:2026-11-26T18:00 rec:1d"),
        ("Pay due:2026-11-27 rec:+1b", "Pay due:2026-11-30 rec:+1b"),
    ],
)
def test_todo_txt(line, then):
    after = finish("todo.txt", f"{line}\n".encode(), [1], TODAY)[1].apply(f"{line}\n".encode()).decode().splitlines()
    assert after[0] == then
    assert after[1].startswith("x 2026-11-25 ")


def test_a_rule_that_is_not_understood_is_ticked():
    data = "- [ ] Pay 🔁 whenever 📅 2026-11-28\n".encode()
    assert finish("a.md", data, [1], TODAY)[1].apply(data).decode() == "- [x] Pay 🔁 whenever 📅 2026-11-28\n"
