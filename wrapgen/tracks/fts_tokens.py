"""Tokens for searching the cold track. PURE.

SQLite's own tokenizers take a run of Chinese, Japanese or Korean for one word, or find nothing shorter than three
characters. Here such a run is cut into pairs of characters, each beginning where the last one ended but one, so that
any two characters of it are found; its last character is alone too, so that any single one is the beginning of some
piece.
"""

from __future__ import annotations

import re
import unicodedata

from wrapgen.text.display import one_line

_CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{_CJK}]+")
_PIECE = re.compile(rf"([{_CJK}]+)|((?:(?![{_CJK}_])\w)+)")


def pieces(text: str) -> str:
    """A text as it is indexed by SQLite's `unicode61`, which separates words: each run becomes its pairs."""
    if text.isascii():
        return text.replace("\0", " ")
    return _RUN.sub(_paired, _folded(text)).replace("\0", " ")


def _paired(run: re.Match[str]) -> str:
    return " ".join(["", *(run[0][at : at + 2] for at in range(len(run[0]))), ""])


def _folded(text: str) -> str:
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()


def queries(words: str) -> list[str]:
    """What to ask the index for, in the order in which to try: all words, then all of their beginnings, then any.

    Args:
        words: what somebody looks for; a row of Chinese, Japanese or Korean is looked for as it stands.

    Returns:
        FTS5 expressions; none for words without a letter or digit.
    """
    exact, begun = [], []
    for match in _PIECE.finditer(_folded(words)):
        run = match[1]
        if run is None:
            exact.append(f'"{match[0]}"')
            begun.append(f'"{match[0]}" *')
        else:
            # The last character of a run is alone in the index where the run ends; here it may go on.
            pairs = [run[at : at + 2] for at in range(max(1, len(run) - 1))]
            exact.append(f'"{" ".join(pairs)}"' + (" *" if len(run) == 1 else ""))
            begun.append(exact[-1])
    if not exact:
        return []
    tries = (f" {join} ".join(terms) for join in ("AND", "OR") for terms in (exact, begun))
    return list(dict.fromkeys(tries))


def excerpt(text: str, words: str, length: int) -> str:
    """The part of a text around the first word that was looked for, on one line.

    Args:
        length: of the part, in characters.
    """
    flat = one_line(text)
    low = flat.casefold()
    if len(low) != len(flat):  # a letter that folds into two would shift all later offsets
        low = flat.lower() if len(flat.lower()) == len(flat) else flat
    found = [at for match in _PIECE.finditer(_folded(words)) if (at := low.find(match[0])) >= 0]
    begin = max(0, min(found, default=0) - length // 3)
    part = flat[begin : begin + length]
    return f"{'…' if begin else ''}{part}{'…' if begin + length < len(flat) else ''}"
