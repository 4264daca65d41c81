"""Which heading a line stands under, and what that heading says about it.

In nine of ten follow-ups that stand in lists, the words that put them off stand in the heading or lead-in above
("Still to do (by theme)"): that state is carried over the list and ends at the next heading of the same or a higher
rank.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from wrapgen.blocks import BOLD_LEVEL, LEAD_LEVEL, Block
from wrapgen.phrases import Phrases
from wrapgen.session.lexicon import Language
from wrapgen.words import Folded, masked

Meaning = Literal["open", "closed", "blocked", "offer", "neutral"]

ITEM_LEVEL = 100
"""Items that head deeper items rank below every heading, by their indentation."""
_WAITS = re.compile("[⏳⌛🚧⏸🔜🔲⬜☐📌]")
_SIGNED = 0.64
"""Confidence of a heading that says only by a sign that its lines wait."""
_NAMES_WORK = re.compile(r"[*_ ]*[:：][*_ ]*\w[\w'-]*\s+\w[\w'-]*\s*\w")
LIKELY = 0.75
"""Headings of at least this weight put their lines off in so many words; lighter ones only make it likely."""
_WEAK = 0.5
"""Headings of a lower weight ("High priority") mean what the heading above them means, if there is one."""
_SENTENCE_LIMIT = 160
_QUESTION_LIMIT = 80
_ANSWER = 0.7
"""Confidence of what is listed in answer to "what's left?"."""
_GENERAL = 4
_VERY_SHORT = 24
"""A word like "still" or "left" of Korean, Chinese or Japanese decides only in a title, not in a sentence."""
_SHORT = 40
_EDGE = 45
_MARKS = " :：*?？"


@dataclass(frozen=True, slots=True)
class Section:
    """What a heading says about the lines under it.

    Args:
        level: rank; smaller ranks end larger ones.
        meaning: `open` puts its lines off, `closed` reports them done, `blocked` explains or instructs, `offer` asks.
        weight: confidence that an `open` heading gives its lines.
        cue: the words that decided, as they stand in the heading.
        turn_offset: where the heading begins in its turn.
    """

    level: int
    meaning: Meaning
    weight: float = 0.0
    cue: str = ""
    turn_offset: int = 0


class Sections:
    """The headings above the current line, outermost first."""

    def __init__(self, languages: tuple[Language, ...], asked: str = "") -> None:
        self._languages = languages
        self._stack: list[Section] = []
        self._asked = answering(asked, languages)
        self._fresh = False

    def enter(self, block: Block, text: str) -> Section:
        """Take a heading in; it ends all headings of its own or a lower rank."""
        return self._push(block.level, block, text)

    def enter_sentence(self, block: Block, text: str) -> bool:
        """Take in a sentence right above a list, if it puts the list off."""
        if block.end - block.start > _SENTENCE_LIMIT:
            return False
        section = classify(text[block.start : block.end], block.level, self._languages, block.start)
        raw = text[block.start : block.end]
        leads = any(language.leads.found(Folded(raw).text) for language in self._languages)
        title = len(raw) <= _SHORT and raw[-1].isalnum()
        if section.meaning == "open" and section.weight >= (_WEAK if leads or title else LIKELY):
            self._push(block.level, block, text)
            return True
        return False

    def enter_item(self, block: Block, text: str) -> Section:
        """Take in an item that heads the deeper items below it."""
        return self._push(ITEM_LEVEL + block.level, block, text)

    def leave_items(self, indent: int) -> None:
        """Forget items of the given or a deeper indentation: another one begins."""
        self._fresh = False
        while self._stack and self._stack[-1].level >= ITEM_LEVEL + indent:
            self._stack.pop()

    def leave_lead(self) -> None:
        """A paragraph ends what a lead-in line above it said."""
        self._fresh = False
        while self._stack and self._stack[-1].level >= LEAD_LEVEL:
            self._stack.pop()

    def rule(self) -> None:
        """A horizontal rule ends what was put off above it; a chat's lists rarely go on behind one."""
        self.leave_lead()
        while self._stack and self._stack[-1].meaning == "open":
            self._stack.pop()

    @property
    def current(self) -> Section | None:
        """The nearest heading that says anything; the ones between say nothing of their own."""
        meant = (section for section in reversed(self._stack) if section.meaning != "neutral")
        return next(meant, self._asked)

    def _push(self, level: int, block: Block, text: str) -> Section:
        if self._fresh and level == BOLD_LEVEL and self._stack[-1].level == LEAD_LEVEL:
            # "Here is what's left:" above bold titles with lists of their own heads them all.
            self._stack[-1] = replace(self._stack[-1], level=BOLD_LEVEL - 1)
        while self._stack and self._stack[-1].level >= level:
            self._stack.pop()
        self._fresh = True
        section = classify(text[block.start : block.end], level, self._languages, block.start)
        if section.meaning == "open" and section.weight < _WEAK and self.current:
            section = Section(level, "neutral", turn_offset=block.start)
        self._stack.append(section)
        return section


