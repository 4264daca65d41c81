"""`wrap trend`: the weeks, as a picture, in figures and as a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import finish, journal, next_list, spawn, wrap
from tests.trend.kit import FATES, KINDS, day, line
from wrapgen.commands.trend_ import sparkline
from wrapgen.vault import run_history
from wrapgen.vault.run_history import AGE_GROUPS

DAYS = (
    day("2026-03-30", open=4, new=4, collected=6, median_age=1.0, projects={"web": 3, "untagged": 1}),
    day("2026-04-02", open=8, new=5, resolved=1, pending=2, median_age=2.5, made=2, kept=0),
    day("2026-04-15", open=6, new=1, resolved=3, median_age=1.0, made=3, kept=2),
    day("2026-04-24", open=2, resolved=4, made=3, kept=3),
)


@pytest.fixture
def built(vault):
    made = vault()
    made.write(run_history.FILE, b"".join(line(one) + b"\n" for one in DAYS))
    return made


def test_without_a_history_it_says_what_to_do(vault):
    built = vault()
    result = wrap("trend", vault=built)
    assert (result.code, result.err) == (0, "")
    assert "no history yet" in result.out
    assert "wrap regen" in result.out
    assert wrap("trend", "--json", vault=built).json == {
        "schema": "wrapgen.trend/1",
        "today": "2026-04-24",
        "weeks": [],
    }


def test_after_a_rebuild_there_is_a_history(vault):
    built = vault(journal("2026-04-23", next_list("Fix the login")))
    wrap("regen", vault=built)
    week = wrap("trend", "--json", vault=built).json["weeks"][0]
    assert (week["monday"], week["open"], week["median_age"]) == ("2026-04-20", 1, 1.0)


def test_the_printed_weeks(built):
    assert wrap("trend", vault=built).out.splitlines() == [
        "4 weeks                 now",
        "open           █·▇▃       2",
        "new            █·▂▁       0",
        "resolved       ▃·▇█       4",
        "pending        █·▁▁       0",
        "median age     █·▄·       -",
        "promises kept  ▁·▆█  3 of 3",
        "",
        "week of     open  new  resolved  pending  median age  promises kept",
        "2026-03-30     8    9         1        2    2.5 days         0 of 2",
        "2026-04-06     -    -         -        -           -              -",
        "2026-04-13     6    1         3        0       1 day         2 of 3",
        "2026-04-20     2    0         4        0           -         3 of 3",
    ]


def test_only_so_many_weeks(built):
    out = wrap("trend", "--weeks", "2", vault=built).out
    assert out.splitlines()[0].split() == ["2", "weeks", "now"]
    assert "2026-03-30" not in out


def test_the_document(built):
    """Golden: keys may be added, never renamed or dropped."""
    document = wrap("trend", "--json", "--weeks", "2", vault=built).json
    nothing = {"fates": dict.fromkeys(FATES, 0), "sources": dict.fromkeys(KINDS, 0), "projects": {}}
    assert document == {
        "schema": "wrapgen.trend/1",
        "today": "2026-04-24",
        "weeks": [
            {"monday": "2026-04-13", "days": 1, "new": 1, "resolved": 3, "open": 6, "pending": 0, "median_age": 1.0,
             "ages": dict.fromkeys(AGE_GROUPS, 0), "promises": {"made": 3, "kept": 2}, "collected": 0, **nothing},
            {"monday": "2026-04-20", "days": 1, "new": 0, "resolved": 4, "open": 2, "pending": 0, "median_age": None,
             "ages": dict.fromkeys(AGE_GROUPS, 0), "promises": {"made": 3, "kept": 3}, "collected": 0, **nothing},
        ],
    }  # fmt: skip


def test_a_week_without_a_rebuild_in_the_document(built):
    week = wrap("trend", "--json", vault=built).json["weeks"][1]
    assert {name for name, value in week.items() if value is None} == {
        "open", "pending", "median_age", "ages", "promises", "collected", "fates", "sources", "projects",
    }  # fmt: skip
    assert (week["days"], week["new"], week["resolved"]) == (0, 0, 0)


def test_it_writes_nothing(built):
    before = built.snapshot()
    wrap("trend", vault=built)
    assert built.snapshot() == before


def test_quiet_prints_nothing(built):
    assert wrap("--quiet", "trend", vault=built).out == ""


@pytest.mark.parametrize("number", ["0", "-1", "many", "521"])
def test_a_number_of_weeks_that_is_none_is_a_usage_error(built, number):
    assert wrap("trend", "--weeks", number, vault=built).code == 2


@pytest.mark.slow
def test_a_pipe_gets_the_same_words_without_control_characters(built):
    child = finish(spawn("--vault", built.root, "--today", "2026-04-24", "trend"))
    assert child.out == wrap("trend", vault=built).out
    assert not [char for char in child.out if ord(char) < 32 and char != "\n"]


def test_a_history_that_cannot_be_read_is_an_error(vault):
    built = vault()
    built.path(run_history.FILE).mkdir(parents=True)
    result = wrap("trend", vault=built)
    assert result.code == 1
    assert "history.jsonl" in result.err


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], ""), ([None, None], "··"), ([0, 0], "▁▁"), ([0, 1, 1000], "▁▂█"), ([0.5], "█"), ([7, 3.5, None], "█▅·")],
)
def test_sparklines(values, expected):
    assert sparkline(values) == expected


@given(st.lists(st.none() | st.floats(0.5, 1e9) | st.integers(0, 10**9)))
def test_a_larger_value_is_no_lower_bar(values):
    line = sparkline(values)
    assert len(line) == len(values)
    known = sorted((value, bar) for value, bar in zip(values, line, strict=True) if value is not None)
    assert [bar for _, bar in known] == sorted(bar for _, bar in known)
    assert all((bar == "▁") == (value == 0) for value, bar in known)


def weeks(built, today):
    return wrap("trend", "--json", vault=built, today=today).json["weeks"]


def test_a_source_of_another_kind_holds_neither_new_nor_finished_items(vault):
    tasks = "# Web\n\n- [ ] Fix the login form\n- [ ] Add the upload retry\n- [ ] Write the export\n"
    built = vault({"notes/web.md": tasks}, config='[sources]\nlists = ["notes/web.md"]\n')
    assert wrap("regen", vault=built, today="2026-04-20").code == 0
    built.write("wrapgen.toml", '[sources]\nproject_todos = ["notes/<project>.md"]\n')
    assert wrap("regen", vault=built, today="2026-04-21").code == 0
    (week,) = weeks(built, "2026-04-21")
    assert (week["open"], week["new"], week["resolved"]) == (3, 0, 0)


def test_what_is_new_beside_what_moved_counts(vault):
    built = vault({"projects/web/todos.md": "- [ ] Fix the login form\n"})
    wrap("regen", vault=built, today="2026-04-20")
    built.path("projects/web").rename(built.path("projects/shop"))
    built.write("projects/shop/todos.md", "- [ ] Fix the login form\n- [ ] Paint the door\n")
    wrap("regen", vault=built, today="2026-04-21")
    (week,) = weeks(built, "2026-04-21")
    assert (week["open"], week["new"], week["resolved"]) == (2, 1, 0)


def test_a_day_that_the_option_made_up_is_not_kept(vault):
    built = vault(journal("2026-04-23", next_list("Fix the login")))
    wrap("regen", vault=built)
    before = built.path(run_history.FILE).read_bytes()
    result = wrap("--verbose", "--today", "2126-01-01", "regen", vault=built, today=None)
    assert (result.code, "--today made it up" in result.err) == (0, True)
    assert built.path(run_history.FILE).read_bytes() == before
    assert len(weeks(built, "2026-04-24")) == 1
