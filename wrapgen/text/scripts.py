"""Scripts: which characters are whose, and which language a text is in."""

from __future__ import annotations

import re

HANGUL = "\uac00-\ud7af"
"""Hangul syllables, as they stand within the brackets of a pattern."""
CJK = f"\u3040-\u30ff\u3400-\u9fff{HANGUL}"
"""Kana, Han characters and Hangul syllables, likewise."""
_CJK = re.compile(f"[{CJK}]")
_HANGUL = re.compile("[\uac00-\ud7af\u1100-\u11ff]")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")


def language_of(text: str) -> str:
    """`ko`, `ja`, `zh` or `en`, by script: Hangul, then kana, then Han characters, then anything else."""
    if text.isascii():
        return "en"
    sample = text[:20_000]
    hangul = len(_HANGUL.findall(sample))
    kana = len(_KANA.findall(sample))
    han = len(_HAN.findall(sample))
    if hangul + kana + han < max(2, len(sample) // 50):
        return "en"
    if hangul >= kana + han:
        return "ko"
    return "ja" if kana * 20 > han else "zh"


def has_cjk(text: str) -> bool:
    """Whether a Chinese, Japanese or Korean character stands in a text."""
    return _CJK.search(text) is not None
