"""Open boxes and *Next* lists in the Markdown files that no source reads: counted, so that nobody believes in none."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.notes import LEADING_LINE_LEVEL, Trouble, UnreadBoxes, UnreadGroup
from wrapgen.text.file_names import is_hand_over, may_hand_over
from wrapgen.text.headings import DONE, NEXT, is_parked, roles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wrapgen.config import Sections
    from wrapgen.notes import Document
    from wrapgen.vault.cache import FileReading
    from wrapgen.vault.walk import FoundFile

# Without one of these, or a heading that may be one of *Next*, a file holds nothing open, so it need not be parsed.
_SIGNS = r"\[[^xX\]\n]?\]|[☐⬜🔲]|\b(?:TODO|LATER|NOW|DOING|WAIT|WAITING|IN-PROGRESS)\b"
_STEMS = (
    "next|left|resume|pick up|continue|start here|carr|still|open|loose|remaining|outstanding|unfinished|pending|to be"
    "|for the morning|for tomorrow|на утро|на завтра"
    "|다음|내일|남은|이어서|次|残|未解決|持ち越し|やり残し|明日|下次|下一步|接下来|后续|後續|待办|遗留|дальше|следующ|дальнейш|осталось"
    "|próxim|siguiente|pendiente|nächste|offen|prochain|reste|prossimi"
)
_FOR_READERS = re.compile(r"(?:readme|contributing|changelog|license|code_of_conduct)\b.*", re.IGNORECASE)

Headings = tuple[tuple[str, int], ...]
"""The open boxes of a file: headings as written, and how many stand below each."""


class Unread(NamedTuple):
    """The files that no source reads; what a *Next* list says without boxes counts as boxes do."""

    boxes: Mapping[str, Headings]  # those that hold open boxes, by path
    troubles: tuple[Trouble, ...] = ()  # why others could not be looked at: nobody knows what is open in them
    empty: int = 0  # how many open boxes in them have no words
    ignored: int = 0  # how many stand in code, quotes, comments or front matter, or have a mark that means no task


class Tally(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The boxes of a file: each kind as heading, mark, whether it is done, and how many; and those that are no work."""

    boxes: tuple[tuple[str, str, bool, int], ...] = ()
    empty: int = 0
    ignored: int = 0

    def seen_as(self, states: Mapping[str, str]) -> tuple[Headings, int]:
        """The open boxes by heading, and how many are ignored, where marks mean what a vault says."""
        headings: Counter[str] = Counter()
        ignored = self.ignored
        for heading, mark, done, number in self.boxes:
            state = states.get(mark)
            if state == "ignored":
                ignored += 0 if done else number
            elif state == "open" or (state is None and not done):
                headings[heading] += number
        return tuple(headings.items()), ignored


def count_boxes(readings: Iterable[tuple[FoundFile, FileReading]], states: Mapping[str, str]) -> Unread:
    """Count the open boxes of files, by what `boxes_of` made of each, and by what marks mean in this vault."""
    decode = msgspec.msgpack.Decoder(Tally).decode
    boxes: dict[str, Headings] = {}
    troubles: list[Trouble] = []
    empty = ignored = 0
    for found, reading in readings:
        if not reading.readable:
            troubles.append(Trouble(found.path, reading.troubles[0]))
        elif reading.made:
            tally = decode(reading.made)
            headings, no_work = tally.seen_as(states)
            empty, ignored = empty + tally.empty, ignored + no_work
            if headings:
                boxes[found.path] = headings
    return Unread(boxes, tuple(troubles), empty, ignored)


@lru_cache(maxsize=4)
def signs(names: tuple[str, ...]) -> re.Pattern[str]:
    """What stands in every file that holds something open, unless it is a flat hand-over."""
    words = "|".join([_STEMS, *map(re.escape, names)])
    return re.compile(rf"{_SIGNS}|^\s{{0,3}}(?:#{{1,6}}\s|\*\*).*?(?i:{words})", re.MULTILINE)


def boxes_of(names: Sections, found: FoundFile, document: Document) -> bytes:
    """The boxes of a file, and what it says to be next, packed: what a process that parses it gives back."""
    sections = document.sections
    means = roles(sections, names)
    if _FOR_READERS.fullmatch(found.path.rpartition("/")[2]):
        means = [""] * len(means)
    flat = is_hand_over(found.path) and all(one.level == 1 for one in sections)
    boxes: Counter[tuple[str, str, bool]] = Counter()
    named = [one.level < LEADING_LINE_LEVEL or may_hand_over(found.path) for one in sections]
    for entry in document.entries:
        title = sections[entry.section].title if entry.section >= 0 else ""
        if entry.box:
            boxes[title, entry.mark, entry.done] += 1
        elif not entry.done and (
            flat
            or (entry.section >= 0 and means[entry.section] == NEXT and named[entry.section] and not is_parked(title))
        ):
            boxes[title, "", False] += 1
    for move in document.moves if may_hand_over(found.path) else ():
        role = means[move.section] if move.section >= 0 else ""
        if role == NEXT or (move.mark and role != DONE):
            boxes[sections[move.section].title if move.section >= 0 else "", "", False] += 1
    tally = Tally(tuple((*kind, number) for kind, number in boxes.items()), len(document.empty), document.ignored)
    return b"" if tally == Tally() else msgspec.msgpack.encode(tally)


def summed(unread: Unread) -> UnreadBoxes:
    """The same by folder and heading."""
    counted = unread.boxes
    by: Counter[tuple[str, str]] = Counter()
    for path, headings in counted.items():
        folder = path.rpartition("/")[0]
        for heading, boxes in headings:
            by[folder, heading] += boxes
    groups = [UnreadGroup(folder, heading, boxes) for (folder, heading), boxes in by.items()]
    ordered = sorted(groups, key=lambda one: (-one.boxes, one.folder, one.heading))
    return UnreadBoxes(sum(by.values()), len(counted), tuple(ordered), unread.empty, unread.ignored)
