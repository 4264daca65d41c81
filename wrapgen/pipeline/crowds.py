"""Crowds of items that differ in one word or number alone, told apart without comparing each with each. PURE.

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
- A single word is a slot where it has no synonym and no other form of it stands in the text: one word in the place of
  one word is refused unless the two are forms of one. Two of those begin with the same letter, which is the value;
  `apart` looks closer.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from wrapgen.folding import Folded
from wrapgen.model import Evidence, Item
from wrapgen.pipeline.guard.difference import meanings
from wrapgen.pipeline.guard.lexicon import english
from wrapgen.pipeline.guard.tokens import Kind, Token, tokens
from wrapgen.pipeline.guard.variants import are_variants, plain

# Fewer texts than this are compared with each other sooner than cut into tokens.
_MANY = 8
_DIGITS = re.compile(r"[0-9]+")
_NOT_LETTERS = re.compile(r"[\W_]")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_LATIN = re.compile(r"[a-z]+")
# Letters of a word: shorter ones are looked at in other ways.
_SHORTEST = 3
# Tokens of a text: each word is held against all others, and nobody writes long items by the hundred.
_LONGEST = 60
# Endings that are spelled in two ways: as whole words they would be two words that begin differently.
_ENDINGS = frozenset(ending for pair in english.SPELLINGS for ending in pair)
_SLOT_KINDS = (Kind.NUMBER, Kind.DATE, Kind.VERSION, Kind.NAME)


class Member(NamedTuple):
    """A text's place in a crowd.

    Attributes:
        crowd: what its members have in common.
        value: what tells them apart; members of one crowd with different values are different work.
        word: the slot, where it is a word.
    """

    crowd: object
    value: frozenset[str]
    word: str = ""


class Crowds:
    """Finds the texts that belong to a crowd.

    Args:
        entries: all items and evidence that will be compared with each other.
    """

    def __init__(self, entries: Iterable[Item | Evidence]) -> None:
        texts = {entry.folded.text for entry in entries}
        shapes = Counter(shape for text in texts for shape in (_digits_levelled(text), *_halves(text)))
        self._shapes = frozenset(shape for shape, number in shapes.items() if number >= _MANY)
        self._numbers: dict[object, int] = {}
        self._known: dict[tuple[Folded, str], tuple[Member, ...]] = {}

    def of(self, entry: Item | Evidence) -> tuple[Member, ...]:
        """The crowds of one of the entries, and its values there."""
        key = entry.folded, entry.path
        found = self._known.get(key)
        if found is None:
            # A number instead of what the members have in common: they are compared very often.
            found = self._known[key] = tuple(
                one._replace(crowd=self._numbers.setdefault(one.crowd, len(self._numbers)))
                for one in self._found(entry)
            )
        return found

    def _found(self, entry: Item | Evidence) -> tuple[Member, ...]:
        text = entry.folded.text
        found: tuple[Member, ...] = ()
        if _DIGITS.search(text) and _digits_levelled(text) in self._shapes:
            found += memberships(entry.folded, entry.path)
        if any(half in self._shapes for half in _halves(text)):
            found += lone_words(entry.folded)
        return found

    def apart(self, one: Item | Evidence, other: Item | Evidence) -> bool:
        """Whether the guard is known to refuse two entries that differ in a word."""
        if one.folded.text == other.folded.text:
            return False
        for mine in self.of(one):
            for theirs in self.of(other):
                if mine.crowd == theirs.crowd and mine.word != theirs.word:
                    return not are_variants(mine.word, theirs.word)
        return False


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


def lone_words(folded: Folded) -> tuple[Member, ...]:
    """The crowds of texts that differ from this one in a single word; one for each word that can be the one.

    Args:
        folded: the text.
    """
    cut = tokens(folded)
    if len(cut) > _LONGEST:
        return ()
    names = "\n".join(token.key for token in cut if token.kind is Kind.NAME)
    found: list[Member] = []
    for token in cut:
        others = [other for other in cut if other is not token]
        if _is_plain_word(token) and not any(_may_stand_for(other, token.key) for other in others):
            if re.search(rf"(?<![a-z]){token.key}(?![a-z])", names):
                continue
            skeleton = tuple(None if other is token else other for other in cut)
            first = plain(token.key)[0]
            found.append(Member((skeleton, Kind.WORD), frozenset((first,)), token.key))
    return tuple(found)


def _is_plain_word(token: Token) -> bool:
    """Whether this is a word that only another form of itself can stand for."""
    word = token.key
    if token.kind is not Kind.WORD or token.quoted or len(word) < _SHORTEST or not _LATIN.fullmatch(word):
        return False
    full = plain(word)
    if meanings(word) or full in _ENDINGS or full.removesuffix("s") in _ENDINGS:
        return False
    return not any(are_variants(word, other) for other in english.MAKING | english.STATES if other[0] == word[0])


def _may_stand_for(token: Token, word: str) -> bool:
    return token.key == word or (token.kind is Kind.WORD and not token.quoted and are_variants(word, token.key))


def _digits_levelled(text: str) -> str:
    return _DIGITS.sub("0", text)


def _halves(text: str) -> tuple[tuple[int, int, str], ...]:
    """The first and the second half of a text's words: two that differ in one word have one of them in common."""
    words = text.split()
    middle = len(words) // 2
    if not middle:
        return ()
    return (len(words), 1, " ".join(words[:middle])), (len(words), 2, " ".join(words[middle:]))
