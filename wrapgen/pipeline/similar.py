"""Finds all pairs of similar texts without comparing every pair, and misses none. PURE.

What `overlap` lets through is scored; a small set of texts is scored as it is.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz, process

from wrapgen.pipeline.blocking import Member
from wrapgen.pipeline.prefilter import Overlap
from wrapgen.text.folding import ComparableText

# So few texts are compared one by one sooner than they are counted.
_FEW = 250
# Crowds whose places are remembered as bits.
_KEPT_CROWDS = 64
_NONE: tuple[Member, ...] = ()


def _columns(bits: int) -> Iterator[int]:
    """Give the places of the bits that are set."""
    while bits:
        place = bits.bit_length() - 1
        yield place
        bits ^= 1 << place


def _in_order(text: str) -> str:
    """Sort a text's words; the `ratio` of two texts in order is their `token_sort_ratio`."""
    return " ".join(sorted(text.split()))


class SimilarityIndex:
    """Texts known in advance, asked which of them are alike.

    The answers are exactly those of comparing every pair with `wrapgen.pipeline.matching.similarity`, less the pairs
    of one crowd that the guard is known to refuse.

    Args:
        texts: folded texts, see `wrapgen.text.folding`; a text's position here is its key in every answer.
        cutoff: least similarity, above 0 and up to 100.
        crowds: the crowds of each text; by default none is in any.
    """

    def __init__(
        self, texts: Sequence[ComparableText], cutoff: float = 85.0, crowds: Sequence[tuple[Member, ...]] | None = None
    ) -> None:
        self._cutoff = cutoff
        self._positions: dict[tuple[str, tuple[Member, ...]], list[int]] = {}
        for position, folded in enumerate(texts):
            self._positions.setdefault((folded.text, crowds[position] if crowds else _NONE), []).append(position)
        # From here on a text is its place in order of length, each distinct text of a crowd once.
        self._keys = sorted(self._positions, key=lambda key: len(key[0]))
        self._texts = [text for text, _ in self._keys]
        self._in_order = [_in_order(text) for text in self._texts]
        self._overlap = Overlap(self._texts, cutoff) if len(self._texts) > _FEW else None
        self._refused = _Refused(self._keys)

    def matches(self, text: ComparableText) -> Iterator[int]:
        """Give the positions of all stored texts that are alike to any text, in no order, each when it is found."""
        for place in self._found(text.text, _in_order(text.text), _NONE):
            yield from self._positions[self._keys[place]]

    def query(self, text: ComparableText, crowds: tuple[Member, ...] = _NONE) -> list[int]:
        """Give the positions of all stored texts that are alike to any text, ascending."""
        found = self._found(text.text, _in_order(text.text), crowds)
        return sorted(position for place in found for position in self._positions[self._keys[place]])

    def _found(self, text: str, in_order: str, crowds: tuple[Member, ...]) -> Iterator[int]:
        """Give the places of the texts that are alike to this one."""
        if self._overlap is None:
            places = self._compared(text, in_order)
            refused = self._refused.bits(text, crowds) if crowds and places else 0
            return (place for place in places if not refused >> place & 1)
        low, bits = self._overlap.candidates(text)
        if bits and crowds:
            bits &= ~(self._refused.bits(text, crowds) >> low)
        return (low + column for column in _columns(bits) if self._scores(text, in_order, low + column))

    def _compared(self, text: str, in_order: str) -> set[int]:
        """Score all texts whose lengths allow them to be alike."""
        share = self._cutoff / (200 - self._cutoff)
        low = bisect_left(self._texts, int(len(text) * share), key=len)
        high = bisect_right(self._texts, int(len(text) / share) + 1, key=len)
        found: set[int] = set()
        if low < high:
            for query, texts in ((text, self._texts), (in_order, self._in_order)):
                alike = process.extract(
                    query, texts[low:high], scorer=fuzz.ratio, processor=None, limit=None, score_cutoff=self._cutoff
                )
                found.update(low + place for _, _, place in alike)
        return found

    def _scores(self, text: str, in_order: str, place: int) -> bool:
        return (
            fuzz.ratio(text, self._texts[place], score_cutoff=self._cutoff) >= self._cutoff
            or fuzz.ratio(in_order, self._in_order[place], score_cutoff=self._cutoff) >= self._cutoff
        )


class _Refused:
    """Where the texts of a crowd stand that have another value than a query.

    Args:
        keys: each text with its crowds, by place.
    """

    def __init__(self, keys: Sequence[tuple[str, tuple[Member, ...]]]) -> None:
        self._places: defaultdict[object, list[int]] = defaultdict(list)
        for place, (text, crowds) in enumerate(keys):
            for member in crowds:
                self._places[member.crowd].append(place)
                self._places[member.crowd, member.value].append(place)
            if crowds:
                self._places[text].append(place)
        self._bits: dict[object, int] = {}

    def bits(self, text: str, crowds: tuple[Member, ...]) -> int:
        """Give a bit for each text that the guard refuses to call this one's twin; equal texts are none."""
        refused = 0
        for member in crowds:
            refused |= self._all_of(member.crowd) & ~_bits(self._places.get((member.crowd, member.value), ()))
        return refused & ~_bits(self._places.get(text, ()))

    def _all_of(self, crowd: object) -> int:
        if crowd not in self._bits:
            if len(self._bits) >= _KEPT_CROWDS:
                self._bits.clear()
            self._bits[crowd] = _bits(self._places.get(crowd, ()))
        return self._bits[crowd]


def _bits(places: Sequence[int]) -> int:
    if not places:
        return 0
    row = bytearray(places[-1] // 8 + 1)
    for place in places:
        row[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(row, "little")
