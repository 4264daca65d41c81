"""Open boxes and *Next* lists in the Markdown files that no source reads: counted, so that nobody believes in none."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.notes import UnreadBoxes, UnreadGroup
from wrapgen.text.hand_over_names import is_hand_over
from wrapgen.text.headings import NEXT, is_parked, roles
from wrapgen.vault.reading import read_all
from wrapgen.vault.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wrapgen.config import Config, Sections
    from wrapgen.notes import Document
    from wrapgen.vault.cache import CacheFile
    from wrapgen.vault.walk import FoundFile

# Without one of these, or a heading that may be one of *Next*, a file holds nothing open, so it need not be parsed.
_SIGNS = r"\[[^xX\]\n]?\]|[☐⬜🔲]|\b(?:TODO|LATER|NOW|DOING|WAIT|WAITING|IN-PROGRESS)\b"
_STEMS = (
    "next|left|resume|pick up|continue|start here|carr|still|open|loose|remaining|outstanding|unfinished|pending|to be"
    "|다음|내일|남은|이어서|次|残|未解決|持ち越し|やり残し|明日|下次|下一步|接下来|后续|後續|待办|遗留|дальше|следующ|дальнейш|осталось"
    "|próxim|siguiente|pendiente|nächste|offen|prochain|reste|prossimi"
)
_FOR_READERS = re.compile(r"(?:readme|contributing|changelog|license|code_of_conduct)\b.*", re.IGNORECASE)

Headings = tuple[tuple[str, int], ...]
"""The open boxes of a file: headings as written, and how many stand below each."""


class Unread(NamedTuple):
    """The files that no source reads; what a *Next* list says without boxes counts as boxes do."""

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
    config: Config,
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
    sections = config.sections
    fresh.sort(key=lambda one: is_hand_over(one.path))  # where a flat list counts, all are parsed
    likely = [one for one in fresh if not is_hand_over(one.path)]
    count = partial(boxes_of, sections)
    readings = read_all(likely, max_bytes, count, progress, only=_signs(sections.next))
    readings += read_all(fresh[len(likely) :], max_bytes, count, progress)
    decode = msgspec.msgpack.Decoder(Tally).decode
    counted = {one.path: decode(said.made) if said.made else Tally() for one, said in zip(fresh, readings, strict=True)}
    errors = {one.path: said.troubles[0] for one, said in zip(fresh, readings, strict=True) if not said.readable}
    found = {one.path: counted[one.path] if one.path in counted else known[one.path].tally for one in files}
    if remember and (fresh or len(known) > len(files)):
        sure = (one for one in files if remember(one) and one.path not in errors)
        kept = {one.path: Counted(one.stamp, found[one.path]) for one in sure}
        if kept != known:
            cache.save(kept)
    seen = {path: tally.seen_as(config.tasks.states) for path, tally in found.items() if tally != Tally()}
    return Unread(
        {path: boxes for path, (boxes, _) in seen.items() if boxes},
        errors,
        sum(tally.empty for tally in found.values()),
        sum(ignored for _, ignored in seen.values()),
    )


@lru_cache(maxsize=4)
def _signs(names: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join([_STEMS, *map(re.escape, names)])
    return re.compile(rf"{_SIGNS}|^\s{{0,3}}(?:#{{1,6}}\s|\*\*).*?(?i:{words})", re.MULTILINE)


def boxes_of(names: Sections, found: FoundFile, document: Document) -> bytes:
    """The boxes of a file, and what stands in its *Next* lists, packed: what a process that parses it gives back."""
    sections = document.sections
    means = roles(sections, names)
    if _FOR_READERS.fullmatch(found.path.rpartition("/")[2]):
        means = [""] * len(means)
    flat = is_hand_over(found.path) and all(one.level == 1 for one in sections)
    boxes: Counter[tuple[str, str, bool]] = Counter()
    for entry in document.entries:
        title = sections[entry.section].title if entry.section >= 0 else ""
        if entry.box:
            boxes[title, entry.mark, entry.done] += 1
        elif not entry.done and (
            flat or (entry.section >= 0 and means[entry.section] == NEXT and not is_parked(title))
        ):
            boxes[title, "", False] += 1
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
