"""From the words of a follow-up to the task alone, and whether two mentions are the same work. PURE.

Of the raw text words are left out (cue, marks, filler), never changed or moved.
"""

import re

from wrapgen.session.lexicon import Languages
from wrapgen.text.display import one_line
from wrapgen.text.words import CJK, Folded

EDGES = " \t\n-–—:：,，、;；.。!！*_|>·•→"
_CONTENT = re.compile(f"[a-z0-9]{{2,}}|[{CJK}]")
_MARKS = re.compile(r"\*\*|__|~~")
_FRONT = re.compile(r"^[^\w`\"'“‘「『(<#@/$.~\\\[-]+")
_POINTS = re.compile(r"\b(?:it|them|that|this|its|their|those)\b")
_TAIL = 40  # characters at the end of the words that may be filler


def content(words: str) -> list[str]:
    """The words that may carry content: Latin words of two letters and more, single characters of other scripts."""
    return _CONTENT.findall(words.lower())


def task_text(raw: str, cues: list[tuple[int, int]], languages: Languages) -> str:
    """The task alone; `cues` are where the cue's words are in it, none when they are in a heading above."""
    if not cues:
        return _trim(raw, languages, lead=False)
    text = ""
    begin = 0
    for start, end in [*cues, (len(raw), len(raw))]:
        last = start == len(raw)
        piece = _trim(raw[begin:start], languages, lead=not text, tail=not last, may_vanish=not last)
        if last:
            piece = _cut(piece, "text.end", languages, may_vanish=bool(text))
        elif raw[begin:start].rstrip().endswith((":", "：")):
            piece = ""  # "One more thing: remind me to ..."
        if piece and (content(piece) or not last):
            text = f"{text} {piece}" if text else piece
        begin = end
    return text


def _trim(raw: str, languages: Languages, *, lead: bool, tail: bool = False, may_vanish: bool = False) -> str:
    """The words without marks and, where asked, without filler in front (`lead`) and behind (`tail`)."""
    words = one_line(_FRONT.sub("", _MARKS.sub("", raw).strip(EDGES)))
    before = ""
    while words != before:
        before = words
        folded = Folded(words)
        for language in languages if lead else ():
            match = language.phrases("text.lead").match(folded.text)
            if match and (may_vanish or match.end() < len(folded.text)):
                words = words[folded.origin(match.end()) :].lstrip(EDGES)
                break
        if tail:
            words = _cut(words, "text.tail", languages)
    return words.strip(EDGES)


def _cut(words: str, group: str, languages: Languages, *, may_vanish: bool = False) -> str:
    """The words without the longest phrase of a group at their end."""
    folded = Folded(words)
    begin = max(0, len(folded.text) - _TAIL)
    end = folded.text[begin:]
    for language in languages:
        for match in language.phrases(group).finditer(end):
            if match.end() == len(end) and (begin + match.start() or may_vanish):
                return words[: folded.origin(begin + match.start())].rstrip(EDGES)
    return words


def core(raw: str) -> str:
    """The words that name a list item: its bold beginning, or what is before a dash, a colon or a parenthesis."""
    words = _FRONT.sub("", raw.strip(EDGES.replace("*", "")))
    bold = re.match(r"\*\*([^*\n]{3,120})\*\*", words)
    if bold and not bold[1].rstrip().endswith((":", "：")):
        words = bold[1]
    head = re.split(r"\s[–—-]\s|\s?[(（]|[:：]\s|\s→", _MARKS.sub("", words), maxsplit=1)[0]
    return head if len(content(head)) >= 2 else _MARKS.sub("", words)


def parts(raw: str, languages: Languages) -> list[tuple[int, int]]:
    """Spans of the clearly separate tasks in a sentence; one span when it is one task.

    The right side has to begin with a verb and to have an object of its own: "add tests and run them" stays one; at a
    mere comma the left side has to begin with a verb too.
    """
    folded = Folded(raw)
    for language in languages:
        own = (language,)
        for match in language.phrases("text.split").finditer(folded.text):
            begin = folded.origin(match.end())
            left, right = raw[: folded.origin(match.start())], raw[begin:]
            task = _trim(right, languages, lead=True)
            if match[0].strip() == "," and not acts(_trim(left, own, lead=True), own):
                continue
            if (
                min(len(content(left)), len(content(task))) >= 3
                and acts(task, own)
                and not _POINTS.search(task.lower())
            ):
                return [(0, len(left)), *((begin + a, begin + b) for a, b in parts(right, languages))]
    return [(0, len(raw))]


def acts(words: str, languages: Languages) -> bool:
    """Whether the words name an action: an English imperative in front, or for the others anywhere."""
    folded = Folded(words).text
    verbs = [(language.lang, language.phrases("text.verbs")) for language in languages]
    return any(one.match(folded) is not None if lang == "en" else one.found(folded) for lang, one in verbs)


_ALIKE = 0.65  # share of the smaller mention's words that two versions of a list item have in common
_SAME = 0.8  # the same for two mentions that count as one although each has words of its own, and the words they need
_LONG = 6


def alike(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two list items may be the same one in different words."""
    mine, others = numbers_of(left), numbers_of(right)
    if mine and others and mine != others:  # step 3 is not step 5, though both may be "the tests"
        return False
    left, right = left - mine, right - others
    shared = len(left & right)
    return (
        shared >= min(2, len(left), len(right))
        and shared / max(1, min(len(left), len(right))) >= _ALIKE
        and shared * 4 >= max(len(left), len(right))
    )


def same(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two mentions are certainly the same work: where each has words of its own, it is another step."""
    if not alike(left, right):
        return False
    smaller = min(len(left), len(right))
    own = left - right and right - left
    return not own or (smaller >= _LONG and len(left & right) / smaller > _SAME)


def numbers_of(words: frozenset[str]) -> frozenset[str]:
    """The numbers among the words."""
    return frozenset(filter(str.isdigit, words))
