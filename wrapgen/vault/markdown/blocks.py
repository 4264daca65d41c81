"""What an edit must know of a file: its lines and blocks, and afterwards whether it changed nothing else. PURE."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.late_pattern import late
from wrapgen.text.encodings import other_form
from wrapgen.vault.markdown.boxes import own_words
from wrapgen.vault.markdown.parse import parse, read_tokens, tokenize
from wrapgen.vault.markdown.todo_txt import is_todo_txt, parse_todo_txt

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it.token import Token

    from wrapgen.notes import Document, Entry, Section

_BOM = b"\xef\xbb\xbf"
_LINE_BREAK = late(rb"\r\n|\r|\n")
# Blocks that run to the end of the file when nothing closes them: whatever is put behind them is part of them.
_MAY_STAY_OPEN = ("fence", "html_block")


def decode(data: bytes) -> str:
    """A file's text as the rest of the program reads it."""
    return data.decode("utf-8-sig", "replace")


def as_written(data: bytes) -> str:
    """Words whose bytes `encode` gives back, whether they are UTF-8 or not."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of what `as_written` gives."""
    return text.encode("utf-8", "surrogateescape")


class Lines:
    """The lines of a file as offsets of bytes; numbers count from 0. A byte order mark belongs to no line."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.first = len(_BOM) if data.startswith(_BOM) else 0
        self._starts = [self.first]
        self._ends: list[int] = []
        for found in _LINE_BREAK.finditer(data, self.first):
            self._ends.append(found.start())
            self._starts.append(found.end())
        if self._starts[-1] < len(data):
            self._ends.append(len(data))
        else:
            self._starts.pop()

    def __len__(self) -> int:
        return len(self._ends)

    def start(self, number: int) -> int:
        """Offset of a line; behind the last line that of the end."""
        return self._starts[number] if number < len(self) else len(self.data)

    def text(self, number: int) -> bytes:
        """A line without its break."""
        return self.data[self._starts[number] : self._ends[number]]

    def ending(self, number: int) -> bytes:
        """A line's break; nothing for a last line that has none."""
        return self.data[self._ends[number] : self.start(number + 1)]

    def blank(self, number: int) -> bool:
        """Whether a line holds nothing but blanks, as Markdown counts them."""
        return not self.text(number).strip(b" \t")

    def at(self, offset: int) -> int:
        """The line that a byte belongs to."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def break_near(self, number: int) -> bytes:
        """The line break that a new line in front of this one takes: that of its neighbours."""
        near = [*range(number - 1, -1, -1), *range(number, len(self))]
        return next((ending for line in near if (ending := self.ending(line))), b"\n")


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list at the margin."""

    section: int  # index of the innermost heading above it, -1 for none
    # its items, each as first line and the line behind its last one that is not blank
    items: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Blocks:
    """A file, read for its blocks."""

    lines: Lines
    document: Document
    lists: tuple[ListBlock, ...] = ()  # those at the margin, in order; none when the file nests too deeply
    rules: frozenset[int] = frozenset()  # the lines of thematic breaks at the margin
    headings: tuple[tuple[int, int], ...] = ()  # first line of each heading to the line behind it
    tail: int | None = None  # first line of a block at the very end that may be unclosed, None when there is none
    reader: Callable[[str], Document] = parse

    def after(self, data: bytes) -> Document:
        """What the file reads as once it holds other bytes."""
        return self.reader(decode(data))

    def open_at(self, line: int) -> int | None:
        """Where the open entry that starts on a line, from 1, is among the entries."""
        entries = self.document.entries
        return next((at for at, entry in enumerate(entries) if entry.line == line and not entry.done), None)

    def written(self, place: int) -> tuple[int, str]:
        """The offset of an entry, and its lines to the next blank one or the next of its own."""
        entries, lines = self.document.entries, self.lines
        line = entries[place].line
        behind = entries[place + 1].line - 1 if place + 1 < len(entries) else len(lines)
        rows = range(line, behind)
        end = next((row for row in rows if lines.blank(row) or own_words(decode(lines.text(row))) is not None), behind)
        start = lines.start(line - 1)
        return start, as_written(lines.data[start : lines.start(end)])

    def content_start(self, section: int) -> int:
        """The line behind a heading."""
        line = self.document.sections[section].line - 1
        return dict(self.headings).get(line, line + 1)

    def own_end(self, section: int) -> int:
        """The line after what is right below a heading, before its first sub-heading."""
        sections = self.document.sections
        return sections[section + 1].line - 1 if section + 1 < len(sections) else len(self.lines)

    def full_end(self, section: int) -> int:
        """The line behind everything below a heading."""
        sections = self.document.sections
        for later in sections[section + 1 :]:
            if later.level <= sections[section].level:
                return later.line - 1
        return len(self.lines)

    def content_end(self, start: int, end: int) -> int:
        """The line behind the last content between two lines; a rule at the end separates and is not content."""
        while end > start and (self.lines.blank(end - 1) or end - 1 in self.rules):
            end -= 1
        return end


def read_document(data: bytes, path: str) -> Document:
    """Read a file's entries and headings, a todo.txt by its name."""
    return _reader(path)(decode(data))


