"""Follow-ups that were only said: list items below a heading that puts them off, and labelled sentences. PURE.

The rule is plain, for no other one held on strangers' talks: what is listed near the end, or bears a label (`TODO:`,
`Next session:`), is told; every weaker find, and what a user asks to be reminded of, is unsure. What became of each
is in `outcome.py`. On 381 labelled public conversations what is told was right 51 times and wrong 3 times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from wrapgen.session.follow_up import FollowUp
from wrapgen.session.lexicon import EDGES, FollowUpCues, Languages, content, core
from wrapgen.session.outcome import Conclusion, Find, Statement, summarised
from wrapgen.session.transcript import Summary, Turn
from wrapgen.text.blocks import BOLD_LEVEL, LEAD_LEVEL, Block, blocks, sentences
from wrapgen.text.phrases import kept, own_length
from wrapgen.text.words import Folded, tokens

MOST_FINDS = 300  # per turn; a turn with more is data
_LONGEST = 600  # characters. Longer items and sentences are explanations, not tasks.
_NAMES_WORK = 2
"""Words of content that a sentence needs to name its work: "let's pick this up tomorrow" does not."""
_PASTED_LENGTH, _PASTED_HEADINGS = 1_500, 3
"""Characters, and headings. Users type less than this; longer texts are pasted plans, logs and documents."""
_HEADS_ITEMS = 24  # maximum characters of an item that only names what the items below it are: "Backend:"
_DONE_MARKS = ("✅", "☑", "✔", "✓", "🟢", "🎉")
_CLAUSE = re.compile(r"[;；]|\s[–—]\s|\s--\s")


def follow_ups(events: Iterable[Turn | Summary], cues: FollowUpCues) -> list[tuple[FollowUp, str]]:
    """All follow-ups in the order in which they were last said, each with why it is none any more, else "".

    The events are read once and not kept. Repetitions stand in `also` of the last mention.
    """
    outcome = Conclusion(cues)
    index = 0
    for event in events:
        if isinstance(event, Summary):
            outcome.summary(summarised(event, cues), event.line)
            continue
        outcome.feed(index, event, *read_turn(index, event, cues))
        index += 1
    return outcome.finish()


def read_turn(index: int, turn: Turn, cues: FollowUpCues) -> tuple[list[Find], list[Statement]]:
    """What a turn puts off, and what it states; what a user pasted is nobody's words."""
    return ([], []) if _is_pasted(turn) else _TurnReader(index, turn, cues).read()


