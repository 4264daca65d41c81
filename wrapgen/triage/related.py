"""Whether a quote is about what it is to prove something of: they share a word of content. PURE."""

from collections.abc import Iterable, Sequence

from wrapgen.late_pattern import late
from wrapgen.text.words import CJK, Folded, content_words

_HUMP = late(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CAPITALS = late(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
_SHOUTED = frozenset({"AND", "ARE", "BUT", "FOR", "HAS", "NOR", "NOT", "THE", "WAS", "YOU"})
_OTHER_WORD = late(rf"[^\W\d_a-z{CJK}]{{3,}}")  # of other scripts than the Latin one and those without blanks
_RUN = late(f"[{CJK}]+")
_STEM = 6  # first letters that two forms of one word share


def unrelated(quote: str, about: Sequence[str]) -> bool:
    """Tell whether a quote shares no word of content and no identifier with any of some texts.

    The parts of an identifier and of a compound are words, and one word in two forms is one: proofs stand in code and
    in other sentences. In Korean, Chinese and Japanese two characters are enough, one where the word is one.
    """
    said, runs = _words(quote), _RUN.findall(quote)
    return not any(
        any(_akin(one, other) for other in _words(text) for one in said) or _shares_character(runs, _RUN.findall(text))
        for text in about
    )


def is_filler(text: str) -> bool:
    """Tell whether a text names no work: it has fewer than two words of content, those that only point aside apart."""
    runs = _RUN.findall(text)
    words = {one for one in _words(text) if _RUN.match(one) is None} - _POINTING
    return len(words) + sum(min(len(run), _LONG_RUN) // 2 + len(run) % 2 for run in runs) < _LEAST_WORDS


_POINTING = content_words(
    "continue, see above, see below, same as before, TBD, to do, todo, next, later, work, go on, more"
)
_LEAST_WORDS = 2
_LONG_RUN = 4  # characters of Korean, Chinese or Japanese that are two words for sure


def _words(text: str) -> frozenset[str]:
    names = _CAPITALS.findall(text)  # PER is a name, "per" is a word without content
    others = _OTHER_WORD.findall(Folded(text).text)
    return content_words(text) | content_words(_HUMP.sub(" ", text)) | (frozenset(names) - _SHOUTED) | frozenset(others)


def _akin(one: str, other: str) -> bool:
    if one == other:
        return True
    stem = _STEM if one.isascii() else _STEM - 2  # endings are longer where words are declined
    return min(len(one), len(other)) >= stem and one[:stem] == other[:stem]


def _shares_character(some: Iterable[str], others: Iterable[str]) -> bool:
    """Tell whether a word that is one character begins a word of the other side."""
    mine, theirs = list(some), list(others)
    return any(
        len(one) == 1 and any(other.startswith(one) for other in side)
        for each, side in ((mine, theirs), (theirs, mine))
        for one in each
    )
