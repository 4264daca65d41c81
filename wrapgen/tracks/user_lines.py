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
from wrapgen.tracks.labels import TrackLabels, all_labels

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
    return _LinePass(text.removeprefix("\ufeff").splitlines(), {line.rstrip() for line in own}).read()


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


class _LinePass:
    def __init__(self, lines: Sequence[str], own: set[str]) -> None:
        self._lines = lines
        self._own = own | _FRAME
        self._found: list[AddedLines] = []
        self._block: list[str] = []
        self._heading = ""
        self._table: list[str] = []
        self._fence = ""
        self._opening = ""  # the line that opened the fence, where it is wrapgen's
        self._theirs = False
        self._ends: dict[str, int] = {}  # the last line that closes a fence

    def read(self) -> tuple[AddedLines, ...]:
        lines, number = self._lines, 0
        while number < len(lines):
            line = lines[number]
            if line.strip() == BEGIN:
                self._end()
                end = next((at for at in range(number + 1, len(lines)) if lines[at].strip() == END), None)
                self._verbatim(number + 1, end if end is not None else _before_footer(lines))
                number = len(lines) if end is None else end + 1
                continue
            if line.strip() != END:
                self._take(line, number)
            number += 1
        self._end()
        return tuple(dict.fromkeys(self._found))

    def _take(self, line: str, number: int) -> None:
        heading = None if self._fence else _HEADING.match(line)
        own = line.rstrip() in self._own
        if heading and own:
            self._end()
            self._theirs, self._heading, self._table = False, line.strip(), []
        elif heading:
            self._end()
            self._theirs = True
            self._block.append(line)
        elif not self._theirs:
            self._in_own_section(line, number, own=own or _is_stamp(line))
        elif not self._fence and _is_stamp(line):  # the footer
            self._end()
            self._theirs = False
        else:
            self._fenced(line, number)
            self._block.append(line)

    def _in_own_section(self, line: str, number: int, *, own: bool) -> None:
        before = self._fence
        own = own and not (before and not self._opening)
        self._fenced(line, number)
        if self._fence and not before:
            self._opening = line.strip() if own else ""
        if not own:
            self._block = self._block or self._place(line, before)
            self._block.append(line)
        elif self._block and not line.strip():
            self._block.append("")
        else:
            if before and self._block:
                self._block.append(before)
            self._end()
            if line.lstrip().startswith("|") and line.rstrip() in _FRAME:  # the head of a table, or the rule below it
                self._table = [*self._table, line][-2:]

    def _place(self, line: str, fence: str) -> list[str]:
        """What a line that is in wrapgen's own section needs to be understood elsewhere."""
        heading = _HEADING.match(self._heading)
        title = (
            _NUMBERED.sub("", (heading[2] or "").rstrip(" \t").rstrip("#").rstrip(" \t"), count=1) if heading else ""
        )
        place = [f"### {title}"] if title and heading and heading[1] != "#" else []
        table = self._table if line.lstrip().startswith("|") else []
        return [*place, *table, *([self._opening] if fence else [])]

    def _fenced(self, line: str, number: int) -> None:
        """Track whether a line opens or closes a block of code; an unclosed one does not count."""
        within, self._fence = self._fence, fence_behind(line, self._fence)
        if self._fence and not within and self._last_end(self._fence) <= number:
            self._fence = ""

    def _last_end(self, fence: str) -> int:
        if fence not in self._ends:
            ends = (at for at in range(len(self._lines) - 1, -1, -1) if not fence_behind(self._lines[at], fence))
            self._ends[fence] = next(ends, -1)
        return self._ends[fence]

    def _verbatim(self, begin: int, end: int) -> None:
        """What was kept before: parted again at its headings."""
        for number in range(begin, end):
            line = self._lines[number]
            if not self._fence and _HEADING.match(line):
                self._end()
            self._fenced(line, number)
            self._block.append(line)
        self._fence = ""
        self._end()

    def _end(self) -> None:
        """Store the collected lines, without the blank lines and rules around them."""
        lines = self._block
        begin = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
        while len(lines) > begin and lines[-1].strip() in {"", "---"}:
            lines.pop()
        if lines[begin:]:
            self._found.append(AddedLines(tuple(line.rstrip() for line in lines[begin:])))
        self._block = []


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
    | {line for one in all_labels() for line in _frame(one)}
)
_NAMES = "|".join(re.escape(name) for one in all_labels() for name in (one.generated, one.version, one.tokens))
_STAMP = re.compile(rf"\s*[_*](?:{_NAMES}):\s*[~v\d][\d ,:.-]*[_*]\s*$")
