"""A swap: each text has something that the other lacks. A detail in one copy only is no swap."""

from wrapgen.pipeline.guard.difference import Half
from wrapgen.pipeline.guard.pair import Pair
from wrapgen.pipeline.guard.tokens import Kind, Token

# Shown of a longer difference, characters.
_SHOWN = 40
# Common words from which a text counts as the same one with details added.
_ENOUGH_SHARED = 4
# Common words from which another quantity ("5 failures left") does not make another item.
_LONG = 6


def said(words: list[str] | tuple[str, ...]) -> str:
    """Write a difference down shortly."""
    joined = " ".join(words)
    return joined if len(joined) <= _SHOWN else joined[: _SHOWN - 1] + "…"


def _swap(pair: Pair, name: str, *kinds: Kind) -> str | None:
    one, other = pair.only_a.written(*kinds), pair.only_b.written(*kinds)
    return f"swapped {name}: {said(one)} / {said(other)}" if one and other else None


def swapped_date(pair: Pair) -> str | None:
    """Refuse another date or time of day."""
    return _swap(pair, "date", Kind.DATE)


def swapped_version(pair: Pair) -> str | None:
    """Refuse another version."""
    return _swap(pair, "version", Kind.VERSION)


def swapped_number(pair: Pair) -> str | None:
    """Refuse another number, unless it is a counter that runs on by itself or a mere quantity in a long text."""
    halves = pair.only_a, pair.only_b
    if (
        _elsewhere(pair)
        and pair.only_a.shared >= _LONG
        and all(
            token.quantity
            for half in halves
            for token in half.content
            if token.kind is Kind.NUMBER and not token.running
        )
    ):
        return None
    return _swap(pair, "number", Kind.NUMBER, Kind.DATE, Kind.VERSION)


def _elsewhere(pair: Pair) -> bool:
    """Tell whether the two stand in different files, as copies of one item carried along do."""
    return pair.a.path is None or pair.a.path != pair.b.path


def _quoted(half: Half) -> list[str]:
    return [token.written for token in half.content if token.quoted]


def swapped_quotation(pair: Pair) -> str | None:
    """Refuse other words in backticks or quotation marks."""
    one, other = _quoted(pair.only_a), _quoted(pair.only_b)
    return f"swapped quotation: {said(one)} / {said(other)}" if one and other else None


def swapped_identifier(pair: Pair) -> str | None:
    """Refuse another path, address, code or identifier."""
    return _swap(pair, "identifier", Kind.NAME)


def swapped_characters(pair: Pair) -> str | None:
    """Refuse other Han characters; a single one can be the whole difference."""
    one, other = pair.only_a.han, pair.only_b.han
    return f"swapped characters: {said(one)} / {said(other)}" if one and other else None


def _fixed(half: Half) -> list[tuple[Token, int]]:
    return [
        (token, slot)
        for token, slot in zip(half.content, half.slots, strict=True)
        if not token.running and not token.quantity
    ]


def _reworded(pair: Pair, one: list[tuple[Token, int]], other: list[tuple[Token, int]]) -> bool:
    """Tell a rewording from a substitution: it touches several places, or puts another number of words in one.

    One word in the place of one word, all else equal, is how two pieces of work differ; so is another first word, since it
    names what is to be done.
    """
    if pair.only_a.shared < _ENOUGH_SHARED or not _elsewhere(pair):
        return False
    slots_a, slots_b = {slot for _, slot in one}, {slot for _, slot in other}
    if not slots_a & slots_b:
        return True
    return 0 not in slots_a & slots_b and len(pair.only_a.only) != len(pair.only_b.only)


def replaced_word(pair: Pair) -> str | None:
    """Refuse a word in the place of one that is neither a form nor a synonym of it; also a word for a name or number.

    Where the texts share enough, words added at different places ("jobs run nightly and report", "jobs run and report to
    the list") are a detail in each copy, no swap.
    """
    one, other = _fixed(pair.only_a), _fixed(pair.only_b)
    han_a, han_b = pair.only_a.han, pair.only_b.han
    if not (one or han_a) or not (other or han_b):
        return None
    if not han_a and not han_b and _reworded(pair, one, other):
        return None
    written_a, written_b = ([token.written for token, _ in fixed] for fixed in (one, other))
    return f"replaced word: {said([*written_a, *han_a])} / {said([*written_b, *han_b])}"
