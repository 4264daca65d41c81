"""Where clauses and the parts of an enumeration are in a turn's text."""

import re

from wrapgen.text.scripts import CJK

_COMMAS = re.compile(r",\s+(?:and\s+)?|(?<!\s)\s+and\s+|[、，]")
_COLON = re.compile(r"[^:：\n]{0,15}[:：]\s*")
_LISTED_WORDS = 7
"""Most words of a part of "a, b and c"; longer ones are clauses."""
_UNIQUE_LIMIT = 200_000
"""Characters. Longer turns are not searched for words that are in them twice."""
_CONTENT = re.compile(f"[a-z0-9]{{2,}}|[{CJK}]")
EDGES = " \t\n-–—:：,，、;；.。!！*_|>·•→"


def content(words: str) -> list[str]:
    """The words that may carry content: Latin words of two letters and more, single characters of other scripts."""
    return _CONTENT.findall(words.lower())


def enough(words: str) -> bool:
    """Whether the words can be a task of their own."""
    return len(content(words)) >= 3


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
