"""Sentences and list items of one turn that put work off, each with what speaks for and against it."""

import re
from dataclasses import dataclass, field
from typing import Literal

from wrapgen.session.blocks import Block, blocks
from wrapgen.session.folding import Folded, masked, tokens
from wrapgen.session.lexicon import Cues, Language
from wrapgen.session.phrases import kept
from wrapgen.session.sections import Section, Sections
from wrapgen.session.tasks import clauses, core, parts, sentences, starts_with_verb, task_text
from wrapgen.session.transcript import Turn

_AGAINST = (
    ("offers", -0.3),
    ("reported", -0.35),
    ("cancelled", -0.45),
    ("advice", -0.2),
    ("past", -0.3),
    ("pointing", -0.35),
    ("conditional", -0.2),
)
PASTED_LENGTH = 1_500
"""Characters. Users type less than this; longer texts of theirs are pasted plans, logs and documents."""
_PASTED_HEAD = 400
_ITEM_LIMIT = 600
_TITLE_LEVEL = 2
_STATUS_LENGTH = 32
_STATUS_WEIGHT = 0.75
_STATUS_EDGES = " *_-:.()（）⏳⏸❌⚠️🔲📋🟡🔴🔜⬜☐"
_TAIL = re.compile(r"(?:\s[–—-]\s|[:：]\s|\s?[(（]|→\s?)([^–—:：()（）→]{2,32})[)）]?[*_.\s]*$")
_AROUND = 60
"""Characters on either side of a cue in which other words say something about it."""
_STATE = 0.58
"""Cues of a lower weight report a state ("not implemented yet") rather than a decision."""
_WAIT = 0.57
_WAIT_TAIL = 400
_PROMISE = 0.45
"""A user's "I'll do it" without saying when."""
_DONE_MARKS = ("✅", "☑", "✔", "✓", "🟢", "🎉")
_CELL = re.compile(r"[^|]+")
_LEADING_MARK = re.compile(r"^[^\w`*_\"'(\[<]{0,6}")


@dataclass(frozen=True, slots=True)
class _Hit:
    """A cue found in a sentence: its weight, language and place, and whether it only tells when."""

    weight: float
    language: Language
    match: re.Match[str]
    adverb: bool

    def pieces(self, folded: Folded) -> list[tuple[int, int]]:
        """Raw offsets of the cue's own words: what stands in its gap belongs to the task."""
        start, end = self.match.span()
        inner = kept(self.match) or (end, end)
        spans = ((start, inner[0]), (inner[1], end))
        return [(folded.origin(a), folded.origin(b)) for a, b in spans if b > a]


@dataclass(slots=True)
class Candidate:
    """Something that may be a follow-up; later turns change what speaks for it.

    Args:
        turn: 0-based index of its turn.
        said: the turn.
        start: offset of the quote in the turn's text.
        end: offset behind the quote.
        text: the task alone.
        cue: the words that put it off, as they stand in the turn.
        lang: language whose cue it is.
        score: confidence so far.
        words: what it is about, for comparison.
        group: list or sentence it belongs to, unique in the conversation.
        number: its number in the list.
        in_list: whether it is a list item or table row.
        reasons: what spoke for and against it, in words.
        also: other mentions, as (turn, line).
        settled: why it is no follow-up any more; empty as long as it is one.
        passing: it held when it was said: a `state` of the work, or a `plan` that waits for the user.
        went_on: the user had the work go on after it was said; counted once.
    """

    turn: int
    said: Turn
    start: int
    end: int
    text: str
    cue: str
    lang: str
    score: float
    words: frozenset[str]
    group: tuple[int, int]
    number: int | None = None
    in_list: bool = False
    reasons: list[str] = field(default_factory=list)
    also: list[tuple[int, int]] = field(default_factory=list)
    settled: str = ""
    went_on: bool = False
    passing: Literal["", "state", "plan"] = ""

    def weigh(self, change: float, reason: str) -> None:
        """Add to the confidence and say why."""
        self.score += change
        self.reasons.append(f"{reason} {change:+.2f}")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or list item that may report work as done, begun or dropped.

    Args:
        folded: its folded text, code and quotes kept.
        words: what it is about.
        done: it stands under a heading that reports what was done, or bears a check mark.
    """

    folded: str
    words: frozenset[str]
    done: bool


@dataclass(slots=True)
class Reading:
    """What one turn holds.

    Args:
        candidates: what it puts off.
        statements: its sentences and items, in order.
        items: all list items by group, checked or not: a later list that repeats an earlier one replaces it.
        pasted: the user pasted it; what it asks for has not been said by anybody here.
    """

    candidates: list[Candidate] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    items: dict[tuple[int, int], list[tuple[frozenset[str], bool]]] = field(default_factory=dict)
    pasted: bool = False


def is_pasted(turn: Turn, languages: tuple[Language, ...]) -> bool:
    """Whether a user's text was pasted (a plan, a skill, a log) rather than said."""
    if turn.role != "user":
        return False
    text = turn.text
    head = Folded(text[:_PASTED_HEAD]).text
    if len(text) > PASTED_LENGTH or any(language.negatives["pasted"].found(head) for language in languages):
        return True
    return sum(line.startswith("#") for line in text.split("\n")) >= 3


