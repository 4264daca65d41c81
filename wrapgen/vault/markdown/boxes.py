"""Lines that mean more than CommonMark sees in them: bold titles, and boxes that it takes for words. PURE.

To CommonMark, a line right below a list item, a table or a quote may still belong to it, a list may begin inside a
paragraph with the number 1 only, what is indented by four blanks more than a paragraph is always part of it, and no
blank but a space or a tab indents. Who writes `**Next:**`, `2. [ ] ship`, `-[ ] call` or a deeply indented `- [ ] b`
there means a heading or an item: whatever line shows a box to a person is one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.late_pattern import late
from wrapgen.notes import LEADING_LINE_LEVEL, Paragraph, Section
from wrapgen.text.blocks import sentences
from wrapgen.text.headings import says_next
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.vault.markdown.marks.state import (
    BALLOT,
    BALLOTS,
    BLANKS,
    BOX,
    CROSSES,
    DONE_MARKERS,
    MARKER,
    OPEN_MARKERS,
    SIGNS,
    VS,
    state_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.rules_block import StateBlock

LINE_BREAK = late("\r\n|\r|\n")
_NUMBER = late(r"\d{1,9}[.)][ \t]+")
_INDENTED = late(r"[ \t]+(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+(?=\[))(?=\S)")
_BOX, _MARKER, _BALLOT = (re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for pattern in (BOX, MARKER, BALLOT))
_BULLET = r"[-*+•‣▪▫◦●○·–—→]|\(?\d+[.)．、]|[a-zA-Z][.)]"
_MARK = rf"(?:{_BULLET}|\#{{1,6}}(?=[{BLANKS}]))"
# Behind a list mark or in a heading any box is one; without, one that is empty or ticked and has words behind it.
_BOXED = late(
    rf"(?P<lead>[{BLANKS}>]*(?:(?P<mark>{_MARK})[{BLANKS}>]*)*)"
    rf"(?={_BALLOT}|(?(mark)(?:{_BOX})|\\?[\[［][ \u3000xX×ｘＸ]\\?[\]］][{BLANKS}]+[^{BLANKS}]))"
)
_WORDS = f"(?:{'|'.join((*OPEN_MARKERS, *DONE_MARKERS))})"
# Without a list mark a task word needs its colon, or words that begin a sentence: prose wraps in front of `TODO list`.
_WORDED = late(
    rf"(?P<lead>[{BLANKS}>]*(?:(?!\*\*)(?P<mark>{_BULLET})[{BLANKS}>]*)*)"
    rf"(?={_WORDS}(?:(?(mark):?|:)\s+\S|\s+[^\W\d_a-z]))"
)
# A sign in front of words; a day alone behind it is that of the item above.
_SIGNED = late(
    rf"[{BLANKS}>]*(?:(?!\*\*)(?:{_BULLET})[{BLANKS}>]*)*(?P<sign>[{SIGNS}{CROSSES}]){VS}"
    rf"(?P<words>[{BLANKS}]*+(?!\d{{4}}-\d\d-\d\d[{BLANKS}]*$)[^{BLANKS}].*)"
)
# A headline of Org below the first level, which CommonMark takes for words.
_ORG = late(rf"(?P<lead>\*{{2,9}}[ \t]+)(?={_MARKER})")
_CELL = late(rf"\|[{BLANKS}]*(?:{_MARK}[{BLANKS}]*)*(?P<box>{_BOX}|<input\b)", re.IGNORECASE)
# How the few lines begin that are looked at closely.
_MAY_SHOW_BOX = late(rf"[{BLANKS}>]*+(?:{_MARK}[{BLANKS}>]*+)*+(?:[\[［\\|{BALLOTS}]|{_WORDS}(?![^:\s]))|\*\*+[ \t]")
_WIDE, _NO_WIDTH = "\u3000", "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u180e"


def begins_anew(state: StateBlock, line: int, _: int, silent: bool) -> bool:
    """Whether a line ends the paragraph, quote or table above it: a rule of markdown-it's that makes no block."""
    if not silent:
        return False
    start = state.bMarks[line]
    if state.parentType == "table" and "|" not in (row := state.src[start : state.eMarks[line]]):
        return bold_title(row) is not None or own_words(row) is not None
    if state.src.startswith(("**", "__"), start):
        return bold_title(state.src[start : state.eMarks[line]]) is not None
    number = _NUMBER.match(state.src, start + state.tShift[line])
    return number is not None and is_box(state.src[number.end() : state.eMarks[line]])


def is_box(text: str) -> bool:
    """Whether a text begins with a checkbox."""
    return text[:1] in "[\\" and BOX.match(text) is not None


