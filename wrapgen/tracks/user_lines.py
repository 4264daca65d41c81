"""What people added to HOT_TRACK.md: every line that wrapgen did not write. PURE.

wrapgen's own lines are known from its log, not guessed: a line is its own when it is in the snapshot that the log
holds, or belongs to the frame (headings, heads of tables) in one of the languages. A section under a heading of their
own is people's as a whole, up to the next heading of the frame; so is everything between the two marks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from wrapgen.text.blocks import fence_behind
from wrapgen.text.tokens import conservative_tokens
from wrapgen.tracks.record import TrackLabels, all_labels

MOVED_FILE = "HOT_TRACK.by-hand.md"
BEGIN = "<!-- wrapgen: added by hand, kept as it is -->"
END = "<!-- wrapgen: end -->"
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*+)|[ \t]*+#*+[ \t]*+)$")
_NUMBERED = re.compile(r"(?<!\d)\d++\.\s*")
_VERSION = re.compile(r"v(\d+)_\s*$")


@dataclass(frozen=True, slots=True)
class AddedLines:
    """Lines added by a person at one place."""

    lines: tuple[str, ...]  # as they are; those that were added to a section of wrapgen's begin with its heading


def version_named(text: str) -> int | None:
    """The version that a file names in its head, None when there is none; only to look it up in the log."""
    for line in text.splitlines()[:20]:
        if (found := _VERSION.search(line)) and _is_stamp(line) and len(found[1]) <= 9:
            return int(found[1])
    return None


def added(text: str, own: Iterable[str]) -> tuple[AddedLines, ...]:
    """What people added to a file, in its order; `own` are the lines that wrapgen wrote into it."""
    lines = text.removeprefix("\ufeff").splitlines()
    additions = _Additions({line.rstrip() for line in own} | _FRAME)
    until = 0  # where what was kept before ends
    for number, (line, opening) in enumerate(zip(lines, _openings(lines), strict=True)):
        if number < until:
            additions.keep(line, opening)
        elif line.strip() == BEGIN:
            additions.end()
            ends = (at for at in range(number + 1, len(lines)) if lines[at].strip() == END)
            until = next(ends, _before_footer(lines))
        elif line.strip() == END:
            additions.end()
        else:
            additions.take(line, opening)
    additions.end()
    return tuple(dict.fromkeys(additions.found))


def fit(blocks: Sequence[AddedLines], room: int) -> tuple[tuple[AddedLines, ...], tuple[AddedLines, ...]]:
    """What stays within so many tokens, the newest first, and what goes.

    A block that is too large by itself goes, and its beginning stays.
    """
    kept: list[AddedLines] = []
    for number in range(len(blocks) - 1, -1, -1):
        block = blocks[number]
        cost = conservative_tokens("\n".join((*block.lines, "", "")))
        if cost > room:
            if not kept and (head := _head(block, room)):
                kept.append(head)
            return tuple(reversed(kept)), tuple(blocks[: number + 1])
        room -= cost
        kept.append(block)
    return tuple(reversed(kept)), ()


def _head(block: AddedLines, room: int) -> AddedLines | None:
    lines: list[str] = []
    for line in block.lines:
        room -= conservative_tokens(f"{line}\n\n")
        if room < 0:
            break
        lines.append(line)
    return AddedLines(tuple(lines)) if any(line.strip() for line in lines[1:]) else None


class _Additions:
    """Takes line by line; `opening` is the line that opened the code around one, None outside of code."""

    def __init__(self, own: set[str]) -> None:
        self.found: list[AddedLines] = []
        self._own = own
        self._block: list[str] = []
        self._theirs = False  # whether the section is
        self._heading = ""
        self._table: list[str] = []

    def keep(self, line: str, opening: str | None) -> None:
        """A line that was kept before: those are parted again at their headings."""
        if opening is None and _HEADING.match(line):
            self.end()
        self._block.append(line)

    def take(self, line: str, opening: str | None) -> None:
        own = line.rstrip() in self._own
        if opening is None and _HEADING.match(line):
            self.end()
            self._theirs, self._heading, self._table = not own, line.strip(), []
            self._block += [] if own else [line]
        elif self._theirs and opening is None and _is_stamp(line):  # the footer
            self.end()
            self._theirs = False
        elif self._theirs:
            self._block.append(line)
        elif not (own or _is_stamp(line)) or (opening is not None and opening.rstrip() not in self._own):
            self._block = self._block or self._place(line, opening)
            self._block.append(line)
        elif self._block and not line.strip():
            self._block.append("")
        else:
            if self._block and opening is not None:
                self._block.append(fence_behind(opening))
            self.end()
            if line.lstrip().startswith("|") and line.rstrip() in _FRAME:  # the head of a table, or the rule below it
                self._table = [*self._table, line][-2:]

    def _place(self, line: str, opening: str | None) -> list[str]:
        """What a line that is in wrapgen's own section needs to be understood elsewhere."""
        heading = _HEADING.match(self._heading)
        place = []
        if heading and heading[1] != "#" and (words := (heading[2] or "").rstrip(" \t#")):
            place = [f"### {_NUMBERED.sub('', words, count=1)}"]
        table = self._table if line.lstrip().startswith("|") else []
        return [*place, *table, *([opening.strip()] if opening is not None else [])]

    def end(self) -> None:
        """Store the collected lines, without the blank lines and rules around them."""
        lines, self._block = self._block, []
        begin = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
        while len(lines) > begin and lines[-1].strip() in {"", "---"}:
            lines.pop()
        if lines[begin:]:
            self.found.append(AddedLines(tuple(line.rstrip() for line in lines[begin:])))


