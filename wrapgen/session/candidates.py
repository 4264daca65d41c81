"""Sentences, list items and table rows of one turn that put work off."""

import re
from dataclasses import replace

from wrapgen.blocks import LEAD_LEVEL, Block, blocks
from wrapgen.session.candidate import Candidate, Place, Reading, Statement
from wrapgen.session.inline import Hit, find_cues, plain_of, status_at_end, two_cues
from wrapgen.session.judging import Judge
from wrapgen.session.lexicon import Cues
from wrapgen.session.provenance import is_draft, is_pasted
from wrapgen.session.rows import DONE_MARKS, row_of
from wrapgen.session.sections import LIKELY, Section, Sections
from wrapgen.session.tasks import core, sentences, starts_with_verb, task_text, trimmed, unique_start
from wrapgen.session.transcript import Turn
from wrapgen.session.wording import tasks_of
from wrapgen.words import Folded, tokens

MOST_CANDIDATES = 300
"""Of one turn; a turn that puts more off is data."""
_ITEM_LIMIT = 600
_TITLE_LEVEL = 2
_BOX_WEIGHT = 0.62
_TAIL_WEIGHT = 0.78
_CELL_WEIGHT = 0.72
_PLAN_WEIGHT = 0.57
_PLAN_TAIL = 400
_NUMBERED = re.compile(r"[^\w\n]{0,6}\d{1,2}[.)]\s*[*_]*\s*")
_LEADING_MARK = re.compile(r"^[^\w`*_\"'(\[<]{0,6}")
_LOOSE = -1
"""Number of the group of all list items that stand under no heading that puts them off."""


def read_turn(index: int, turn: Turn, cues: Cues, asked: str = "") -> Reading:
    """Everything in a turn that matters for follow-ups.

    Args:
        index: 0-based index of the turn.
        turn: the turn.
        cues: what to look for.
        asked: what the user said last before it.
    """
    return _TurnReader(index, turn, cues, asked).read()


