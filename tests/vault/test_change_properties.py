"""For any Markdown: an item that is reworded or taken out changes no other one, and the former bytes come back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.support import examples
from tests.vault.test_insert_properties import MARKDOWN, TEXTS
from wrapgen.errors import EditError
from wrapgen.session.memory import Receipt, Step
from wrapgen.vault.markdown.blocks import read_blocks
from wrapgen.vault.markdown.edit import reword
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.take_out import take_out
from wrapgen.vault.markdown.tick import Replacement, apply_all, tick
from wrapgen.workflows.carried import backward, forward
from wrapgen.workflows.changes import changes_of, digests_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MANY = examples(200)


def entries(data: bytes):
    return parse(data.decode("utf-8-sig")).entries


def receipt_of(data: bytes | None, *rounds: Sequence[Replacement], path: str = "a.md") -> tuple[Receipt, bytes]:
    """The receipt of some splices, and the file that they give."""
    new = data or b""
    for one in rounds:
        new = apply_all(new, one)
    at = datetime(2026, 4, 24, tzinfo=UTC)
    receipt = Receipt("r", at, "edit", Step.DONE, changes=changes_of(path, data, rounds))
    return replace(receipt, files={path: digests_of(data, new)}), new


def undone(data: bytes, replacement: Replacement) -> bytes | None:
    receipt, new = receipt_of(data, [replacement])
    return backward(replace(receipt, files={}), "a.md", [], new).data


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
@example(b"# Title\n- a\n- a\n", 0)
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


ROWS = st.lists(
    st.sampled_from((b"- a", b"- [ ] b", b"- [ ] c", b"# t", b"", b"words", b"  - d", b"- [x] b")), max_size=8
)
FILES = st.builds(
    lambda rows, end, last: end.join(rows) + last * end, ROWS, st.sampled_from((b"\n", b"\r\n")), st.booleans()
)


@st.composite
def spliced(draw: st.DrawFn) -> tuple[bytes, list[list[Replacement]]]:
    """A file and rounds of splices one after the other, each of bytes that stand there by then."""
    data = new = draw(FILES)
    rounds = []
    for _ in range(draw(st.integers(1, 4))):
        splices, at = [], 0
        for _ in range(draw(st.sampled_from((1, 1, 3)))):
            start = draw(st.integers(at, len(new)))
            old = new[start : start + draw(st.sampled_from((0, 0, 1, 4, 20)))]
            text = draw(st.sampled_from((b"", b"x", b"- [ ] new\n", b"\n- n", b"q\nr")))
            splices.append(Replacement(start, old, text))
            at = start + len(old)
        rounds.append(splices)
        new = apply_all(new, splices)
    return data, rounds


@settings(deadline=None, max_examples=MANY)
@given(spliced())
@example((b"- a\n- b\n- c\n", [[Replacement(4, b"- b\n- c\n", b"- b\n")], [Replacement(0, b"- a\n- b\n", b"- a\n")]]))
def test_any_splices_are_made_once_and_taken_back_once(case: tuple[bytes, list[list[Replacement]]]):
    data, rounds = case
    receipt, new = receipt_of(data, *rounds)
    starts = [one.offset for one in receipt.changes]
    assert starts == sorted(starts)
    for stands in (data, new):
        assert forward(receipt, "a.md", [], stands).data == new
        assert backward(receipt, "a.md", [], stands).data == data


NUMBERED = st.builds(
    lambda kinds, end: b"".join(kind % number + end for number, kind in enumerate(kinds)),
    st.lists(st.sampled_from((b"- [ ] a%d", b"- [ ] a%d", b"- a%d", b"  - b%d", b"## c%d")), min_size=2, max_size=8),
    st.sampled_from((b"\n", b"\r\n")),
)


@settings(deadline=None, max_examples=MANY)
@given(NUMBERED, st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=4), st.booleans())
def test_what_was_written_around_them_meanwhile_stays(note: bytes, acts: list[tuple[bool, int]], below: bool):
    """Words of an editor above or below: items that were ticked or taken out are so, or stand as before."""
    splices, new = [], note
    for take, which in acts:
        open_ones = [entry.line for entry in entries(new) if not entry.done]
        if open_ones and (splice := changed(new, open_ones[which % len(open_ones)], take=take)):
            splices.append(splice)
            new = splice.apply(new)
    assume(splices and new)  # in a file that was emptied, nothing tells where its lines stood
    receipt, new = receipt_of(note, *([one] for one in splices))

    def among(one: bytes) -> bytes:
        return one + b"Hello\n" if below else b"Hello\n\n" + one

    # Where nothing is made yet, the act was interrupted: its receipt says so.
    for stands, step in ((among(note), Step.PLANNED), (among(new), Step.DONE)):
        made = forward(replace(receipt, step=step), "a.md", [], stands)
        back = backward(replace(receipt, step=step), "a.md", [], stands)
        assert (made.data, made.left) == (among(new), ())
        assert (back.data, back.left) == (among(note), ())


def changed(data: bytes, line: int, *, take: bool) -> Replacement | None:
    if not take:
        return tick(read_blocks(data), line)
    try:
        taken = take_out("a.md", data, line)
    except EditError:
        return None
    return taken and taken.change


class TestLinesOfARecord:
    """A file that is no note, in which each line stands for itself."""

    PATH = ".wrapgen/said.jsonl"
    OLD, NEW, LATER = (f'{{"n":{number}}}\n'.encode() for number in range(3))

    def test_they_go_again_and_what_others_wrote_stays(self):
        receipt, new = receipt_of(self.OLD, [Replacement(len(self.OLD), b"", self.NEW * 2)], path=self.PATH)
        assert backward(receipt, self.PATH, [], new).data == self.OLD
        merged = self.NEW + self.LATER + self.OLD + self.NEW
        back = backward(receipt, self.PATH, [], merged)
        assert (back.data, back.kept) == (self.LATER + self.OLD, ())
        assert backward(receipt, self.PATH, [], back.data) == back

    def test_a_file_that_was_made_for_them_goes_with_them(self):
        receipt, new = receipt_of(None, [Replacement(0, b"", self.NEW)], path=self.PATH)
        assert backward(receipt, self.PATH, [], new).data is None
        assert backward(receipt, self.PATH, [], None).data is None
        assert backward(receipt, self.PATH, [], new + self.LATER).data == self.LATER
        assert forward(receipt, self.PATH, [], None).data == new
