"""Taking an item out of its file, with everything below it. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.errors import EditError
from wrapgen.text.display import one_line
from wrapgen.vault.markdown.blocks import Lines, decode, read_blocks
from wrapgen.vault.markdown.boxes import split_items
from wrapgen.vault.markdown.marks.state import state_of
from wrapgen.vault.markdown.parse import tokenize
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.vault.markdown.todo_txt import in_markdown, is_todo_txt, parse_todo_txt
from wrapgen.vault.markdown.undo import reads_as_before

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class TakenItem:
    """An item that is taken out."""

    raw: str  # its words as written, with tag and marks, without bullet and box
    # the lines below them that belong to it, indented as far as they are beyond the least of them
    below: tuple[str, ...]
    # what to replace in its file: its lines, with a line that stays by which the place is found again
    change: Replacement


def take_out(path: str, data: bytes, line: int, text: str) -> TakenItem | None:
    """Take out the item that starts on a line.

    Args:
        text: its words, without tag and marks; another item is left alone.

    Returns:
        the item and what to replace; None when no such open item starts there.

    Raises:
        EditError: it is no list item, or without it the rest would read otherwise; or the file is UTF-16.
    """
    lines = Lines(data)
    if is_todo_txt(path):
        entries = parse_todo_txt(decode(data)).entries
        if not any(one.line == line and not one.done and text in one.text for one in entries):
            return None
        raw = in_markdown(lines.text(line - 1).decode("utf-8", "replace"))
        return TakenItem(raw, (), _without(lines, line - 1, line))
    blocks = read_blocks(data)
    entry = next((one for one in blocks.document.entries if one.line == line and not one.done), None)
    if entry is None or text not in entry.text:
        return None
    item = _list_item(tokenize(decode(data)) or [], line - 1)
    if item is None:
        raise EditError("is no list item, so it cannot be moved", where=f"{path}:{line}", next_step="Move it by hand.")
    raw, behind_words, behind = item
    while behind > line and lines.blank(behind - 1):
        behind -= 1
    change = _without(lines, line - 1, behind)
    if not reads_as_before(blocks, change.apply(data), range(line - 1, behind)):
        raise EditError(
            "without it the rest of the file would read otherwise", where=f"{path}:{line}", next_step="Move it by hand."
        )
    below = [lines.text(row).decode("utf-8", "replace") for row in range(behind_words, behind)]
    return TakenItem(state_of(one_line(raw)).rest, _dedented(below), change)


def _list_item(tokens: list[Token], row: int) -> tuple[str, int, int] | None:
    """The first paragraph of the list item that starts on a row, the row behind that, and the row behind all of it."""
    for at, token in enumerate(tokens):
        if token.type == "list_item_open" and token.map and token.map[0] == row:
            inline = next((one for one in tokens[at + 1 : at + 3] if one.type == "inline"), None)
            if inline is None or not inline.map:
                return None
            words, _ = split_items(inline.content, boxes=False)
            return words, inline.map[0] + words.count("\n") + 1, token.map[1]
    return None


def _dedented(rows: list[str]) -> tuple[str, ...]:
    """Lines without the indentation that all of them have."""
    widths = [len(row) - len(row.lstrip(" \t")) for row in rows if row.strip()]
    return tuple(row[min(widths) :] if row.strip() else "" for row in rows) if widths else ()


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