def answering(asked: str, languages: tuple[Language, ...]) -> Section | None:
    """The section that an answer to "what's left?" is as a whole; None when the user asked something else."""
    if not asked or len(asked) > _QUESTION_LIMIT:
        return None
    plain = masked(Folded(asked).text)
    found = opening_of(plain, languages)
    if found is None or found[0] < _WEAK or not any(language.asking.found(plain) for language in languages):
        return None
    if _outside([found[1:]], (language.settled for language in languages), plain):
        return None
    return Section(0, "open", _ANSWER, asked[found[1] : found[2]], 0)


def classify(raw: str, level: int, languages: tuple[Language, ...], offset: int = 0) -> Section:
    """What a heading says about the lines under it.

    Args:
        raw: the heading's words.
        level: its rank.
        languages: whose cues to look for.
        offset: where it begins in its turn.
    """
    folded = Folded(raw)
    plain = masked(folded.text)
    for language in languages:
        plain = language.negatives["terms"].blank(plain)
    found = opening_of(plain, languages)
    meaning = _meaning(plain, found, languages)
    if meaning == "neutral" and "✅" in raw:
        meaning = "closed"
    sign = _WAITS.search(raw) if meaning == "neutral" else None
    if sign:
        return Section(level, "open", _SIGNED, sign[0], offset)
    if meaning != "open" or found is None:
        return Section(level, meaning, turn_offset=offset)
    weight, start, end = found
    return Section(level, "open", weight, raw[folded.origin(start) : folded.origin(end)], offset)


def _meaning(plain: str, found: tuple[float, int, int] | None, languages: tuple[Language, ...]) -> Meaning:
    asks = plain.rstrip(" :：*").endswith(("?", "？"))
    if asks and found and (found[2] - found[1]) * 10 >= len(plain.strip(_MARKS)) * 7:
        asks = False  # "What's next?" is a title, not a question
    spans = [
        match.span() for language in languages for _, pattern in language.open for match in pattern.finditer(plain)
    ]
    if asks or _outside(spans, (language.heading_offers for language in languages), plain):
        return "offer"
    if found:
        if _NAMES_WORK.match(plain[found[2] :]):
            # "TODO: rotate the keys" is a task of its own; what stands below explains it.
            return "neutral"
        if any(language.negatives["cancelled"].found(plain) for language in languages):
            return "closed"
        return "blocked" if _outside(spans, (language.settled for language in languages), plain) else "open"
    if any(language.closed.found(plain) for language in languages):
        return "closed"
    return "blocked" if any(language.blocked.found(plain) for language in languages) else "neutral"


def _outside(spans: list[tuple[int, int]], groups: Iterable[Phrases], plain: str) -> bool:
    """Whether any phrase stands outside of the opening phrases: "done" does not in "not done yet"."""
    places = (match.span() for phrases in groups for match in phrases.finditer(plain))
    return any(not any(start <= a and b <= end for start, end in spans) for a, b in places)


def _inside_parentheses(plain: str, at: int) -> bool:
    return max(plain.count("(", 0, at), plain.count("（", 0, at)) > max(
        plain.count(")", 0, at), plain.count("）", 0, at)
    )


def _better(new: tuple[float, int, int], old: tuple[float, int, int]) -> bool:
    """The longer of two phrases one of which holds the other, else the heavier one."""
    if new[1] <= old[1] and old[2] <= new[2]:
        return new[2] - new[1] > old[2] - old[1]
    inside = old[1] <= new[1] and new[2] <= old[2]
    return not inside and new[0] > old[0]


def opening_of(plain: str, languages: tuple[Language, ...]) -> tuple[float, int, int] | None:
    """The heaviest opening phrase and its place; in a long lead-in it has to stand near either end."""
    length = len(plain)
    best: tuple[float, int, int] | None = None
    for language in languages:
        for weight, pattern in language.open:
            for match in pattern.finditer(plain):
                edge = match.start() <= _EDGE // 2 or match.end() >= length - _EDGE
                one_word = " " not in match[0] and match[0].isascii()
                aside = weight < LIKELY and _inside_parentheses(plain, match.start())
                general = len(match[0]) <= _GENERAL and not match[0].isascii()
                if general and length > _VERY_SHORT:
                    continue
                fits = not aside and (length <= _SHORT or (edge and not (one_word and length > 2 * _SHORT)))
                if fits and (best is None or _better((weight, *match.span()), best)):
                    best = (weight, *match.span())
    return best
