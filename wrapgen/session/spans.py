"""Where sentences, clauses and the parts of an enumeration stand in a turn's text."""

import re
from collections.abc import Iterator

_SENTENCE_END = re.compile(r"(?:[.!?](?=[\s\"')*_]|$)|[。！？])[\"')*_」』”]*")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|Mr|Dr|St|v\d+)|\b[A-Z]|(?:^|\s)\d{1,3})$")
_COMMAS = re.compile(r",\s+(?:and\s+)?|\s+and\s+|[、，]")
_COLON = re.compile(r"[^:：\n]{0,15}[:：]\s*")
_LISTED_WORDS = 7
"""Most words of a part of "a, b and c"; longer ones are clauses."""
_HARD_WRAP = 60
"""Characters. Exports wrap lines that are at least so long."""
_UNIQUE_LIMIT = 200_000
"""Characters. Longer turns are not searched for words that stand in them twice."""
_CONTENT = re.compile(r"[a-z0-9]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
EDGES = " \t\n-–—:：,，、;；.。!！*_|>·•→"


def content(words: str) -> list[str]:
    """The words that may carry content: Latin words of two letters and more, single characters of other scripts.

    Args:
        words: any text.
    """
    return _CONTENT.findall(words.lower())


def enough(words: str) -> bool:
    """Whether the words can be a task of their own.

    Args:
        words: any text.
    """
    return len(content(words)) >= 3


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
    return (left, right) if enough(raw[left:start] + raw[end:right]) else (0, len(raw))


def trimmed(raw: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space and separators at its edges."""
    while start < end and raw[start] in EDGES:
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


def after_colon(raw: str, end: int) -> int:
    """Where the task begins when the cue is the title of what follows ("things I still need to do: ..."), else 0."""
    match = _COLON.match(raw, end)
    return match.end() if match and enough(raw[match.end() :]) else 0