class _TurnReader:
    def __init__(self, index: int, turn: Turn, cues: Cues, asked: str) -> None:
        self._index = index
        self._turn = turn
        self._languages = cues.of(turn.text)
        self._judge = Judge(self._languages, turn.role)
        self._sections = Sections(self._languages, asked if turn.role == "assistant" else "")
        self._stop = frozenset[str]().union(*(language.stop for language in self._languages))
        self._found = Reading(pasted=is_pasted(turn, self._judge))
        self._silent = self._found.pasted or is_draft(turn, asked, self._judge)
        self._task_indent: tuple[int, int] | None = None
        self._header_row = True
        self._of_tasks = False
        self._planned: list[Candidate] = []
        self._said_last: tuple[int, int, int] | None = None
        self._titled: Candidate | None = None

    def read(self) -> Reading:
        text = self._turn.text
        for block in blocks(text):
            self._header_row = self._header_row or block.shape != "row"
            if block.shape == "item":
                self._led_in()
                self._item(block)
            elif block.shape == "row":
                self._row(block)
            elif block.shape == "rule":
                self._sections.rule()
            else:
                self._task_indent = None
                if block.shape == "heading":
                    self._heading(block)
                else:
                    self._sections.leave_lead()
                self._sentences(block)
                continue
            self._said_last = None
        self._flush_title()
        self._wait()
        return self._found

    def _heading(self, block: Block) -> None:
        text = self._turn.text
        if block.level <= _TITLE_LEVEL and self._judge.says("drafts", Folded(text[block.start : block.end]).text):
            self._silent = True  # a document for somebody else begins
        section = self._sections.enter(block, text)
        self._flush_title()
        above = self._sections.current
        number = _NUMBERED.match(text, block.start, block.end)
        if number and section.meaning == "neutral" and above and above.meaning == "open":
            place = Place(number.end(), block.end, (self._index, above.turn_offset), in_list=True)
            raw = text[place.start : place.end]
            task = task_text(raw, [], self._languages)
            self._titled = self._made(place, task, above.cue, above.weight - 0.1, self._words(core(raw)))
            self._titled.passing = "plan"

    def _flush_title(self) -> None:
        """A numbered heading under one that puts off is a task itself unless a list below it names the tasks."""
        candidate, self._titled = self._titled, None
        if candidate and candidate.words and not self._silent:
            self._judge.item(self._add(candidate), candidate.text, ticked=True)

    def _led_in(self) -> None:
        """The sentence right above a list heads it, with a colon or without: "I left these for later"."""
        if self._said_last is None:
            return
        start, end, before = self._said_last
        section = self._sections.enter_sentence(Block("heading", start, end, LEAD_LEVEL), self._turn.text)
        if section:
            del self._found.candidates[before:]

    def _wait(self) -> None:
        """A plan that ends in waiting for the user is all that is left of it when the conversation ends there."""
        end = Folded(self._turn.text[-_PLAN_TAIL:]).text
        if self._turn.role == "assistant" and self._planned and self._judge.says("waiting", end):
            self._found.candidates.extend(self._planned[:MOST_CANDIDATES])

    # --- list items ------------------------------------------------------------------------------------------

    def _item(self, block: Block) -> None:
        text = self._turn.text
        raw = text[block.start : block.end]
        self._sections.leave_items(block.level)
        section = self._sections.current
        is_open = section is not None and section.meaning == "open"
        group = (self._index, section.turn_offset if section and is_open else _LOOSE)
        words = self._words(core(raw))
        done = block.checked is True or raw.lstrip().startswith(DONE_MARKS)
        if is_open or block.checked is not None:
            self._found.items.setdefault(group, []).append((words, done))
        closed = section is not None and section.meaning == "closed" and not block.fenced
        self._found.statements.append(Statement(Folded(raw).text, words, done or closed))
        parent = self._task_indent
        nested = parent is not None and parent[0] == block.lists and parent[1] < block.level
        heads: Section | None = None
        if raw.rstrip("* _").endswith((":", "：")) and not nested:
            heads = self._sections.enter_item(block, text)
        if done or nested or self._silent or len(raw) > _ITEM_LIMIT:
            return
        place = Place(block.start, block.end, group, in_list=True, number=block.number)
        names_work = heads is None or (heads.meaning == "neutral" and starts_with_verb(_bare(raw), self._languages))
        if (
            self._with_status(place)
            or self._inline(place, section)
            or (names_work and self._listed(block, place, section))
        ):
            self._task_indent = (block.lists, block.level)

    def _listed(self, block: Block, place: Place, section: Section | None) -> bool:
        """An item whose heading puts it off, or that has an empty checkbox."""
        raw = self._turn.text[place.start : place.end]
        words = self._words(core(raw))
        meaning = section.meaning if section else "neutral"
        task = task_text(raw, [], self._languages)
        if section and meaning == "open":
            weight, cue = section.weight, section.cue
        elif block.checked is False and meaning != "offer":
            weight, cue = _BOX_WEIGHT, "[ ]"
        else:
            if words and meaning in {"neutral", "blocked"} and starts_with_verb(_bare(raw), self._languages):
                self._planned.append(self._made(place, task, "", _PLAN_WEIGHT, words))
                self._planned[-1].passing = "plan"
            return False
        if not words and len(task) < 4:
            return False
        candidate = self._add(self._made(place, task, cue, weight, words))
        if meaning == "open" and block.checked is False:
            candidate.weigh(0.04, "empty checkbox")
        if block.fenced:
            candidate.weigh(-0.25, "in a code block")
        self._judge.item(candidate, raw, ticked=block.checked is False)
        return True

    def _with_status(self, place: Place) -> bool:
        """An item that ends in its own state."""
        raw = self._turn.text[place.start : place.end]
        found = status_at_end(raw, self._languages)
        words = self._words(core(raw))
        if not found or not words:
            return False
        cue, begin = found
        task = task_text(raw[:begin], [], self._languages)
        self._judge.item(self._add(self._made(place, task, cue, _TAIL_WEIGHT, words)), raw)
        return True

    # --- table rows ------------------------------------------------------------------------------------------

    def _row(self, block: Block) -> None:
        raw = self._turn.text[block.start : block.end]
        folded = Folded(raw).text
        header, self._header_row = self._header_row, False
        if header:
            self._of_tasks = any(language.table_heads.found(folded) for language in self._languages)
        row = row_of(raw, self._languages)
        state = row.state
        self._found.statements.append(Statement(folded, tokens(folded, self._stop), row.done))
        if header or row.done or self._silent or len(raw) > _ITEM_LIMIT:
            return
        section = self._sections.current
        if section is not None and section.meaning == "open":
            weight, cue, group = section.weight - 0.1, section.cue, (self._index, section.turn_offset)
        elif state and (self._of_tasks or row.signed):
            weight, cue, group = _CELL_WEIGHT, state, (self._index, _LOOSE)
        else:
            return
        named = ((offset, cell.strip()) for offset, cell in row.cells if cell.strip() != state)
        offset, inner = next(
            ((at, cell) for at, cell in named if len(self._words(core(cell))) > cell.isascii()), (0, "")
        )
        if inner:
            start = block.start + raw.index(inner, offset)
            place = Place(start, start + len(inner), group, in_list=True)
            task = task_text(inner, [], self._languages)
            candidate = self._add(self._made(place, task, cue, weight, self._words(core(inner))))
            self._judge.item(candidate, inner, ticked=bool(state))

    # --- sentences -------------------------------------------------------------------------------------------

    def _sentences(self, block: Block) -> None:
        text = self._turn.text
        for number, (start, end) in enumerate(sentences(text, block.start, block.end)):
            raw = text[start:end]
            folded = Folded(raw).text
            words = tokens(folded, self._stop)
            section = self._sections.current
            self._said_last = (start, end, len(self._found.candidates)) if block.shape == "prose" else None
            done = (section is not None and section.meaning == "closed") or raw.startswith(DONE_MARKS)
            self._found.statements.append(Statement(folded, words, done))
            understood = block.shape == "heading" and section is not None and section.turn_offset == block.start
            if understood or self._silent or len(raw) > _ITEM_LIMIT:
                continue
            place = Place(start, end, (self._index, _LOOSE - 1 - block.start - number))
            if self._inline(place, section, heading=block.shape == "heading"):
                continue
            if block.shape == "prose" and section is not None and self._orders(section, raw):
                task = task_text(raw, [], self._languages)
                candidate = self._add(self._made(place, task, section.cue, section.weight - 0.1, words))
                self._judge.item(candidate, raw)

    def _orders(self, section: Section, raw: str) -> bool:
        """Whether a sentence in a heading's paragraph, rather than in its list, names the work."""
        if section.meaning != "open" or section.weight < LIKELY or self._judge.says("offers", Folded(raw).text):
            return False
        return raw[0] not in "(（" and starts_with_verb(_bare(raw), self._languages)

    def _inline(self, place: Place, section: Section | None, *, heading: bool = False) -> bool:
        """A sentence or item that puts its own work off."""
        raw = self._turn.text[place.start : place.end]
        folded = Folded(raw)
        plain = plain_of(folded.text, self._languages)
        hits = find_cues(plain, self._languages, self._turn.role)
        joint = two_cues(plain, self._languages, self._turn.role) if len(hits) > 1 else None
        if joint:
            before = len(self._found.candidates)
            halves = self._halves(place, raw, folded.origin(joint[0]), folded.origin(joint[1]))
            if all(self._inline(half, section) for half in halves):
                return True
            del self._found.candidates[before:]
        for hit in hits:
            if place.in_list and section and section.meaning == "open" and section.weight >= hit.weight:
                return False
            title = plain[hit.match.end() :].strip(" *:：-") == "" or plain.rstrip(" *_").endswith((":", "："))
            if not (heading and title) and self._say(place, folded, hit, plain, section):
                return True
        return False

    def _say(self, place: Place, folded: Folded, hit: Hit, plain: str, section: Section | None) -> bool:
        """Make the candidates of a sentence's cue."""
        made = False
        for a, b, task, cue in tasks_of(folded, hit, self._languages):
            words = self._words(core(task))
            if not words or (len(task) < 4 and task.isascii()):
                continue
            part = replace(place, start=place.start + a, end=place.start + b)
            candidate = self._add(self._made(part, task, cue, hit.weight, words))
            candidate.lang = hit.language.lang
            self._judge.sentence(candidate, plain, hit, section)
            made = True
        return made

    def _halves(self, place: Place, raw: str, end: int, start: int) -> list[Place]:
        spans = (trimmed(raw, 0, end), trimmed(raw, start, len(raw)))
        return [replace(place, start=place.start + a, end=place.start + b) for a, b in spans]

    # --- candidates ------------------------------------------------------------------------------------------

    def _words(self, raw: str) -> frozenset[str]:
        return tokens(Folded(raw).text, self._stop)

    def _made(self, place: Place, task: str, cue: str, weight: float, words: frozenset[str]) -> Candidate:
        lang = self._languages[0].lang if self._languages else "en"
        start = unique_start(self._turn.text, place.start, place.end)
        candidate = Candidate(self._index, self._turn, start, place.end, task, cue, lang, weight, words, place.group)
        candidate.in_list, candidate.number = place.in_list, place.number
        candidate.reasons.append(f"cue {weight:.2f}")
        return candidate

    def _add(self, candidate: Candidate) -> Candidate:
        if candidate.in_list:
            self._titled = None
        self._found.candidates.append(candidate)
        self._silent = self._silent or len(self._found.candidates) >= MOST_CANDIDATES
        return candidate


def _bare(raw: str) -> str:
    """The words without bold marks and leading signs."""
    return _LEADING_MARK.sub("", raw.replace("**", ""))
