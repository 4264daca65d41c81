"""The words of a text that carry content, so that two texts about one thing are seen to be. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.text.scripts import HANGUL
from wrapgen.text.words import tokens

if TYPE_CHECKING:
    from wrapgen.tracks.lexicon import TrackCues

_HANGUL = re.compile(f"[{HANGUL}]+")
_BARE_NUMBER = re.compile(r"\d{1,3}\Z")


def terms(folded: str, cues: TrackCues) -> frozenset[str]:
    """Latin words by their stems, pairs of characters of Chinese, Japanese and Korean.

    Chinese is taken apart at the characters that only join words, Korean words lose their particles and endings.
    Small numbers say too little alone: "30 s" is not about "30 files".

    Args:
        cues: words, characters and endings without content.
    """
    if not folded.isascii():
        folded = cues.joints.sub(" ", folded)
        folded = _HANGUL.sub(lambda word: cues.endings.sub("", word[0]) or " ", folded)
    found = tokens(folded, cues.stop)
    return frozenset(term for term in found if not _BARE_NUMBER.match(term))
