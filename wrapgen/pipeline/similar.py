"""All texts that are alike, found without comparing every pair, and none of them missed.

The bounds. Let two texts have n and m characters and a longest common subsequence of l. rapidfuzz's `ratio` is
100 * (1 - d / (n + m)), where d = n + m - 2 * l counts the deletions and insertions that turn one into the other; so a
ratio of at least c allows d <= (1 - c / 100) * (n + m), which bounds m for a given n (d is at least |n - m|) and l from below.

Of the pairs of neighbouring characters in a text, one blank added at each end (n + 1 pairs), a deletion takes away at most
two and an insertion parts at most one: the other text has all but 2 * (n - l) + (m - l) of them. Sorting a text's words, as
`token_sort_ratio` does, moves whole words with the blank on either side, so the pairs stay the same: one index serves both.

So, of the rarest `lost + k` pairs of a text, where `lost` is the largest number that a partner may lack, every partner has
at least k. Each pair of characters has one bit for every stored text, texts in order of length; a query adds its rarest
pairs' bits up, all texts at once, in the manner of a carry-save adder, and looks only where a sum reaches k. What is found
so is then scored; pairs of characters that share a row of bits, and texts that reach k by chance, cost time only.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import count

from rapidfuzz import fuzz

from wrapgen.folding import Folded

# Sums are kept in three bits: a carry out of them says that k, at most this number, was reached.
_MOST_COMMON = 8
# Pairs of characters rarer than one text in this many share their row of bits, which bounds the memory to about
# 64 * 50 rows of one bit a text (40 MB for 100,000 texts of 50 characters).
_SHARED_ROW = 64
# A row whose pair occurs this often in one text is told apart from the next ("aa" in "aaaa"); the rest is one row.
_MOST_REPEATS = 64
# Floating-point division inside the scorer must not make a bound too tight.
_SLACK = 1e-6


def _most_edits(length: int, other: int, cutoff: float) -> int:
    """Give the largest number of deletions and insertions at which the ratio of two lengths can reach the cutoff."""
    return int((1 - cutoff / 100) * (length + other) + _SLACK)


def _pairs(text: str) -> list[str]:
    """List a text's pairs of neighbouring characters; a repeated one is numbered."""
    if not text:
        return []
    padded = f" {text} "
    pairs = [padded[place : place + 2] for place in range(len(padded) - 1)]
    if len(set(pairs)) == len(pairs):
        return pairs
    seen: Counter[str] = Counter()
    for place, pair in enumerate(pairs):
        repeat = seen[pair]
        if repeat:
            pairs[place] = f"{pair}{min(repeat, _MOST_REPEATS)}"
        seen[pair] = repeat + 1
    return pairs


def _reaching(rows: list[int], least: int, everything: int) -> int:
    """Add rows of bits up column by column and give the columns whose sum reaches `least` (1 to 8).

    Eight rows a round: sums of two rows at a time are carried into twos, these into fours, and a carry out of the fours is
    what is asked for; the sums start at 8 - `least`.
    """
    start = _MOST_COMMON - least
    ones, twos, fours = (everything if start & bit else 0 for bit in (1, 2, 4))
    reached = 0
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
        reached |= fours & four_a | half & four_b
        fours = half ^ four_b
    return reached


def _columns(bits: int) -> Iterator[int]:
    """Give the places of the bits that are set."""
    while bits:
        place = bits.bit_length() - 1
        yield place
        bits ^= 1 << place


