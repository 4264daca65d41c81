"""A pattern that is written for speed matches what the plain one matches."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from wrapgen.hosts import settings
from wrapgen.text import blocks
from wrapgen.tracks import hot, signals, user_lines
from wrapgen.tracks.skeleton import final as code
from wrapgen.vault.detect import proposal
from wrapgen.vault.markdown import safe

if TYPE_CHECKING:
    from collections.abc import Callable

_LEAD = (
    r"[*_`#>\s-]*(?:\d+[.)]\s*)?[*_`\s-]*(?:(?:new |updated )?(?:file(?:name|path)?|path)\s*[:：]?\s*)?"
    r"[*_`\"'(\[]*(" + code._PATH + r")(?![^\W_])"
)
_BOLD = (
    r"[^\w*_`|]{0,12}(?:\*\*|__)(?P<text>[^*\n]{1,160})(?:\*\*|__)"
    r"[ \t]*(?P<after>\([^)]{0,80}\))?[ \t]*[:：]?[ \t]*$"
)
PLAIN = [
    (settings._KEY, r"^skills:[ \t]*([^\r\n]*?)[ \t]*(\r?\n)", ["skills:", "a", "[", " ", "\t", "\r", "\n", "\n"]),
    (settings._ITEM, r"[ \t]*-[ \t]+[^\r\n]*\r?\n", ["-", "- ", " ", "\t", "a", "\r", "\n"]),
    (
        blocks._BOLD_LINE,
        _BOLD,
        ["**", "__", "a", " ", "\t", "(", ")", ":", "\n"],
    ),
    (
        hot._BECAUSE,
        r"(?i)\s*[,，;；]?\s*(?:\bbecause\b|因为|由于)[:：]?\s*",
        ["because", "因为", ",", " ", "\n", "a", ":", ";"],
    ),
    (
        signals._SECOND,
        r"(?i)\s*——\s*|\s+[—–-]+\s+|\s*[:：|]\s+|：|\s*[,，(]?\s*(?:\bbecause\b|因为|因為|由于)\s*",
        ["because", "因为", ",", "(", " ", " ", "—", "-", ":", "：", "a"],
    ),
    (user_lines._NUMBERED, r"\d+\.\s*", ["1", "2", ".", " ", "a"]),
    (proposal._COMMENT, r'("(?:[^"\\]|\\.)*")|;[^\n]*', ['""', '"a"', r'"\""', ";", "a", "\n", " "]),
    (
        safe._ADDRESS,
        r"(?i)https?://[^\s<>`\\]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bwww\.(?=\w)",
        [*"a@@..+- ", "www."],
    ),
    (code._LEAD, "(?i)" + _LEAD, ["_", "-", "*", "(", "[", " ", "1", "1.", "a.md", "file", "name", ":", "#"]),
]


@pytest.mark.parametrize(("fast", "plain", "letters"), PLAIN, ids=lambda value: getattr(value, "pattern", "")[:20])
def test_it_finds_the_same(fast, plain, letters):
    plain = re.compile(plain, fast.flags)
    for text in _texts(letters):
        assert _found(fast.search, text) == _found(plain.search, text), repr(text)
        assert _found(fast.match, text) == _found(plain.match, text), repr(text)


def test_a_name_of_one_mark_is_a_path():
    assert code._LEAD.match("**_.py**")[1] == "_.py"


def _texts(letters: list[str]) -> list[str]:
    chosen = random.Random(1)
    return ["".join(chosen.choices(letters, k=chosen.randint(1, 9))) for _ in range(4_000)]


def _found(method: Callable[[str], re.Match[str] | None], text: str) -> tuple | None:
    match = method(text)
    return match and (match.span(), match.groups())