def _openings(lines: Sequence[str]) -> Iterator[str | None]:
    """The line that opened the code around each line; code that is never closed does not count."""
    ends: dict[str, int] = {}
    fence = opening = ""
    for number, line in enumerate(lines):
        fence = "" if line.strip() in {BEGIN, END} else fence
        yield opening if fence else None
        within, fence = fence, fence_behind(line, fence)
        if fence and not within:
            opening = line
            if fence not in ends:
                closing = (at for at in range(len(lines) - 1, -1, -1) if not fence_behind(lines[at], fence))
                ends[fence] = next(closing, -1)
            fence = fence if ends[fence] > number else ""


def _before_footer(lines: Sequence[str]) -> int:
    """Where wrapgen's footer begins, the number of lines when there is none."""
    return next((at for at in range(len(lines) - 1, -1, -1) if _is_stamp(lines[at])), len(lines))


def _is_stamp(line: str) -> bool:
    """Whether a line is one of those that change with every snapshot: its time, its version, its tokens."""
    return _STAMP.match(line) is not None


def _frame(labels: TrackLabels) -> Iterator[str]:
    yield f"# {labels.hot}"
    titles = (labels.state, labels.interfaces, labels.tombstones, labels.decisions, labels.by_hand)
    yield from (f"## {number}. {title}" for number, title in enumerate(titles, 1))
    yield from (f"### {title}" for title in (labels.goal, labels.progress, labels.blockers, labels.last))
    for head in (labels.progress_head, labels.tombstone_head, labels.decision_head):
        yield f"| {' | '.join(head)} |"
        yield f"| {' | '.join(head[:2])} |"
    yield labels.none
    yield labels.moved.format(where=MOVED_FILE)


_FRAME = frozenset(
    {"", "---", "|------|------|------|", "|--------|----------|------|", "|--------|----------|", "```"}
    | {line for one in all_labels().values() for line in _frame(one)}
)
_NAMES = "|".join(re.escape(name) for one in all_labels().values() for name in (one.generated, one.version, one.tokens))
_STAMP = re.compile(rf"\s*[_*](?:{_NAMES}):\s*[~v\d][\d ,:.-]*[_*]\s*$")