class _TurnReader:
    def __init__(self, index: int, turn: Turn, cues: FollowUpCues) -> None:
        self._index = index
        self._turn = turn
        self._languages = cues.of(turn.text)
        self._lang = self._languages[0].lang if self._languages else "en"
        self._stop = frozenset[str]().union(*(language.stop for language in self._languages))
        self._sections = TurnHeadings(self._languages)
        self._finds: list[Find] = []
        self._statements: list[Statement] = []
        self._task: Block | None = None
        self._last_sentence: Block | None = None

    def read(self) -> tuple[list[Find], list[Statement]]:
        last = ""
        for block in blocks(self._turn.text):
            if block.shape == "item":
                self._item(block)
            elif block.shape == "row":
                self._row(block, heads=last != "row")
            elif block.shape == "rule":
                self._sections.rule()
            else:
                self._task = None
                self._prose(block)
            if block.shape != "prose":
                self._last_sentence = None
            last = block.shape
        return self._finds, self._statements

    def _row(self, block: Block, *, heads: bool) -> None:
        """Read a row of a table; the first one (`heads`) names its columns."""
        raw = self._turn.text[block.start : block.end]
        self._sections.begin_item(block.level)
        last = Folded(raw.strip(" |").rpartition("|")[2]).text  # "| Fix the cache | me | done |"
        done = any(mark in raw for mark in _DONE_MARKS) or self._languages.says("headings.done", last)
        self._state(raw, raw, done=done)
        if not heads and not done and len(raw) <= _LONGEST:
            self._listed(block, self._sections.current)

    def _item(self, block: Block) -> None:
        raw = self._turn.text[block.start : block.end]
        if self._last_sentence:
            # The sentence right above a list heads it, with a colon or without: "I left these for later."
            self._sections.enter(self._last_sentence, self._turn.text)
        self._sections.begin_item(block.level)
        section = self._sections.current
        done = block.checked is True or raw.lstrip().startswith(_DONE_MARKS)
        self._state(raw, core(raw), done=done or section.meaning == "done")
        explains = self._task is not None and self._task.lists == block.lists and self._task.level < block.level
        if explains or done or len(raw) > _LONGEST:
            return
        if raw.rstrip("* _").endswith((":", "：")) and self._heads_items(raw):
            self._sections.enter(block, self._turn.text, level=ITEM_LEVEL + block.level)
            self._task = None
        elif self._says(block.start, block.end, section) or self._listed(block, section):
            self._task = block

    def _heads_items(self, raw: str) -> bool:
        words = self._languages.task_text(raw, [])
        short = len(words) <= _HEADS_ITEMS and not self._languages.acts(words)
        return short or meaning_of(raw, self._languages)[0] in {"later", "next"}

    def _listed(self, block: Block, section: TurnHeading) -> bool:
        """An item whose heading puts it off. Other lists of the user ask for work now: of 13 none was a follow-up."""
        mine = self._turn.role == "user"
        said = section.meaning in {"own", "later"} if mine else section.puts_off or section.meaning == "weak"
        if not said or block.fenced:
            return False
        raw = self._turn.text[block.start : block.end]
        if block.shape == "row":
            raw = " – ".join(cell.strip() for cell in raw.split("|") if any(map(str.isalpha, cell)))
        text = self._languages.task_text(raw, [])
        find = self._add(block.start, block.end, text, section.cue, at_least=1)
        if find:
            find.group, find.own = (self._index, section.start), section.meaning == "own"
            find.steps = section.meaning == "next"
            find.weak = section.meaning == "weak"
            find.doubt = mine or find.weak or block.shape == "row" or self._doubts(raw)
        return find is not None

    def _doubts(self, raw: str) -> bool:
        """Whether words ask, offer, set conditions or report rather than put off."""
        return raw.rstrip(" *").endswith(("?", "？")) or self._languages.says("work.doubt", Folded(raw).text)

    def _prose(self, block: Block) -> None:
        text = self._turn.text
        if block.shape == "heading":
            self._sections.enter(block, text)
        elif block.start == 0 or text[block.start - 1] == "\n":  # an indented line goes on with the item above it
            self._sections.paragraph()
        for start, end in sentences(text, block.start, block.end):
            section = self._sections.current
            self._last_sentence = Block("heading", start, end, LEAD_LEVEL)
            raw = text[start:end]
            self._state(raw, raw, done=section.meaning == "done" or raw.startswith(_DONE_MARKS))
            if end - start <= _LONGEST and (block.shape != "heading" or section.start != block.start):
                self._says(start, end, section)

    def _says(self, start: int, end: int, section: TurnHeading) -> bool:
        """A sentence or item that puts its own work off."""
        raw = self._turn.text[start:end]
        folded = Folded(raw)
        plain = self._languages.plain(folded.text)
        own = self._languages.matches("sentences.own", plain)
        asked = self._languages.matches("sentences.asked", plain) if self._turn.role == "user" and not own else []
        cue: re.Match[str] | None
        if asked:  # the first one: "before Friday" may stand behind the task
            cue = min(asked, key=lambda one: (one.start(), -own_length(one)))
        else:  # the one with the most words of its own
            cue = max(own or self._languages.matches("sentences.later", plain), key=own_length, default=None)
        if cue is None:
            return False
        leads = not any(map(str.isalnum, plain[: cue.start()]))
        said = False
        for begin, behind, text, words in _tasks(folded, cue, self._languages, leads_on=bool(asked)):
            find = self._add(start + begin, start + behind, text, words, at_least=1 if asked else _NAMES_WORK)
            if find:
                find.label, find.own = leads and cue[0].endswith((":", "：")), bool(own)
                find.doubt = bool(asked) or section.meaning == "other" or self._doubts(raw)
                said = True
        return said

    def _words(self, raw: str) -> frozenset[str]:
        return tokens(Folded(raw).text, self._stop)

    def _state(self, raw: str, about: str, *, done: bool) -> None:
        self._statements.append((Folded(raw).text, self._words(about), done))

    def _add(self, start: int, end: int, task: str, cue: str, *, at_least: int) -> Find | None:
        words = self._words(core(task))
        folded = self._languages.plain(Folded(self._turn.text[start:end]).text)
        too_many = len(self._finds) >= MOST_FINDS
        if len(words) < at_least or too_many or self._languages.says("work.dropped", folded):
            return None
        quote = self._turn.text[start:end]
        follow_up = FollowUp.said_in(self._turn, self._index, task, quote, lang=self._lang, cue=cue)
        find = Find(follow_up, start, end, words)
        self._finds.append(find)
        return find


