"""List items and sentences of one turn that put work off, with what is known of them from the turn alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.blocks import LEAD_LEVEL, Block, blocks
from wrapgen.session.candidate import Candidate, Group, Listed, Reading, Statement
from wrapgen.session.confidence import Fact
from wrapgen.session.facts import heads_items, item_facts, sentence_facts, turn_facts
from wrapgen.session.sections import ITEM_LEVEL, Section, Sections
from wrapgen.session.sentence import puts_off
from wrapgen.session.tasks import core, sentences, task_text, unique_start
from wrapgen.words import Folded, tokens

if TYPE_CHECKING:
    from wrapgen.session.lexicon import Cues
    from wrapgen.session.transcript import Turn

MOST_CANDIDATES = 300
"""Of one turn; a turn that puts more off is data."""
PASTED_LENGTH = 1_500
"""Characters. Users type less than this; longer texts of theirs are pasted plans, logs and documents."""
_PASTED_HEADINGS = 3
_ITEM_LIMIT = 600
DONE_MARKS = ("✅", "☑", "✔", "✓", "🟢", "🎉")
_NAMES_WORK = 2
"""Words of content that a sentence needs to name its work by itself: "let's pick this up tomorrow" does not."""
_LOOSE = -1
"""Number of the group of all checkboxes that stand under no heading that puts them off."""


def read_turn(index: int, turn: Turn, cues: Cues, asked: str = "") -> Reading:
    """Everything in a turn that matters for follow-ups.

    Args:
        index: 0-based index of the turn.
        turn: the turn.
        cues: what to look for.
        asked: what the user said last before it.
    """
    return _TurnReader(index, turn, cues, asked).read()


def is_pasted(turn: Turn) -> bool:
    """Whether a user's text was pasted (a plan, a log, a skill) rather than typed."""
    if turn.role != "user":
        return False
    headings = sum(line.startswith("#") for line in turn.text[:PASTED_LENGTH].split("\n"))
    return len(turn.text) > PASTED_LENGTH or headings >= _PASTED_HEADINGS


class _TurnReader:
    def __init__(self, index: int, turn: Turn, cues: Cues, asked: str) -> None:
        self._index = index
        self._turn = turn
        self._languages = cues.of(turn.text)
        self._lang = self._languages[0].lang if self._languages else "en"
        self._stop = frozenset[str]().union(*(language.stop for language in self._languages))
        self._sections = Sections(self._languages)
        self._found = Reading(pasted=is_pasted(turn))
        self._from_turn = turn_facts(turn, asked, cues)
        self._task: Block | None = None
        self._last_sentence: Block | None = None

    def read(self) -> Reading:
        for block in blocks(self._turn.text):
            if block.shape == "item":
                self._item(block)
            elif block.shape == "row":
                raw = self._turn.text[block.start : block.end]
                self._state(raw, self._words(raw), done=any(mark in raw for mark in DONE_MARKS))
            elif block.shape == "rule":
                self._sections.rule()
            else:
                self._task = None
                self._prose(block)
            if block.shape != "prose":
                self._last_sentence = None
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
        words = self._words(core(raw))
        done = block.checked is True or raw.lstrip().startswith(DONE_MARKS)
        if section.puts_off or block.checked is not None:
            self._found.lists.setdefault(group, []).append(Listed(words, done))
        self._state(raw, words, done=done or section.meaning == "done")
        nested = self._task is not None and self._task.lists == block.lists and self._task.level < block.level
        if nested or done or len(raw) > _ITEM_LIMIT:
            return
        if raw.rstrip("* _").endswith((":", "：")) and heads_items(raw, self._languages):
            self._sections.enter(block, self._turn.text, level=ITEM_LEVEL + block.level)
            self._task = None
        elif self._says(block, section, group) or self._listed(block, section, group, words):
            self._task = block

    def _listed(self, block: Block, section: Section, group: Group, words: frozenset[str]) -> bool:
        """An item whose heading puts it off."""
        if not section.puts_off or not words or self._turn.role == "user" or block.fenced:
            return False  # a list of the user asks for work now
        raw = self._turn.text[block.start : block.end]
        facts = item_facts(raw, section, self._languages)
        self._add(block.start, block.end, task_text(raw, [], self._languages), section.cue, facts, group, block)
        return True

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
            self._state(raw, self._words(raw), done=section.meaning == "done" or raw.startswith(DONE_MARKS))
            if len(raw) <= _ITEM_LIMIT and (block.shape != "heading" or section.start != block.start):
                self._says(Block("prose", start, end), section, (self._index, _LOOSE - 1 - start))

    def _says(self, block: Block, section: Section, group: Group) -> bool:
        """A sentence or item that puts its own work off."""
        raw = self._turn.text[block.start : block.end]
        said_any = False
        for hit, said in puts_off(raw, self._languages):
            facts = sentence_facts(raw, hit, section, self._languages)
            begin, end = block.start + said.start, block.start + said.end
            said_any |= self._add(begin, end, said.task, said.cue, facts, group, block)
        return said_any

    # --- what is noted ---------------------------------------------------------------------------------------

    def _words(self, raw: str) -> frozenset[str]:
        return tokens(Folded(raw).text, self._stop)

    def _state(self, raw: str, words: frozenset[str], *, done: bool) -> None:
        self._found.statements.append(Statement(Folded(raw).text, words, done))

    def _add(
        self, start: int, end: int, task: str, cue: str, facts: frozenset[Fact], group: Group, block: Block
    ) -> bool:
        words = self._words(core(task))
        if len(words) < (1 if block.shape == "item" else _NAMES_WORK) or self._found.pasted or len(self._found.candidates) >= MOST_CANDIDATES:
            return False
        begin = unique_start(self._turn.text, start, end)
        self._found.candidates.append(
            Candidate(
                self._index, self._turn, begin, end, task, cue, self._lang, words, facts | self._from_turn, group,
                block.number, block.shape == "item",
            )  # fmt: skip
        )
        return True
