"""What two texts do not have in common; forms of one word, synonyms and moved parts count as common."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Indel

from wrapgen.pipeline.guard.lexicon import english, korean
from wrapgen.pipeline.guard.tokens import Token, TokenKind, han_text, tokens
from wrapgen.pipeline.guard.variants import are_variants, korean_stem, plain
from wrapgen.text.folding import ComparableText

# Letters by which words of one meaning are looked up; every stem that `are_variants` accepts is as long.
_START = 3

# A file name that is unlikely to be in two folders, unlike README.md or index.ts.
MAYBE_DISTINCTIVE = re.compile(r"[^-_]+[-_]")
_DISTINCTIVE = 12  # letters
ENDS = "./!~"
# Comparisons of one left-over token with another; texts that differ in more are not forms of one item anyhow.
_TOO_MANY = 10_000
# Han characters of a run that is looked for elsewhere: a single one may be anywhere.
_MOVED = 2
_NUMERIC = frozenset({TokenKind.NUMBER, TokenKind.DATE, TokenKind.VERSION})


@dataclass(frozen=True, slots=True)
class Half:
    """One text of a pair and what it has that the other lacks.

    Args:
        only: tokens without a counterpart in the other text, content as well as fillers and signs.
        content: those of `only` that name something and have no form or synonym in the other text.
        han: Han characters without a counterpart, one string a run.
        han_text: all Han characters, fillers out, synonyms levelled.
        slots: for each token of `content`, how many tokens that both texts have are before it.
        shared: how many content tokens, Han characters aside, both texts have.
    """

    tokens: tuple[Token, ...]
    only: tuple[Token, ...]
    content: tuple[Token, ...]
    han: tuple[str, ...]
    han_text: str
    slots: tuple[int, ...]
    shared: int

    def written(self, *kinds: TokenKind) -> list[str]:
        """List the content of the given kinds as written; running counters say nothing."""
        return [token.written for token in self.content if token.kind in kinds and not token.running]


def _index(groups: Iterable[Iterable[str]]) -> dict[str, list[tuple[str, int]]]:
    index: dict[str, list[tuple[str, int]]] = {}
    for number, group in enumerate(groups):
        for word in group:
            index.setdefault(_beginning(word), []).append((word, number))
    return index


def _beginning(word: str) -> str:
    return word[: _START if word.isascii() else 1]


_SYNONYMS = _index((*english.SYNONYMS, *korean.SYNONYMS))


@lru_cache(maxsize=8192)
def meanings(word: str) -> frozenset[int]:
    """Give the numbers of the synonym groups that a word, in any of its forms, belongs to."""
    entries = {entry for one in (word, plain(word)) for entry in _SYNONYMS.get(_beginning(one), ())}
    return frozenset(number for member, number in entries if member == word or are_variants(member, word))


def _is_form_of(word: Token, words: frozenset[str]) -> bool:
    return any(are_variants(word.key, other) for other in words if other[0] == word.key[0])


def _same_word(one: Token, other: Token) -> bool:
    if one.kind is not other.kind or one.kind is not TokenKind.WORD or one.quoted or other.quoted:
        return False
    if are_variants(one.key, other.key) or meanings(one.key) & meanings(other.key):
        return True
    return (_is_form_of(one, english.MAKING) and _is_form_of(other, english.STATES)) or (
        _is_form_of(one, english.STATES) and _is_form_of(other, english.MAKING)
    )


def letters_of(text: str) -> str:
    """Leave out the marks of an identifier."""
    return re.sub(r"[\W_]", "", text)


def _same_name(one: Token, other: Token) -> bool:
    """A path and its last part, a name and a longer form of it, one name in two notations."""
    if TokenKind.NAME not in (one.kind, other.kind) or {one.kind, other.kind} & _NUMERIC:
        return False
    if letters_of(one.key) == letters_of(other.key):
        return True
    short, long = sorted((one.key.strip(ENDS), other.key.strip(ENDS)), key=len)
    if not short:
        return False
    if long.endswith("/" + short):
        return True
    last = last_part(long)
    if last == last_part(short) and len(last) >= _DISTINCTIVE and MAYBE_DISTINCTIVE.match(last) and not one.quoted:
        return True
    longer = len(short) >= 8 and long.startswith(short) and long[len(short)] in "-_.:/@"
    return longer and "/" not in long[len(short) :]


def last_part(name: str) -> str:
    """What stands behind the last slash of a path or address."""
    return name.strip(ENDS).rsplit("/", 1)[-1]


def _pair_off(
    ones: list[Token], others: list[Token], same: Callable[[Token, Token], bool], renamed: dict[int, str]
) -> tuple[list[Token], list[Token]]:
    """Take out tokens that have a counterpart, each used once, and note the counterpart's key."""
    left = list(others)
    if len(ones) * len(left) > _TOO_MANY:
        return ones, left
    rest = []
    for one in ones:
        for place, other in enumerate(left):
            if same(one, other):
                renamed[other.index] = one.key
                del left[place]
                break
        else:
            rest.append(one)
    return rest, left


def _slots(
    ones: tuple[Token, ...], others: tuple[Token, ...], renamed: dict[int, str]
) -> tuple[list[int], list[int], int]:
    """Count, for every token of two texts, the common tokens before it; and all common ones."""
    content_a = [token for token in ones if token.kind in NAMING]
    content_b = [token for token in others if token.kind in NAMING]
    steps = Indel.opcodes(
        [token.key for token in content_a], [renamed.get(token.index, token.key) for token in content_b]
    )
    slots_a, slots_b, common = [0] * len(ones), [0] * len(others), 0
    for step in steps:
        for offset in range(max(step.src_end - step.src_start, step.dest_end - step.dest_start)):
            if step.tag != "insert":
                slots_a[content_a[step.src_start + offset].index] = common
            if step.tag != "delete":
                slots_b[content_b[step.dest_start + offset].index] = common
            common += step.tag == "equal"
    return slots_a, slots_b, common


