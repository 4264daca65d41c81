"""Markdown in, Markdown out: `insert_cases/*.md`, each case in every kind of file, put in and taken out again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import each
from tests.vault.edit_check import check, note
from wrapgen.config import Config
from wrapgen.errors import EditError
from wrapgen.vault.markdown.blocks import read_blocks
from wrapgen.vault.markdown.insert import into_checklist, into_done, into_journal, into_next_session
from wrapgen.vault.markdown.item_writer import NewItem
from wrapgen.vault.markdown.take_out import remove
from wrapgen.vault.markdown.tick import tick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wrapgen.vault.markdown.insert import Insertion

CASES = Path(__file__).parent / "insert_cases"
DAY = date(2026, 4, 24)
SECTIONS = Config().names
RETRY = NewItem("add retry", "web")


def _edit(kind: str, data: bytes | None, items: Sequence[NewItem]) -> Insertion:
    if kind == "journal":
        return into_journal(note(data), items, day=DAY, sections=SECTIONS)
    if kind == "done":
        return into_done(note(data), items, day=DAY, sections=SECTIONS)
    if kind == "next_session":
        return into_next_session(note(data), items, title="web", sections=SECTIONS)
    return into_checklist(note(data), items, title="upload")


@dataclass(frozen=True)
class Case:
    kind: str
    name: str
    before: str
    after: str
    items: tuple[NewItem, ...]


def _cases() -> Iterator[Case]:
    """Each case is a name, the file before, the file after and, where it is not one usual item, the items."""
    for file in sorted(CASES.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        pattern = r"(?m)^(.+)\n\.\n((?:(?!\.\n).*\n)*)\.\n((?:(?!\.\n).*\n)*)\.\n(?:((?:.+\n)+)\.\n)?(?:\n|\Z)"
        end = 0
        for found in re.finditer(pattern, text):
            assert found.start() == end, f"{file.name}: not understood: {text[end : found.start()]!r}"
            end = found.end()
            items = [_item(line) for line in found[4].splitlines()] if found[4] else [RETRY]
            yield Case(file.stem, found[1], found[2], found[3], tuple(items))
        assert end == len(text), f"{file.name}: not understood: {text[end:]!r}"


def _item(line: str) -> NewItem:
    text = line.replace("\\n", "\n")
    return NewItem(text.removeprefix("(web) "), "web" if text.startswith("(web) ") else None)


KINDS_OF_FILE: dict[str, Callable[[str], bytes]] = {
    "unix": lambda text: text.encode(),
    "windows": lambda text: text.replace("\n", "\r\n").encode(),
    "old mac": lambda text: text.replace("\n", "\r").encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "no final newline": lambda text: text.removesuffix("\n").encode(),
    "windows, no final newline": lambda text: text.removesuffix("\n").replace("\n", "\r\n").encode(),
}


@each(list(_cases()), KINDS_OF_FILE)
def test_case(case: Case, file: str):
    before, after = KINDS_OF_FILE[file](case.before), KINDS_OF_FILE[file](case.after)
    insertion = _edit(case.kind, before, case.items)
    new = insertion.apply(before)
    assert new.decode() == after.decode()
    check(before, new, case.items, done=case.kind == "done")
    lines = re.split("\r\n|\r|\n", new.decode("utf-8-sig"))
    assert [lines[number - 1] for number in insertion.lines] == list(insertion.texts)
    removal = remove(new, insertion.data, insertion.texts, offset=insertion.offset)
    assert removal is not None
    assert (removal.data, removal.removed, removal.gone) == (before, insertion.texts, ())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("journal", "# 2026-04-24\n\n## Session: follow-ups\n\n### Next\n\n- [ ] (web) add retry\n"),
        ("done", "# 2026-04-24\n\n## Session: follow-ups\n\n### Done\n\n- (web) add retry\n"),
        ("next_session", "# web\n\n## Next Session\n\n- [ ] (web) add retry\n"),
        ("checklist", "# upload\n\n- [ ] (web) add retry\n"),
    ],
)
def test_new_file(kind: str, text: str):
    insertion = _edit(kind, None, [RETRY])
    assert insertion.data.decode() == text
    assert text.splitlines()[insertion.lines[0] - 1] == insertion.texts[0]
    removal = remove(insertion.data, insertion.data, insertion.texts, offset=0)
    assert removal is not None
    assert removal.data == b""


@each([b"", b"\xef\xbb\xbf", b"\n\n", b"  "])
def test_empty_file_gets_no_title(data: bytes):
    new = _edit("journal", data, [RETRY]).apply(data)
    assert new.decode("utf-8-sig").startswith("## Session: follow-ups\n\n### Next\n\n- [ ] (web) add retry\n")


def test_the_line_break_is_that_of_the_neighbours():
    before = b"# d\n\n## Next\r\n\r\n- one\r\n\n## Log\n"
    assert _edit("journal", before, [RETRY]).apply(before) == before.replace(
        b"- one\r\n", b"- one\r\n- (web) add retry\r\n"
    )


def test_done_has_a_block_of_its_own_below_what_it_finishes():
    before = b"## Session: web\n\n### Next\n\n- [ ] (web) add retry\n"
    insertion = into_done(note(before), [RETRY], day=DAY, sections=SECTIONS, after=5)
    assert insertion.apply(before) == before + b"\n## Session: follow-ups\n\n### Done\n\n- (web) add retry\n"


def test_new_headings_have_names_that_are_read():
    names = Config().names._replace(next=("Weiter",), done=("Fertig",), session=("Sitzung",))
    text = into_journal(None, [RETRY], day=DAY, sections=names).data.decode()
    assert "## Sitzung: follow-ups\n\n### Weiter\n" in text
    assert "\n## Weiter\n" in into_next_session(None, [RETRY], title="t", sections=names).data.decode()


def test_a_file_that_nests_too_deeply_is_read_by_lines():
    before = "\n".join("  " * depth + "- x" for depth in range(150)).encode() + b"\n\n## Next\n\ntext\n\n## Log\n"
    new = _edit("journal", before, [RETRY]).apply(before)
    assert new.endswith(b"\n\n## Next\n\ntext\n\n- [ ] (web) add retry\n\n## Log\n")


@each(["", " \n ", "✅", "📅 2026-05-01"])
def test_a_text_without_words_is_refused(text: str):
    with pytest.raises(EditError, match=r"is empty|has no words"):
        _edit("journal", b"## Next\n", [NewItem(text)])


def test_control_characters_and_half_characters_are_not_written():
    data = _edit("journal", b"## Next\n", [NewItem("a\x1b[31mb\x00c\ud800d\te")]).data
    assert data.decode() == "\n- [ ] a\ufffd[31mb\ufffdc\ufffdd e\n"


def test_utf_16_is_refused():
    with pytest.raises(EditError, match="UTF-16"):
        _edit("journal", "## Next\n".encode("utf-16"), [RETRY])


def test_bytes_that_are_no_text_stay_as_they_are():
    before = b"## Next\n\n- caf\xe9 \xff\n"
    assert _edit("journal", before, [RETRY]).apply(before) == before + b"- (web) add retry\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"- a\n", b"- A\n- [ ] (web) add retry\n"),
        (b"- a\n- b\n", b"- a\n- [ ] (web) add retry\n"),
        (b"- a\n", b"- a\n- [ ] (web) add retry\n- [ ] more\n"),
        (b"- a\n", b"- a\n- [x] (web) add retry\n"),
        (b"- a\n", b"- a\n"),
        (b"## Notes\n- a\n", b"## Notes\n## Next\n- [ ] (web) add retry\n- a\n"),
        (b"text\n", b"text\n```\n- [ ] (web) add retry\n"),
    ],
)
def test_check_refuses(old: bytes, new: bytes):
    with pytest.raises(EditError):
        check(old, new, [RETRY])


JOURNAL = b"# d\n\n## Session: web\n\n- z"
TWO = (RETRY, NewItem("second"))


@pytest.mark.parametrize(
    ("name", "edit", "left", "gone"),
    [
        ("an item below ours", (b"second", b"second\n- [ ] mine"), b"### Next\n\n- [ ] mine", 0),
        ("a word was added", (b"second", b"second and more"), b"### Next\n\n- [ ] second and more", 1),
        ("ticked", (b"[ ] (web)", b"[x] (web)"), b"### Next\n\n- [x] (web) add retry", 1),
        ("details were added", (b"second", b"second\n  - detail"), b"### Next\n\n- [ ] second\n  - detail", 1),
        ("prose behind ours", (b"second", b"second\n\nMine."), b"### Next\n\nMine.", 0),
        ("one line is gone", (b"- [ ] (web) add retry\n", b""), b"", 1),
        ("moved", (b"# d\n", b"# d\n\nMoved.\n"), b"", 0),
        ("the heading was renamed", (b"### Next", b"### Next up"), b"### Next up", 0),
    ],
)
def test_undo_after_edits(name: str, edit: tuple[bytes, bytes], left: bytes, gone: int):
    insertion = into_journal(note(JOURNAL), TWO, day=DAY, sections=SECTIONS)
    now = insertion.apply(JOURNAL).replace(*edit)
    removal = remove(now, insertion.data, insertion.texts, offset=insertion.offset)
    assert removal is not None
    assert removal.data == JOURNAL.replace(*edit) + (b"\n\n" + left if left else b"")
    assert len(removal.gone) == gone
    assert sorted((*removal.removed, *removal.gone)) == sorted(insertion.texts)


def test_undo_when_nothing_stands():
    insertion = into_journal(note(JOURNAL), TWO, day=DAY, sections=SECTIONS)
    assert remove(JOURNAL, insertion.data, insertion.texts, offset=insertion.offset) is None


def test_undo_takes_the_nearest_of_equal_lines():
    before = b"## Next\n\n- [ ] a\n\n## Session\n\n### Next\n\n- [ ] b\n"
    insertion = _edit("journal", before, [RETRY])
    now = insertion.apply(before).replace(b"- [ ] a\n", b"- [ ] a\n- [ ] (web) add retry\n")
    removal = remove(now, insertion.data, insertion.texts, offset=insertion.offset)
    assert removal is not None
    assert removal.data == before.replace(b"- [ ] a\n", b"- [ ] a\n- [ ] (web) add retry\n")


def test_undo_of_a_new_file_that_somebody_wrote_into():
    insertion = _edit("journal", None, [RETRY])
    removal = remove(insertion.data + b"\n## Log\n", insertion.data, insertion.texts, offset=0)
    assert removal is not None
    assert removal.data == b"# 2026-04-24\n\n## Log\n"


@pytest.mark.parametrize(
    ("text", "line", "after"),
    [
        ("- [ ] a\n- [ ] b\n", 2, "- [ ] a\n- [x] b\n"),
        ("\ufeff- [ ] a", 1, "\ufeff- [x] a"),
        ("1. [ ] a\r\n2. b", 1, "1. [x] a\r\n2. b"),
        ("- a\n  - [ ] [ ] b", 2, "- a\n  - [x] [ ] b"),
        ("- [/] a", 1, "- [x] a"),
        ("- [] a", 1, "- [x] a"),
        ("- ☐ a", 1, "- ☑ a"),
        ("- 🔲 a", 1, "- ☑ a"),
        ("| [ ] | a |\n|-|-|\n| b | [ ] |\n", 3, "| [ ] | a |\n|-|-|\n| b | [x] |\n"),
        ("- [x] a", 1, None),
        ("- a", 1, None),
        ("- [ ]", 1, None),
        ("> - [ ] a", 1, None),
        ("```\n- [ ] a\n```", 2, None),
        ("- [ ] a", 7, None),
    ],
)
def test_tick(text: str, line: int, after: str | None):
    replacement = tick(read_blocks(text.encode()), line)
    assert (replacement and replacement.apply(text.encode()).decode()) == after


@pytest.mark.parametrize(
    ("text", "line", "after"),
    [
        ("- [x] a ✅ 2026-04-01\n- [ ] b\n", 2, "- [x] a ✅ 2026-04-01\n- [x] b ✅ 2026-04-24\n"),
        ("- [x] a ✅2026-04-01\r\n- [ ] b ^id\r\n", 2, "- [x] a ✅2026-04-01\r\n- [x] b ✅2026-04-24 ^id\r\n"),
        ("- [x] a (completion:: 2026-04-01)\n- [ ] b", 2,
         "- [x] a (completion:: 2026-04-01)\n- [x] b (completion:: 2026-04-24)"),
        ("- [x] a @completed(2026-04-01)\n- [ ] b", 2,
         "- [x] a @completed(2026-04-01)\n- [x] b @completed(2026-04-24)"),
        ("- [x] a ✅ 2026-04-01\n- [ ] b\n  more\n", 2, "- [x] a ✅ 2026-04-01\n- [x] b ✅ 2026-04-24\n  more\n"),
        ("- [x] a\n- [x] c\n- [x] d ✅ 2026-04-01\n- [ ] b\n", 4, "- [x] a\n- [x] c\n- [x] d ✅ 2026-04-01\n- [x] b\n"),
        ("- [x] a ✅ 2026-04-01\n- [ ] b ✅ 2026-04-02\n", 2, "- [x] a ✅ 2026-04-01\n- [x] b ✅ 2026-04-02\n"),
        ("- [-] a ❌ 2026-04-01\n- [ ] b\n", 2, "- [-] a ❌ 2026-04-01\n- [x] b\n"),
        ("- \\[ \\] b\n", 1, "- \\[x\\] b\n"),
        ("TODO: b\nDONE: c\n", 1, "DONE: b\nDONE: c\n"),
    ],
)  # fmt: skip
def test_a_tick_bears_the_day_where_done_lines_do(text: str, line: int, after: str):
    replacement = tick(read_blocks(text.encode()), line, DAY)
    assert replacement is not None
    assert replacement.apply(text.encode()).decode() == after


def test_what_stays_open_is_not_taken_into_the_new_item():
    """An indented code fence that nothing closes would be read as detail of a list item in front of it."""
    data = b"- [ ] The only item\n\n  ```text\n  in the item\n#outside of it\n  ```\n"
    with pytest.raises(EditError, match="left open"):
        into_journal(note(data), [NewItem("paint the fence", "web")], day=date(2026, 4, 24), sections=Config().names)
