"""A word replaced by an unrelated one."""

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.pair import Pair, said
from wrapgen.pipeline.guard.tokens import Token

# Common words from which a text counts as the same one with details added.
_ENOUGH_SHARED = 4


def _fixed(half: Half) -> list[tuple[Token, int]]:
    return [
        (token, slot)
        for token, slot in zip(half.content, half.slots, strict=True)
        if not token.running and not token.quantity
    ]


def _is_name(token: Token) -> bool:
    """Tell whether a word within a text is written like somebody's or something's name."""
    return token.index > 0 and token.written[:1].isupper()


def _reworded(pair: Pair, one: list[tuple[Token, int]], other: list[tuple[Token, int]]) -> bool:
    """Tell a rewording from a substitution: it touches several places, or puts another number of words in one.

    One word in the place of one word, all else equal, is how two pieces of work differ; so is another first word, since
    it names what is to be done, and a name in the place of a name.
    """
    if pair.only_a.shared < _ENOUGH_SHARED or not pair.elsewhere:
        return False
    slots_a, slots_b = {slot for _, slot in one}, {slot for _, slot in other}
    if not slots_a & slots_b:
        return True
    both = slots_a & slots_b
    if any(_is_name(token) for token, slot in one if slot in both) and any(
        _is_name(token) for token, slot in other if slot in both
    ):
        return False
    return 0 not in both and len(one) != len(other)


def replaced_word(pair: Pair) -> str | None:
    """Refuse a word in the place of one that is neither a form nor a synonym of it; also a word for a name or number.

    Where the texts share enough, words added at different places ("jobs run nightly and report", "jobs run and report
    to the list") are a detail in each copy, no swap.
    """
    one, other = _fixed(pair.only_a), _fixed(pair.only_b)
    han_a, han_b = pair.only_a.han, pair.only_b.han
    if not (one or han_a) or not (other or han_b):
        return None
    if not han_a and not han_b and _reworded(pair, one, other):
        return None
    written_a, written_b = ([token.written for token, _ in fixed] for fixed in (one, other))
    return f"replaced word: {said([*written_a, *han_a])} / {said([*written_b, *han_b])}"
