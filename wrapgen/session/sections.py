"""What the headings and lead-ins above a list say about its items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from wrapgen.session.lexicon import Languages, matches, plain_of, says
from wrapgen.text.blocks import BOLD_LEVEL, LEAD_LEVEL, Block
from wrapgen.text.words import Folded

Meaning = Literal["own", "later", "next", "weak", "done", "other", ""]

ITEM_LEVEL = 100  # items that head deeper items rank below every heading, by their indentation
_TITLE = 60
"""Characters. In a longer line the cue has to be near its beginning or its end, where it speaks of the list."""
_EDGE = 45
_MARKS = " :：*?？"


@dataclass(frozen=True, slots=True)
class TurnHeading:
    """What a heading says about the lines under it."""

    level: int  # rank; smaller ranks end larger ones
    # whose cue puts its lines off (`own` of the user, `later`, `next` steps, `weak`: maybe), or that they are `done` or
    # something `other` than work; empty when it says nothing
    meaning: Meaning
    cue: str = ""  # the words that decided, as they are in the heading
    start: int = 0

    @property
    def puts_off(self) -> bool:
        """Whether its lines are work that was put off, in so many words."""
        return self.meaning in {"own", "later", "next"}


class TurnHeadings:
    """The headings above the current line, outermost first."""

    def __init__(self, languages: Languages) -> None:
        self._languages = languages
        self._stack: list[TurnHeading] = []
        self._fresh = False
        self._listed = False

    def enter(self, block: Block, text: str, *, level: int | None = None) -> TurnHeading:
        """Take a heading, lead-in or heading item in; it ends all of its own or a lower rank."""
        rank = block.level if level is None else level
        if self._fresh and rank == BOLD_LEVEL and self._stack and self._stack[-1].level == LEAD_LEVEL:
            # "Here is what's left:" above bold titles with lists of their own heads them all.
            self._stack[-1] = replace(self._stack[-1], level=BOLD_LEVEL - 1)
        if BOLD_LEVEL <= rank < ITEM_LEVEL and self._listed and self._stack and self._stack[-1].puts_off:
            self.rule()  # the list right below the heading is over; a bold line behind it begins something else
        self._leave(rank)
        meaning, cue = meaning_of(text[block.start : block.end], self._languages)
        section = TurnHeading(rank, meaning, cue, block.start)
        self._listed = self._listed and not section.puts_off
        self._stack.append(section)
        self._fresh = True
        return section

    def begin_item(self, indent: int) -> None:
        """A list item begins: items of its own or a deeper indentation head nothing any more."""
        self._fresh = False
        self._listed = True
        self._leave(ITEM_LEVEL + indent)

    def paragraph(self) -> None:
        """A paragraph ends what a lead-in said, and behind a list all that was put off above it."""
        self._fresh = False
        self._leave(LEAD_LEVEL)
        if self._listed:
            self.rule()

    def rule(self) -> None:
        """A horizontal rule ends what was put off above it; a chat's lists rarely go on behind one."""
        self._listed = False
        kept = next((at for at, section in enumerate(self._stack) if section.puts_off), len(self._stack))
        del self._stack[kept:]

    @property
    def current(self) -> TurnHeading:
        """The nearest heading with a meaning; a weak one says less than one above it that puts off in so many words."""
        told = [section for section in reversed(self._stack) if section.meaning]
        surer = (section for section in told if section.puts_off)
        weak = bool(told) and told[0].meaning == "weak"
        return next(surer, told[0]) if weak else next(iter(told), _SILENT)

    def _leave(self, level: int) -> None:
        while self._stack and self._stack[-1].level >= level:
            self._stack.pop()


_SILENT = TurnHeading(0, "")


def meaning_of(raw: str, languages: Languages) -> tuple[Meaning, str]:
    """What a heading says about the lines under it, and the words that say so."""
    folded = Folded(raw)
    plain = plain_of(folded.text, languages)
    kinds: tuple[Meaning, ...] = ("own", "later", "next", "weak")
    for kind in kinds:
        spans = [match.span() for match in matches(languages, f"headings.{kind}", plain)]
        cue = max((span for span in spans if _leads(span, plain)), key=lambda span: span[1] - span[0], default=None)
        if cue is None:
            continue
        if _asks(plain, cue) or _beside(spans, ("headings.other",), plain, languages):
            return "other", ""
        if "✅" in raw or _beside(spans, ("headings.done", "work.dropped"), plain, languages):
            return "done", ""
        return kind, raw[folded.origin(cue[0]) : folded.origin(cue[1])]
    if "✅" in raw or says(languages, "headings.done", plain):
        return "done", ""
    return ("other", "") if says(languages, "headings.other", plain) else ("", "")


def _leads(span: tuple[int, int], plain: str) -> bool:
    """Whether the cue speaks of the whole line: in a title anywhere, else at its beginning or end."""
    return len(plain) <= _TITLE or span[0] <= _EDGE // 2 or span[1] >= len(plain) - _EDGE


def _asks(plain: str, cue: tuple[int, int]) -> bool:
    """Whether the line is a question; "What's next?" is a title."""
    whole = (cue[1] - cue[0]) * 10 >= len(plain.strip(_MARKS)) * 7
    return plain.rstrip(" :：*").endswith(("?", "？")) and not whole


def _beside(spans: list[tuple[int, int]], groups: Iterable[str], plain: str, languages: Languages) -> bool:
    """Whether a phrase occurs outside of the cues: not so "done" in "not done yet"."""
    places = (match.span() for group in groups for match in matches(languages, group, plain))
    return any(not any(start <= a and b <= end for start, end in spans) for a, b in places)
