"""What the prompt shows above its question: lines of styled text, cut to the size of the screen.

Pure. A line is a tuple of (style class, text) pairs, as the drawing library takes them. Widths are those of terminal
cells: a Korean, Chinese or Japanese character takes two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from wcwidth import wcwidth

from wrapgen.session.routing import Answer, Orphan, Places, Route, Suggestion
from wrapgen.text import ELLIPSIS, count, one_line, visible

Line = tuple[tuple[str, str], ...]

UNSURE = "?"
"""Stands behind the number of what whoever found it was not sure of."""
# Below this many columns explanations are left out.
NARROW = 60
_MARGIN = 1
_INDENT = 3
_LEAST_WITH_TITLE = 6
# Whoever wants to read more of a long item decides one by one.
_ITEM_LINES = 3
_TEXT_LINES = 6
_QUOTE_LINES = 4

_SECTIONS = {
    Route.JOURNAL: "today's journal, section Next",
    Route.PROJECT: "section Next Session",
    Route.ACTIVE: "active task",
}


@dataclass(frozen=True, slots=True)
class Size:
    """Columns and lines there are."""

    width: int
    height: int


def cells(text: str) -> int:
    """How many columns a text takes."""
    return len(text) if text.isascii() else sum(max(wcwidth(character), 0) for character in text)


def shown(text: str) -> str:
    """A text on one line, with nothing in it that a screen would obey."""
    return visible(one_line(text))


def cut(text: str, width: int) -> str:
    """Cut a text to a number of columns, `…` included."""
    if cells(text) <= width:
        return text
    taken = 0
    for position, character in enumerate(text):
        taken += max(wcwidth(character), 0)
        if taken > width - 1:
            return text[:position].rstrip() + ELLIPSIS
    return text


def cut_middle(path: str, width: int) -> str:
    """Cut a path to a number of columns in its middle: both ends tell the most."""
    if cells(path) <= width:
        return path
    tail = ""
    for character in reversed(path):
        if cells(tail) + max(wcwidth(character), 0) > (width - 1) * 2 // 3:
            break
        tail = character + tail
    return cut(path, max(width - cells(tail), 1)) + tail


def wrap(text: str, width: int, most: int) -> list[str]:
    """Break a text into lines, at blanks where there are some.

    Args:
        text: one line of text without control characters.
        width: columns of a line.
        most: number of lines; what goes beyond is cut with `…`.
    """
    width = max(width, 2)
    lines: list[str] = []
    while text:
        if len(lines) == most - 1:
            return [*lines, cut(text, width)]
        end = _fitting(text, width)
        if end < len(text):
            # Without a blank in its second half, as in Chinese or a long path, a line is broken where it is full.
            blank = text.rfind(" ", 0, end + 1)
            end = blank if blank > end // 2 else end
        lines.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return lines or [""]


def _fitting(text: str, width: int) -> int:
    """How many characters of a text fit into a number of columns, at least one."""
    taken = 0
    for position, character in enumerate(text):
        taken += max(wcwidth(character), 0)
        if taken > width:
            return max(position, 1)
    return len(text)


def by_destination(orphans: Sequence[Orphan]) -> list[Orphan]:
    """Orphans of one destination together, else in the order given: the order in which they are numbered."""
    places: dict[Suggestion, list[Orphan]] = {}
    for orphan in orphans:
        places.setdefault(orphan.suggested, []).append(orphan)
    return [orphan for group in places.values() for orphan in group]


def overview(orphans: Sequence[Orphan], places: Places, size: Size) -> list[list[Line]]:
    """All orphans under the files that would get them, in pages that say how to turn them.

    Args:
        orphans: what waits, in the order of `by_destination`.
        places: what can be routed to.
        size: the room for one page.

    Returns:
        At least one page.
    """
    pages = _pages(orphans, places, size)
    if len(pages) == 1:
        return pages
    pages = _pages(orphans, places, Size(size.width, size.height - 2))
    keys = "   ← → turn the pages" if size.width >= NARROW else "  ← →"
    return [
        [*page, (), (("class:note", cut(f"{' ' * _INDENT}page {number} of {len(pages)}{keys}", size.width - 1)),)]
        for number, page in enumerate(pages, 1)
    ]


def _pages(orphans: Sequence[Orphan], places: Places, size: Size) -> list[list[Line]]:
    several = len(orphans) != 1
    said = f"{count(len(orphans), 'follow-up')} {'were' if several else 'was'} only said."
    title = _indented("title", f"{said} No file holds {'them' if several else 'it'} yet.", size, most=2)
    if size.height < _LEAST_WITH_TITLE:
        title = []
    room = max(size.height - len(title), 3)
    digits = len(str(len(orphans)))
    pages: list[list[Line]] = []
    page: list[Line] = []
    last: Suggestion | None = None
    for number, orphan in enumerate(orphans, 1):
        item = _item(f"{number:>{digits}}", orphan, size.width, min(_ITEM_LINES, room - 2))
        heading = [(), _heading(orphan.suggested, places, size.width)]
        if page and len(page) + len(item) + (0 if orphan.suggested == last else len(heading)) > room:
            pages.append([*title, *page])
            page, last = [], None
        page += item if orphan.suggested == last else [*heading, *item]
        last = orphan.suggested
    return [*pages, [*title, *page]]


def _heading(where: Suggestion, places: Places, width: int) -> Line:
    """The file that gets the items below, and the place within it if there is room."""
    file = places.file(where)
    if file is None:
        return (("class:text", " " * _MARGIN), ("class:file", "nowhere"))
    section = f"  ({_SECTIONS[where.route]})"
    path = cut_middle(shown(file), width - _MARGIN - 3)
    fits = _MARGIN + 2 + cells(path) + cells(section) < width
    return (("class:text", " " * _MARGIN), ("class:file", f"→ {path}"), ("class:note", section if fits else ""))


def _item(number: str, orphan: Orphan, width: int, most: int) -> list[Line]:
    indent = " " * (_INDENT + len(number) + 2)
    room = width - len(indent) - 1
    first, *rest = wrap(shown(orphan.text), room, most)
    mark = " " if orphan.sure else UNSURE
    lines: list[Line] = [(("class:number", f"{' ' * _INDENT}{number}{mark} "), ("class:text", first))]
    lines += [(("class:text", indent + line),) for line in rest]
    if orphan.reason and len(lines) < most:
        lines.append((("class:note", indent + cut(f"({shown(orphan.reason)})", room)),))
    return lines


def _indented(style: str, text: str, size: Size, *, most: int, by: int = _MARGIN) -> list[Line]:
    return [((f"class:{style}", " " * by + line),) for line in wrap(text, size.width - by - 1, most)]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was chosen for an orphan of the form; `where` None leaves it pending, `text` is a rewording."""

    where: Suggestion | None
    text: str | None = None

    def answer(self, orphan: Orphan) -> Answer | None:
        """The answer that carries it out, None when the orphan stays pending."""
        return None if self.where is None else Answer.taking(orphan, self.where, self.text)


