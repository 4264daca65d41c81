"""Follow-ups that were only said: list items below a heading that puts them off, and labelled sentences. PURE.

The rule is plain, for no other one held on strangers' talks: what is listed near the end, or bears a label (`TODO:`,
`Next session:`), is told; every weaker find is unsure. What became of each is in `outcome.py`. On 381 labelled public
conversations lists were right 51 times and wrong 3 times; sentences without a label were right in one of three.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from wrapgen.session.follow_up import FollowUp
from wrapgen.session.host_state import summarised
from wrapgen.session.lexicon import FollowUpCues, Languages, matches, plain_of, says
from wrapgen.session.outcome import Conclusion, Find, Statement
from wrapgen.session.sections import ITEM_LEVEL, TurnHeading, TurnHeadings, meaning_of
from wrapgen.session.transcript import Summary, Turn
from wrapgen.session.wording import EDGES, acts, content, core, parts, task_text
from wrapgen.text.blocks import LEAD_LEVEL, Block, blocks, sentences
from wrapgen.text.phrases import kept, own_length
from wrapgen.text.words import Folded, tokens

MOST_FINDS = 300  # per turn; a turn with more is data
_LONGEST = 600  # characters. Longer items and sentences are explanations, not tasks.
_NAMES_WORK = 2
"""Words of content that a sentence needs to name its work by itself: "let's pick this up tomorrow" does not."""
_PASTED_LENGTH, _PASTED_HEADINGS = 1_500, 3
"""Characters, and headings. Users type less than this; longer texts are pasted plans, logs and documents."""
_HEADS_ITEMS = 24  # maximum characters of an item that only names what the items below it are: "Backend:"
_NEAR = 2_000  # characters before a sentence in which "that" is looked for
_DONE_MARKS = ("✅", "☑", "✔", "✓", "🟢", "🎉")
_CLAUSE = re.compile(r"[;；]|\s[–—]\s|\s--\s")


def follow_ups(events: Iterable[Turn | Summary], cues: FollowUpCues) -> list[tuple[FollowUp, str]]:
    """All follow-ups in the order in which they were last said, each with why it is none any more, else "".

    The events are read once and not kept. Repetitions stand in `also` of the last mention.
    """
    outcome = Conclusion(cues)
    index = 0
    before: Turn | None = None
    for event in events:
        if isinstance(event, Summary):
            outcome.summary(summarised(event, cues), event.line)
            continue
        outcome.feed(index, event, *read_turn(index, event, cues, before))
        index += 1
        before = event
    return outcome.finish()


def read_turn(
    index: int, turn: Turn, cues: FollowUpCues, before: Turn | None = None
) -> tuple[list[Find], list[Statement]]:
    """What a turn puts off, and what it states; the turn `before` may tell what "that" means.

    What a user pasted is nobody's words.
    """
    return ([], []) if _is_pasted(turn) else _TurnReader(index, turn, cues, before).read()


@dataclass(frozen=True, slots=True)
class _Cue:
    match: re.Match[str]  # in the folded sentence
    own: bool = False  # the user's own phrase
    label: bool = False  # it is in front with a colon, like a heading in the same line


class _TurnReader:
    def __init__(self, index: int, turn: Turn, cues: FollowUpCues, before: Turn | None) -> None:
        self._index = index
        self._turn = turn
        self._before = before
        self._languages = cues.of(turn.text)
        self._lang = self._languages[0].lang if self._languages else "en"
        self._stop = frozenset[str]().union(*(language.stop for language in self._languages))
        self._sections = TurnHeadings(self._languages)
        self._finds: list[Find] = []
        self._statements: list[Statement] = []
        self._pointing = 0
        self._task: Block | None = None
        self._last_sentence: Block | None = None

    def read(self) -> tuple[list[Find], list[Statement]]:
        for block in blocks(self._turn.text):
            if block.shape == "item":
                self._item(block)
            elif block.shape == "row":
                raw = self._turn.text[block.start : block.end]
                self._state(raw, raw, done=any(mark in raw for mark in _DONE_MARKS))
            elif block.shape == "rule":
                self._sections.rule()
            else:
                self._task = None
                self._prose(block)
            if block.shape != "prose":
                self._last_sentence = None
        return self._finds, self._statements

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
        words = task_text(raw, [], self._languages)
        short = len(words) <= _HEADS_ITEMS and not acts(words, self._languages)
        return short or meaning_of(raw, self._languages)[0] in {"later", "next"}

    def _listed(self, block: Block, section: TurnHeading) -> bool:
        """An item whose heading puts it off. Lists of the user ask for work now: of 13 none was a follow-up."""
        if not (section.puts_off or section.meaning == "weak") or block.fenced or self._turn.role == "user":
            return False
        raw = self._turn.text[block.start : block.end]
        text = task_text(raw, [], self._languages)
        find = self._add(block.start, block.end, text, section.cue, at_least=1)
        if find:
            find.group, find.own = (self._index, section.start), section.meaning == "own"
            find.steps = section.meaning == "next"
            find.weak = section.meaning == "weak"
            find.doubt = find.weak or self._doubts(raw)
        return find is not None

    def _doubts(self, raw: str) -> bool:
        """Whether words ask, offer, set conditions or report rather than put off."""
        return raw.rstrip(" *").endswith(("?", "？")) or says(self._languages, "work.doubt", Folded(raw).text)

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
        if max(self._pointing, len(self._finds)) >= MOST_FINDS:
            return False
        raw = self._turn.text[start:end]
        folded = Folded(raw)
        plain = plain_of(folded.text, self._languages)
        cue = _cue_of(plain, self._languages)
        if cue is None:
            return False
        said = False
        for begin, behind, text, words in _tasks(folded, cue.match, self._languages):
            find = self._add(start + begin, start + behind, text, words, at_least=_NAMES_WORK)
            if find:
                find.label, find.own = cue.label, cue.own
                find.doubt = section.meaning == "other" or self._doubts(raw)
                said = True
        return said or self._points_back(start, cue)

    def _points_back(self, start: int, cue: _Cue) -> bool:
        """A sentence without words of its own ("let's do that next session"): it means what was said before it."""
        self._pointing += 1
        turn, index, meant = self._turn, self._index, _last_task(self._turn.text, start, self._words)
        if meant is None and self._before and not _is_pasted(self._before):
            turn, index = self._before, self._index - 1
            meant = _last_task(turn.text, len(turn.text), self._words)
        if meant is None:
            return False
        quote = turn.text[meant[0] : meant[1]]
        text = task_text(quote, [(0, 0)], self._languages).rstrip("?？")
        words = self._words(core(text))
        if words:
            said = FollowUp.said_in(turn, index, text, quote, lang=self._lang, cue=cue.match[0].strip(EDGES))
            self._finds.append(Find(said, *meant, words, doubt=True))
        return bool(words)

    def _words(self, raw: str) -> frozenset[str]:
        return tokens(Folded(raw).text, self._stop)

    def _state(self, raw: str, about: str, *, done: bool) -> None:
        self._statements.append((Folded(raw).text, self._words(about), done))

    def _add(self, start: int, end: int, task: str, cue: str, *, at_least: int) -> Find | None:
        words = self._words(core(task))
        folded = plain_of(Folded(self._turn.text[start:end]).text, self._languages)
        too_many = len(self._finds) >= MOST_FINDS
        if len(words) < at_least or too_many or says(self._languages, "work.dropped", folded):
            return None
        quote = self._turn.text[start:end]
        follow_up = FollowUp.said_in(self._turn, self._index, task, quote, lang=self._lang, cue=cue)
        find = Find(follow_up, start, end, words)
        self._finds.append(find)
        return find


def _last_task(text: str, end: int, words: Callable[[str], frozenset[str]]) -> tuple[int, int] | None:
    """The last sentence or item that ends before an offset and names work by itself; None without one."""
    begin = max(text.rfind("\n", 0, max(end - _NEAR, 0)) + 1, end - 2 * _NEAR, 0)
    near = [one for one in blocks(text[begin:end]) if one.shape in {"prose", "item"} and not one.fenced]
    for block in reversed(near):
        for start, stop in reversed(list(sentences(text, begin + block.start, begin + block.end))):
            if stop - start <= _LONGEST and len(words(text[start:stop])) >= _NAMES_WORK:
                return start, stop
    return None


def _is_pasted(turn: Turn) -> bool:
    """Whether a user's text was pasted (a plan, a log, a skill) rather than typed."""
    if turn.role != "user":
        return False
    headings = sum(line.startswith("#") for line in turn.text[:_PASTED_LENGTH].split("\n"))
    return len(turn.text) > _PASTED_LENGTH or headings >= _PASTED_HEADINGS