def box_at(line: str) -> int | None:
    """Where the box or Org's marker stands on a line that shows one, None for any other line."""
    if line.startswith("- [ ] "):  # by far the most
        return 2
    if not _MAY_SHOW_BOX.match(line):
        return None
    found = _BOXED.match(line) or _ORG.match(line)
    return found.end("lead") if found else None


def column(line: str) -> int:
    """How far a line is indented, as a person sees it."""
    if org := _ORG.match(line):
        return line.index(" ", 0, org.end()) if " " in org[0] else len(org[0])
    width = 0
    for char in line:
        if char == "\t":
            width += 4 - width % 4
        elif char == _WIDE:
            width += 2
        elif char.isspace() or char == ">":
            width += 1
        elif char not in _NO_WIDTH:
            break
    return width


def box_words(line: str) -> str | None:
    """What a line says from its box or task word on, of a row of a table what its cell says; None for any other."""
    if not _MAY_SHOW_BOX.match(line):
        return None
    if found := _WORDED.match(line):
        return line[found.end() :]
    if (at := box_at(line)) is not None:
        return line[at:]
    if not line.lstrip("> \t").startswith("|") or (cell := _CELL.search(line)) is None:
        return None
    rest = line[cell.end("box") :].partition("|")[0].rpartition(">")[2]
    others = [*line[: cell.start()].split("|"), *line[cell.end("box") :].partition("|")[2].split("|")]
    box = cell["box"] if cell["box"][0] in "[［\\" else "[ ]"
    return f"{box} {rest.strip() or max(others, key=len, default='').strip()}"


def own_words(line: str) -> str | None:
    """What a line of its own says: from its box, task word or sign on; None for one that belongs to the line above."""
    if line.isascii() or (found := _SIGNED.match(line)) is None:
        return box_words(line)
    return ("❌" if found["sign"] in CROSSES else found["sign"]) + found["words"]


def unboxed(text: str) -> str:
    """Take off the box or task word, with its bullet, that was pasted with some words."""
    at = box_at(text)
    if at is None and (found := _WORDED.match(text)) and found["mark"]:
        at = found.end()
    return text if at is None else state_of(text[at:]).rest or text


