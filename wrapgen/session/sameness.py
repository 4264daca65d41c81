"""Whether two mentions are the same piece of work, by the words they hold."""

_ALIKE = 0.65
"""Share of the smaller mention's words that two versions of a list item have in common."""
_SAME = 0.8
"""The same for two mentions that count as one although each has words of its own, and the words they need."""
_LONG = 6


def alike(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two list items may be the same one in different words."""
    if _other_number(left, right):
        return False
    left, right = left - numbers_of(left), right - numbers_of(right)
    shared = len(left & right)
    return (
        shared >= min(2, len(left), len(right))
        and shared / max(1, min(len(left), len(right))) >= _ALIKE
        and shared * 4 >= max(len(left), len(right))
    )


def same(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two mentions are certainly the same work; in doubt both are kept.

    One may say more than the other, but where each has words of its own, it is another window, step or key.
    """
    if not alike(left, right):
        return False
    smaller = min(len(left), len(right))
    own = left - right and right - left
    return not own or (smaller >= _LONG and len(left & right) / smaller > _SAME)


def _other_number(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether the two name different numbers: step 3 is not step 5, though both may be "the tests"."""
    mine, others = numbers_of(left), numbers_of(right)
    return bool(mine and others) and mine != others


def numbers_of(words: frozenset[str]) -> frozenset[str]:
    """The numbers among the words."""
    return frozenset(filter(str.isdigit, words))