def _is_pasted(turn: Turn) -> bool:
    """Whether a user's text was pasted (a plan, a log, a skill) rather than typed."""
    if turn.role != "user":
        return False
    headings = sum(line.startswith("#") for line in turn.text[:_PASTED_LENGTH].split("\n"))
    return len(turn.text) > _PASTED_LENGTH or headings >= _PASTED_HEADINGS


def _tasks(
    folded: Folded, match: re.Match[str], languages: Languages, *, leads_on: bool
) -> Iterator[tuple[int, int, str, str]]:
    """The tasks of a sentence with a cue: start and end of the quote in it, the task, and the cue's words.

    Args:
        leads_on: what is behind the cue is the task, if there is anything ("Fix it, and remind me to tell Dana").
    """
    raw = folded.raw
    start, end = match.span()
    inner = kept(match) or (end, end)
    # What is in the gap of a cue ("leave X for later") belongs to the task.
    cues = [(folded.origin(a), folded.origin(b)) for a, b in ((start, inner[0]), (inner[1], end)) if b > a]
    cue = " … ".join(raw[a:b].strip(EDGES) for a, b in cues)
    if len(cues) > 1 and inner != (start, end):
        yield 0, len(raw), languages.task_text(raw[cues[0][1] : cues[1][0]], [(0, 0)]), cue
        return
    breaks = [0, *(one.end() for one in _CLAUSE.finditer(raw)), len(raw)]
    left = max(at for at in breaks if at <= cues[0][0])
    right = min(at for at in breaks if at >= cues[-1][1])
    leads_on = leads_on and bool(content(raw[cues[-1][1] : right]))
    left = cues[-1][1] if leads_on or raw[: cues[-1][1]].rstrip(" *_").endswith((":", "：")) else left
    found = [(left + a, left + b) for a, b in languages.parts(raw[left:right])]
    for a, b in found:
        whole = (0, len(raw)) if len(found) == 1 else (a, b)
        inside = [(x - a, y - a) for x, y in cues if a <= x and y <= b]
        yield *whole, languages.task_text(raw[a:b], inside or [(0, 0)]), cue


Meaning = Literal["own", "later", "next", "weak", "done", "other", ""]

_MARKS = " :：*?？"
ITEM_LEVEL = 100  # items that head deeper items rank below every heading, by their indentation


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
    plain = languages.plain(folded.text)
    kinds: tuple[Meaning, ...] = ("own", "later", "next", "weak")
    for kind in kinds:
        spans = [match.span() for match in languages.matches(f"headings.{kind}", plain)]
        cue = max(spans, key=lambda span: span[1] - span[0], default=None)
        if cue is None:
            continue
        if _asks(plain, cue) or _beside(spans, ("headings.other",), plain, languages):
            return "other", ""
        if "✅" in raw or _beside(spans, ("headings.done", "work.dropped"), plain, languages):
            return "done", ""
        return kind, raw[folded.origin(cue[0]) : folded.origin(cue[1])]
    if "✅" in raw or languages.says("headings.done", plain):
        return "done", ""
    return ("other", "") if languages.says("headings.other", plain) else ("", "")


def _asks(plain: str, cue: tuple[int, int]) -> bool:
    """Whether the line is a question; "What's next?" is a title."""
    whole = (cue[1] - cue[0]) * 10 >= len(plain.strip(_MARKS)) * 7
    return plain.rstrip(" :：*").endswith(("?", "？")) and not whole


def _beside(spans: list[tuple[int, int]], groups: Iterable[str], plain: str, languages: Languages) -> bool:
    """Whether a phrase occurs outside of the cues: not so "done" in "not done yet"."""
    places = (match.span() for group in groups for match in languages.matches(group, plain))
    return any(not any(start <= a and b <= end for start, end in spans) for a, b in places)
