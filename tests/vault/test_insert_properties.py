"""For any Markdown and any bytes: every old byte stands, exactly the new items are read, undo restores the bytes."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.support import examples
from tests.vault.edit_check import check, note
from wrapgen.config import Config
from wrapgen.errors import EditError
from wrapgen.vault.markdown.blocks import read_blocks
from wrapgen.vault.markdown.insert import into_checklist, into_done, into_journal, into_next_session
from wrapgen.vault.markdown.item_writer import NewItem
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.take_out import remove
from wrapgen.vault.markdown.tick import apply_all, finish, tick

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wrapgen.vault.markdown.insert import Insertion

    Edit = Callable[[bytes, Sequence[NewItem]], Insertion]

LINES = st.sampled_from((
    "# Title", "## Session: web", "### Session", "## 세션: 웹", "### Next", "### Done", "## Next Session", "### 다음",
    "**Next:**", "**Done**", "Next", "===", "---", "***", "- a", "- [ ] b", "- [x] c", "* d", "1. e", "2) f", "10. g",
    "  - h", "  - [ ] i", "   1. j", "\t- k", "- - l", "- ☐ m", "☐ n", "-", "- [ ]", "- ```", "- <!--", "    code",
    "```", "~~~", "<!--", "-->", "<div>", "<pre>", "> - q", "| r | s |", "|---|---|", "words", "[x]: y",
    "---\nt: u\n---", "", "", "", " ",
))  # fmt: skip
MARKDOWN = st.builds(
    lambda lines, ending, last, mark: (mark + ending.join(lines) + last * ending).encode(),
    st.lists(LINES, max_size=14),
    st.sampled_from(("\n", "\n", "\r\n", "\r")),
    st.integers(0, 2),
    st.sampled_from(("", "", "\ufeff")),
)
FILES = st.one_of(MARKDOWN, MARKDOWN, st.binary(max_size=60))
TEXTS = st.one_of(
    st.text(min_size=1, max_size=15),
    st.sampled_from((
        "# x", "---", "> q", "1. z", "- - -", "[x] done", "<!-- a", "```", "~~~ b", "✅ ok", "☐ c", "[a]: b", "* x",
        "=", "P1 fix", "due:2026-05-01 go", "| a |", "    x", "a\r\nb", "`x", "~~gone~~", "\\", "[ ] d", "(A) e", "!!",
    )),
)  # fmt: skip
ITEMS = st.lists(st.builds(NewItem, TEXTS, st.sampled_from((None, "web"))), min_size=1, max_size=3)
EDITS: dict[str, Edit] = {
    "journal": partial(into_journal, day=date(2026, 4, 24), sections=Config().names),
    "done": partial(into_done, day=date(2026, 4, 24), sections=Config().names),
    "fresh": partial(into_done, day=date(2026, 4, 24), sections=Config().names, after=2),
    "next session": partial(into_next_session, title="web", sections=Config().names),
    "checklist": partial(into_checklist, title="upload"),
}
MANY = examples(200)
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def _has_words(item: NewItem) -> bool:
    try:
        return bool(item.words)
    except EditError:
        return False


@settings(deadline=None, max_examples=MANY)
@given(FILES, ITEMS, st.sampled_from(sorted(EDITS)))
@example(b"## Next\n- a\n```", [NewItem("x")], "journal")
@example(b"<!--", [NewItem("x")], "checklist")
def test_insertion_and_undo(old: bytes, items: list[NewItem], kind: str):
    assume(not old.startswith(UTF_16))
    assume(all(map(_has_words, items)))
    insertion = EDITS[kind](note(old), items)
    new = insertion.apply(old)
    end = insertion.offset + len(insertion.data)
    assert new[: insertion.offset] + new[end:] == old
    check(old, new, items, done=kind in ("done", "fresh"))
    removal = remove(new, insertion.data, insertion.texts, offset=insertion.offset)
    assert removal is not None
    assert (removal.data, removal.gone) == (old, ())


@pytest.mark.slow
@settings(deadline=None, max_examples=MANY)
@given(MARKDOWN, ITEMS, ITEMS)
def test_undo_of_the_first_of_two_insertions(old: bytes, first: list[NewItem], second: list[NewItem]):
    assume(all(map(_has_words, (*first, *second))))
    ours = EDITS["journal"](note(old), first)
    now = ours.apply(old)
    now = EDITS["journal"](note(now), second).apply(now)
    removal = remove(now, ours.data, ours.texts, offset=ours.offset)
    assert removal is not None
    assert removal.gone == ()
    texts = [entry.text for entry in parse(now.decode("utf-8-sig")).entries]
    left = [entry.text for entry in parse(removal.data.decode("utf-8-sig")).entries]
    assert len(left) == len(texts) - len(first)


@settings(deadline=None, max_examples=MANY)
@given(MARKDOWN, st.integers(1, 20))
def test_tick(data: bytes, line: int):
    entries = parse(data.decode("utf-8-sig")).entries
    replacement = tick(read_blocks(data), line)
    here = [entry for entry in entries if entry.line == line and entry.box and not entry.done]
    assert replacement is None or here
    if replacement is not None:
        after = parse(replacement.apply(data).decode("utf-8-sig")).entries
        assert [entry.text for entry in after] == [entry.text for entry in entries]
        changed = [old for old, new in zip(entries, after, strict=True) if old.done != new.done]
        assert changed == here[:1]


DAY = date(2026, 4, 24)
DATED = st.sampled_from((
    "- [ ] s 🔁 every day 📅 2026-04-24", "- [x] t ✅ 2026-04-01", "- [ ] u ✅ 2026-04-02", "| [1] | [ ] v |",
    "- [ ] w ^x",
))  # fmt: skip
LISTS = st.lists(st.one_of(LINES, DATED, DATED), max_size=14).map(lambda lines: "\n".join(lines).encode())


@settings(deadline=None, max_examples=MANY)
@given(LISTS)
@example("- [ ] a\n- [ ] b 🔁 every day 📅 2026-04-24\n  - [ ] c\n- [x] d ✅ 2026-04-01\n- [ ] e\n".encode())
@example(b"| [1] | a |\n|-|-|\n| [2] | [ ] b |\n| [3] | [ ] c |\n")
@example(b"- [ ] a\n- [1] [ ] b\n- [ ] c\n")
def test_many_are_finished_as_one_after_the_other(data: bytes):
    lines = [one.line for one in parse(data.decode("utf-8-sig")).entries if not one.done]
    made = finish("a.md", data, lines, DAY)
    one_by_one = data
    alone = [line for line in reversed(lines) if (found := finish("a.md", one_by_one, [line], DAY)) and
             (one_by_one := found[line].apply(one_by_one))]  # fmt: skip
    assert [*made] == sorted(made)
    assert set(alone) <= set(made)
    check_all(data, apply_all(data, made.values()), made)


def check_all(data: bytes, new: bytes, made) -> None:
    """The items that were ticked are, in their order; their next occurrences stand above them; nothing else changed."""
    after = iter(parse(new.decode("utf-8-sig")).entries)
    for was in parse(data.decode("utf-8-sig")).entries:
        mine = was.line in made and not was.done
        if mine and made[was.line].above:
            then = next(after)
            assert (then.text, then.done) == (was.text, False)
        now = next(after)
        assert (now.text, now.done, now.due) == (was.text, was.done or mine, was.due)
    assert next(after, None) is None


def test_a_heading_that_a_day_would_change_costs_the_others_nothing():
    data = "- [ ] a\n- [x] t ✅ 2026-04-01\n**[ ] x**\n---\n".encode()
    ticked = apply_all(data, finish("a.md", data, [1, 3], DAY).values()).decode()
    assert ticked == "- [x] a ✅ 2026-04-24\n- [x] t ✅ 2026-04-01\n**[x] x**\n---\n"
