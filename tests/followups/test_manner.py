"""A new line is written as the list that it joins is: its marks, its bullets, its newest entry."""

import pytest

from tests.support import wrap

TILL = "[projects.till]\n[projects.shop]\n[sources]\nlists = ['*.md', '*/*.md']\n"
LIST = "projects/till/todos.md"


def added(built, path, *words):
    result = wrap("add", *words, vault=built)
    assert result.code == 0, result.err
    return built.path(path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("item", "mark"),
    [
        ("- [ ] (shop) Mend it", "(till) "),
        ("- [ ] [shop] Mend it", "[till] "),
        ("- [ ] **shop**: Mend it", "**till**: "),
        ("- [ ] shop: Mend it", "till: "),
        ("- [ ] #shop Mend it", "#till "),
        ("- [ ] [[shop]] Mend it", "[[till]] "),
        ("- [ ] Mend it", "(till) "),
    ],
)
def test_the_project_is_marked_as_the_files_items_bear_it(vault, item, mark):
    day = "journals/2026/04/2026-04-24.md"
    built = vault({day: f"# Day\n\n## Session: work\n\n### Next\n\n{item}\n"}, config=TILL)
    assert added(built, day, "(till) Oil it").endswith(f"{item}\n- [ ] {mark}Oil it\n")
    assert wrap("list", "-p", "till", "--json", vault=built).json["items"][0]["text"] == "Oil it"
    assert "already there" in wrap("add", "(till) Oil it", vault=built).out


def test_where_the_place_says_the_project_no_mark_does(vault):
    built = vault({"projects/web/todos.md": "# web\n\n## Next Session\n\n- Water the plants\n"})
    text = added(built, "projects/web/todos.md", "Oil it", "-p", "web")
    assert text.endswith("- Water the plants\n- Oil it\n"), "plain bullets stay plain"


def test_the_vaults_task_filter_is_written_once(vault):
    day = "journals/2026/04/2026-04-24.md"
    built = vault({day: "# Day\n\n## Next\n\n- [ ] #task Mend it\n"}, config='[tasks]\nfilter = "#task"\n')
    assert added(built, day, "Oil it").endswith("- [ ] #task Mend it\n- [ ] #task Oil it\n")
    assert added(built, day, "Wash #task it").endswith("- [ ] Wash #task it\n")
    assert "already there" in wrap("add", "Oil it", vault=built).out
    assert wrap("audit", "--json", vault=built).json["backlog"] == 0


@pytest.mark.parametrize("pasted", ["[ ] Oil it", "- [ ] Oil it", "* [ ] (till) Oil it", "- TODO Oil it", "☐ Oil it"])
def test_a_pasted_box_is_taken_off(vault, pasted):
    built = vault({LIST: "# Till\n\n- [ ] Mend it\n"}, config=TILL)
    assert added(built, LIST, "-p", "till", "--", pasted) == "# Till\n\n- [ ] Mend it\n- [ ] Oil it\n"
    assert wrap("edit", "Oil it", "--", "- [ ] Wash it", vault=built).code == 0
    assert built.path(LIST).read_text() == "# Till\n\n- [ ] Mend it\n- [ ] Wash it\n"


@pytest.mark.parametrize(
    ("neighbour", "line"),
    [
        ("- [ ] Mend it 📅 2026-05-01", "- [ ] Oil it 📅 2026-05-02"),
        ("- [ ] Mend it [due:: 2026-05-01]", "- [ ] Oil it [due:: 2026-05-02]"),
        ("- [ ] Mend it @{2026-05-01}", "- [ ] Oil it @{2026-05-02}"),
        ("- [ ] Mend it due:2026-05-01", "- [ ] Oil it due:2026-05-02"),
        ("- TODO Mend it DEADLINE: <2026-05-01 Fri>", "- TODO Oil it DEADLINE: <2026-05-02 Sat>"),
    ],
)
def test_a_due_day_is_written_as_its_neighbours_have_it(vault, neighbour, line):
    built = vault({LIST: f"# Till\n\n{neighbour}\n"}, config=TILL)
    assert added(built, LIST, "Oil it due:2026-05-02", "-p", "till") == f"# Till\n\n{neighbour}\n{line}\n"


def test_in_a_graph_of_logseq_a_new_note_has_task_words(vault):
    built = vault({"logseq/config.edn": "{}", "journals/2026_04_23.md": "- a thought\n"}, config=(
        "[sources]\njournals = ['journals/YYYY_MM_DD.md']\n"
    ))  # fmt: skip
    assert added(built, "journals/2026_04_24.md", "Oil it").endswith("\n- TODO Oil it\n")


def test_done_writes_the_day_where_done_lines_have_it(vault):
    built = vault({"todo.md": "- [x] Mend it ✅ 2026-04-01\n- [ ] Oil it\n"}, config=TILL)
    assert wrap("done", "Oil it", vault=built).code == 0
    assert built.path("todo.md").read_text() == "- [x] Mend it ✅ 2026-04-01\n- [x] Oil it ✅ 2026-04-24\n"
    assert wrap("undo", vault=built).code == 0
    assert built.path("todo.md").read_text() == "- [x] Mend it ✅ 2026-04-01\n- [ ] Oil it\n"


def obsidian(vault, template, **settings):
    built = vault({"Daily/2026-04-23.md": "# Thu\n\n- [ ] Mend it\n", "Templates/Day.md": template}, config=(
        "[sources]\njournals = ['Daily/YYYY-MM-DD.md']\nignore = ['Templates/**']\n"
    ))  # fmt: skip
    for name, said in {"daily-notes.json": '{"folder": "Daily", "template": "Templates/Day"}', **settings}.items():
        built.write(f".obsidian/{name}", said)
    return built


def test_a_daily_note_is_made_from_obsidians_template(vault):
    built = obsidian(
        vault, "---\ntags: daily\n---\n# {{date:dddd, D MMMM}}\n\n## Next\n\n- [ ] Read the post\n\n## Log\n"
    )
    text = added(built, "Daily/2026-04-24.md", "Oil it")
    assert text == (
        "---\ntags: daily\n---\n# Friday, 24 April\n\n## Next\n\n- [ ] Read the post\n- [ ] Oil it\n\n## Log\n"
    )
    assert wrap("undo", vault=built).code == 0
    assert not built.path("Daily/2026-04-24.md").exists()


def test_what_templater_must_run_is_left_and_said(vault):
    built = obsidian(
        vault,
        "# <% tp.file.title %>\n<% await tp.user.weather() %>\n",
        **{"community-plugins.json": '["templater-obsidian"]'},
    )
    result = wrap("add", "Oil it", vault=built)
    assert "Replace templates in the active file" in result.err
    text = built.path("Daily/2026-04-24.md").read_text()
    assert text.startswith("# 2026-04-24\n<% await tp.user.weather() %>\n")
    assert text.endswith("- [ ] Oil it\n")
