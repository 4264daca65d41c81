"""Lines go in, and no byte that stands there changes; `wrap undo` takes exactly them out again."""

from __future__ import annotations

import os
import stat

import pytest

from tests.followups import talks
from tests.followups.talks import RETRY, ROTATE, answer, is_subsequence, route
from tests.support import THOROUGH, TODAY, wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
WEB = "projects/web/todos.md"
SEARCH = "projects/web/actives/search/todos.md"
BOM = b"\xef\xbb\xbf"

PLACES = {
    "journal": (JOURNAL, {"route": "journal"}),
    "project": (WEB, {"route": "project", "project": "web"}),
    "active": (SEARCH, {"route": "active", "project": "web", "task": "search"}),
}
# What stands in the file beforehand; `{next}` is the heading of the route's section.
SHAPES = {
    "boxes": "# Page\n\n{next}\n\n- [ ] Sweep the floor\n- [x] Feed the cat\n",
    "plain bullets": "# Page\n\n{next}\n\n* Sweep the floor\n* Feed the cat\n",
    "numbers": "# Page\n\n{next}\n\n9. Sweep the floor\n10. Feed the cat\n",
    "repeated numbers": "# Page\n\n{next}\n\n1. Sweep the floor\n1. Feed the cat\n",
    "loose": "# Page\n\n{next}\n\n- [ ] Sweep the floor\n\n- [ ] Feed the cat\n",
    "nested": "# Page\n\n{next}\n\n- [ ] Sweep the floor\n  - under the bed\n    more words\n\n    another paragraph\n",
    "indented": "# Page\n\n{next}\n\n   - [ ] Sweep the floor\n",
    "text behind": "# Page\n\n{next}\n\n- [ ] Sweep the floor\n\nSome prose.\n\n## Other\n\nWords.\n",
    "section behind": "# Page\n\n{next}\n\n- [ ] Sweep the floor\n## Other\n- [ ] not here\n",
    "empty section": "# Page\n\n{next}\n## Other\n\nWords.\n",
    "empty section at the end": "# Page\n\n{next}",
    "no section": "# Page\n\nProse.\n\n- a list\n",
    "prose only": "Prose without an end",
    "nothing": "",
    "blank lines": "\n\n\n",
    "front matter": "---\ntags: [a]\n---\n",
    "table": "# Page\n\n{next}\n\n| Task | State |\n|---|---|\n| Sweep the floor | ⏳ |\n",
    "fence left open": "# Page\n\n{next}\n\n- [ ] Sweep the floor\n\n```\ncode without an end\n",
    "comment left open": "# Page\n\n{next}\n\n- [ ] Sweep the floor\n\n<!-- a comment without an end\n",
    "trailing blanks": "# Page\n\n{next}\n\n- [ ] Sweep the floor  \n   \n\n\n",
    "tabs": "# Page\n\n{next}\n\n-\t[ ] Sweep the floor\n\t- [ ] under the bed\n",
    "setext": "Page\n====\n\n{next}\n\n- Sweep the floor\n\nOther\n-----\n\nWords\n",
    "korean": "# 메모\n\n{next}\n\n- 바닥 청소\n",
    "no blank below the heading": "# Page\n{next}\n- Sweep the floor\n",
    "quote behind": "{next}\n- Sweep the floor\n> a quote\n",
}
NEXT = {"journal": "## Next", "project": "## Next Session", "active": "## Tasks"}
DISGUISES = {
    "unix": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "bom": lambda text: BOM + text.encode(),
    "no final newline": lambda text: text.rstrip("\n").encode(),
    "all three": lambda text: BOM + text.rstrip("\n").replace("\n", "\r\n").encode(),
    "not utf-8": lambda text: text.encode() + b"\ncaf\xe9\n",
    "nul": lambda text: text.encode() + b"\n\x00\n",
}


def opened(vault, path):
    """Texts of the open items that are collected from a file, in order of their lines."""
    items = wrap("audit", "--json", vault=vault).json["items"]
    return [item["text"] for item in sorted(items, key=lambda item: item["line"]) if item["path"] == path]


