"""The page: its parts, and nothing that is not needed."""

import re
from urllib.parse import unquote

import pytest
import yaml
from markdown_it import MarkdownIt

from tests.support import FATES, audit, journal, next_list, wrap

QUIET = {"projects/web/todos.md": "## Next Session\n- Fix the login\n"}


def regen(built, today="2026-04-24"):
    result = wrap("regen", vault=built, today=today)
    assert result.code == 0, result.err
    return built.page


def headings(page):
    return re.findall(r"^(#+) (.*)$", page, re.M)


def test_a_quiet_vault_has_three_headings(vault):
    page = regen(vault(journal("2026-04-23", next_list("Fix the login"))))
    assert headings(page) == [("#", "Active status"), ("##", "Priorities"), ("##", "Audit")]


def test_what_nothing_says_to_be_next_stands_below_a_heading_of_its_own(vault):
    built = vault({**QUIET, **journal("2026-04-23", "## Next\n- Draw the map\n## Notes\n- [ ] Buy nails\n")})
    regen(built)
    assert (built.priorities, built.also_open) == (
        ["- (untagged) Draw the map"],
        ["- (web) Fix the login", "- (untagged) Buy nails"],
    )


def test_where_nothing_says_what_is_next_the_page_says_how_to(vault):
    built = vault(QUIET)
    regen(built)
    assert built.section("Priorities") == ["Nothing says what is next; to name it: `wrap next`"]
    assert built.also_open == ["- (web) Fix the login"]
    cut = vault(QUIET, config="cap = 1\n", name="full")
    cut.write("journals/2026/04/2026-04-23.md", next_list("Draw the map"))
    regen(cut)
    assert "Nothing says" not in cut.page
    assert cut.also_open == []


def test_an_empty_vault_has_a_page(vault):
    built = vault()
    page = regen(built)
    assert built.priorities == []
    assert headings(page)[0][0] == "#"


def test_the_front_matter(vault):
    page = regen(vault(QUIET))
    front = yaml.safe_load(page.split("---\n")[1])
    assert str(front["date"]) == "2026-04-24"
    assert {fate: front[fate] for fate in FATES} == {**dict.fromkeys(FATES, 0), "shown": 1}
    assert front["collected"] == 1
    assert not re.search(r"\d{1,2}:\d{2}", page), "no time of day"


def test_the_line_of_a_priority(vault):
    built = vault({**journal("2026-04-12", "## Next\n- (web) Fix the login 📅 2026-05-30 ⏫\n"), **QUIET})
    regen(built)
    line = next(line for line in built.section("Priorities") if line.startswith("- (web) Fix the login"))
    for part in (
        "12 days",
        "2026-05-30",
        "[source](journals/2026/04/2026-04-12.md#L2)",
        "(+1 merged",
        "projects/web/todos.md#L2",
    ):
        assert part in line


@pytest.mark.parametrize(("day", "age"), [("2026-04-24", "new"), ("2026-04-23", "1 day"), ("2026-04-04", "20 days")])
def test_the_age(vault, day, age):
    built = vault(journal(day, next_list("Fix the login")))
    regen(built)
    assert age in built.section("Priorities")[0].split(" · ")


def test_an_undated_item_has_no_age(vault):
    built = vault(QUIET)
    regen(built)
    assert built.section("Also open") == ["- (web) Fix the login · [source](projects/web/todos.md#L2)"]


def test_what_is_overdue_says_so(vault):
    built = vault(journal("2026-04-23", next_list("Late 📅 2026-04-20", "In time 📅 2026-04-24")))
    regen(built)
    late, in_time = built.section("Priorities")
    assert "overdue" in late
    assert "overdue" not in in_time


def test_a_recurrence_is_kept(vault):
    built = vault(journal("2026-04-23", next_list("Rotate the keys 🔁 every month")))
    regen(built)
    assert "🔁 every month" in built.section("Priorities")[0]


@pytest.mark.parametrize("length", [299, 300, 301, 5000])
def test_long_texts_are_cut_at_300_characters(vault, length):
    built = vault(journal("2026-04-23", next_list("x" * length)))
    regen(built)
    words = built.section("Priorities")[0].split(" · ")[0].removeprefix("- (untagged) ")
    assert words == ("x" * length if length <= 300 else "x" * 300 + "…")


def test_every_link_leads_to_its_line(vault):
    files = {
        "journals/a #1 (b) [c]/2026-04-23 100% 한글 & more.md": next_list("Odd place"),
        "journals/x/2026-04-22-a|b.md": next_list("Another odd place"),
        "projects/my web (old)/todos.md": "# A\n\n## Next Session\n\n- Spaces in the project\n",
    }
    built = vault(files)
    page = regen(built)
    found = {}
    for token in MarkdownIt().parse(page):
        for child in token.children or []:
            if child.type == "link_open" and "#L" in child.attrs["href"]:
                path, line = unquote(child.attrs["href"]).rsplit("#L", 1)
                found[path] = built.path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    assert found == {
        "journals/a #1 (b) [c]/2026-04-23 100% 한글 & more.md": "- Odd place",
        "journals/x/2026-04-22-a|b.md": "- Another odd place",
        "projects/my web (old)/todos.md": "- Spaces in the project",
    }