def open_boxes(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines that show an open box, counted from 1, and what they say from the box on."""
    for number, line in enumerate(lines, 1):
        if (words := box_words(line)) is not None and not state_of(words).done:
            yield number, words


class Indented(NamedTuple):
    """An item in the lines of a paragraph, which CommonMark does not see."""

    below: int  # how many lines below the paragraph's first
    text: str  # its words as written, without bullet


def split_items(content: str, *, boxes: bool, first: bool = False) -> tuple[str, list[Indented]]:
    """The words of a paragraph, and the items among its lines.

    Args:
        boxes: whether nothing but a box tells an item; in an item, any bullet that is indented does.
        first: whether the first line may be one, too.
    """
    if "\n" not in content and not first:
        return content, []
    lines = content.split("\n")
    starts: list[tuple[int, str]] = []
    for at, line in enumerate(lines[not first :], not first):
        words = own_words(line)
        if words is None and not boxes and (found := _INDENTED.match(line)):
            words = line[found.end() :]
        if words is not None:
            starts.append((at, words))
    if not starts:
        return content, []
    if any(box_words(line) is not None for line in lines):  # among boxes a cross says that one is cancelled
        starts = [(at, f"✘{words[1:]}" if words[0] == "❌" else words) for at, words in starts]
    ends = [*(at for at, _ in starts[1:]), len(lines)]
    items = [
        Indented(at, "\n".join([words, *lines[at + 1 : end]])) for (at, words), end in zip(starts, ends, strict=True)
    ]
    return "\n".join(lines[: starts[0][0]]), items


# A line of bold text alone, or with a bracket behind it, ranks below every heading.
BOLD_LINE_LEVEL = 7
_BOLD_LINE = late(r"(\*\*|__)(?=\S)(?P<title>(?:(?!\1).)+)\1\s*[:：]?(?:\s*(?P<bracket>\([^()]*\))\s*[:：]?)?$")


def bold_title(line: str) -> str | None:
    """The title of a line of bold text, such as `**Next:**` or `**More** (later)`; None for any other line."""
    line = line.strip()
    match = _BOLD_LINE.match(line) if line.startswith(("**", "__")) else None
    return " ".join(filter(None, match.group("title", "bracket"))) if match else None


# A footer in italics, a link alone on its line: they lead to nothing that anybody left to do.
_ASIDE = late(
    r"(?:\*(?![\s*])[^*\n]+\*|_(?![\s_])[^_\n]+_|!?\[\[[^\[\]]+\]\]|!?\[[^\[\]]*\]\([^()\s]*\)|<?https?://\S+)[\s.]*$"
)


def is_aside(paragraph: str) -> bool:
    """Whether a paragraph is a footer in italics or a lone link, so no prose that somebody must read."""
    return paragraph[:1] in "*_![<h" and _ASIDE.match(paragraph) is not None


# Paragraphs that are but the name of a list, as meeting notes are pasted: `Action items`.
_PLAIN_TITLES = frozenset(("action items", "next steps", "next actions", "follow ups", "open items", "open tasks"))


_FEW_WORDS = 8  # of a line that names the list below it; what is longer is a sentence


def leading_title(paragraph: str) -> str | None:
    """What a paragraph in front of a list says to come next: `Next steps:`; None for any other."""
    line = paragraph.rpartition("\n")[2].strip()
    title = line.rstrip(":：")
    if title == line or bold_title(line) or len(title.split()) > _FEW_WORDS:
        return None
    return title if says_next(title) and not title.casefold().startswith("priority") else None


_LEADS_ON = late(r"[:：][*_]*$")
_MOST_PARAGRAPHS = 15  # of a section that are kept; a page holds no more lines


class Outline:
    """Collects the sections of one file."""

    def __init__(self) -> None:
        self._sections: list[Section] = []
        self._open: list[int] = []
        self._prose: set[int] = set()
        self._paragraphs: list[tuple[str, int, int, bool]] = []  # words, line, section, whether in a quote
        self._lead: tuple[str, int] | None = None  # of the paragraph right above
        self._led = -1  # the section that such a paragraph opened
        self._kept_of: Counter[int] = Counter()  # paragraphs by section

    @property
    def current(self) -> int:
        """Index of the innermost open section, -1 above the first heading."""
        return self._open[-1] if self._open else -1

    @property
    def around(self) -> int:
        """Index of the section around the innermost open one."""
        return self._open[-2] if len(self._open) > 1 else -1

    def open(self, level: int, title: str, line: int) -> None:
        """Open a section, closing those of the same or a lower rank."""
        self._lead = None
        while self._open and self._sections[self._open[-1]].level >= level:
            self._open.pop()
        self._sections.append(Section(level=level, title=title, line=line, parent=self.current))
        self._open.append(len(self._sections) - 1)

    def saw_paragraph(self, words: str, line: int) -> None:
        """A paragraph at the margin: lines of bold text open sections, all others are prose."""
        if self._led == self.current >= 0:
            self._open.pop()
        aside = is_aside(words)
        plain = words if words[:1].isupper() and words.replace("-", " ").casefold() in _PLAIN_TITLES else None
        told: list[str] = []
        for number, text in enumerate(words.split("\n"), line):
            if title := bold_title(text) or plain:
                self._keep(told, number - len(told))
                self.open(BOLD_LINE_LEVEL, title, number)
            elif not aside:
                told.append(text)
                self._prose.add(self.current)
        last = line + words.count("\n")
        self._keep(told, last + 1 - len(told))
        lead = leading_title(words)
        self._lead = (lead, last) if lead else None

    def saw_quote(self, words: str, line: int) -> None:
        """Keep a paragraph of a block quote, which is read where a section holds nothing else."""
        self._keep(words.split("\n"), line, is_quoted=True)

    def _keep(self, told: list[str], line: int, *, is_quoted: bool = False) -> None:
        """Keep a paragraph; one that ends in a colon leads to something else."""
        text = "\n".join(told).strip()
        told.clear()
        self._kept_of[self.current] += 1
        if not text or self.current < 0 or _LEADS_ON.search(text) or self._kept_of[self.current] > _MOST_PARAGRAPHS:
            return
        self._paragraphs.append((text, line, self.current, is_quoted))

    def saw_list(self) -> None:
        """A list or table follows: the prose before it in any open section was its lead-in."""
        if self._lead:
            self.open(LEADING_LINE_LEVEL, *self._lead)
            self._led = self.current
        self._prose.difference_update(self._open)
        self._paragraphs = [one for one in self._paragraphs if one[2] not in self._open]

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The first sentences of the paragraphs of sections without a list."""
        found = (_first_sentence(*one) for one in self._paragraphs)
        return tuple(one for one in found if one)

    def sections(self, titles: Mapping[int, str] | None = None) -> tuple[Section, ...]:
        """All sections, once the file is read; `titles` are of those that are tasks, without their box."""
        own = titles or {}
        return tuple(
            Section(section.level, own.get(index, section.title), section.line, section.parent, index in self._prose)
            for index, section in enumerate(self._sections)
        )


def _first_sentence(text: str, line: int, section: int, is_quoted: bool) -> Paragraph | None:
    words = " ".join(text.split())
    spans = sentences(words, 0, len(words))
    end = next((end for begin, end in spans if re.search(r"\w", words[begin:end])), 0)
    entry = read_item(words[:end].rstrip(" .。"), line=line, section=section)
    return Paragraph(entry, is_quoted) if entry else None