def single(
    orphans: Sequence[Orphan], decided: Sequence[Decision | None], at: int, text: str, places: Places, size: Size
) -> list[Line]:
    """One orphan of the form, below what was decided for those before it.

    Args:
        orphans: all of the form.
        decided: what was decided for each.
        at: position of the one that is asked about.
        text: its words as they stand now.
        places: what can be routed to.
        size: the room there is.
    """
    orphan = orphans[at]
    said = orphan.role if orphan.said_on is None else f"{orphan.role}, {orphan.said_on.isoformat()}"
    title = f"Follow-up {at + 1} of {len(orphans)}"
    note = "   nothing is written before the last" if len(orphans) > 1 else ""
    fits = cells(title + note) < size.width - _MARGIN
    lines: list[Line] = [(("class:title", f"{' ' * _MARGIN}{title}"), ("class:note", note if fits else ""))]
    words: list[Line] = [(), *_indented("words", shown(text), size, most=_TEXT_LINES, by=_INDENT)]
    left = max(size.height - len(lines) - len(words), 1)
    quote = _indented("note", f"{said}: “{shown(orphan.quote)}”", size, most=min(_QUOTE_LINES, left), by=_INDENT)
    if orphan.reason:
        quote += _indented("note", f"({shown(orphan.reason)})", size, most=2, by=_INDENT)
    room = size.height - len(lines) - len(words) - len(quote) - 1
    if at and room > 1:
        latest = range(max(at - room + 1, 0), at)
        lines += [(), *(_decided(index, orphans, decided, places, size.width) for index in latest)]
    return [*lines, *words, *quote][: size.height]


def _decided(
    at: int, orphans: Sequence[Orphan], decided: Sequence[Decision | None], places: Places, width: int
) -> Line:
    decision = decided[at] or Decision(None)
    file = None if decision.where is None else places.file(decision.where)
    end = "pending" if decision.where is None else "skipped" if file is None else shown(file)
    number = f"{' ' * _INDENT}{at + 1:>{len(str(len(orphans)))}}  "
    room = width - len(number) - len(" → ") - 1
    end = cut_middle(end, max(room // 2, 2))
    text = cut(shown(decision.text or orphans[at].text), max(room - cells(end), 2))
    return (("class:note", number), ("class:note", text), ("class:file", f" → {end}"))
