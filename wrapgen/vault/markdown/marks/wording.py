"""Whether an item says anything: a box with a tag, an hour or an unfilled placeholder is no work. PURE."""

from __future__ import annotations

import re

# Longer ones are no placeholders; looking for the ends of those takes time where there is none.
_LONGEST = 1_000
# Most items begin with a word: those need no second look.
_WORDS_FIRST = re.compile(r"[^\W\d_]{2,}[ ,.:;!?'’-]|[\uac00-\ud7af\u3400-\u9fff\u3040-\u30ff]")
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|<%.*?%>|\$\{[^{}]*\}|^<[^<>/]+>$")
_TAG = re.compile(r"(?<!\S)[#@](?!\d+(?!\S))[^\s#]+|\[\[\s*\]\]|\[\s*\]\(\s*\)")
_TIME = re.compile(r"(?<!\w)\d{1,2}[:.h]\d{2}(?:\s*[ap]m)?(?!\w)", re.IGNORECASE)


def has_words(text: str) -> bool:
    """Whether a text has words of its own, or names an issue.

    Args:
        text: an item without its marks.
    """
    if len(text) > _LONGEST:
        return True
    if _WORDS_FIRST.match(text) and "{" not in text and "<%" not in text:
        return True
    left = _TIME.sub(" ", _TAG.sub(" ", _PLACEHOLDER.sub(" ", text)))
    return re.search(r"[^\W\d_]|#\d", left) is not None
