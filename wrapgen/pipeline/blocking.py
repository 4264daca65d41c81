"""Crowds of items that differ in only one word or number, distinguished without comparing every pair. PURE.

"Write chapter 1 of the long book" to "Write chapter 900 of the long book" are all alike, and the guard refuses every
pair of them for one reason: another number. Members of one crowd with different values are refused for certain, so
nobody need ask. That this is so follows from the guard's code, for texts whose tokens are equal but for their slots:

- Slots are tokens with digits, all of one kind: numbers, dates or versions in any number of places; or one identifier
  or all of them, with digits or without.
- No slot's key is elsewhere in the text, so the slots that two members do not share, at least one on each side,
  are all that `difference` finds; other forms, synonyms and joined words are only sought among words.
- An identifier is another form of one when it has the same letters, ends with it behind a slash, begins with it
  before a mark, or is a path with the same long last part. So the letters are the value among those that have equally
  many marks, or equally many letters and no slash. Where the last part may be long, its letters are the value among
  those of one folder, or with equally many letters in the last part, or with the same words: then other letters there
  are other letters altogether, if digits that differ are kept apart by letters.
- Where several identifiers may differ, all of them are slots, and none stands right beside another, so that they are
  joined to nothing. As many are on either side, so one whose value the other text lacks is left over on both. There the
  value is as above, also across slots, where all have equally many marks; else they have the same words, and no slot's
  words begin, end or spell another's.
- An identifier is more than one run of letters or digits, so it is no part of another one that a text says in words.
- Numbers that run on by themselves may differ, so they are no slots; quantities may differ from file to file, so they
  make a crowd in each file only.
- A single word is a slot where it has no synonym and no other form of it is in the text: one word in the place of
  one word is refused unless the two are forms of one. Two of those begin with the same letter, which is the value;
  `apart` looks closer.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise, starmap
from typing import NamedTuple

from wrapgen.model import Evidence, Item
from wrapgen.pipeline.guard.difference import ENDS, MAYBE_DISTINCTIVE, last_part, letters_of, meanings
from wrapgen.pipeline.guard.lexicon import english
from wrapgen.pipeline.guard.tokens import Token, TokenKind, tokens
from wrapgen.pipeline.guard.variants import are_variants, plain
from wrapgen.text.folding import ComparableText

# Fewer texts than this are compared with each other sooner than cut into tokens.
_MANY = 8
_DIGITS = re.compile(r"[0-9]+")
# Where one identifier may go on behind another.
_MARKS = re.compile(r"[-_.:/@]")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
# Numbers that run together when marks are left out.
_SIDE_BY_SIDE = re.compile(r"[0-9][\W_]+[0-9]")
_LATIN = re.compile(r"[a-z]+")
_IDENTIFIERS = re.compile(r"(?<!\S)[^\s/._:@-]*+[/._:@-]\S*+")
# Letters of a word: shorter ones are looked at in other ways.
_SHORTEST = 3
# Tokens of a text: each word is held against all others, and nobody writes long items by the hundred.
_LONGEST = 60
# Endings that are spelled in two ways: as whole words they would be two words that begin differently.
_ENDINGS = frozenset(ending for pair in english.SPELLINGS for ending in pair)
_NUMERIC = (TokenKind.NUMBER, TokenKind.DATE, TokenKind.VERSION)


class Member(NamedTuple):
    """A text's place in a crowd."""

    crowd: object  # what its members have in common
    value: frozenset[str]  # what tells them apart; members of one crowd with different values are different work
    word: str = ""  # the slot, where it is a word


class Crowds:
    """Finds the texts that belong to a crowd.

    Args:
        entries: all items and evidence that will be compared with each other.
    """

    def __init__(self, entries: Iterable[Item | Evidence]) -> None:
        texts = {entry.folded.text for entry in entries}
        shapes = Counter(shape for text in texts for shape in (*_levelled(text), *_halves(text)))
        self._shapes = frozenset(shape for shape, number in shapes.items() if number >= _MANY)
        self._numbers: dict[object, int] = {}
        self._known: dict[tuple[ComparableText, str], tuple[Member, ...]] = {}

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
        if any(levelled != text and levelled in self._shapes for levelled in _levelled(text)):
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


def memberships(folded: ComparableText, path: str | None) -> tuple[Member, ...]:
    """A text's crowds, however few there are in them; one for each kind of slot that it has.

    Args:
        path: its file; None when not known.
    """
    cut = tokens(folded)
    found: list[Member] = []
    for kind in _NUMERIC:
        slots = {token.index for token in cut if token.kind is kind and not token.running and _DIGITS.search(token.key)}
        found += _numbered(cut, slots, kind, path) if slots else ()
    names = [token for token in cut if token.kind is TokenKind.NAME] if len(cut) <= _LONGEST else []
    for name in names:
        found += _named(cut, name)
    if len(names) > 1:
        found += _several_named(cut, names)
    return tuple(found)