def _without_joined(ones: list[Token], others: list[Token]) -> tuple[list[Token], list[Token]]:
    """Take out words that one text writes together and the other apart ("set up", "setup"; "free text", "FreeText").

    Korean compounds are written either way, and their particles come off behind the last part only.
    """
    joined = {letters_of(token.key): token for token in others if token.kind in (TokenKind.WORD, TokenKind.NAME)}
    gone: set[int] = set()
    for start in range(len(ones)):
        together = written = ""
        for end in range(start, min(start + 4, len(ones))):
            if ones[end].index != ones[start].index + end - start:
                break
            together += letters_of(ones[end].key)
            written += ones[end].written
            whole = next((one for one in (together, korean_stem(written)) if one in joined), None)
            if end > start and whole:
                gone.update(token.index for token in ones[start : end + 1])
                others = [token for token in others if token is not joined[whole]]
    return [token for token in ones if token.index not in gone], others


def _new(content: list[Token], all_others: tuple[Token, ...]) -> list[Token]:
    """Keep what the other text does not have at all; a word said twice on one side is no difference."""
    keys = {token.key for token in all_others}
    if len(content) * len(all_others) > _TOO_MANY:
        return content
    words = [token.key for token in all_others if token.kind is TokenKind.WORD and not token.quoted]
    names = "\n".join(token.key for token in all_others if token.kind is TokenKind.NAME)
    kept = []
    for token in content:
        if token.kind is TokenKind.WORD and not token.quoted:
            if token.key in keys or any(are_variants(token.key, word) for word in words):
                continue
            if len(token.key) > 2 and re.search(rf"(?<![a-z]){re.escape(token.key)}(?![a-z])", names):
                continue
        kept.append(token)
    return kept


def _name_in_words(content: list[Token], all_others: tuple[Token, ...]) -> list[Token]:
    """Drop a name whose every part the other text says in words."""
    words = {token.key for token in all_others}
    return [
        token
        for token in content
        if token.kind is not TokenKind.NAME
        or not (parts := re.findall(r"[^\W\d_]+|\d+", token.key))
        or not words.issuperset(parts)
    ]


def _han_runs(one: str, other: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the runs of Han characters that only one of two texts has; a run that merely moved is in neither."""
    deleted: Counter[str] = Counter()
    inserted: Counter[str] = Counter()
    for step in Indel.opcodes(one, other):
        if step.tag == "delete":
            deleted.update(one[step.src_start : step.src_end].split())
        elif step.tag == "insert":
            inserted.update(other[step.dest_start : step.dest_end].split())
    return _without_moved([*(deleted - inserted).elements()], [*(inserted - deleted).elements()])


def _without_moved(ones: list[str], others: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take a run that one text has within a longer run out of both."""
    for runs, longer in ((ones, others), (others, ones)):
        for run in [run for run in runs if len(run) >= _MOVED]:
            place = next((place for place, other in enumerate(longer) if run in other), None)
            if place is not None:
                runs.remove(run)
                longer[place : place + 1] = [part for part in longer[place].split(run, 1) if part]
    return tuple(ones), tuple(others)


NAMING = frozenset({TokenKind.WORD, TokenKind.NUMBER, TokenKind.DATE, TokenKind.VERSION, TokenKind.NAME})


def _only(ones: tuple[Token, ...], others: tuple[Token, ...]) -> list[Token]:
    spare = Counter(token.key for token in others if token.kind is not TokenKind.HAN or token.quoted)
    only = []
    for token in ones:
        if token.kind is TokenKind.HAN and not token.quoted:
            continue
        if spare[token.key] > 0:
            spare[token.key] -= 1
        else:
            only.append(token)
    return only


@lru_cache(maxsize=2048)
def difference(a: ComparableText, b: ComparableText) -> tuple[Half, Half]:
    """Set two texts against each other.

    Returns:
        What is left of each; the halves of (b, a) are those of (a, b) exchanged.
    """
    if (b.source, b.label) < (a.source, a.label):
        second, first = difference(b, a)
        return first, second
    cut_a, cut_b = tokens(a), tokens(b)
    only_a, only_b = _only(cut_a, cut_b), _only(cut_b, cut_a)
    left_a = [token for token in only_a if token.kind in NAMING or token.quoted]
    left_b = [token for token in only_b if token.kind in NAMING or token.quoted]
    renamed: dict[int, str] = {}
    left_a, left_b = _pair_off(left_a, left_b, _same_name, renamed)
    left_a, left_b = _without_joined(left_a, left_b)
    left_b, left_a = _without_joined(left_b, left_a)
    left_a, left_b = _pair_off(left_a, left_b, _same_word, renamed)
    left_a, left_b = _name_in_words(_new(left_a, cut_b), cut_b), _name_in_words(_new(left_b, cut_a), cut_a)
    han_a, han_b = han_text(cut_a), han_text(cut_b)
    runs_a, runs_b = _han_runs(han_a, han_b)
    slots_a, slots_b, shared = _slots(cut_a, cut_b, renamed)
    at_a, at_b = tuple(slots_a[token.index] for token in left_a), tuple(slots_b[token.index] for token in left_b)
    return (
        Half(cut_a, tuple(only_a), tuple(left_a), runs_a, han_a, at_a, shared),
        Half(cut_b, tuple(only_b), tuple(left_b), runs_b, han_b, at_b, shared),
    )
