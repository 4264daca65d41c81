"""Open boxes in the Markdown files that no source reads: counted, so that nobody believes that there are none."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.notes import UnreadBoxes, UnreadGroup
from wrapgen.vault.reading import read_all
from wrapgen.vault.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wrapgen.notes import Document
    from wrapgen.vault.cache import CacheFile
    from wrapgen.vault.walk import FoundFile

# Without one of these a file holds no open box, so it need not be parsed.
_SIGNS = re.compile(r"\[[^xX\]\n]?\]|[☐⬜🔲]|\b(?:TODO|LATER|NOW|DOING|WAIT|WAITING|IN-PROGRESS)\b")

Headings = tuple[tuple[str, int], ...]
"""The open boxes of a file: headings as written, and how many stand below each."""


class Unread(NamedTuple):
    """The files that no source reads."""

    boxes: Mapping[str, Headings]  # those that hold open boxes, by path
    errors: Mapping[str, str]  # why others could not be looked at, by path
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


class Counted(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file whose boxes were counted, and by what its content is known."""

    stamp: Stamp
    tally: Tally


def count_boxes(
    files: Sequence[FoundFile],
    max_bytes: int,
    states: Mapping[str, str],
    cache: CacheFile[dict[str, Counted]],
    remember: Callable[[FoundFile], bool] | None,
    progress: Callable[[int, int], None] | None = None,
) -> Unread:
    """Count the open boxes of files, those that did not change from the cache.

    Args:
        remember: whether a file's count may be kept; None when the cache may not be written.
    """
    known = (cache.load() or {}) if files else {}
    fresh = [one for one in files if one.path not in known or known[one.path].stamp != one.stamp]
    readings = read_all(fresh, max_bytes, boxes_of, progress, only=_SIGNS)
    decode = msgspec.msgpack.Decoder(Tally).decode
    counted = {one.path: decode(said.made) if said.made else Tally() for one, said in zip(fresh, readings, strict=True)}
    errors = {one.path: said.troubles[0] for one, said in zip(fresh, readings, strict=True) if not said.readable}
    found = {one.path: counted[one.path] if one.path in counted else known[one.path].tally for one in files}
    if remember and (fresh or len(known) > len(files)):
        sure = (one for one in files if remember(one) and one.path not in errors)
        kept = {one.path: Counted(one.stamp, found[one.path]) for one in sure}
        if kept != known:
            cache.save(kept)
    seen = {path: tally.seen_as(states) for path, tally in found.items() if tally != Tally()}
    return Unread(
        {path: boxes for path, (boxes, _) in seen.items() if boxes},
        errors,
        sum(tally.empty for tally in found.values()),
        sum(ignored for _, ignored in seen.values()),
    )


def boxes_of(_: FoundFile, document: Document) -> bytes:
    """The boxes of a file, packed: what a process that parses it gives back."""
    boxes = Counter(
        (document.sections[entry.section].title if entry.section >= 0 else "", entry.mark, entry.done)
        for entry in document.entries
        if entry.box
    )
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