def _cue_of(plain: str, languages: Languages) -> _Cue | None:
    """The cue of a sentence in the form of `plain_of`: the one with the most words of its own."""
    for group in ("sentences.own", "sentences.later"):
        found = max(matches(languages, group, plain), key=own_length, default=None)
        if found:
            leads = not any(map(str.isalnum, plain[: found.start()]))
            return _Cue(found, own=group == "sentences.own", label=leads and found[0].endswith((":", "：")))
    return None


def _tasks(folded: Folded, match: re.Match[str], languages: Languages) -> Iterator[tuple[int, int, str, str]]:
    """The tasks of a sentence with a cue: start and end of the quote in it, the task, and the cue's words."""
    raw = folded.raw
    start, end = match.span()
    inner = kept(match) or (end, end)
    # What is in the gap of a cue ("leave X for later") belongs to the task.
    cues = [(folded.origin(a), folded.origin(b)) for a, b in ((start, inner[0]), (inner[1], end)) if b > a]
    cue = " … ".join(raw[a:b].strip(EDGES) for a, b in cues)
    if len(cues) > 1 and inner != (start, end):
        yield 0, len(raw), task_text(raw[cues[0][1] : cues[1][0]], [(0, 0)], languages), cue
        return
    breaks = [0, *(one.end() for one in _CLAUSE.finditer(raw)), len(raw)]
    left = max(at for at in breaks if at <= cues[0][0])
    right = min(at for at in breaks if at >= cues[-1][1])
    if len(content(raw[left : cues[0][0]] + raw[cues[-1][1] : right])) < 3:
        left, right = 0, len(raw)
    left = cues[-1][1] if raw[: cues[-1][1]].rstrip(" *_").endswith((":", "：")) else left
    found = [(left + a, left + b) for a, b in parts(raw[left:right], languages)]
    for a, b in found:
        whole = (0, len(raw)) if len(found) == 1 else (a, b)
        inside = [(x - a, y - a) for x, y in cues if a <= x and y <= b]
        yield *whole, task_text(raw[a:b], inside or [(0, 0)], languages), cue
