"""The marks on one item: checkbox, task marker, done signs, dates, priority, and the cells of a table row. PURE.

They are written as Obsidian Tasks (emoji), Dataview (inline fields), todo.txt (`(A)`, `due:`), Org and Logseq
(`TODO`, `DEADLINE:`, `[#A]`) and plain trackers (`P1`, `!!`) write them. A mark inside inline code is text.
"""

from wrapgen.vault.markdown.marks.item import ListedItems, open_mark, read_item
from wrapgen.vault.markdown.marks.state import BALLOT, BALLOTS, BOX, DONE_MARKERS, MARKER, OPEN_MARKERS
from wrapgen.vault.markdown.marks.table import Table

__all__ = [
    "BALLOT",
    "BALLOTS",
    "BOX",
    "DONE_MARKERS",
    "MARKER",
    "OPEN_MARKERS",
    "ListedItems",
    "Table",
    "open_mark",
    "read_item",
]