# Every shape at every place, in three disguises that differ from one shape to the next, and every disguise at every
# place: a sixth of what could be combined.
COMBINED = [
    (place, shape, disguise)
    for one, place in enumerate(PLACES)
    for other, shape in enumerate(SHAPES)
    for third, disguise in enumerate(DISGUISES)
    if THOROUGH or (2 * one + other + third) % 6 == 0
]


@pytest.mark.slow
@pytest.mark.sampled(20)
@pytest.mark.parametrize(("place", "shape", "disguise"), COMBINED)
def test_one_insertion_and_undo_gives_the_former_bytes(projects, waiting, answered, place, shape, disguise):
    path, where = PLACES[place]
    old = DISGUISES[disguise](SHAPES[shape].format(next=NEXT[place]))
    projects.write(path, old)
    items = opened(projects, path)
    others = {name: data for name, data in talks.notes(projects).items() if name != path}
    ids = waiting(projects, RETRY)
    result = route(projects, answered, answer(ids[RETRY], **where))
    assert result.code == 0, result.err
    new = projects.path(path).read_bytes()
    prefix = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old))
    cut = len(new) - len(old)
    assert any(new[:at] + new[at + cut :] == old for at in range(prefix + 1)), "more than one insertion"
    assert cut > 0
    assert sorted(opened(projects, path)) == sorted([*items, RETRY])
    if disguise in ("crlf", "all three"):
        # A file without any line break has no manner to keep.
        assert b"\n" not in new.replace(b"\r\n", b"") or b"\n" not in old
    assert {name: data for name, data in talks.notes(projects).items() if name != path} == others
    assert wrap("undo", vault=projects).code == 0
    assert projects.path(path).read_bytes() == old
    assert talks.pending(projects) == [RETRY]


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        ("boxes", f"- [ ] {RETRY}"), ("plain bullets", f"* {RETRY}"), ("numbers", f"11. {RETRY}"),
        ("repeated numbers", f"1. {RETRY}"), ("no section", f"- [ ] {RETRY}"), ("korean", f"- {RETRY}"),
    ],
)  # fmt: skip
def test_a_line_is_written_in_the_manner_of_its_list(projects, waiting, answered, shape, line):
    projects.write(JOURNAL, SHAPES[shape].format(next="## Next"))
    ids = waiting(projects, RETRY)
    route(projects, answered, answer(ids[RETRY], "journal"))
    assert line in projects.path(JOURNAL).read_text("utf-8").splitlines()


def test_an_active_task_gets_an_open_checkbox_even_in_a_list_of_plain_bullets(projects, waiting, answered):
    projects.write(SEARCH, "# search\n\n* Sweep the floor\n")
    ids = waiting(projects, RETRY)
    route(projects, answered, answer(ids[RETRY], "active", project="web", task="search"))
    assert f"* [ ] {RETRY}" in projects.path(SEARCH).read_text("utf-8").splitlines()


class TestNewestBlock:
    def test_the_line_goes_into_the_newest_session_block(self, projects, waiting, answered):
        old = (
            "# Day\n\n## Session: web one\n\n### Next\n\n- Sweep\n\n## Session: web two\n\n### Done\n\n- Cleaned\n\n"
            "### Next\n\n- Cook\n\n## Thoughts\n\nNone.\n"
        )
        projects.write(JOURNAL, old)
        ids = waiting(projects, RETRY)
        route(projects, answered, answer(ids[RETRY], "journal"))
        assert projects.path(JOURNAL).read_text("utf-8") == old.replace("- Cook\n", f"- Cook\n- {RETRY}\n")

    def test_a_missing_section_is_made_in_the_newest_block(self, projects, waiting, answered):
        old = "# Day\n\n## Session: a\n\n### Next\n\n- Sweep\n\n## Session: b\n\nWords.\n\n## Thoughts\n\nNone.\n"
        projects.write(JOURNAL, old)
        ids = waiting(projects, RETRY)
        route(projects, answered, answer(ids[RETRY], "journal"))
        new = projects.path(JOURNAL).read_text("utf-8")
        assert new.index("Words.") < new.index("### Next", new.index("Words.")) < new.index(f"- [ ] {RETRY}")
        assert new.index(f"- [ ] {RETRY}") < new.index("## Thoughts")

    def test_two_lines_stand_in_the_order_of_the_answers(self, projects, waiting, answered):
        ids = waiting(projects, RETRY, ROTATE)
        route(projects, answered, answer(ids[ROTATE], "journal"), answer(ids[RETRY], "journal"))
        text = projects.path(JOURNAL).read_text("utf-8")
        assert text.index(ROTATE) < text.index(RETRY)


