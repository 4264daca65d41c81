"""Lists of phrases, found in folded text without trying every phrase at every place.

Syntax of a phrase:
    `*` at the end of a word matches any ending.
    `{a,b}` stands for either.
    `…` matches up to 40 characters of the same sentence and is not part of the cue.
    `~` does the same and keeps what stands before it too ("fix ~ later" keeps "fix").
    `=` in front keeps all of it: a predicate, without which the sentence says nothing.
    `^` in front binds the phrase to the beginning (a list number may stand before it), `$` behind it to the end.
    A space also matches a hyphen.

Latin words are matched as words, even when letters of another script touch them (`TODO를`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from wrapgen.late_pattern import late
from wrapgen.text.words import HANGUL

_BRACES = late(r"\{([^{}]*)\}")
_WORD = late(r"[a-z0-9]+")
# A word of a million letters must not be tried at each of them.
_ENDING = r"\w{0,40}+"
_GAP = r"[^.!?。！？\n]{0,40}?"
BLANK = "\x00"


class Phrases:
    """A list of phrases; if `bound`, no Korean letter may follow: single syllables begin longer words too."""

    __slots__ = ("_bound", "_keyed", "_loose", "_patterns")

    def __init__(self, listed: Iterable[str], *, bound: bool = False) -> None:
        keyed: dict[str, list[str]] = defaultdict(list)
        loose: list[str] = []
        expanded = {phrase for written in listed for phrase in _expanded(written) if phrase.strip("=^$")}
        for phrase in sorted(expanded, key=lambda phrase: (-len(phrase), phrase)):
            key = _key(phrase)
            (keyed[key] if key else loose).append(phrase)
        self._keyed = dict(keyed)
        self._loose = loose
        self._bound = bound
        self._patterns: dict[str, re.Pattern[str]] = {}

    def _likely(self, text: str) -> Iterator[re.Pattern[str]]:
        """The patterns whose first word or characters occur in the text at all."""
        for key in self._keyed.keys() & _keys_of(text):
            yield self.pattern(key)
        if self._loose:
            yield self.pattern("")

    def pattern(self, key: str) -> re.Pattern[str]:
        """The phrases of a key, or without one (""); compiled when first needed: most never are."""
        pattern = self._patterns.get(key)
        if pattern is None:
            phrases = self._keyed[key] if key else self._loose
            pattern = self._patterns[key] = _compiled(phrases, key, bound=self._bound)
        return pattern

    def search(self, text: str) -> re.Match[str] | None:
        """The match with the most words of its own, gaps not counted, or None."""
        found = (match for pattern in self._likely(text) for match in pattern.finditer(text))
        return max(found, key=lambda match: (own_length(match), -match.start()), default=None)

    def match(self, text: str) -> re.Match[str] | None:
        found = (match for pattern in self._likely(text) if (match := pattern.match(text)))
        return max(found, key=lambda match: match.end(), default=None)

    def found(self, text: str) -> bool:
        return any(pattern.search(text) for pattern in self._likely(text))

    def finditer(self, text: str) -> list[re.Match[str]]:
        found = (match for pattern in self._likely(text) for match in pattern.finditer(text))
        return sorted(found, key=lambda match: (match.start(), -match.end()))

    def blank(self, text: str) -> str:
        """The text with the phrases blanked out, same length."""
        for pattern in self._likely(text):
            text = pattern.sub(lambda match: BLANK * len(match[0]), text)
        return text


def _expanded(phrase: str) -> list[str]:
    """The phrases that one with alternatives in braces stands for."""
    groups = [part.split(",") for part in _BRACES.split(phrase)[1::2]]
    pieces = _BRACES.split(phrase)[::2]
    return [
        "".join(piece + choice for piece, choice in zip(pieces, [*choices, ""], strict=True))
        for choices in product(*groups)
    ]


def kept(match: re.Match[str]) -> tuple[int, int] | None:
    """The part of a match that is not cue but content: what `…`, `~` or `=` matched."""
    if not match.lastindex:
        return None
    span = match.span(match.lastindex)
    return span if span[1] > span[0] else None


def own_length(match: re.Match[str]) -> int:
    """Characters of a match that are cue, not content; never 0."""
    inner = kept(match) or (0, 0)
    return match.end() - match.start() - (inner[1] - inner[0]) or 1


def _compiled(phrases: list[str], key: str, *, bound: bool) -> re.Pattern[str]:
    pattern = "|".join(map(_pattern, phrases))
    if key and not any(phrase.lstrip("=").startswith("^") for phrase in phrases):
        # All begin with the key: places without it are passed over without trying every phrase there.
        pattern = f"(?={re.escape(key)})(?:{pattern})"
    return re.compile(f"(?:{pattern})(?![{HANGUL}])" if bound else pattern)


def _key(phrase: str) -> str:
    """What has to occur in a text that holds the phrase: its first word, or its first two characters."""
    plain = phrase.lstrip("^=")
    if _latin(plain[0]):
        word = _WORD.match(plain)
        whole = word is not None and plain[word.end() : word.end() + 1] != "*"
        return word[0] if word and whole else ""
    if plain[0].isalnum():
        return plain[:2] if len(plain) > 1 and plain[1].isalnum() and not plain[1].isascii() else plain[0]
    return ""


@lru_cache(maxsize=16)
def _keys_of(text: str) -> frozenset[str]:
    keys = set(_WORD.findall(text))
    if not text.isascii():
        keys.update(text)
        keys.update(text[i : i + 2] for i in range(len(text) - 1))
    return frozenset(keys)


def _pattern(phrase: str) -> str:
    keep_all = phrase.startswith("=")
    plain = phrase.lstrip("=").removesuffix("$")
    pieces: list[str] = []
    for char in plain.removeprefix("^"):
        if char == "*":
            pieces.append(_ENDING)
        elif char == "…":
            pieces.append(f"({_GAP})")
        elif char == "~":
            pieces = ["(", *pieces, _GAP, ")"]
        elif char == " ":
            pieces.append(r"[\s-]*+" if pieces and pieces[-1].endswith(("?)", ")")) else r"[\s-]++")
        else:
            pieces.append(re.escape(char))
    # From the first of several blanks only, else a long run of them would be gone through from each.
    before = r"(?<![a-z0-9_./@#-])" if _latin(plain[0]) else r"(?<![\s-])" if plain[0] == " " else ""
    if plain.startswith("^"):
        before = r"\A[^\w\x00]{0,8}(?:\d{1,2}[.)]\s*)?[^\w\x00]{0,4}"
    after = r"(?![a-z0-9_/])(?!\.[a-z])" if _latin(plain[-1]) else ""
    if phrase.endswith("$"):
        after += r"(?=[^\w\x00]*\Z)"
    body = "".join(pieces)
    return before + (f"({body})" if keep_all else body) + after


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
