"""When two words are one in two forms: inflection, derivation, spelling, abbreviation, a slip of the finger."""

from collections import defaultdict
from functools import lru_cache

from rapidfuzz.distance import OSA

from wrapgen.pipeline.guard.lexicon import english, korean

# Letters that two words must begin with in common, for endings that inflect a word and for others.
_INFLECTED_STEM = 3
_DERIVED_STEM = 5
# Two slips in a long word, one in a word of middle length: below that, one letter makes another word (cost, post).
_ONE_SLIP = 7
_TWO_SLIPS = 10


def _common_start(one: str, other: str) -> int:
    size = min(len(one), len(other))
    for place in range(size):
        if one[place] != other[place]:
            return place
    return size


def _undoubled(rest: str, last: str) -> str:
    """Take off a consonant that was doubled before an ending ("run" + "ning")."""
    return rest[1:] if len(rest) > 1 and rest[0] == last else rest


def _share_stem(one: str, other: str) -> bool:
    start = _common_start(one, other)
    for stem in range(start, max(_INFLECTED_STEM, start - 3) - 1, -1):
        endings = english.DERIVATIONS if stem >= _DERIVED_STEM else english.INFLECTIONS
        last = one[stem - 1]
        rests = one[stem:], other[stem:]
        if set(rests) == {"", "e"}:
            continue  # "past" and "paste" are two words
        if all(rest in endings or _undoubled(rest, last) in endings for rest in rests):
            return True
    return False


def _spellings() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Pairs of endings, both ways, by what is left of them behind the letters that they begin with in common."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for pair in english.SPELLINGS:
        for left, right in (pair, pair[::-1]):
            start = _common_start(left, right)
            found[left[start:], right[start:]].append((left, right))
    return dict(found)


_SPELLINGS = _spellings()


def _spelled_alike(one: str, other: str) -> bool:
    if one.endswith("s") and other.endswith("s"):
        one, other = one[:-1], other[:-1]
    start = _common_start(one, other)
    endings = _SPELLINGS.get((one[start:], other[start:]), ())
    return any(one.endswith(left) and other.endswith(right) for left, right in endings)


def _slipped(one: str, other: str) -> bool:
    """Letters left out, doubled or exchanged, never the first one; a substituted letter counts in long words only."""
    longest = max(len(one), len(other))
    if longest < _ONE_SLIP or one[0] != other[0]:
        return False
    distance = OSA.distance(one, other, score_cutoff=2)
    if distance == 1:
        substituted = len(one) == len(other) and sorted(one) != sorted(other)
        return not substituted or longest >= _TWO_SLIPS
    return distance == 2 and longest >= _TWO_SLIPS


@lru_cache(maxsize=8192)
def plain(word: str) -> str:
    """The long form of an abbreviated English word, the plain form of an irregular one; any other word as it is."""
    return english.ABBREVIATIONS.get(word) or english.IRREGULAR.get(word, word)


@lru_cache(maxsize=8192)
def are_variants(one: str, other: str) -> bool:
    """Tell whether two words, case folded, are forms or spellings of one word."""
    one, other = plain(one), plain(other)
    if one == other:
        return True
    if "가" <= one[0] <= "힣":
        return korean_stem(one) == korean_stem(other)
    return _share_stem(one, other) or _spelled_alike(one, other) or _slipped(one, other)


@lru_cache(maxsize=8192)
def korean_stem(word: str) -> str:
    """Take particles and verb endings off a Korean word; at least one syllable stays."""
    word = korean.SHORT.get(word, word)
    for _ in range(2):
        for ending in korean.ENDINGS:
            if (
                len(word) > len(ending)
                and word.endswith(ending)
                and len(word) - len(ending) >= (1 if len(ending) > 1 else 2)
            ):
                word = word[: -len(ending)]
                break
        else:
            break
    return word