def _reader(path: str) -> Callable[[str], Document]:
    return parse_todo_txt if is_todo_txt(path) else parse


def read_entries(data: bytes, path: str = "", document: Document | None = None) -> Blocks:
    """As `read_blocks`, but without the blocks, which take three times as long as the entries.

    Args:
        document: what the file reads as, where that is known.
    """
    _refuse_other_form(data)
    return Blocks(Lines(data), document or read_document(data, path), reader=_reader(path))


def _refuse_other_form(data: bytes) -> None:
    if form := other_form(data):
        raise EditError(f"is {form}, so no line can be added", next_step="Save it as UTF-8 and run again.")


def read_blocks(data: bytes, path: str = "") -> Blocks:
    """Read a file for its blocks, a todo.txt by its name for its lines.

    Raises EditError when it is UTF-16 or no text, where inserted UTF-8 would break it.
    """
    if is_todo_txt(path):
        return read_entries(data, path)
    _refuse_other_form(data)
    lines = Lines(data)
    text = decode(data)
    tokens = tokenize(text)
    document = read_tokens(tokens, text)
    if tokens.trouble:
        return Blocks(lines, document)
    last = next((token for token in reversed(tokens.found) if token.level == 0 and token.map), None)
    return Blocks(
        lines,
        document,
        _lists(tokens.found, lines, [section.line - 1 for section in document.sections]),
        frozenset(_span(token)[0] for token in tokens.found if token.type == "hr" and token.level == 0),
        tuple(_span(token) for token in tokens.found if token.type == "heading_open" and token.level == 0),
        _span(last)[0] if last and last.type in _MAY_STAY_OPEN else None,
    )


def _lists(tokens: list[Token], lines: Lines, headings: list[int]) -> tuple[ListBlock, ...]:
    found: list[ListBlock] = []
    items: list[tuple[int, int]] = []
    for token in tokens:
        if token.type == "list_item_open" and token.level == 1:
            start, end = _span(token)
            while end > start + 1 and lines.blank(end - 1):
                end -= 1
            items.append((start, end))
        elif token.type in ("bullet_list_close", "ordered_list_close") and token.level == 0:
            found.append(ListBlock(bisect_right(headings, items[0][0]) - 1, tuple(items)))
            items = []
    return tuple(found)


def _span(token: Token) -> tuple[int, int]:
    first, behind = token.map or (0, 0)
    return first, behind


# the words of each entry, whether it is done and has a box, and how deep it is below the first
Nesting = tuple[tuple[str, bool, bool, int], ...]

_SIGNED = attrgetter(
    "text", "done", "box", "conflict", "due", "priority", "created", "finished", "recurrence", "scheduled", "start",
    "ident", "depends", "above",
)  # fmt: skip


def unfinished_merge(data: bytes) -> int | None:
    """The line on which a merge (of git, Mercurial and others) left the two sides of a conflict; None without one."""
    if b"<<<<<<<" not in data:
        return None
    begun, both = 0, False
    for number, line in enumerate(data.splitlines(), 1):
        mark = line[:7] if line[7:8] in (b"", b" ", b"\t") else b""
        if mark == b"<<<<<<<":
            begun, both = number, False
        elif begun and line == b"=======":
            both = True
        elif both and mark == b">>>>>>>":
            return begun
    return None


def nesting(entries: Sequence[Entry]) -> Nesting:
    """How the entries below the first one of some entries are nested in it."""
    top = len(entries[0].above) if entries else 0
    return tuple((one.text, one.done, one.box, len(one.above) - top) for one in entries[1:])


def others_stand(
    old: Document, new: Document, gone: Collection[int] = (), came: Collection[int] = (), *, nested: bool = True
) -> bool:
    """Whether two documents read the same, but for the entries at some places of each, and for headings that came.

    Args:
        nested: whether the words that an entry is nested in count, too.
    """
    if len(old.entries) - len(gone) != len(new.entries) - len(came):
        return False
    before, after = (
        [one if nested else (*one[:-2], one[-1]) for at, one in enumerate(_signatures(document)) if at not in places]
        for document, places in ((old, gone), (new, came))
    )
    return before == after and _keeps_sections(old, new)


def _keeps_sections(old: Document, new: Document) -> bool:
    """Whether the new document has the old one's headings, with at most some new ones in one place."""
    before, after = ([(one.level, title) for one, title in _titled(document)] for document in (old, new))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    return len(after) >= len(before) and after[len(after) - (len(before) - same) :] == before[same:]


def _signatures(document: Document) -> list[tuple[object, ...]]:
    chains: list[tuple[tuple[int, str], ...]] = []
    for section, title in _titled(document):
        above = chains[section.parent] if section.parent >= 0 else ()
        chains.append((*above, (section.level, title)))
    return [(*_SIGNED(entry), chains[entry.section] if entry.section >= 0 else ()) for entry in document.entries]


def _titled(document: Document) -> list[tuple[Section, str]]:
    """A document's headings with their titles; those that are tasks are told apart as entries."""
    tasks = {entry.line for entry in document.entries}
    return [(section, "" if section.line in tasks else section.title) for section in document.sections]
