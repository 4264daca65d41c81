"""For any Markdown: an item that is reworded or taken out changes no other one, and the former bytes come back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.support import examples
from tests.vault.test_insert_properties import MARKDOWN, TEXTS
from wrapgen.errors import EditError
from wrapgen.vault.markdown.edit import reword
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.take_out import take_out
from wrapgen.workflows.line_writer import whole_lines
from wrapgen.workflows.receipts import swapped

if TYPE_CHECKING:
    from wrapgen.vault.markdown.tick import Replacement

MANY = examples(200)


def entries(data: bytes):
    return parse(data.decode("utf-8-sig")).entries


def undone(data: bytes, replacement: Replacement) -> bytes | None:
    change = whole_lines("a.md", replacement, data)
    return swapped(change.after, change.before, change.offset, replacement.apply(data))


@settings(deadline=None, max_examples=MANY)
@given(MARKDOWN, st.integers(0, 9), TEXTS)
@example(b"- [ ] b\r\n  - h\r\n- a", 0, "1. z")
def test_reword(data: bytes, which: int, text: str):
    found = [entry for entry in entries(data) if not entry.done]
    assume(found)
    entry = found[which % len(found)]
    try:
        replacement = reword("a.md", data, entry.line, entry.text, text)
    except EditError:
        return
    if replacement is None:
        return
    after = entries(replacement.apply(data))
    assert len(after) == len(entries(data))
    others = [one.text for one in after if one.line != entry.line]
    assert others == [one.text for one in entries(data) if one.line != entry.line]
    assert undone(data, replacement) == data


@settings(deadline=None, max_examples=MANY)
@given(MARKDOWN, st.integers(0, 9))
@example(b"- [ ] b", 0)
@example(b"- a\n\n\n- b\n", 1)
def test_take_out(data: bytes, which: int):
    found = [entry for entry in entries(data) if not entry.done]
    assume(found)
    entry = found[which % len(found)]
    try:
        taken = take_out("a.md", data, entry.line)
    except EditError:
        return
    if taken is None:
        return
    left = Counter(one.text for one in entries(taken.change.apply(data)))
    before = Counter(one.text for one in entries(data))
    assert not left - before
    assert before[entry.text] > left[entry.text]
    gone = " ".join([taken.head, *taken.below])
    assert all(word in gone for text in (before - left) for word in text.split())
    assert undone(data, taken.change) == data


def test_take_out_keeps_what_is_indented_too_far_below_its_item():
    data = b"- [ ] Water the plants\n        - [ ] with rain\n- [ ] Sort\n"
    taken = take_out("a.md", data, 1)
    assert taken is not None
    assert (taken.head, taken.below) == ("Water the plants", ("        - [ ] with rain",))
    assert taken.change.apply(data) == b"- [ ] Sort\n"
