"""Keeps secrets out of what wrapgen stores: cloud keys, tokens, passwords, private keys.

How keys and tokens begin is taken from a kept set of rules (`prefixes.tsv`) and what it lacks (`more_prefixes.tsv`);
where they stand is in `forms.py`, and what tells them from words and code in `judges.py`, because honest words must
stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wrapgen.redact.forms import SecretForm

# How what stands for a secret begins.
MARK = "[redacted: "
_SHORTEST = 6  # letters; no secret is shorter, with its name in front of it

_Found = dict[str, str]  # what was taken for secrets, with their kinds


def redact(text: str) -> tuple[str, int]:
    """Replace every secret that is recognised by `[redacted: kind]`; the text, and how many there were."""
    return _cut(text, {})


def redact_together(*texts: str) -> tuple[tuple[str, ...], int]:
    """Redact texts that say the same in several ways: a secret that one of them shows is cut from all.

    The second value is how many secrets the text with the most of them had.
    """
    found: _Found = {}
    cut = [_cut(text, found) for text in texts]
    known = {secret: kind for secret, kind in found.items() if len(secret) >= _SHORTEST}
    if not known:
        return tuple(text for text, _ in cut), max((count for _, count in cut), default=0)
    # Markdown has a backslash before some signs.
    written = (r"\\?".join(map(re.escape, secret)) for secret in sorted(known, key=len, reverse=True))
    pattern = re.compile("|".join(f"({one})" for one in written))
    kinds = [known[secret] for secret in sorted(known, key=len, reverse=True)]
    clean = [pattern.subn(lambda match: f"{MARK}{kinds[(match.lastindex or 1) - 1]}]", text) for text, _ in cut]
    counts = [count + more for (_, count), (_, more) in zip(cut, clean, strict=True)]
    return tuple(text for text, _ in clean), max(counts)


def _cut(text: str, found: _Found) -> tuple[str, int]:
    if len(text) <= _SHORTEST:
        return text, 0
    from wrapgen.redact.forms import FORMS, prefixed
    from wrapgen.redact.tables import without_columns

    count = 0
    if pattern := prefixed(text):
        text, count = _without(lambda match: _prefixed(match, found), pattern, text)
    small = text.lower()
    for form in FORMS:
        for hint in form.hints:  # `any` takes three times as long
            if hint in small:
                text, more = _without(_by_form(form, found), re.compile(form.pattern, re.ASCII), text)
                count += more
                break
    if "|" in text:
        text, more = without_columns(text, lambda kind, secret: _marked(kind, secret, found))
        count += more
    return text, count


def _without(marked: Callable[[re.Match[str]], str], pattern: re.Pattern[str], text: str) -> tuple[str, int]:
    before = text.count(MARK)
    text = pattern.sub(marked, text)
    return text, text.count(MARK) - before


def _marked(kind: str, secret: str, found: _Found) -> str:
    found.setdefault(secret, kind)
    return f"{MARK}{kind}]"


def _prefixed(match: re.Match[str], found: _Found) -> str:
    from wrapgen.redact.forms import prefixes
    from wrapgen.redact.judges import is_random

    kind = prefixes()[match[1]]
    return _marked(kind, match[0], found) if is_random(match[0].removeprefix(match[1])) else match[0]


def _by_form(form: SecretForm, found: _Found) -> Callable[[re.Match[str]], str]:
    """Return what stands in place of a match, its secret replaced; a call of a function has none."""

    def marked(match: re.Match[str]) -> str:
        group = match.lastindex or 0
        if (match.re.groups and not group) or not form.judge(match[group].rstrip(".,:;!?")):
            return match[0]
        start, end = (place - match.start() for place in match.span(group))
        return f"{match[0][:start]}{_marked(form.kind, match[group], found)}{match[0][end:]}"

    return marked
