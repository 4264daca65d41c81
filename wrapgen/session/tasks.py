"""From the words of a follow-up to the task alone: cue, marks and filler are cut, the other words stay as they are.

All functions return spans or joined spans of the raw text: words are left out, never changed or moved.
"""

import re
from collections.abc import Iterator

from wrapgen.phrases import Phrases
from wrapgen.session.lexicon import Language
from wrapgen.words import Folded, stem

_SENTENCE_END = re.compile(r"(?:[.!?](?=[\s\"')*_]|$)|[。！？])[\"')*_」』”]*")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|Mr|Dr|St|v\d+)|\b[A-Z]|(?:^|\s)\d{1,3})$")
_MARKS = re.compile(r"\*\*|__|~~")
_FRONT = re.compile(r"^[^\w`\"'“‘「『(<#@/$.~\\\[-]+")
_EDGES = " \t\n-–—:：,，、;；.。!！*_|>·•→"
_WORDS = re.compile(r"[a-z0-9]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SUBORDINATE = re.compile(r"^(?:when|once|after|before|if|for|in|on|as)\s[^,.]{3,80},\s+(?:please\s+)?")
_IMPERATIVE = re.compile(
    r"([a-z]{3,})(?:\s(?:up|out|off|down|in|on))?\s(?:the|an?|all|any|your|our|its|both|each|every|more|another)\b"
)
_COMMAS = re.compile(r",\s+(?:and\s+)?|\s+and\s+|[、，]")
_LISTED_WORDS = 7
_POINTS = re.compile(r"\b(?:it|them|that|this|its|their|those)\b")
_FIRST = re.compile(r"[a-z]+(?:-[a-z]+)*(?![\w./-])")
_COLON = re.compile(r"[^:：\n]{0,15}[:：]\s*")
_HARD_WRAP = 60
_UNIQUE_LIMIT = 200_000


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of a paragraph.

    A line break ends a sentence unless the line is long enough to have been wrapped by an export and goes on in lower
    case.

    Args:
        text: the turn's text.
        start: where the paragraph begins.
        end: where it ends.
    """
    begin = start
    at = start
    while at < end:
        newline = text.find("\n", at, end)
        stop = end if newline < 0 else newline
        for match in _SENTENCE_END.finditer(text, at, stop):
            if text[match.start()] == "." and _ABBREVIATION.search(text, max(begin, match.start() - 8), match.start()):
                continue
            yield from _span(text, begin, match.end())
            begin = match.end()
        following = text[stop + 1 : stop + 3].lstrip()
        wrapped = stop - at >= _HARD_WRAP and following[:1].islower()
        if not wrapped:
            yield from _span(text, begin, stop)
            begin = stop
        at = stop + 1
    yield from _span(text, begin, end)


def _span(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if end > begin:
        yield begin, end


def clauses(raw: str, start: int, end: int) -> tuple[int, int]:
    """The part of a sentence, between semicolons or dashes, that holds the cue at `start..end`."""
    left, right = 0, len(raw)
    for match in re.finditer(r"[;；](?=\s|\S)|\s[–—]\s|\s--\s", raw):
        if match.end() <= start:
            left = match.end()
        elif match.start() >= end:
            right = match.start()
            break
    return (left, right) if _enough(raw[left:start] + raw[end:right]) else (0, len(raw))


def points_back(raw: str) -> bool:
    """Whether the words need others before them to be understood."""
    return _POINTS.search(raw.lower()) is not None


def after_colon(raw: str, end: int) -> int:
    """Where the task begins when the cue is the title of what follows ("things I still need to do: ..."), else 0."""
    match = _COLON.match(raw, end)
    return match.end() if match and _enough(raw[match.end() :]) else 0


def points_at_work(raw: str) -> bool:
    """Whether the words are more than a pronoun."""
    return len(_WORDS.findall(_POINTS.sub(" ", raw.lower()))) >= 1


def _enough(words: str) -> bool:
    return len(_WORDS.findall(words.lower())) >= 3


def task_text(raw: str, cues: list[tuple[int, int]], languages: tuple[Language, ...]) -> str:
    """The task alone.

    Args:
        raw: the sentence or list item.
        cues: where the cue's words stand in it, in order; none when they stand in a heading above.
        languages: whose filler to cut.
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
        if piece and (_WORDS.search(piece.lower()) or not last):
            text = f"{text} {piece}" if text else piece
        begin = end
    return text


def _without_ending(words: str, languages: tuple[Language, ...], *, may_vanish: bool) -> str:
    """The words without the ending that makes a sentence of them ("할게", "します")."""
    folded = Folded(words)
    for language in languages:
        last = _last(language.phrases("text.end"), folded.text, may_vanish=may_vanish)
        if last is not None:
            return words[: folded.origin(last)].rstrip(_EDGES)
    return words


def trim(
    raw: str,
    languages: tuple[Language, ...],
    *,
    cut_lead: bool = True,
    cut_tail: bool = False,
    may_vanish: bool = False,
) -> str:
    """The words without marks and, where asked, without filler at either end.

    Args:
        raw: the words.
        languages: whose filler to cut.
        cut_lead: cut filler in front.
        cut_tail: cut filler behind.
        may_vanish: nothing has to be left.
    """
    words = _FRONT.sub("", _MARKS.sub("", raw).strip(_EDGES))
    words = " ".join(words.split())
    trimming = True
    while trimming and words:
        trimming = False
        folded = Folded(words)
        for language in languages:
            match = language.phrases("text.lead").match(folded.text) if cut_lead else None
            if match and (may_vanish or match.end() < len(folded.text)):
                words = words[folded.origin(match.end()) :].lstrip(_EDGES)
                trimming = True
                break
        folded = Folded(words)
        for language in languages if cut_tail else ():
            last = _last(language.phrases("text.tail"), folded.text)
            if last is not None:
                words = words[: folded.origin(last)].rstrip(_EDGES)
                trimming = True
                break
    return words.strip(_EDGES)


def _last(filler: Phrases, folded: str, *, may_vanish: bool = False) -> int | None:
    """Where filler that runs to the end begins; only the last 40 characters are looked at."""
    begin = max(0, len(folded) - 40)
    end = folded[begin:]
    starts = (begin + match.start() for match in filler.finditer(end) if match.end() == len(end))
    return next((start for start in starts if start or may_vanish), None)


def core(raw: str) -> str:
    """The words that name a list item, without what explains them.

    Its bold beginning, or what stands before a dash, a colon or a parenthesis.
    """
    words = _FRONT.sub("", raw.strip(_EDGES.replace("*", "")))
    bold = re.match(r"\*\*([^*\n]{3,120})\*\*", words)
    if bold and not bold[1].rstrip().endswith((":", "：")):
        words = bold[1]
    head = re.split(r"\s[–—-]\s|\s?[(（]|[:：]\s|\s→", _MARKS.sub("", words), maxsplit=1)[0]
    return head if len(_WORDS.findall(head.lower())) >= 2 else _MARKS.sub("", words)


def trimmed(raw: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space and separators at its edges."""
    while start < end and raw[start] in _EDGES:
        start += 1
    while end > start and raw[end - 1] in ",;，；、 \t\n":
        end -= 1
    return start, end


def unique_start(text: str, start: int, end: int) -> int:
    """Where a quote has to begin so that looking it up in the text finds this place: with its mark, if need be."""
    line = max(text.rfind("\n", max(0, start - 40), start) + 1, start - 40, 0)
    before = text[line:start]
    if not before.strip() or len(text) > _UNIQUE_LIMIT or text.find(text[start:end]) == start:
        return start
    return start - len(before.lstrip())


def starts_with_verb(words: str, languages: tuple[Language, ...]) -> bool:
    """Whether the words name an action: an imperative in front, or for Korean, Chinese and Japanese anywhere."""
    folded = _SUBORDINATE.sub("", Folded(words).text)
    first = _FIRST.match(folded)
    return any(
        (
            first is not None
            and (
                _orders(folded, language) or first[0] in language.verbs or _gerund(first[0]) in language.verbs
            )
        )
        or language.phrases("text.verbs").match(folded) is not None
        if language.lang == "en"
        else language.phrases("text.verbs").found(folded)
        for language in languages
    )


def _orders(folded: str, language: Language) -> bool:
    """Whether a word that may well be a verb stands before a determiner: "warm the cache"."""
    match = _IMPERATIVE.match(folded)
    return match is not None and match[1] not in language.stop


def _gerund(word: str) -> str:
    return stem(word) if word.endswith("ing") else ""


def parts(raw: str, languages: tuple[Language, ...]) -> list[tuple[int, int]]:
    """Spans of the clearly separate tasks in a sentence; one span when it is one task.

    The right side has to begin with a verb and to have an object of its own: "add tests and run them" stays one; at a
    mere comma the left side has to begin with a verb too.

    Args:
        raw: the sentence.
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


def enumeration(raw: str) -> list[tuple[int, int]]:
    """Spans of the short parts of "a, b and c"; empty when the words are no such list."""
    spans = []
    begin = 0
    for match in [*_COMMAS.finditer(raw), None]:
        end = match.start() if match else len(raw)
        spans.append(trimmed(raw, begin, end))
        begin = match.end() if match else end
    words = [len(raw[a:b].split()) for a, b in spans]
    return spans if len(spans) > 1 and all(0 < count <= _LISTED_WORDS for count in words) else []


def _separate(left: str, right: str, languages: tuple[Language, ...]) -> bool:
    if not (_enough(left) and _enough(right) and starts_with_verb(right, languages)):
        return False
    first = _FIRST.match(right.lower())
    if first and _gerund(first[0]):
        return False
    return not points_back(right)