class TestMadeFiles:
    @pytest.mark.slow
    @pytest.mark.parametrize("place", PLACES)
    def test_a_missing_file_is_made_and_taken_away_again(self, projects, waiting, answered, place):
        path, where = PLACES[place]
        projects.path(path).unlink(missing_ok=True)
        before = talks.notes(projects)
        ids = waiting(projects, RETRY)
        assert route(projects, answered, answer(ids[RETRY], **where)).code == 0
        assert opened(projects, path) == [RETRY]
        assert wrap("undo", vault=projects).code == 0
        assert talks.notes(projects) == before

    def test_a_project_that_only_the_configuration_knows(self, vault, waiting, answered):
        built = vault(config="[projects.attic]\n")
        ids = waiting(built, RETRY)
        result = route(built, answered, answer(ids[RETRY], "project", project="attic"))
        assert result.code == 0, result.err
        assert opened(built, "projects/attic/todos.md") == [RETRY]

    def test_an_alias_is_the_project(self, vault, waiting, answered):
        built = vault({WEB: "# web\n"}, config='[projects.web]\naliases = ["frontend"]\n')
        ids = waiting(built, RETRY)
        result = route(built, answered, answer(ids[RETRY], "project", project="frontend"))
        assert result.code == 0, result.err
        assert opened(built, WEB) == [RETRY]


