"""A survey of notes: what stands below each heading, and families of files as one."""

from datetime import date

from tests.support import each
from wrapgen.config.schema import Sections, names_in_force
from wrapgen.vault.detect.survey import Touched, row_glob, survey
from wrapgen.vault.markdown.parse import parse

NAMES = names_in_force(Sections())


def surveyed(files, touched=None):
    return survey({path: parse(text) for path, text in files.items()}, touched or {}, NAMES)


def test_what_stands_below_each_heading():
    text = "# Boat\n\n- [ ] Paint\n- [x] Sand\n\n## Next\n\n- Sail\n- Swim\n\n## Log\n\nLong ago.\n"
    (one,) = surveyed({"boat.md": text})
    assert [(each.text, each.line, each.open, each.ticked, each.items) for each in one.headings] == [
        ("Boat", 1, 1, 1, 0), ("Next", 6, 0, 0, 2), ("Log", 11, 0, 0, 1),
    ]  # fmt: skip
    assert [each.is_next for each in one.headings] == [False, True, False]
    assert one.headings[0].lines == ("Paint",)


def test_prose_of_a_long_file_counts_only_below_a_name_of_what_is_next():
    parts = "".join(f"## Part {number}\n\nWords.\n\n" for number in range(9))
    (one,) = surveyed({"a.md": f"{parts}## Next step\n\nSail home. Then rest.\n"})
    assert [(each.text, each.lines) for each in one.headings] == [("Next step", ("Sail home",))]


def test_tables_count_only_below_such_a_name():
    table = "| task | who |\n| --- | --- |\n| Sail | Ann |\n"
    (one,) = surveyed({"a.md": f"## Crew\n\n{table}\n## Next\n\n{table}"})
    assert [(each.text, each.items) for each in one.headings] == [("Next", 1)]


def test_a_family_of_dated_files_is_one_with_the_headings_of_its_newest():
    days = {f"log/2026-04-{day}.md": f"## Next {day}\n\n- Sail\n" for day in (21, 23, 22)}
    (one,) = surveyed(days, {"log/2026-04-21.md": Touched(3, date(2026, 4, 24))})
    assert (one.path, one.newest, one.number) == ("log/YYYY-MM-DD*.md", "log/2026-04-23.md", 3)
    assert (one.commits, one.changed, one.headings[0].text) == (3, date(2026, 4, 24), "Next 23")


def test_a_few_numbered_files_are_none():
    paths = ["step-1.md", "step-2.md"]
    assert sorted(one.path for one in surveyed(dict.fromkeys(paths, "- [ ] Sail\n"))) == paths
    paths = [f"step-{number}.md" for number in range(4)]
    assert [(one.path, one.newest) for one in surveyed(dict.fromkeys(paths, "- [ ] Sail\n"))] == [
        ("step-*.md", "step-3.md")
    ]


def test_what_most_commits_touched_comes_first_then_what_was_changed_last():
    files = dict.fromkeys(("a.md", "b.md", "c.md"), "- [ ] Sail\n")
    touched = {"b.md": Touched(1, date(2026, 4, 1)), "c.md": Touched(0, date(2026, 4, 24))}
    assert [one.path for one in surveyed(files, touched)] == ["b.md", "c.md", "a.md"]


@each(
    [
        ("a/2026-04-23.md", "a/YYYY-MM-DD*.md"),
        ("a/2026/04/2026-04-23 x.md", "a/**/YYYY-MM-DD*.md"),
        ("20260423_handoff.md", "YYYYMMDD*.md"),
        ("handoff_2026.04.23.md", "handoff_YYYY.MM.DD*.md"),
        ("DDL_2026-04-23.md", "DDL_*.md"),
        ("[a]/v2-notes.md", "?a?/v*.md"),
        ("notes.md", ""),
    ]
)
def test_the_row_of_a_file(path, glob):
    assert row_glob(path)[0] == glob
