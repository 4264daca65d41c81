"""List items and sentences of one turn that put work off, with what the turn alone says about them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.session.candidate import Candidate, CandidatePlace, Listed, Shown, Statement, TurnReading
from wrapgen.session.confidence import Fact
from wrapgen.session.facts import heads_items, is_pasted, item_facts, sentence_facts, turn_facts
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.sections import ITEM_LEVEL, TurnHeading, TurnHeadings
from wrapgen.session.sentence import puts_off
from wrapgen.session.spans import unique_start
from wrapgen.session.tasks import core, starts_with_verb, task_text
from wrapgen.text.blocks import LEAD_LEVEL, Block, blocks
from wrapgen.text.sentences import sentences
from wrapgen.text.words import Folded, tokens

if TYPE_CHECKING:
    from wrapgen.session.candidate import Group
    from wrapgen.session.lexicon import FollowUpCues
    from wrapgen.session.transcript import Turn

MOST_CANDIDATES = 300
"""Per turn; a turn with more candidates is data."""
_ITEM_LIMIT = 600
"""Characters. Longer items and sentences are explanations, not tasks."""
_NAMES_WORK = 2
"""Words of content that a sentence needs to name its work by itself: "let's pick this up tomorrow" does not."""
_MANY = 12
"""Items under one heading; longer lists are descriptions or whole plans, and a misjudged one costs many errors."""
_FEW = 5
"""Shorter lists of next steps may be nouns alone; in longer ones this share has to be phrased as actions."""
_DONE_MARKS = ("✅", "☑", "✔", "✓", "🟢", "🎉")
_LOOSE = -1
"""Number of the group of all checkboxes that are under no heading that puts them off."""


def read_turn(index: int, turn: Turn, cues: FollowUpCues, asked: str = "") -> TurnReading:
    """Everything in a turn that is relevant for follow-ups.

    Args:
        index: 0-based index of the turn.
        asked: what the user said last before it.
    """
    return _TurnReader(index, turn, cues, asked).read()


class _TurnReader:
    def __init__(self, index: int, turn: Turn, cues: FollowUpCues, asked: str) -> None:
        self._index = index
        self._turn = turn
        self._languages = cues.of(turn.text)
        self._lang = self._languages[0].lang if self._languages else "en"
        self._stop = frozenset[str]().union(*(language.stop for language in self._languages))
        self._sections = TurnHeadings(self._languages)
        self._found = TurnReading(pasted=is_pasted(turn))
        self._shared = turn_facts(turn, asked, cues)
        self._task: Block | None = None
        self._last_sentence: Block | None = None

    def read(self) -> TurnReading:
        for block in blocks(self._turn.text):
            if block.shape == "item":
                self._item(block)
            elif block.shape == "row":
                self._row(block)
            elif block.shape == "rule":
                self._sections.rule()
            else:
                self._task = None
                self._prose(block)
            if block.shape != "prose":
                self._last_sentence = None
        self._weigh_lists()
        return self._found

    # --- list items ------------------------------------------------------------------------------------------

    def _item(self, block: Block) -> None:
        raw = self._turn.text[block.start : block.end]
        if self._last_sentence:
            # The sentence right above a list heads it, with a colon or without: "I left these for later."
            self._sections.enter(self._last_sentence, self._turn.text)
        self._sections.begin_item(block.level)
        section = self._sections.current
        group = (self._index, section.start if section.puts_off else _LOOSE)
        done = block.checked is True or raw.lstrip().startswith(_DONE_MARKS)
        words = self._words(core(raw))
        self._found.shown.append(Shown(block.number, words))
        if section.puts_off or block.checked is not None:
            self._found.lists.setdefault(group, []).append(Listed(words, done))
        self._state(core(raw), raw, done=done or section.meaning == "done")
        explains = self._task is not None and self._task.lists == block.lists and self._task.level < block.level
        if explains or done or len(raw) > _ITEM_LIMIT:
            return
        place = CandidatePlace(block.start, block.end, group, block.number, in_list=True)
        if raw.rstrip("* _").endswith((":", "：")) and heads_items(raw, self._languages):
            self._sections.enter(block, self._turn.text, level=ITEM_LEVEL + block.level)
            self._task = None
        elif self._says(place, section) or (section.puts_off and not block.fenced and self._listed(place, section)):
            self._task = block

    def _listed(self, place: CandidatePlace, section: TurnHeading) -> bool:
        """An item whose heading puts it off. Lists of the user ask for work now: of 13 none was a follow-up."""
        raw = self._turn.text[place.start : place.end]
        facts = item_facts(raw, section, self._languages)
        said_here = self._turn.role == "assistant"
        return said_here and self._add(place, task_text(raw, [], self._languages), section.cue, facts)

    def _row(self, block: Block) -> None:
        raw = self._turn.text[block.start : block.end]
        self._state(raw, raw, done=any(mark in raw for mark in _DONE_MARKS))

    # --- sentences -------------------------------------------------------------------------------------------

    def _prose(self, block: Block) -> None:
        text = self._turn.text
        if block.shape == "heading":
            self._sections.enter(block, text)
        elif block.start == 0 or text[block.start - 1] == "\n":  # an indented line goes on with the item above it
            self._sections.paragraph()
        for start, end in sentences(text, block.start, block.end):
            raw = text[start:end]
            section = self._sections.current
            self._last_sentence = Block("heading", start, end, LEAD_LEVEL)
            self._state(raw, raw, done=section.meaning == "done" or raw.startswith(_DONE_MARKS))
            if len(raw) <= _ITEM_LIMIT and (block.shape != "heading" or section.start != block.start):
                self._says(CandidatePlace(start, end, (self._index, _LOOSE - 1 - start)), section)

    def _says(self, place: CandidatePlace, section: TurnHeading) -> bool:
        """A sentence or item that puts its own work off."""
        raw = self._turn.text[place.start : place.end]
        said_any = False
        for hit, said in puts_off(raw, self._languages):
            part = replace(place, start=place.start + said.start, end=place.start + said.end)
            said_any |= self._add(part, said.task, said.cue, sentence_facts(raw, hit, section, self._languages))
        return said_any

    # --- what is noted ---------------------------------------------------------------------------------------

    def _words(self, raw: str) -> frozenset[str]:
        return tokens(Folded(raw).text, self._stop)

    def _state(self, about: str, raw: str, *, done: bool) -> None:
        self._found.statements.append(Statement(Folded(raw).text, self._words(about), done))

    def _weigh_lists(self) -> None:
        """Facts about a list of next steps: most are no tasks, none is phrased as one, or there are very many."""
        lists: dict[Group, list[Candidate]] = defaultdict(list)
        for one in self._found.candidates:
            if Fact.NEXT in one.facts:
                lists[one.place.group].append(one)
        told: dict[Group, set[Fact]] = {}
        for group, items in lists.items():
            tasks = [one for one in items if Fact.NO_TASK not in one.facts]
            acts = sum(starts_with_verb(one.follow_up.text, self._languages) for one in tasks)
            mixed = len(tasks) * 2 < len(items) or acts < len(items) // _FEW
            told[group] = ({Fact.MIXED} if mixed else set()) | ({Fact.LONG} if len(items) > _MANY else set())
        for at, one in enumerate(self._found.candidates):
            if Fact.NEXT in one.facts:
                self._found.candidates[at] = replace(one, facts=one.facts | told[one.place.group])

    def _add(self, place: CandidatePlace, task: str, cue: str, facts: frozenset[Fact]) -> bool:
        words = self._words(core(task))
        named = len(words) >= (1 if place.in_list else _NAMES_WORK)
        if not named or self._found.pasted or len(self._found.candidates) >= MOST_CANDIDATES:
            return False
        place = replace(place, start=unique_start(self._turn.text, place.start, place.end))
        quote = self._turn.text[place.start : place.end]
        follow_up = FollowUp.said_in(self._turn, self._index, task, quote, lang=self._lang, cue=cue)
        self._found.candidates.append(Candidate(follow_up, place, words, facts | self._shared))
        return True
