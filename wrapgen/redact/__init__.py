"""Keeps secrets out of what wrapgen stores: cloud keys, tokens, passwords, private keys.

How keys and tokens begin is taken from a kept set of rules (`prefixes.tsv`) and what it lacks (`more_prefixes.tsv`);
where they stand and what tells them from words and code is in `forms.py`, because honest words must stay.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wrapgen.redact.forms import SecretForm

# How what stands for a secret begins.
MARK = "[redacted: "
_SHORTEST = 6  # letters; no secret is shorter, with its name in front of it


def redact(text: str) -> tuple[str, int]:
    """Replace every secret that is recognised by `[redacted: kind]`; the text, and how many there were."""
    if len(text) <= _SHORTEST:
        return text, 0
    from wrapgen.redact.forms import FORMS, prefixed

    found = 0
    if pattern := prefixed(text):
        text, found = _without(_by_prefix, pattern, text)
    small = text.lower()
    for form in FORMS:
        for hint in form.hints:  # `any` takes three times as long
            if hint in small:
                text, more = _without(partial(_by_form, form), re.compile(form.pattern, re.ASCII), text)
                found += more
                break
    return text, found


def _without(marked: Callable[[re.Match[str]], str], pattern: re.Pattern[str], text: str) -> tuple[str, int]:
    before = text.count(MARK)
    text = pattern.sub(marked, text)
    return text, text.count(MARK) - before


def _by_prefix(match: re.Match[str]) -> str:
    from wrapgen.redact.forms import is_random, prefixes

    return f"{MARK}{prefixes()[match[1]]}]" if is_random(match[0].removeprefix(match[1])) else match[0]


def _by_form(form: SecretForm, match: re.Match[str]) -> str:
    """What was found, its secret replaced; a call of a function has none."""
    group = min(match.re.groups, 1)
    if match[group] is None or not form.judge(match[group].rstrip(".,:;!?")):
        return match[0]
    start, end = (place - match.start() for place in match.span(group))
    return f"{match[0][:start]}{MARK}{form.kind}]{match[0][end:]}"
