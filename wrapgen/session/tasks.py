"""From the words of a follow-up to the task alone: cue, marks and filler are cut, the other words stay as they are.

All functions return spans or joined spans of the raw text: words are left out, never changed or moved.
"""

import re

from wrapgen.session.lexicon import Language, Languages
from wrapgen.session.spans import EDGES, content, enough
from wrapgen.text.display import one_line
from wrapgen.text.phrases import Phrases
from wrapgen.text.words import Folded, stem

_MARKS = re.compile(r"\*\*|__|~~")
_FRONT = re.compile(r"^[^\w`\"'“‘「『(<#@/$.~\\\[-]+")
_SUBORDINATE = re.compile(r"^(?:when|once|after|before|if|for|in|on|as)\s[^,.]{3,80},\s+(?:please\s+)?")
_IMPERATIVE = re.compile(
    r"([a-z]{3,})(?:\s(?:up|out|off|down|in|on))?\s(?:the|an?|all|any|your|our|its|both|each|every|more|another)\b"
)
_POINTS = re.compile(r"\b(?:it|them|that|this|its|their|those)\b")
_FIRST = re.compile(r"[a-z]+(?:-[a-z]+)*(?![\w./-])")


def task_text(raw: str, cues: list[tuple[int, int]], languages: Languages) -> str:
    """The task alone.

    Args:
        cues: where the cue's words are in it, in order; none when they are in a heading above.
    """
    if not cues:
        return trim(raw, languages, cut_lead=False)
    text = ""
    begin = 0
    for start, end in [*cues, (len(raw), len(raw))]:
        last = start == len(raw)
        piece = trim(raw[begin:start], languages, cut_lead=not text, cut_tail=not last, may_vanish=not last)
        if last:
            piece = _without_ending(piece, languages, may_vanish=bool(text))
        if not last and raw[begin:start].rstrip().endswith((":", "：")):
            piece = ""  # "One more thing: remind me to ..."
        if piece and (content(piece) or not last):
            text = f"{text} {piece}" if text else piece
        begin = end
    return text


def _without_ending(words: str, languages: Languages, *, may_vanish: bool) -> str:
    """The words without the ending that makes a sentence of them ("할게", "します")."""
    folded = Folded(words)
    for language in languages:
        last = _last(language.phrases("text.end"), folded.text, may_vanish=may_vanish)
        if last is not None:
            return words[: folded.origin(last)].rstrip(EDGES)
    return words


def trim(
    raw: str,
    languages: Languages,
    *,
    cut_lead: bool = True,
    cut_tail: bool = False,
    may_vanish: bool = False,
) -> str:
    """The words without marks and, where asked, without filler at either end.

    Args:
        cut_lead: cut filler in front.
        cut_tail: cut filler behind.
        may_vanish: nothing has to be left.
    """
    words = one_line(_FRONT.sub("", _MARKS.sub("", raw).strip(EDGES)))
    trimming = True
    while trimming and words:
        trimming = False
        folded = Folded(words)
        for language in languages:
            match = language.phrases("text.lead").match(folded.text) if cut_lead else None
            if match and (may_vanish or match.end() < len(folded.text)):
                words = words[folded.origin(match.end()) :].lstrip(EDGES)
                trimming = True
                break
        folded = Folded(words)
        for language in languages if cut_tail else ():
            last = _last(language.phrases("text.tail"), folded.text)
            if last is not None:
                words = words[: folded.origin(last)].rstrip(EDGES)
                trimming = True
                break
    return words.strip(EDGES)


def _last(filler: Phrases, folded: str, *, may_vanish: bool = False) -> int | None:
    """Where filler that runs to the end begins; only the last 40 characters are looked at."""
    begin = max(0, len(folded) - 40)
    end = folded[begin:]
    starts = (begin + match.start() for match in filler.finditer(end) if match.end() == len(end))
    return next((start for start in starts if start or may_vanish), None)


def core(raw: str) -> str:
    """The words that name a list item, without what explains them.

    Its bold beginning, or what is before a dash, a colon or a parenthesis.
    """
    words = _FRONT.sub("", raw.strip(EDGES.replace("*", "")))
    bold = re.match(r"\*\*([^*\n]{3,120})\*\*", words)
    if bold and not bold[1].rstrip().endswith((":", "：")):
        words = bold[1]
    head = re.split(r"\s[–—-]\s|\s?[(（]|[:：]\s|\s→", _MARKS.sub("", words), maxsplit=1)[0]
    return head if len(content(head)) >= 2 else _MARKS.sub("", words)


def starts_with_verb(words: str, languages: Languages) -> bool:
    """Whether the words name an action: an imperative in front, or for Korean, Chinese and Japanese anywhere."""
    folded = _SUBORDINATE.sub("", Folded(words).text)
    first = _FIRST.match(folded)
    return any(
        (
            first is not None
            and (_orders(folded, language) or first[0] in language.verbs or _gerund(first[0]) in language.verbs)
        )
        or language.phrases("text.verbs").match(folded) is not None
        if language.lang == "en"
        else language.phrases("text.verbs").found(folded)
        for language in languages
    )


def _orders(folded: str, language: Language) -> bool:
    """Whether a word that may well be a verb is before a determiner: "warm the cache"."""
    match = _IMPERATIVE.match(folded)
    return match is not None and match[1] not in language.stop


def _gerund(word: str) -> str:
    return stem(word) if word.endswith("ing") else ""


def parts(raw: str, languages: Languages) -> list[tuple[int, int]]:
    """Spans of the clearly separate tasks in a sentence; one span when it is one task.

    The right side has to begin with a verb and to have an object of its own: "add tests and run them" stays one; at a
    mere comma the left side has to begin with a verb too.

    Args:
        languages: whose conjunctions to look for.
    """
    folded = Folded(raw)
    for language in languages:
        for match in language.phrases("text.split").finditer(folded.text):
            left, right = raw[: folded.origin(match.start())], raw[folded.origin(match.end()) :]
            own = (language,)
            listed = match[0].strip() == ","
            if listed and not starts_with_verb(trim(left, own), own):
                continue
            if _separate(trim(left, languages), trim(right, languages), own) and right.strip():
                begin = folded.origin(match.end())
                return [(0, len(left)), *((begin + a, begin + b) for a, b in parts(right, languages))]
    return [(0, len(raw))]


def _separate(left: str, right: str, languages: Languages) -> bool:
    if not (enough(left) and enough(right) and starts_with_verb(right, languages)):
        return False
    first = _FIRST.match(right.lower())
    if first and _gerund(first[0]):
        return False
    return not points_back(right)


def points_back(raw: str) -> bool:
    """Whether the words need others before them to be understood."""
    return _POINTS.search(raw.lower()) is not None


def points_at_work(raw: str) -> bool:
    """Whether the words are more than a pronoun."""
    return len(content(_POINTS.sub(" ", raw.lower()))) >= 1
