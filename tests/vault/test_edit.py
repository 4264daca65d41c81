"""A due day or a priority alone: the words, and all that stands beside them, are as before."""

from __future__ import annotations

from datetime import date

import pytest

from wrapgen.errors import EditError
from wrapgen.notes import Priority
from wrapgen.vault.markdown.blocks import unfinished_merge
from wrapgen.vault.markdown.edit import GivenMarks, given_marks, mark

TODAY = date(2026, 11, 25)  # a Wednesday
DUE = GivenMarks(due=date(2027, 1, 2))
HIGH = GivenMarks(priority=Priority.HIGH)


@pytest.mark.parametrize(
    ("text", "words", "marks", "unknown"),
    [
        ("due:fri", "", GivenMarks(due=date(2026, 11, 27)), []),
        ("Call due:2w prio:low", "Call", GivenMarks(date(2026, 12, 9), Priority.LOW), []),
        ("Call due:soon", "Call due:soon", GivenMarks(), ["due:soon"]),
        ("due:today", "", GivenMarks(due=TODAY), []),
        ("due:2020-01-01", "", GivenMarks(due=date(2020, 1, 1)), []),
        ("see http://a.b/due:fri", "see http://a.b/due:fri", GivenMarks(), []),
    ],
)
def test_what_somebody_types(text, words, marks, unknown):
    assert given_marks(text, TODAY) == (words, marks, unknown)


@pytest.mark.parametrize(
    ("line", "wanted", "then"),
    [
        ("- [ ] Call", DUE, "- [ ] Call 📅 2027-01-02"),
        ("- [ ] Call 📅 2026-12-01 ⏫", DUE, "- [ ] Call 📅 2027-01-02 ⏫"),
        ("- [ ] Call (due 2026-12-01) again", DUE, "- [ ] Call (due 2027-01-02) again"),
        ("- [ ] Call [due:: 2026-12-01]", DUE, "- [ ] Call [due:: 2027-01-02]"),
        (
            "- [ ] Call\n- [ ] a 📅 2026-12-01\n- [ ] b (due:: 2026-12-01)",
            DUE,
            "- [ ] Call (due:: 2027-01-02)\n- [ ] a 📅 2026-12-01\n- [ ] b (due:: 2026-12-01)",
        ),
        ("- [ ] Call\n- [ ] a @due(2026-12-01)", DUE, "- [ ] Call @due(2027-01-02)\n- [ ] a @due(2026-12-01)"),
        (
            "- TODO Call\n- TODO a\n  DEADLINE: <2026-12-01 Tue>",
            DUE,
            "- TODO Call DEADLINE: <2027-01-02 Sat>\n- TODO a\n  DEADLINE: <2026-12-01 Tue>",
        ),
        ("- [ ] Call ^ab-1", DUE, "- [ ] Call 📅 2027-01-02 ^ab-1"),
        ("- [ ] Call 🔽 📅 2026-12-01", HIGH, "- [ ] Call ⏫ 📅 2026-12-01"),
        ("- [ ] Call [priority:: low]", HIGH, "- [ ] Call [priority:: high]"),
        ("- [ ] Call the\n  bank", DUE, "- [ ] Call the 📅 2027-01-02\n  bank"),
        ("- [ ] Call\n  id:: 64f0", DUE, "- [ ] Call 📅 2027-01-02\n  id:: 64f0"),
    ],
)
def test_an_item_gets_it(line, wanted, then):
    data = f"# web\n\n{line}\n- [ ] other\n".encode()
    assert mark("a.md", data, 3, wanted).apply(data).decode() == f"# web\n\n{then}\n- [ ] other\n"


@pytest.mark.parametrize(
    ("line", "wanted", "then"),
    [
        ("(B) Call @home due:2026-12-01", DUE, "(B) Call @home due:2027-01-02"),
        ("(B) Call", HIGH, "(A) Call"),
        ("Call", GivenMarks(date(2027, 1, 2), Priority.MEDIUM), "(B) Call due:2027-01-02"),
    ],
)
def test_todo_txt(line, wanted, then):
    data = f"Other\n{line}\n".encode()
    assert mark("todo.txt", data, 2, wanted).apply(data).decode() == f"Other\n{then}\n"


def test_what_is_done_or_gone_stays():
    assert mark("a.md", b"- [x] Call\n", 1, DUE) is None


def test_a_manner_that_has_no_such_priority_is_refused():
    with pytest.raises(EditError, match="priority cannot be written"):
        mark("todo.txt", b"Call\n", 1, GivenMarks(priority=Priority.HIGHEST))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> o\n", 2),
        ("<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> o\r\n", 1),
        ("a <<<<<<< HEAD\nb\n=======\nc\n>>>>>>> o\n", None),
        ("Title\n=======\n\n>>>>>>> quoted\n", None),
    ],
)
def test_an_unfinished_merge(text, line):
    assert unfinished_merge(text.encode()) == line
