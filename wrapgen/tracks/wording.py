"""The wording of a dead end found by rules, all from the conversation itself. PURE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.text.display import beginning, one_line
from wrapgen.tracks.terms import terms

if TYPE_CHECKING:
    from wrapgen.tracks.lexicon import TrackCues
    from wrapgen.tracks.sentences import Sentence
    from wrapgen.tracks.story import Story

NAME_LIMIT = 120
"""Characters of a name."""
REASON_LIMIT = 50
"""Characters of a reason (spec 6.2)."""
QUOTE_LIMIT = 300
"""Characters of a piece of a story."""
_EDGE = ' \t\n,，.。:：;；!！?？、-–—·…*_~"“”()（）>#'
# In folded text, where full-width marks and long dashes are plain ones.
_CLAUSE_END = re.compile(
    r"[,:](?!\d)|(?<!\d)[,:]|[;()、]|\s-+\s|--|\s(?=(?:but|so|because|and|which|however|then|until|since)\s)"
    r"|(?<=지만)\s|(?<=는데)\s|(?<=[가-힣]고)\s|(?<=[가-힣]서)\s|但是?|可是|结果|結果|因为|所以"
)
_BECAUSE = re.compile(r"\b(?:because(?: of)?|since|due to)\s|因为|因為|由于")
_BUT = re.compile(
    r"\A(?:(?:but|and|so|because)\b|但是?|可是|结果)\s*|\s+(?:but|and|so|then)(?: (?:i|we))?\Z|[,，]?\s*所以\Z", re.I
)
_SMALL = re.compile(r"(?:(?:to|with|out|using|a|an|the|by|just)\b\s*|也|一下|用\s+)+", re.I)
_PARTICLE = re.compile(r"(?<=[\w`)])(?:으로|로|을|를|도|を|で|も)$")
_LATIN = re.compile(r"[A-Za-z0-9]\Z")


def clause_before(sentence: Sentence, end: int) -> tuple[int, int]:
    """The span of `said` from the last boundary of a clause up to a place."""
    return max((one.end() for one in _CLAUSE_END.finditer(sentence.said, 0, end)), default=0), end


def clause_behind(sentence: Sentence, start: int) -> tuple[int, int]:
    """The span of `said` from a place up to the next boundary of a clause."""
    found = _CLAUSE_END.search(sentence.said, start)
    return start, found.start() if found else len(sentence.said)


def name_of(said: str) -> str:
    """A thing's name without small words around it, "" when nothing is left."""
    name = one_line(said).strip(_EDGE)
    if small := _SMALL.match(name):
        name = name[small.end() :]
    return cut(_PARTICLE.sub("", name).strip(_EDGE), NAME_LIMIT)


def reason_in(text: str, story: Story, cues: TrackCues) -> str:
    """Why something failed: what is named as its cause, else the clause that says that it did.

    A clause that says no more than that is followed by what comes behind it, up to where the thing is left.
    """
    sentence, failed, end = story.failure.sentence, story.failure.cue, story.end
    if because := _BECAUSE.search(sentence.said, failed[1]):
        span = clause_behind(sentence, because.end())
    else:
        span = (clause_before(sentence, failed[0])[0], clause_behind(sentence, failed[1])[1])
    if not terms(sentence.words(*span), cues):
        span = (span[0], end.cue[0] if end.sentence is sentence else len(sentence.said))
    said = one_line(text[slice(*sentence.place(*span))]).strip(_EDGE)
    return cut(_BUT.sub("", said).strip(_EDGE), REASON_LIMIT)


def cut(text: str, limit: int) -> str:
    """The beginning of a text that ends with a word, or between two characters where words have no blanks.

    Args:
        limit: characters at most.
    """
    if len(text) <= limit:
        return text
    head = beginning(text, limit)
    if _LATIN.search(head) and text[len(head)].isascii() and not text[len(head)].isspace():
        at = head.rfind(" ")
        head = head[:at] if at > limit // 3 else head
    return head.rstrip(_EDGE)