@pytest.mark.skipif(os.name != "posix", reason="modes and links are a thing of POSIX")
class TestPosix:
    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
    def test_the_mode_stays(self, projects, waiting, answered, mode):
        projects.path(WEB).chmod(mode)
        ids = waiting(projects, RETRY)
        route(projects, answered, answer(ids[RETRY], "project", project="web"))
        assert stat.S_IMODE(projects.path(WEB).stat().st_mode) == mode
        wrap("undo", vault=projects)
        assert stat.S_IMODE(projects.path(WEB).stat().st_mode) == mode

    @pytest.mark.slow
    def test_a_link_inside_the_vault_is_followed(self, projects, waiting, answered):
        target = projects.write("lists/web.md", projects.path(WEB).read_bytes())
        projects.path(WEB).unlink()
        projects.path(WEB).symlink_to(os.path.relpath(target, projects.path(WEB).parent))
        before = target.read_bytes()
        ids = waiting(projects, RETRY)
        assert route(projects, answered, answer(ids[RETRY], "project", project="web")).code == 0
        assert projects.path(WEB).is_symlink()
        assert target.read_bytes() == before + f"- [ ] {RETRY}\n".encode()
        wrap("undo", vault=projects)
        assert projects.path(WEB).is_symlink()
        assert target.read_bytes() == before

    @pytest.mark.parametrize("dangling", [False, True])
    def test_a_link_out_of_the_vault_is_refused_and_the_follow_up_waits(
        self, projects, waiting, answered, tmp_path, dangling
    ):
        outside = tmp_path / "outside.md"
        if not dangling:
            outside.write_bytes(projects.path(WEB).read_bytes())
        before = outside.read_bytes() if not dangling else None
        projects.path(WEB).unlink()
        projects.path(WEB).symlink_to(outside)
        ids = waiting(projects, RETRY, ROTATE)
        given = [answer(ids[RETRY], "project", project="web"), answer(ids[ROTATE], "journal")]
        result = route(projects, answered, *given)
        assert result.code == 1
        assert WEB in result.err
        assert (outside.read_bytes() if outside.exists() else None) == before
        assert talks.pending(projects) == [RETRY]
        assert opened(projects, JOURNAL) == [ROTATE]

    def test_a_linked_folder_out_of_the_vault_is_refused(self, projects, waiting, answered, tmp_path):
        outside = tmp_path / "outside"
        outside.mkdir()
        projects.path("projects/attic").symlink_to(outside, target_is_directory=True)
        projects.write("wrapgen.toml", "[projects.attic]\n")
        ids = waiting(projects, RETRY)
        result = route(projects, answered, answer(ids[RETRY], "project", project="attic"))
        assert result.code == 1
        assert list(outside.iterdir()) == []
        assert talks.pending(projects) == [RETRY]

    @pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everything")
    def test_a_folder_that_cannot_be_written_leaves_it_pending(self, projects, waiting, answered):
        ids = waiting(projects, RETRY)
        folder = projects.path("projects/web")
        folder.chmod(0o500)
        result = route(projects, answered, answer(ids[RETRY], "project", project="web"))
        folder.chmod(0o700)
        assert result.code == 1
        assert talks.pending(projects) == [RETRY]

    def test_a_folder_in_the_place_of_the_file_leaves_it_pending(self, projects, waiting, answered):
        projects.path(JOURNAL).mkdir(parents=True)
        ids = waiting(projects, RETRY, ROTATE)
        given = [answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web")]
        result = route(projects, answered, *given)
        assert result.code == 1
        assert "defect" not in result.err
        assert talks.pending(projects) == [RETRY]
        assert ROTATE in opened(projects, WEB)


MARKDOWN = (
    "# not a heading", "## Done", "> no quote", "- [x] not done", "* bullet", "1. number", "2026. a year", "```fence",
    "<!-- comment", "| a | b |", "~~struck out~~", "✅ done", "☐ box", "[ ] box", "[x] ticked", "**Next**", "---",
    "***", "`code`", "[text](url)", "[[link]]", "https://example.org/a_b?c=1#d", "a\\b", "&amp; < > \" '", "=====",
    "due:2026-05-01 call mother", "Call mother 📅 2026-05-01", "P0 mend it", "(A) mend it", "mend it !!",
    "🔁 every week water plants", "(infra) mend it", "(optional) mend it", "(A) (B)", "*", "_", "\\", ":", "#",
    "$x$", "[^1]: note", "***bold***", "Step 4: mend it", "  padded  ", "two  blanks", "tab\tinside", "Ａ full width",
    "é e\u0301", "한국어 할 일", "后续：修复登录", "<script>alert(1)</script>", "{{ template }}",
    "%% comment %%", "x" * 3000,
)  # fmt: skip


# A box in front of the words is none of them: the line has that of its list.
UNBOXED = {"- [x] not done": "not done", "☐ box": "box", "[ ] box": "box", "[x] ticked": "ticked"}
MANNERS = ("boxes", "plain bullets", "numbers", "nothing")
# Every text once, in a manner that differs from one text to the next.
WRITTEN = [
    (text, shape)
    for one, text in enumerate(MARKDOWN)
    for other, shape in enumerate(MANNERS)
    if THOROUGH or (one + other) % 4 == 0
]


@pytest.mark.slow
@pytest.mark.sampled(20)
@pytest.mark.parametrize(("text", "shape"), WRITTEN)
def test_words_that_look_like_markdown_make_exactly_one_open_item(projects, waiting, answered, text, shape):
    """The words as given, in one line, read again as one open item more, whatever the manner of the list."""
    old = SHAPES[shape].format(next="## Next").encode()
    projects.write(JOURNAL, old)
    items = opened(projects, JOURNAL)
    ids = waiting(projects, RETRY)
    result = route(projects, answered, answer(ids[RETRY], "journal", text=text))
    new = projects.path(JOURNAL).read_bytes()
    if result.code:
        assert new == old
        assert talks.pending(projects) == [RETRY]
        assert "defect" not in result.err
        return
    assert is_subsequence(old, new)
    assert len(opened(projects, JOURNAL)) == len(items) + 1
    words = " ".join(UNBOXED.get(text, text).split())
    new_lines = [line for line in new.decode().splitlines() if line not in old.decode().splitlines()]
    found = words.lstrip("#>-*~|`<=✅☐[")
    (line,) = [
        line for line in new_lines if any(found in " ".join(spelt.split()) for spelt in (line, line.replace("\\", "")))
    ][-1:]
    assert words in line.replace("\\", "") or words in line
    again = route(projects, answered, answer(ids[RETRY], "journal", text=text))
    assert again.code == 0
    assert projects.path(JOURNAL).read_bytes() == new
    wrap("undo", vault=projects)
    assert projects.path(JOURNAL).read_bytes() == old