class TurnReader:
    """Reads one turn; see `read`."""

    def __init__(self, index: int, turn: Turn, cues: Cues) -> None:
        self._index = index
        self._turn = turn
        self._languages = cues.of(turn.text)
        self._sections = Sections(self._languages)
        self._stop = frozenset().union(*(language.stop for language in self._languages))
        self._found = Reading()
        self._pasted = is_pasted(turn, self._languages)
        self._task_indent: tuple[int, int] | None = None
        self._header_row = True
        self._of_tasks = False
        self._planned: list[Candidate] = []

    def read(self) -> Reading:
        """Everything in the turn that matters for follow-ups."""
        text = self._turn.text
        self._found.pasted = self._pasted
        for block in blocks(text):
            if block.shape != "row":
                self._header_row = True
            if (
                block.shape == "heading"
                and block.level <= _TITLE_LEVEL
                and self._any("drafts", Folded(text[block.start : block.end]).text)
            ):
                self._pasted = True  # a document for somebody else begins
            if block.shape == "rule":
                self._sections.rule()
            elif block.shape == "heading":
                self._sections.enter(block, text)
                self._task_indent = None
                self._sentences(block, heading=True)
            elif block.shape == "item":
                self._item(block)
            elif block.shape == "row":
                self._row(block)
            else:
                self._sections.leave_lead()
                self._task_indent = None
                self._sentences(block)
        self._wait()
        return self._found

    def _wait(self) -> None:
        """A plan that ends in waiting for the user is all that is left of it when the conversation ends there."""
        end = Folded(self._turn.text[-_WAIT_TAIL:]).text
        if self._turn.role == "assistant" and self._planned and self._any("waiting", end):
            self._found.candidates.extend(self._planned)

    # --- pieces -----------------------------------------------------------------------------------------------------

    def _item(self, block: Block) -> None:
        text = self._turn.text
        raw = text[block.start : block.end]
        self._sections.leave_items(block.level)
        section = self._sections.current
        group = (self._index, section.turn_offset if section and section.meaning == "open" else -1)
        folded = Folded(raw)
        words = tokens(Folded(core(raw)).text, self._stop)
        done = block.checked is True or raw.lstrip().startswith(_DONE_MARKS)
        if group[1] != -1 or block.checked is not None:
            self._found.items.setdefault(group, []).append((words, done))
        closed = section is not None and section.meaning == "closed" and not block.fenced
        self._found.statements.append(Statement(folded.text, words, done or closed))
        heads = raw.rstrip("* _").endswith((":", "："))
        nested = (
            self._task_indent is not None and self._task_indent[0] == block.lists and block.level > self._task_indent[1]
        )
        own: Section | None = None
        if heads and not nested:
            own = self._sections.enter_item(block, text)
        if done or nested or self._pasted or len(raw) > _ITEM_LIMIT:
            return
        if self._with_status(block, raw, group) or self._inline(
            block.start, block.end, in_list=True, number=block.number, group=group
        ):
            self._task_indent = (block.lists, block.level)
            return
        if own is not None and (own.meaning != "neutral" or not starts_with_verb(_plain(raw), self._languages)):
            return
        self._listed(block, raw, section, group, words)

    def _listed(
        self, block: Block, raw: str, section: Section | None, group: tuple[int, int], words: frozenset[str]
    ) -> None:
        """An item whose heading puts it off, or that has an empty checkbox."""
        is_open = section is not None and section.meaning == "open"
        if not is_open and not (block.checked is False and not (section and section.meaning == "offer")):
            if section is None or section.meaning == "blocked":
                self._plan(block, raw, group, words)
            return
        weight = section.weight if section and is_open else 0.62
        cue = section.cue if section and is_open else "[ ]"
        task = task_text(raw, [], self._languages)
        if not words and len(task) < 4:
            return
        candidate = self._candidate(block.start, block.end, task, cue, weight, words, group)
        candidate.in_list, candidate.number = True, block.number
        if is_open and block.checked is False:
            candidate.weigh(0.04, "empty checkbox")
        if block.fenced:
            candidate.weigh(-0.25, "in a code block")
        self._judge(candidate, raw, ticked=block.checked is False)
        self._task_indent = (block.lists, block.level)

    def _plan(self, block: Block, raw: str, group: tuple[int, int], words: frozenset[str]) -> None:
        if not words or not starts_with_verb(_plain(raw), self._languages):
            return
        candidate = self._candidate(
            block.start, block.end, task_text(raw, [], self._languages), "", _WAIT, words, group
        )
        self._found.candidates.remove(candidate)
        candidate.in_list, candidate.number, candidate.passing = True, block.number, "plan"
        self._planned.append(candidate)

    def _with_status(self, block: Block, raw: str, group: tuple[int, int]) -> bool:
        """An item that ends in its own state: "Dual writes - still to do"."""
        tail = _TAIL.search(raw)
        if not tail or not (cue := self._status(tail[1], whole=False)):
            return False
        words = tokens(Folded(core(raw)).text, self._stop)
        if not words:
            return False
        task = task_text(raw[: tail.start()], [], self._languages)
        candidate = self._candidate(block.start, block.end, task, cue, 0.78, words, group)
        candidate.in_list, candidate.number = True, block.number
        self._judge(candidate, raw)
        return True

    def _status(self, words: str, *, whole: bool) -> str:
        """The words that say a short status is open; empty when they do not.

        Args:
            words: the status.
            whole: they have to say nothing else.
        """
        plain = masked(Folded(words).text).strip(_STATUS_EDGES)
        for language in self._languages:
            for weight, pattern in language.open:
                match = pattern.match(plain) if weight >= _STATUS_WEIGHT else None
                if match and (match.end() == len(plain) or (whole is False and not plain[match.end()].isalnum())):
                    return words.strip()
        return ""

    def _row(self, block: Block) -> None:
        if self._header_row:
            head = Folded(self._turn.text[block.start : block.end]).text
            self._of_tasks = any(language.table_heads.found(head) for language in self._languages)
        header, self._header_row = self._header_row, False
        section = self._sections.current
        text = self._turn.text
        raw = text[block.start : block.end]
        folded = Folded(raw)
        words = tokens(folded.text, self._stop)
        self._found.statements.append(Statement(folded.text, words, any(mark in raw for mark in _DONE_MARKS)))
        if header or self._pasted or any(mark in raw for mark in _DONE_MARKS):
            return
        cells = list(_CELL.finditer(raw))
        status = next(
            (
                cell[0].strip()
                for cell in cells[1:]
                if len(cell[0]) <= _STATUS_LENGTH and self._status(cell[0], whole=True)
            ),
            "",
        )
        if section is not None and section.meaning == "open":
            weight, cue = section.weight - 0.1, section.cue
        elif status and self._of_tasks:
            weight, cue = 0.72, status
        else:
            return
        for cell in cells:
            inner = cell[0].strip()
            if inner == status:
                continue
            about = tokens(Folded(core(inner)).text, self._stop)
            if len(about) < 2:
                continue
            start = block.start + cell.start() + cell[0].index(inner)
            group = (self._index, section.turn_offset if section else -1)
            task = task_text(inner, [], self._languages)
            candidate = self._candidate(start, start + len(inner), task, cue, weight, about, group)
            candidate.in_list = True
            self._judge(candidate, inner, ticked=bool(status))
            return

    def _sentences(self, block: Block, *, heading: bool = False) -> None:
        text = self._turn.text
        for number, (start, end) in enumerate(sentences(text, block.start, block.end)):
            raw = text[start:end]
            folded = Folded(raw)
            words = tokens(folded.text, self._stop)
            section = self._sections.current
            closed = section is not None and section.meaning == "closed"
            self._found.statements.append(Statement(folded.text, words, closed or raw.startswith(_DONE_MARKS)))
            if self._pasted or len(raw) > _ITEM_LIMIT:
                continue
            if heading and section is not None and section.turn_offset == block.start:
                # The heading has been understood as one; a task of its own has left it neutral.
                continue
            group = (self._index, -block.start - number - 2)
            if self._inline(start, end, in_list=False, number=None, group=group, heading=heading) or heading:
                continue
            if section is not None and self._orders(section, raw):
                task = task_text(raw, [], self._languages)
                candidate = self._candidate(start, end, task, section.cue, section.weight - 0.1, words, group)
                self._judge(candidate, raw)

    def _orders(self, section: Section, raw: str) -> bool:
        """Whether a sentence in a heading's paragraph, rather than its list, names the work."""
        strong = section.meaning == "open" and section.weight >= _STATUS_WEIGHT
        if any(language.negatives["offers"].found(Folded(raw).text) for language in self._languages):
            return False
        return strong and raw[0] not in "(（" and starts_with_verb(_plain(raw), self._languages)

    # --- a sentence that puts its own work off -------------------------------------------------------------------------

    def _inline(
        self, start: int, end: int, *, in_list: bool, number: int | None, group: tuple[int, int], heading: bool = False
    ) -> bool:
        raw = self._turn.text[start:end]
        folded = Folded(raw)
        plain = masked(folded.text)
        for language in self._languages:
            plain = language.negatives["terms"].blank(plain)
        hit = self._cue(plain)
        if hit is None:
            return False
        if heading and (plain[hit.match.end() :].strip(" *:：-") == "" or plain.rstrip(" *_").endswith((":", "："))):
            return False
        cue = (folded.origin(hit.match.start()), folded.origin(hit.match.end()))
        pieces = hit.pieces(folded)
        words = " … ".join(raw[a:b].strip() for a, b in pieces) or raw[cue[0] : cue[1]]
        left, right = clauses(raw, *cue)
        inner = raw[left:right]
        made = False
        spans = parts(inner, self._languages)
        for a, b in spans:
            begin, stop = left + a, left + b
            local = [(x - begin, y - begin) for x, y in pieces if begin <= x and y <= stop]
            task = task_text(inner[a:b], local or [(0, 0)], self._languages)
            about = tokens(Folded(core(task)).text, self._stop)
            if not about or (len(task) < 6 and task.isascii()):
                continue
            quote = (start + left + a, start + left + b) if len(spans) > 1 else (start, end)
            candidate = self._candidate(*quote, task, words, hit.weight, about, group)
            candidate.lang, candidate.in_list, candidate.number = hit.language.lang, in_list, number
            self._judge_sentence(candidate, plain, hit)
            made = True
        return made

    def _cue(self, plain: str) -> _Hit | None:
        best: _Hit | None = None
        for language in self._languages:
            for weight, pattern, adverb in language.sentences:
                match = pattern.search(plain)
                if match and (best is None or weight > best.weight):
                    best = _Hit(weight, language, match, adverb)
            if self._turn.role == "user" and best is None:
                match = language.user_sentences.search(plain)
                if match:
                    best = _Hit(_PROMISE, language, match, adverb=False)
        return best

    # --- for and against -----------------------------------------------------------------------------------------------

    def _candidate(
        self, start: int, end: int, task: str, cue: str, weight: float, words: frozenset[str], group: tuple[int, int]
    ) -> Candidate:
        lang = self._languages[0].lang if self._languages else "en"
        start = self._unique(start, end)
        candidate = Candidate(self._index, self._turn, start, end, task, cue, lang, weight, words, group)
        candidate.reasons.append(f"cue {weight:.2f}")
        self._found.candidates.append(candidate)
        return candidate

    def _unique(self, start: int, end: int) -> int:
        """Where a quote has to begin so that looking it up in the turn finds this place: with its list mark, if need be."""
        text = self._turn.text
        line = max(text.rfind("\n", 0, start) + 1, start - 40)
        if text.find(text[start:end]) == start or text[line:start].strip() == "":
            return start
        return line + len(text[line:start]) - len(text[line:start].lstrip())

    def _judge(self, candidate: Candidate, raw: str, *, ticked: bool = False) -> None:
        """What speaks for and against a list item."""
        plain = masked(Folded(raw).text)
        if self._turn.role == "user":
            candidate.weigh(-0.4, "a list of the user asks for work now")
        if plain.rstrip(" *").endswith(("?", "？")):
            candidate.weigh(-0.45, "question")
        elif self._any("offers", plain):
            candidate.weigh(-0.2, "offer")
        if self._any("cancelled", plain):
            candidate.weigh(-0.45, "cancelled")
        if self._any("conditional", plain):
            candidate.weigh(-0.4, "conditional")
        if self._any("pointing", plain):
            candidate.weigh(-0.35, "points at other words")
        if self._reports(plain):
            candidate.weigh(-0.45, "reports work done")
        if starts_with_verb(candidate.text, self._languages):
            candidate.weigh(0.05, "names an action")
        elif candidate.score < 0.75 and not ticked:
            candidate.weigh(-0.25 if self._languages[0].lang == "en" else -0.12, "names no action")

    def _judge_sentence(self, candidate: Candidate, plain: str, hit: _Hit) -> None:
        """What speaks for and against a sentence."""
        section = self._sections.current
        if plain.rstrip(" *").endswith(("?", "？")):
            candidate.weigh(-0.45, "question")
        around = plain[max(0, hit.match.start() - _AROUND) : hit.match.end() + _AROUND]
        for name, change in _AGAINST:
            if self._any(name, around):
                candidate.weigh(change, name)
        if self._turn.role == "assistant" and hit.weight < _STATE:
            candidate.passing = "state"
        if self._turn.role == "user":
            # A person's "later" is a promise; an agent's may be an explanation.
            candidate.weigh(0.08, "said by the user")
        if hit.adverb and _no_agent(hit.language, plain, candidate.text):
            candidate.weigh(-0.2, "nobody is to do it")
        if self._turn.role == "assistant" and any(
            language.negatives["now"].match(plain.lstrip(" *-")) for language in self._languages
        ):
            candidate.weigh(-0.3, "the next move")
        if section and section.meaning in {"blocked", "offer"}:
            candidate.weigh(-0.25, "explains")
        if section and section.meaning == "open":
            candidate.weigh(0.08, "under an open heading")
        if len(candidate.words) < 2:
            candidate.weigh(-0.2, "hardly names work")

    def _reports(self, plain: str) -> bool:
        settled = any(language.settled.found(plain) for language in self._languages)
        return settled and not any(language.statements["undone"].found(plain) for language in self._languages)

    def _any(self, name: str, plain: str) -> bool:
        return any(language.negatives[name].found(plain) for language in self._languages)


def _no_agent(language: Language, plain: str, task: str) -> bool:
    """Whether a sentence tells when something happens by itself, rather than that somebody is to do it."""
    if language.lang != "en":
        return language.agentless.found(plain)
    return not (language.agent.found(plain) or starts_with_verb(task, (language,)))


def _plain(raw: str) -> str:
    return _LEADING_MARK.sub("", raw.replace("**", ""))


def read_turn(index: int, turn: Turn, cues: Cues) -> Reading:
    """Everything in a turn that matters for follow-ups.

    Args:
        index: 0-based index of the turn.
        turn: the turn.
        cues: what to look for.
    """
    return TurnReader(index, turn, cues).read()