class SimilarityIndex:
    """Texts known in advance, asked which of them are alike.

    The answers are exactly those of comparing every pair with `wrapgen.pipeline.matching.similarity`.

    Args:
        texts: folded texts as `wrapgen.folding.fold` gives them; a text's position here is its key in every answer.
        cutoff: least similarity, above 0 and up to 100.
    """

    def __init__(self, texts: Sequence[Folded], cutoff: float = 85.0) -> None:
        self._cutoff = cutoff
        self._equal: dict[str, list[int]] = defaultdict(list)
        for position, folded in enumerate(texts):
            self._equal[folded.text].append(position)
        # From here on a text is its place in order of length, each distinct text once.
        self._texts = sorted(self._equal, key=len)
        self._sorted: list[str | None] = [None] * len(self._texts)
        self._lengths = [len(text) for text in self._texts]
        self._row_of: dict[str, int] = {}
        self._rows: list[int] = []
        self._queries: list[array[int]] = []
        self._index()
        self._lost: dict[tuple[int, bool], tuple[int, int, int]] = {}
        self._window: tuple[int, int] = (-1, -1)
        self._cut: dict[int, int] = {}
        self._alike: dict[int, array[int]] | None = None

    def _index(self) -> None:
        """Give every pair of characters its row, rare ones shared, numbered from the rarest, and fill the rows."""
        all_pairs = [_pairs(text) for text in self._texts]
        spread: Counter[str] = Counter()
        for pairs in all_pairs:
            spread.update(pairs)
        full = len(self._texts) / _SHARED_ROW
        load, row = 0, 0
        for pair, texts in sorted(spread.items(), key=lambda item: (item[1], item[0])):
            if load and load + texts > full:
                load, row = 0, row + 1
            self._row_of[pair] = row
            load += texts
        rows = [bytearray(len(self._texts) // 8 + 1) for _ in range(row + 1)]
        for place, pairs in enumerate(all_pairs):
            byte, bit = place >> 3, 1 << (place & 7)
            numbers = sorted(map(self._row_of.__getitem__, pairs))
            for number in numbers:
                rows[number][byte] |= bit
            self._queries.append(array("I", numbers))
        self._rows = [int.from_bytes(bits, "little") for bits in rows]

    def equal(self, text: Folded) -> Sequence[int]:
        """Give the positions of the texts that are equal to this one, ascending; looked up, not searched."""
        return self._equal.get(text.text, ())

    def earlier(self, position: int, text: Folded) -> Iterator[int]:
        """Give the positions before this one whose texts are alike.

        The first call compares all stored texts with each other.

        Args:
            position: a position of the texts given at the beginning.
            text: the text at that position.

        Returns:
            Positions, ascending, worked out as they are asked for.
        """
        if self._alike is None:
            self._alike = self._join()
        own = self._equal[text.text]
        near = (self._equal[self._texts[place]] for place in self._alike.get(own[0], ()))
        for found in merge(own, *near):
            if found >= position:
                return
            yield found

    def query(self, text: Folded) -> list[int]:
        """Give the positions of all stored texts that are alike to any text, ascending."""
        if not text.text:
            return list(self.equal(text))
        numbers = [self._row_of.get(pair, -1) for pair in _pairs(text.text)]
        numbers.sort()
        low, high, lost = self._bounds(len(text.text), both=True)
        found = self._search(text.text, numbers, (low, high, lost), 0)
        return sorted(position for place in found for position in self._equal[self._texts[place]])

    def _join(self) -> "dict[int, array[int]]":
        """Find all pairs of stored texts that are alike, asking each text for longer or equally long ones only.

        Returns:
            For the first position of a text, the places of the alike texts that occur before it in the order given.
        """
        alike: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))
        first = [self._equal[text][0] for text in self._texts]
        for place, (text, numbers) in enumerate(zip(self._texts, self._queries, strict=True)):
            if not text:
                continue
            bounds = self._bounds(len(text), both=False)
            for other in self._search(text, numbers, bounds, place + 1):
                later, sooner = (place, other) if first[place] > first[other] else (other, place)
                alike[first[later]].append(sooner)
        return dict(alike)

    def _bounds(self, length: int, *, both: bool) -> tuple[int, int, int]:
        """Bound the partners of a text of this many characters, of any length or (not `both`) no shorter ones.

        Returns:
            The places between which they stand, and the largest number of the text's pairs that one of them may lack.
        """
        known = self._lost.get((length, both))
        if known is not None:
            return known
        shortest = length
        while both and shortest > 1 and length - shortest + 1 <= _most_edits(length, shortest - 1, self._cutoff):
            shortest -= 1
        longest, lost = shortest, 0
        for other in count(shortest):
            edits = _most_edits(length, other, self._cutoff)
            if other - length > edits:
                break
            longest = other
            common = (length + other - edits + 1) // 2
            lost = max(lost, 2 * (length - common) + other - common)
        low, high = bisect_left(self._lengths, shortest), bisect_right(self._lengths, longest)
        self._lost[length, both] = low, high, lost
        return low, high, lost

    def _search(self, text: str, numbers: Sequence[int], bounds: tuple[int, int, int], start: int) -> list[int]:
        """Give the places, `start` or later, of the texts within bounds that are alike to this one."""
        low, high, lost = bounds
        least = min(_MOST_COMMON, len(numbers) - lost)
        if self._window != (low, high):
            self._window, self._cut = (low, high), {-1: 0}
        everything = (1 << (high - low)) - 1
        reached = everything
        if least > 0:
            cut, rows = self._cut, []
            for number in numbers[: lost + least]:
                row = cut.get(number)
                if row is None:
                    row = cut[number] = (self._rows[number] >> low) & everything
                rows.append(row)
            reached = _reaching(rows, least, everything)
        if start > low:
            low, reached = start, reached >> (start - low)
        return [low + column for column in _columns(reached) if self._alike_enough(text, low + column)]

    def _alike_enough(self, text: str, place: int) -> bool:
        other = self._texts[place]
        if fuzz.ratio(text, other, score_cutoff=self._cutoff) >= self._cutoff:
            return True
        in_order = self._sorted[place]
        if in_order is None:
            in_order = self._sorted[place] = " ".join(sorted(other.split()))
        return fuzz.ratio(" ".join(sorted(text.split())), in_order, score_cutoff=self._cutoff) >= self._cutoff
