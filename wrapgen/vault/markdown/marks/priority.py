"""How urgent an item says it is. PURE."""

from __future__ import annotations

import re
from itertools import pairwise

from wrapgen.notes import Priority
from wrapgen.text.blocks import outside_code
from wrapgen.vault.markdown.marks.state import VS

PRIORITY_SIGNS = "🔺⏫🔼🔽⏬"  # by their rank
_PRIORITY = re.compile(
    rf"""
      (?P<emoji>[{PRIORITY_SIGNS}]){VS}
    | (?<!\S)(?P<bangs>!!)(?!\S)
    | \[\#(?P<cookie>[ABC])\]
    | [(\[]P(?P<bracketed>[0-3])[)\]]:?
    | (?<!\S)P(?P<last>[0-3])\s*$
    """,
    re.VERBOSE,
)
# The item's own project tag may stand before its priority.
_LEADING = re.compile(
    r"""
    (?P<tag>(?:[(（][^()（）]*[)）]\s*)?)
    (?:\*\*|__)?
    (?:P(?P<number>[0-3])(?![\w.-]) | \((?P<letter>[A-C])\)(?=\s))
    (?:\*\*|__)? \s*[:–—-]?\s* (?:\*\*|__)?
    """,
    re.VERBOSE,
)
# Emphasis that a mark in front leaves behind: around nothing, or with a blank where the mark was.
_EMPHASIS = re.compile(
    r"(?P<tag>(?:[(（][^()（）]*[)）]\s*)?)(?:(?P<empty>\*\*|__)\s*(?P=empty)\s*[:–—-]?\s*|(?P<opening>\*\*|__)\s+)(?=\S)"
)
# `P1`, `P2` ... in front of an item may also be its number in the list.
_NUMBER = re.compile(r"(?:[(（][^()（）]*[)）]\s*)?(?:\*\*|__)?[(\[]?P(\d{1,2})(?![\w.-])")
_FEWEST = 3
_MEANS = {
    **{sign: Priority(rank) for rank, sign in enumerate(PRIORITY_SIGNS)},
    "0": Priority.HIGHEST, "1": Priority.HIGH, "2": Priority.MEDIUM, "3": Priority.LOW,
    "A": Priority.HIGH, "B": Priority.MEDIUM, "C": Priority.LOW, "!!": Priority.HIGH,
}  # fmt: skip


def priority_named(word: str) -> Priority | None:
    """The priority of a word such as `high`, None for any other word."""
    return Priority.__members__.get(word.strip().upper())


def stronger(one: Priority | None, other: Priority | None) -> Priority | None:
    """The more urgent of two."""
    return min((priority for priority in (one, other) if priority is not None), default=None)


def take_priority(text: str, *, numbered: bool) -> tuple[str, Priority | None]:
    """Take the marks of urgency off a text."""
    found: Priority | None = None

    def ranked(match: re.Match[str]) -> str:
        nonlocal found
        if numbered and match["bracketed"] and not text[: match.start()].strip("*_ "):
            return match[0]
        found = stronger(found, _MEANS[next(value for value in match.groups() if value is not None)])
        return " "

    left = " ".join(outside_code(_PRIORITY, ranked, text).split())
    leading = _LEADING.match(left)
    if leading and left[leading.end() :] and not (numbered and leading["number"]):
        found = stronger(found, _MEANS[leading["number"] or leading["letter"]])
        words = left[leading.end() :]
        opening = next((two for two in ("**", "__") if words.count(two) % 2 and not left.count(two) % 2), "")
        left = leading["tag"] + opening + words
    if found is not None and (emphasis := _EMPHASIS.match(left)):
        left = emphasis["tag"] + (emphasis["opening"] or "") + left[emphasis.end() :]
    return left, found


def list_number(text: str) -> int | None:
    """The number behind a `P` in front of an item's words, None where there is none."""
    found = _NUMBER.match(text)
    return int(found[1]) if found else None


def are_labels(numbers: list[int]) -> bool:
    """Whether the numbers behind `P` of a list's items count them: rising from 1 on, each once, at least three."""
    rising = all(one < other for one, other in pairwise(numbers))
    return len(numbers) >= _FEWEST and rising and numbers[0] > 0
