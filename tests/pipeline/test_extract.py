"""The ids of items: they hang on words and file, not on lines."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pipeline.kit import context
from tests.support import audit, examples
from wrapgen.notes import Kind, Source
from wrapgen.pipeline.extract import extract
from wrapgen.pipeline.stage import StageResult
from wrapgen.vault.markdown.parse import parse

LISTED = "projects/web/todos.md"


def ids(built):
    return {(item["text"], item["line"]): item["id"] for item in audit(built).json["items"]}


def of(vault, text, path=LISTED):
    return list(ids(vault({path: text}, name=f"v{abs(hash((path, text)))}")).values())


def test_the_same_words_in_another_file_are_another_item(vault):
    text = "## Next Session\n- Fix the login\n"
    assert of(vault, text) != of(vault, text, "projects/api/todos.md")


def test_other_words_are_another_item(vault):
    assert of(vault, "## Next\n- Step 3: commit\n") != of(vault, "## Next\n- Step 4: commit\n")


def test_lines_boxes_and_metadata_do_not_change_the_id(vault):
    plain = of(vault, "## Next\n- Fix the login\n")
    for text in (
        "# Title\n\nProse.\n\n## Next\n\n- Fix the login\n",
        "## Next\n- [ ] Fix the login\n",
        "## Next\n1. Fix the login\n",
        "## Next\n- [/] Fix the login 📅 2026-05-30 ⏫\n",
        "## Next\r\n- Fix\r\n  the login\r\n",
    ):
        assert of(vault, text) == plain, text


def test_composed_and_decomposed_letters_are_one(vault):
    text = "## Next\n- Café 로그인\n"
    assert of(vault, unicodedata.normalize("NFD", text)) == of(vault, unicodedata.normalize("NFC", text))


def test_repeats_are_told_apart(vault):
    found = of(vault, "## Next\n- Fix it\n- Fix it\n### More\n- Fix it\n## Next steps\n- Fix it\n")
    assert len(found) == len(set(found)) == 4


def test_a_repeat_below_another_heading_keeps_its_id(vault):
    """The counter runs within the nearest heading."""
    before = vault({LISTED: "## Next\n### A\n- Fix it\n### B\n- Fix it\n"}, name="before")
    after = vault({LISTED: "## Next\n### A\n- Fix it\n- Fix it\n### B\n- Fix it\n"}, name="after")
    assert ids(before)[("Fix it", 5)] == ids(after)[("Fix it", 6)]


def extracted(text, path=LISTED, kind=Kind.PROJECT_TODOS):
    """The id of each open line."""
    found = extract(StageResult(), context(sources=[Source(path, kind, parse(text))]))
    return {item.line: item.id for item in (*found.kept, *found.backlog)}


def test_the_others_keep_their_ids_when_a_box_is_ticked():
    before = extracted("## Next\n### A\n- [ ] Fix it\n- [ ] Fix it\n### B\n- [ ] Fix it\n")
    after = extracted("## Next\n### A\n- [x] Fix it\n- [ ] Fix it\n### B\n- [ ] Fix it\n")
    assert after == {line: before[line] for line in (4, 6)}


def test_a_line_in_done_does_not_end_the_id_of_the_open_one():
    path = "journals/2026/04/2026-04-24.md"
    before = extracted("## Next\n- Fix it\n", path, Kind.JOURNAL_NEXT)
    after = extracted("## Next\n- Fix it\n## Session: a\n### Done\n- Fix it\n", path, Kind.JOURNAL_NEXT)
    assert before == after


_TEXT_LINES = st.sampled_from([f"- [{mark}] {words}" for mark in " x" for words in ("Fix it", "Oil it")])
_ANY_LINE = _TEXT_LINES | st.sampled_from([f"{'#' * level} {title}" for level in range(1, 5) for title in "AB"])


@settings(max_examples=examples(200), deadline=None)
@given(lines=st.lists(_ANY_LINE, min_size=2, max_size=9), data=st.data())
def test_an_id_never_comes_to_mean_another_line(lines, data):
    """Whichever line is deleted, or becomes another one."""
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.none() | _ANY_LINE)
    changed = [*lines[:at], *([] if other is None else [other]), *lines[at + 1 :]]
    before, after = extracted("\n".join(lines)), extracted("\n".join(changed))
    keeps_words = other is not None and lines[at].lstrip("- []x") == other.lstrip("- []x")
    stood = {one: line - (other is None and line > at + 1) for line, one in before.items() if line != at + 1}
    stood[before.get(at + 1, "")] = at + 1 if keeps_words else 0
    for line, one in after.items():
        assert stood.get(one, line) == line