def _numbered(cut: tuple[Token, ...], slots: set[int], kind: TokenKind, path: str | None) -> Iterator[Member]:
    skeleton = tuple(None if token.index in slots else token for token in cut)
    keys = frozenset(cut[index].key for index in slots)
    if keys & {token.key for token in skeleton if token}:
        return
    if not any(cut[index].quantity for index in slots):
        yield Member((skeleton, kind, len(keys)), keys)
    elif path is not None:
        yield Member((skeleton, kind, len(keys), path), keys)


def _named(cut: tuple[Token, ...], name: Token) -> Iterator[Member]:
    if _is_told(name, {token.key for token in cut if token is not name}):
        skeleton = tuple(None if token is name else token for token in cut)
        for form, value in _forms(name.key):
            yield Member((skeleton, form), frozenset((value,)))


def _is_told(name: Token, others: set[str]) -> bool:
    """Whether nothing else in a text says a name, nor all parts of it in words."""
    parts = _PARTS.findall(name.key)
    return name.key not in others and len(parts) > 1 and not others.issuperset(parts)


def _several_named(cut: tuple[Token, ...], names: Sequence[Token]) -> Iterator[Member]:
    skeleton = tuple(None if token.kind is TokenKind.NAME else token for token in cut)
    others = {token.key for token in skeleton if token}
    beside = any(after.index - before.index == 1 for before, after in pairwise(names))
    if beside or not all(_is_told(name, others) for name in names):
        return
    keys = [name.key.strip(ENDS) for name in names]
    marks = {len(_MARKS.findall(key)) for key in keys}
    if len(marks) == 1 and not any("/" in key for key in keys):
        letters = frozenset(map(letters_of, keys))
        yield Member((skeleton, "marks", *marks, len(letters)), letters)
    words = tuple(map(_digits_levelled, keys))
    if not any(map(_SIDE_BY_SIDE.search, keys)) and not any(starmap(_may_meet, combinations(set(words), 2))):
        value = frozenset(letters_of(last_part(key)) for key in keys)
        yield Member((skeleton, "words", words, len(value)), value)


def _may_meet(one: str, other: str) -> bool:
    """Whether identifiers with these words may be two forms of one."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or long.endswith(short) or letters_of(one) == letters_of(other)


def _forms(name: str) -> Iterator[tuple[tuple[object, ...], str]]:
    """What an identifier has in common with those that are told from it by a value, and that value."""
    letters, last, marks = letters_of(name), last_part(name), len(_MARKS.findall(name.strip(ENDS)))
    if "/" not in name:
        yield ("letters", len(letters)), letters
    if "/" not in name or not MAYBE_DISTINCTIVE.match(last):
        yield ("marks", marks), letters
        return
    value = letters_of(last)
    yield ("folder", marks, name.strip(ENDS).removesuffix(last)), value
    yield ("last", marks, len(value)), value
    if not _SIDE_BY_SIDE.search(name):
        yield ("words", _digits_levelled(name)), value


def lone_words(folded: ComparableText) -> tuple[Member, ...]:
    """The crowds of texts that differ from this one in a single word; one for each word that can be the one."""
    cut = tokens(folded)
    if len(cut) > _LONGEST:
        return ()
    names = "\n".join(token.key for token in cut if token.kind is TokenKind.NAME)
    found: list[Member] = []
    for token in cut:
        others = [other for other in cut if other is not token]
        if _is_plain_word(token) and not any(_may_stand_for(other, token.key) for other in others):
            if re.search(rf"(?<![a-z]){token.key}(?![a-z])", names):
                continue
            skeleton = tuple(None if other is token else other for other in cut)
            first = plain(token.key)[0]
            found.append(Member((skeleton, TokenKind.WORD), frozenset((first,)), token.key))
    return tuple(found)


def _is_plain_word(token: Token) -> bool:
    """Whether this is a word that only another form of itself can stand for."""
    word = token.key
    if token.kind is not TokenKind.WORD or token.quoted or len(word) < _SHORTEST or not _LATIN.fullmatch(word):
        return False
    full = plain(word)
    if meanings(word) or full in _ENDINGS or full.removesuffix("s") in _ENDINGS:
        return False
    return not any(are_variants(word, other) for other in english.MAKING | english.STATES if other[0] == word[0])


def _may_stand_for(token: Token, word: str) -> bool:
    return token.key == word or (token.kind is TokenKind.WORD and not token.quoted and are_variants(word, token.key))


def _digits_levelled(text: str) -> str:
    return _DIGITS.sub("0", text)


def _levelled(text: str) -> tuple[str, str]:
    """A text without what its numbers say, and without what its paths and other identifiers do."""
    return _digits_levelled(text), _IDENTIFIERS.sub("/", text)


def _halves(text: str) -> tuple[tuple[int, int, str], ...]:
    """The first and the second half of a text's words: two that differ in one word have one of them in common."""
    words = text.split()
    middle = len(words) // 2
    if not middle:
        return ()
    return (len(words), 1, " ".join(words[:middle])), (len(words), 2, " ".join(words[middle:]))
