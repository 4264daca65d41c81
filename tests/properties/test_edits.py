"""For any list and any verb: the lines that change are those that were named, and undo gives every byte back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.edits import Tried, lines, notes, outcome_lines, try_vault, words
from tests.support import Vault, examples

WORDS = (
    "Rotate the keys",
    "Fix the login",
    "Fix the login of the admin page",
    "Call the bank",
    "Straße kehren",
    "x > 3",
)
MARKS = ("", "", " 📅 2026-05-01", " ⏫", " [due:: 2026-05-02]", " ^ab-1", " 🔁 every week 📅 2026-05-01", " #home")
BELOW = (b"  id:: 64f0-aa", b"  - ask Ann", b"\t- [ ] tell Bob", b"    - [ ] tell Eve", b"  words go on",
         b"  - Caf\xe9",
         b"  :LOGBOOK:\n  - State DONE\n  :END:", b"  ```\n  code\n  ```", b"\n  second paragraph", b"")  # fmt: skip
ITEMS = st.builds(
    lambda bullet, box, text, mark, below: (
        bullet + box + f"{text}{mark}".encode() + b"".join(b"\n" + one for one in below)
    ),
    st.sampled_from([b"- ", b"* ", b"1. ", b"- ", b"+ "]),
    st.sampled_from([b"[ ] ", b"[ ] ", b"[/] ", b"", b"TODO "]),
    st.sampled_from(WORDS),
    st.sampled_from(MARKS),
    st.lists(st.sampled_from(BELOW), max_size=3),
)
LISTS = st.lists(ITEMS, min_size=1, max_size=5)


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(30))
@given(LISTS, LISTS, st.sampled_from([b"\n", b"\r\n"]), st.booleans(), st.integers(0, 999))
def test_an_edit_changes_what_it_names(tmp_path_factory, web, journal, ending, last, seed):
    root = tmp_path_factory.mktemp("vault")
    built = Vault(root)
    built.write("wrapgen.toml", "")
    for path, head, rows in (
        ("projects/web/todos.md", b"# web\n\n## Next Session\n\n", web),
        ("journals/2026/04/2026-04-23.md", b"# d\n\n## Session: (web) x\n\n### Next\n\n", journal),
    ):
        data = (head + b"\n".join(rows)).replace(b"\n", ending) + ending * last
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    tried = Tried()
    try_vault(root, 1, random.Random(seed), tried)
    assert tried.faults == []


def test_the_check_sees_a_line_that_was_not_named(tmp_path):
    note = tmp_path / "a.md"
    note.write_bytes(b"- [ ] one\n  - below\n- [ ] two\n")
    item = {"id": "1", "path": "a.md", "line": 1, "fate": "shown", "because": None}
    assert outcome_lines([item], item, notes(tmp_path)) == [b"- [ ] one", b"  - below"]
    assert lines(notes(tmp_path))[b"- [ ] two"] == 1
    assert words(b"  - [ ] two") == b"[ ] two"
