"""Taking an item out of its file, with everything below it. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.vault.markdown.blocks import Lines, decode, read_blocks
from wrapgen.vault.markdown.boxes import column as indent_of
from wrapgen.vault.markdown.check import nesting
from wrapgen.vault.markdown.marks.state import state_of
from wrapgen.vault.markdown.parse import tokenize
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.vault.markdown.todo_txt import in_markdown, is_todo_txt, parse_todo_txt
from wrapgen.vault.markdown.undo import reads_as_before

if TYPE_CHECKING:
    from markdown_it.token import Token

    from wrapgen.vault.markdown.check import Nesting

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?P<pad>[ \t]+)(?P<rest>\S.*)")
_WIDEST_PAD = 4  # columns; behind more, code begins


@dataclass(frozen=True, slots=True)
class TakenItem:
    """An item that is taken out, as it is written."""

    state: str  # its box or marker with the blank behind it; empty for a plain bullet
    head: str  # what is behind that on its first line, with tag and marks
    below: tuple[str, ...]  # the lines below the first that belong to it
    column: int  # where its words begin, counted from 0 with tabs of four
    nested: Nesting  # the entries below it
    first: int  # 0-based line on which it begins
    behind: int  # the line behind all of it
    # what to replace in its file: its lines, with a line that stays by which the place is found again
    change: Replacement
    lines: bytes = b""  # all of its lines


def take_out(path: str, data: bytes, line: int) -> TakenItem | None:
    """Take out the open item that starts on a line, if one does, with everything below it.

    Raises:
        EditError: it is no list item, or without it the rest would read otherwise; or the file is UTF-16.
    """
    lines = Lines(data)
    if is_todo_txt(path):
        if not any(one.line == line and not one.done for one in parse_todo_txt(decode(data)).entries):
            return None
        head = in_markdown(lines.text(line - 1).decode("utf-8", "surrogateescape"))
        return TakenItem("", head, (), 0, (), line - 1, line, _without(lines, line - 1, line), lines.text(line - 1))
    blocks = read_blocks(data)
    entries = blocks.document.entries
    place = next((at for at, one in enumerate(entries) if one.line == line and not one.done), None)
    if place is None:
        return None
    item = _list_item(tokenize(decode(data)) or [], line - 1)
    written = _ITEM.match(lines.text(line - 1).decode("utf-8", "surrogateescape"))
    if item is None or written is None:
        raise EditError("is no list item, so it cannot be moved", where=f"{path}:{line}", next_step="Move it by hand.")
    behind = item
    indent = indent_of(decode(lines.text(line - 1)))
    for one in entries:  # what CommonMark takes for words of the item may stand beside it
        if line < one.line <= behind and indent_of(decode(lines.text(one.line - 1))) <= indent:
            behind = one.line - 1
    while behind > line and lines.blank(behind - 1):
        behind -= 1
    change = _without(lines, line - 1, behind)
    if not reads_as_before(blocks, change.apply(data), range(line - 1, behind)):
        raise EditError(
            "without it the rest of the file would read otherwise", where=f"{path}:{line}", next_step="Move it by hand."
        )
    below = tuple(lines.text(row).decode("utf-8", "surrogateescape") for row in range(line, behind))
    rest = written["rest"]
    head = state_of(rest).rest
    state = rest.removesuffix(head) if rest.endswith(head) else ""
    pad = written["pad"].expandtabs(4)
    column = len(written[0][: written.start("rest")].expandtabs(4)) - (len(pad) - 1 if len(pad) > _WIDEST_PAD else 0)
    nested = nesting([one for one in entries[place:] if one.line <= behind])
    taken = data[lines.start(line - 1) : lines.start(behind)]
    return TakenItem(state, head if state else rest, below, column, nested, line - 1, behind, change, taken)


def _list_item(tokens: list[Token], row: int) -> int | None:
    """The line behind the list item that starts on a row; None where none starts that has words there."""
    for at, token in enumerate(tokens):
        if token.type == "list_item_open" and token.map and token.map[0] == row:
            inline = next((one for one in tokens[at + 1 : at + 3] if one.type == "inline"), None)
            return token.map[1] if inline is not None and inline.map and inline.map[0] == row else None
    return None


def _without(lines: Lines, first: int, behind: int) -> Replacement:
    """Take some rows out; what is replaced begins with the last row above that holds something, else ends with one."""
    if first and behind < len(lines) and lines.blank(first - 1) and lines.blank(behind):
        behind += 1  # two blank lines would be left behind
    while behind == len(lines) and first and lines.blank(first - 1):
        first -= 1  # or one at the end of the file
    above = first
    while above and (above == first or lines.blank(above)):
        above -= 1
    below = behind
    if above == first:
        while below < len(lines) and (below == behind or lines.blank(below - 1)):
            below += 1
    start, end = lines.start(above), lines.start(below)
    data = lines.data
    kept = data[start : lines.start(first)] + data[lines.start(behind) : end]
    return Replacement(start, data[start:end], kept)
