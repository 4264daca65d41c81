"""Whether words stand where a judge says, and are about what is judged. PURE.

A judge is believed only as far as its quotes prove it (spec 9): what it quotes must stand at the named line or in the
subject of the named commit, be no older than what it is to finish, and share a word of content with it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from wrapgen.text.words import content_words, quote_form, too_short

_COMMIT = re.compile(r"commit:([0-9a-f]{4,40})")
_PLACE = re.compile(r"(.+):([1-9][0-9]{0,8})", re.DOTALL)
_LINES_OF_ONE_QUOTE = 8


@dataclass(frozen=True, slots=True)
class QuotedPlace:
    """Where a judge says that its words stand."""

    path: str = ""  # relative to the vault, or absolute in a project's folder
    line: int = 0  # 1-based
    commit: str = ""  # the beginning of a hash, in place of path and line

    @classmethod
    def of(cls, at: str) -> "QuotedPlace | None":
        """`docs/log.md:12` or `commit:1a2b3c4`; None for anything else."""
        if found := _COMMIT.fullmatch(at.strip().lower()):
            return cls(commit=found[1])
        found = _PLACE.fullmatch(at.strip())
        return cls(found[1], int(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class QuotedText:
    """The text of a place, with its age."""

    lines: Sequence[str]  # all lines of the file, or the subject of the commit
    line: int = 1  # the 1-based line that was named
    latest: date | None = None  # the latest day on which it can have been written


def missing(quote: str, words: QuotedText) -> str | None:
    """Why a quote does not stand at its place; None when it does.

    It may go on over the lines that follow, as a paragraph does.
    """
    form = quote_form(quote)
    if too_short(form):
        return "its quote is too short" if quote.strip() else "it needs a quote"
    if words.line > len(words.lines):
        return f"the file has {len(words.lines)} lines, not {words.line}"
    if stands_in(form, words.lines, words.line):
        return None
    for number in range(1, len(words.lines) + 1):
        if stands_in(form, words.lines, number):
            return f"its quote stands in line {number}, not in line {words.line}"
    return "its quote does not stand there"


def stands_in(form: str, lines: Sequence[str], number: int) -> bool:
    """Whether folded words begin in a line, and go on in those that follow at most."""
    first = quote_form(lines[number - 1])
    if form in first:
        return True
    if not first:
        return False
    joined = first + "".join(quote_form(line) for line in lines[number : number - 1 + _LINES_OF_ONE_QUOTE])
    at = joined.find(form)
    return 0 <= at < len(first)


def unrelated(quote: str, about: Sequence[str]) -> bool:
    """Whether a quote shares no word of content and no identifier with what it is to prove something of.

    The parts of an identifier are words, and one word in two forms is one: proofs stand in code and in other sentences.
    """
    said = _words(quote)
    return not any(_akin(one, other) for text in about for other in _words(text) for one in said)


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CAPITALS = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
_SHOUTED = frozenset({"AND", "ARE", "BUT", "FOR", "HAS", "NOR", "NOT", "THE", "WAS", "YOU"})
_STEM = 6  # first letters that two forms of one word share


def _words(text: str) -> frozenset[str]:
    names = _CAPITALS.findall(text)  # PER is a name, "per" is a word without content
    return content_words(text) | content_words(_HUMP.sub(" ", text)) | (frozenset(names) - _SHOUTED)


def _akin(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _STEM and one[:_STEM] == other[:_STEM])
