"""Crowds of items that differ in a number or a name alone, told apart without comparing each with each. PURE.

"Write chapter 1 of the long book" to "Write chapter 900 of the long book" are all alike, and the guard refuses every
pair of them for one reason: another number. Members of one crowd with different values are refused for certain, so
nobody need ask. That this is so follows from the guard's code, for texts whose tokens are equal but for their slots:

- Slots are tokens with digits, all of one kind: numbers, dates or versions in any number of places, or one identifier.
- No slot's key stands elsewhere in the text, so the slots that two members do not share, at least one on each side,
  are all that `difference` finds; other forms, synonyms and joined words are only sought among words.
- An identifier without a slash is another form of one only when it has more letters or the same; a crowd's have
  equally many, and their letters are the value.
- Numbers that run on by themselves may differ, so they are no slots; quantities may differ from file to file, so they
  make a crowd in each file only.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from wrapgen.folding import Folded
from wrapgen.model import Evidence, Item
from wrapgen.pipeline.guard.tokens import Kind, Token, tokens

# Fewer texts than this are compared with each other sooner than cut into tokens.
_MANY = 8
_DIGITS = re.compile(r"[0-9]+")
_NOT_LETTERS = re.compile(r"[\W_]")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_SLOT_KINDS = (Kind.NUMBER, Kind.DATE, Kind.VERSION, Kind.NAME)


class Member(NamedTuple):
    """A text's place in a crowd.

    Attributes:
        crowd: what its members have in common.
        value: what tells them apart; members of one crowd with different values are different work.
    """

    crowd: tuple[object, ...]
    value: frozenset[str]


class Crowds:
    """Finds the texts that belong to a crowd.

    Args:
        entries: all items and evidence that will be compared with each other.
    """

    def __init__(self, entries: Iterable[Item | Evidence]) -> None:
        shapes = Counter(_shape(entry.folded) for entry in entries)
        self._shapes = frozenset(shape for shape, number in shapes.items() if number >= _MANY and "0" in shape)

    def of(self, entry: Item | Evidence) -> tuple[Member, ...]:
        """The crowds of one of the entries, and its values there."""
        return memberships(entry.folded, entry.path) if _shape(entry.folded) in self._shapes else ()


def memberships(folded: Folded, path: str | None) -> tuple[Member, ...]:
    """A text's crowds, however few there are in them; one for each kind of slot that it has.

    Args:
        folded: the text.
        path: its file; None when not known.
    """
    cut = tokens(folded)
    found: list[Member] = []
    for kind in _SLOT_KINDS:
        slots = {token.index for token in cut if token.kind is kind and not token.running and _DIGITS.search(token.key)}
        member = _member(cut, slots, kind, path) if slots else None
        if member:
            found.append(member)
    return tuple(found)


def _member(cut: tuple[Token, ...], slots: set[int], kind: Kind, path: str | None) -> Member | None:
    skeleton = tuple(None if token.index in slots else token for token in cut)
    others = {token.key for token in skeleton if token}
    keys = frozenset(cut[index].key for index in slots)
    if keys & others:
        return None
    if kind is Kind.NAME:
        if len(slots) > 1 or not _is_plain_name(name := next(iter(keys)), others):
            return None
        letters = _NOT_LETTERS.sub("", name)
        return Member((skeleton, kind, len(letters)), frozenset((letters,)))
    if not any(cut[index].quantity for index in slots):
        return Member((skeleton, kind, len(keys)), keys)
    return Member((skeleton, kind, len(keys), path), keys) if path is not None else None


def _is_plain_name(name: str, others: set[str]) -> bool:
    """Whether an identifier is no path, and the rest of its text does not say all its parts in words."""
    return "/" not in name and not others.issuperset(_PARTS.findall(name))


def _shape(folded: Folded) -> str:
    return _DIGITS.sub("0", folded.text)
