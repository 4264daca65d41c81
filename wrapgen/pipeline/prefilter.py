"""Which texts have enough characters in common with a text to be like it: all of them, and few others. PURE.

The bounds. Let two texts have n and m characters and a longest common subsequence of l. rapidfuzz's `ratio` is 100 *
(1 - d / (n + m)), where d = n + m - 2 * l counts the deletions and insertions that turn one into the other. A ratio
of at least c therefore allows d <= (1 - c / 100) * (n + m); as d is at least |n - m|, that bounds m for a given n,
and it bounds l from below: at most n - l characters of the one text, each occurrence counted, are missing in the
other. Sorting a text's words, as `token_sort_ratio` does, changes neither its length nor its characters, so one table
serves both scorers.

Counting characters for all texts at once. Each occurrence of a character ("a second e") has a row with one bit for
every stored text, texts in order of length. Of the rarest P occurrences in a text, a partner of m characters has at
least P - (n - l). A query adds its P rows up, all texts side by side, as a carry-save adder does, each text's sum
starting at what its length allows to be missing, and reads off where the sum overflows. A row shared by rare
characters, and texts that have the same letters by chance, let through what is not alike, never the reverse.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

# Sums are kept in this many bits; a carry out of them is an overflow.
_BITS = 5
_OVERFLOW = 1 << _BITS
# Rows added beyond those that a partner may lack: more let fewer texts through by chance, but make a query longer.
_ROWS_BEYOND = 24
# Occurrences rarer than one text in this many share rows, which bounds their number (Han characters, long texts).
_SHARED_ROW = 64
# Windows remembered; one takes about as much memory as three rows.
_KEPT_WINDOWS = 256
# Division in floating point inside the scorer must not make a bound too tight.
_SLACK = 1e-6


@dataclass(slots=True)
class _Window:
    """The stored texts that a query of a certain length can be alike to.

    Args:
        low: place of the first of them in order of length.
        high: place behind the last.
        rows: how many of the query's rarest rows are added up.
        starts: where the sums start, one string of bits for each bit of a sum, lowest first.
        open_to: texts so short or a cutoff so low that no character need be in common.
        everything: a bit for each text.
        cut: rows of the index cut to the window, as far as they have been asked for.
    """

    low: int
    high: int
    rows: int
    starts: list[int]
    open_to: int
    everything: int
    cut: dict[int, int] = field(default_factory=dict)


def _most_missing(length: int, other: int, cutoff: float) -> int:
    """Give how many characters of a text one of another length may lack; negative: they cannot be alike."""
    edits = int((1 - cutoff / 100) * (length + other) + _SLACK)
    return length - (length + other - edits + 1) // 2 if edits >= abs(length - other) else -1


def _overflowing(sums: list[int], rows: list[int]) -> int:
    """Add rows of bits to sums, column by column, and give the columns in which a sum overflows.

    Args:
        sums: the sums at the start, one string of bits for each of their five bits, lowest first.
        rows: what is added; filled up with empty rows to a multiple of eight, the number added in one round.
    """
    ones, twos, fours, eights, sixteens = sums
    over = 0
    rows.extend([0] * (-len(rows) % 8))
    for at in range(0, len(rows), 8):
        a, b, c, d, e, f, g, h = rows[at : at + 8]
        half = ones ^ a
        two_a = ones & a | half & b
        ones = half ^ b
        half = ones ^ c
        two_b = ones & c | half & d
        ones = half ^ d
        half = twos ^ two_a
        four_a = twos & two_a | half & two_b
        twos = half ^ two_b
        half = ones ^ e
        two_a = ones & e | half & f
        ones = half ^ f
        half = ones ^ g
        two_b = ones & g | half & h
        ones = half ^ h
        half = twos ^ two_a
        four_b = twos & two_a | half & two_b
        twos = half ^ two_b
        half = fours ^ four_a
        eight = fours & four_a | half & four_b
        fours = half ^ four_b
        sixteen = eights & eight
        eights ^= eight
        over |= sixteens & sixteen
        sixteens ^= sixteen
    return over


class Overlap:
    """Counts what texts have in common with a query.

    Args:
        texts: the texts in order of length.
        cutoff: least similarity, above 0 and up to 100.
    """

    def __init__(self, texts: Sequence[str], cutoff: float) -> None:
        self._texts = texts
        self._cutoff = cutoff
        self._lengths = [len(text) for text in texts]
        self._rows_of: dict[str, list[int]] = {}
        self._rows = self._filled(self._numbered())
        self._windows: dict[int, _Window] = {}
        self._last: _Window | None = None

    def candidates(self, text: str) -> tuple[int, int]:
        """Find the texts that may be similar to this one.

        Texts asked for in the order of their length are answered faster.

        Returns:
            A place in the order of the texts, and a bit for each text from there on.
        """
        window = self._window(len(text))
        cut, rows = window.cut, []
        for number in self._numbers(text)[: window.rows]:
            row = cut.get(number)
            if row is None:
                row = cut[number] = (self._rows[number] >> window.low) & window.everything if number >= 0 else 0
            rows.append(row)
        return window.low, _overflowing(window.starts, rows) | window.open_to

    def _numbered(self) -> int:
        """Give every occurrence of a character the number of its row, the rarest first, and count the rows."""
        spread: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for text in self._texts:
            for character, times in Counter(text).items():
                spread[character][times] += 1
        occurrences: list[tuple[int, str]] = []
        for character, times_texts in spread.items():
            texts = 0
            for times in range(max(times_texts), 0, -1):
                texts += times_texts[times]
                occurrences.append((texts, character))
        full = len(self._texts) / _SHARED_ROW
        load, row = 0, 0
        # An earlier occurrence is in more texts than a later one, so each character's numbers come out last one first.
        for texts, character in sorted(occurrences):
            if load and load + texts > full:
                load, row = 0, row + 1
            self._rows_of.setdefault(character, []).append(row)
            load += texts
        for numbers in self._rows_of.values():
            numbers.reverse()
        return row + 1

    def _numbers(self, text: str) -> list[int]:
        """List the rows of a text's characters, rarest first; -1 stands for what no stored text has."""
        numbers: list[int] = []
        for character, times in Counter(text).items():
            known = self._rows_of.get(character, ())[:times]
            numbers.extend(known)
            numbers.extend([-1] * (times - len(known)))
        numbers.sort()
        return numbers

    def _filled(self, number_of_rows: int) -> list[int]:
        rows = [bytearray(len(self._texts) // 8 + 1) for _ in range(number_of_rows)]
        for place, text in enumerate(self._texts):
            byte, bit = place >> 3, 1 << (place & 7)
            for number in self._numbers(text):
                rows[number][byte] |= bit
        return [int.from_bytes(bits, "little") for bits in rows]

    def _window(self, length: int) -> _Window:
        """Bound the partners of a text of this many characters; only the last window keeps its cut rows."""
        window = self._windows.get(length)
        if window is None:
            if len(self._windows) >= _KEPT_WINDOWS:
                self._windows.clear()
            window = self._windows[length] = self._new_window(length)
        if self._last is not None and self._last is not window:
            self._last.cut.clear()
        self._last = window
        return window

    def _new_window(self, length: int) -> _Window:
        share = self._cutoff / (200 - self._cutoff)
        low = bisect_left(self._lengths, int(length * share))
        high = bisect_right(self._lengths, int(length / share) + 1)
        # Of each length that occurs between them: the place of its first text, and what it may lack of the query.
        missing: list[tuple[int, int]] = []
        at = low
        while at < high:
            missing.append((at, _most_missing(length, self._lengths[at], self._cutoff)))
            at = bisect_right(self._lengths, self._lengths[at], at, high)
        rows = min(length, max((most for _, most in missing), default=0) + _ROWS_BEYOND)
        starts, open_to = [0] * _BITS, 0
        for number, (first, most) in enumerate(missing):
            end = missing[number + 1][0] if number + 1 < len(missing) else high
            columns = ((1 << (end - first)) - 1) << (first - low)
            start = _OVERFLOW - rows + most if most >= 0 else 0
            if start >= _OVERFLOW:
                open_to |= columns
                continue
            for bit in range(_BITS):
                if max(0, start) >> bit & 1:
                    starts[bit] |= columns
        return _Window(low, high, rows, starts, open_to, (1 << (high - low)) - 1)
