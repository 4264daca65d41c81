"""The items of one list. PURE.

Only when a list ends is it known whether `P1`, `P2`, `P3` in front of its items are their urgency or just number them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.vault.markdown.marks.item import number_of, read_item
from wrapgen.vault.markdown.marks.priority import are_labels

if TYPE_CHECKING:
    from wrapgen.notes import Entry


class ListedItems:
    """Collects the items of one list.

    Args:
        entries: those of the file, which items are added to.
    """

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._numbered: list[tuple[int, int, str]] = []

    def add(self, entry: Entry, raw: str) -> None:
        """Add an item.

        Args:
            raw: its first paragraph as written.
        """
        if (number := number_of(raw)) is not None:
            self._numbered.append((number, len(self._entries), raw))
        self._entries.append(entry)

    def close(self) -> None:
        """End the list: items that are numbered by `P1`, `P2` ... are read again."""
        if self._numbered and are_labels([number for number, _, _ in self._numbered]):
            for _, at, raw in self._numbered:
                entry = self._entries[at]
                again = read_item(raw, line=entry.line, section=entry.section, above=entry.above, numbered=True)
                self._entries[at] = again or entry