def test_wiki_links(vault):
    built = vault(journal("2026-04-23", next_list("Fix the login")), config='link_style = "obsidian"\n')
    regen(built)
    assert "[[journals/2026/04/2026-04-23" in built.section("Priorities")[0]
    assert "](" not in built.section("Priorities")[0]


def test_overflow_is_counted_per_project_and_says_how_to_see_it(vault):
    built = vault(
        {
            **journal(
                "2026-04-23", next_list("(web) One", "(web) Two", "(web) Three", "(api) Four", "(api) Five", "Six")
            ),
            "projects/web/todos.md": "",
            "projects/api/todos.md": "",
        },
        config="cap = 2\n",
    )
    regen(built)
    lines = [line for line in built.section("Overflow") if line.startswith("- ")]
    assert len(lines) == 3
    for project, number in (("api", "2"), ("web", "1"), ("untagged", "1")):
        line = next(line for line in lines if project in line)
        assert re.search(rf"\b{number}\b", line)
        assert "wrap list --all" in line


ATTENTION = {
    "Untagged": {
        **journal("2026-04-23", next_list("Whose is it", "And this", "(web) One", "(api) Two")),
        "projects/web/todos.md": "", "projects/api/todos.md": "",
    },
    "Conflicts": {"projects/web/todos.md": "## Next Session\n- [ ] Open or not ✅\n"},
    "Probably done": {
        "projects/web/todos.md": "## Next Session\n- Document the upload retry behaviour in the handbook\n",
        **journal("2026-04-23", "## Done\n- (web) Document upload retry behaviour in handbook\n"),
    },
    "Stale boxes": {
        "projects/web/todos.md": "## Next Session\n- [ ] Fix the login form\n",
        **journal("2026-04-23", "## Done\n- (web) Fix the login form\n"),
    },
    "Expired": {
        **journal("2026-04-23", ""), **journal("2026-01-01", next_list("(web) Pay the bill")),
        "projects/web/todos.md": "",
    },
    "Unreadable": {"projects/web/todos.md": b"caf\xe9\n"},
    "Unread sections": {"projects/web/todos.md": "## Next Session\nProse.\n"},
}  # fmt: skip


@pytest.mark.parametrize("title", ATTENTION)
def test_what_needs_attention_has_a_heading_only_where_there_is_something(vault, title):
    page = regen(vault(ATTENTION[title]))
    below = [name for level, name in headings(page) if level == "###"]
    assert below == [title]
    assert ("##", "Needs attention") in headings(page)


@pytest.mark.parametrize(("projects", "lines"), [((), 0), (("web",), 0), (("web", "api"), 1)])
def test_untagged_items_are_one_line_where_there_are_projects_to_choose_from(vault, projects, lines):
    items = ["Whose is it", "And whose is this", *(f"({name}) Something for {name}" for name in projects)]
    built = vault({**journal("2026-04-23", next_list(*items)), **{f"projects/{one}/todos.md": "" for one in projects}})
    page = regen(built)
    assert page.count("without a project") == lines
    assert page.count("2 open items without a project: `wrap audit`") == lines
    assert page.count("- (untagged) ") == 2


def test_the_audit_table_has_the_counts(vault):
    built = vault({**QUIET, **journal("2026-04-23", next_list("Fix the login", "(web) Fix the login"))})
    regen(built)
    rows = [
        [cell.strip(" *") for cell in line.strip("|").split("|")]
        for line in built.section("Audit")
        if line.startswith("|")
    ]
    counts = {row[0]: row[1:] for row in rows}
    document = audit(built).json
    for source in document["sources"]:
        if source["kind"] != "said":  # which has a row where there is some
            assert counts[source["kind"]] == [str(source["files"]), str(source["items"])]
    words = {"duplicate": "merged", "overflow": "not shown"}
    for fate in ("collected", *FATES):
        assert counts[words.get(fate, fate)][-1] == str(document[fate])


def test_where_an_agents_list_names_nothing_the_page_says_so(vault, tmp_path):
    built = vault(QUIET)
    answer = tmp_path / "answer.json"
    answer.write_text('{"next": []}')
    assert wrap("triage", "--reviewed", answer, vault=built, today="2026-04-24").code == 0
    regen(built)
    said = "Nothing is next by the list of 2026-04-24; to name something: `wrap next`"
    assert built.section("Priorities") == [said]
    assert built.also_open == ["- (web) Fix the login"]


def test_what_is_probably_done_is_settled_by_the_command_at_its_line(vault):
    ticked = {"plan.md": "- [x] Send the order mail\n", "My list.md": "- [ ] Send the order mail\n"}
    built = vault(ticked, config="project = 'shop'\n[sources]\nlists = ['*.md']\n")
    regen(built)
    assert "settle: `wrap done 'My list.md:1'`" in built.page
    assert wrap("done", "My list.md:1", vault=built).code == 0
    assert built.path("My list.md").read_text() == "- [x] Send the order mail\n"
