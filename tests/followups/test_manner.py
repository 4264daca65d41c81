"""A new line is written as the list that it joins is: its marks, its bullets, its newest entry."""

import pytest

from tests.support import wrap

TILL = "[projects.till]\n[projects.shop]\n[sources]\nlists = ['*.md', '*/*.md']\n"


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
