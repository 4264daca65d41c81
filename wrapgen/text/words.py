"""Folding of texts for comparison: what two people type for the same words becomes the same string.

Cues are looked up in folded text, quotes are reported from the raw text, so folding keeps track of where each folded
character came from.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from wrapgen.late_pattern import late

HANGUL = "\uac00-\ud7af"  # Hangul syllables, as they stand within the brackets of a pattern
CJK = f"\u3040-\u30ff\u3400-\u9fff{HANGUL}"  # kana, Han characters and Hangul syllables, likewise
_CJK = late(f"[{CJK}]")
_HANGUL = late("[\uac00-\ud7af\u1100-\u11ff]")
_KANA = late("[\u3040-\u30ff]")
_HAN = late("[\u3400-\u9fff]")


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


_CODE = late(r"(`{1,3})([^`\n]{1,400})\1")
_QUOTED = late(
    r"“[^”\n]{1,80}”|「[^」\n]{1,60}」|『[^』\n]{1,60}』|(?<![a-z0-9])\"[^\"\n]{1,200}\"(?![a-z0-9])|‘[^’\n]{2,60}’(?!\w)"
)
_PATH = late(
    r"[\w.@~:-]{0,200}[/\\][\w./\\@~-]{1,200}|\b[\w-]{1,60}\.(?:md|py|ts|tsx|js|jsx|json|toml|ya?ml|txt|rs|go|sh|cs|cpp|h|html|css)\b",
    re.ASCII,
)
_WORD = late(f"[a-z0-9][a-z0-9_]*|[{CJK}]+")
_MASK = "\x00"
_QUOTES = frozenset('“「『"‘')
_PATH_SIGNS = frozenset("/\\.")
_IRREGULAR = {
    "written": "write", "wrote": "write", "built": "build", "sent": "send", "ran": "run", "made": "make",
    "found": "find", "kept": "keep", "left": "leave", "chosen": "choose", "chose": "choose", "drawn": "draw",
    "broken": "break", "hidden": "hide", "shown": "show", "taken": "take", "given": "give", "rebuilt": "rebuild",
    "rewritten": "rewrite", "understood": "understand", "caught": "catch", "bought": "buy",
}  # fmt: skip
"""Verbs whose past has another stem, as reports of finished work use it."""
_FUNCTION_WORDS = frozenset(
    """a an the this that these those it its i me my we us our you your he him his she her they them their who which
    what of to in on at by for from with without into onto over under about as than then and or but if so because while
    is are was were be been being am do does did done have has had will would shall should can could may might must
    not no nor there here also just only very too via per""".split()  # noqa: SIM905 - a list of words reads best as one
)
"""Articles, prepositions, pronouns, auxiliaries and conjunctions: words without content."""
_LIKE = str.maketrans({"’": "'", "‘": "'", "‑": "-", "–": "-", "—": "-", "\u00a0": " "})


class Folded:
    """A text folded to NFKC and lower case, with the way back to the raw offsets."""

    __slots__ = ("_origin", "raw", "text")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._origin: list[int] | None = None
        if raw.isascii():
            self.text = raw.lower()
            return
        text = unicodedata.normalize("NFKC", raw).lower().translate(_LIKE)
        if len(text) == len(raw):
            self.text = text
            return
        pieces: list[str] = []
        self._origin = []
        for start, cluster in _clusters(raw):
            piece = unicodedata.normalize("NFKC", cluster).lower().translate(_LIKE)
            pieces.append(piece)
            self._origin.extend([start] * len(piece))
        self._origin.append(len(raw))
        self.text = "".join(pieces)

    def origin(self, offset: int) -> int:
        return offset if self._origin is None else self._origin[min(offset, len(self._origin) - 1)]


def _clusters(raw: str) -> Iterator[tuple[int, str]]:
    """Characters with the marks (accents, Hangul vowels and finals) that compose with them."""
    start = 0
    for at in range(1, len(raw) + 1):
        if at < len(raw) and (unicodedata.combining(raw[at]) or "\u1160" <= raw[at] <= "\u11ff"):
            continue
        yield start, raw[start:at]
        start = at


def masked(folded: str) -> str:
    """The folded text with code, quoted words and paths blanked out: cue words there are mentioned, not used."""
    if "`" in folded:
        folded = _CODE.sub(_blank, folded)
    if not _QUOTES.isdisjoint(folded):
        folded = _QUOTED.sub(_blank, folded)
    if not _PATH_SIGNS.isdisjoint(folded):
        folded = _PATH.sub(_blank, folded)
    return folded


def _blank(match: re.Match[str]) -> str:
    return _MASK * len(match[0])


def tokens(folded: str, stop: frozenset[str]) -> frozenset[str]:
    """Words that carry content: Latin words without their endings, pairs of characters of Korean, Chinese, Japanese."""
    found: set[str] = set()
    for match in _WORD.finditer(folded):
        word = match[0]
        if word.isascii():
            if word.isdigit():
                found.add(word)  # "step 3" is not "step 5"
            elif len(word) > 1 and word not in stop:
                found.update(
                    part for part in (stem(piece) for piece in word.split("_")) if len(part) > 1 and part not in stop
                )
        elif word not in stop:
            found.update(pair for pair in (word[i : i + 2] for i in range(len(word) - 1)) if pair not in stop)
    return frozenset(found)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry content: all but articles, prepositions, pronouns and auxiliaries.

    English words come without their endings; Korean, Chinese and Japanese as pairs of characters.
    """
    return tokens(Folded(text).text, _FUNCTION_WORDS)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A crude English stem: enough to see that `adding`, `added` and `adds` are the same work."""
    word = _IRREGULAR.get(word, word)
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word


def fold_key(text: str) -> str:
    """The text reduced to what makes two mentions the same.

    NFKC, case folded; marks, white space and closing punctuation stripped.
    """
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_LIKE)
    folded = re.sub(r"[*_`~#\[\]\"“”「」]+", "", folded)
    return re.sub(r"\s+", " ", folded).strip(" \t\n-–—•.,;:!?。、，；：！？…")


SHORTEST = 4  # minimum characters of a quote, marks and white space aside; shorter ones occur everywhere
_SHORTEST_HAN = 2
UNSEEN = late(r"[\s*_`#>|~\[\]\\\u200b-\u200d\ufeff]+")
"""What a quote that was copied from a rendered page may lack."""


def quote_form(text: str) -> str:
    """A quote, or a text that may hold it, as they are compared."""
    return UNSEEN.sub("", Folded(text).text)


def too_short(form: str) -> bool:
    """Whether too few characters remain of a quote to prove anything."""
    return len(form) < (_SHORTEST_HAN if has_cjk(form) else SHORTEST)
