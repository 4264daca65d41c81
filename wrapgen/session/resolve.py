"""What became of a candidate in the rest of the conversation: done, dropped, taken up, replaced, repeated.

One pass, turn by turn; what is kept grows with the number of candidates, not with the conversation.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from wrapgen.session.candidate import Candidate, Group, Reading, Statement
from wrapgen.session.lexicon import Cues, Language
from wrapgen.session.sameness import alike, numbers_of, same
from wrapgen.session.transcript import Turn
from wrapgen.words import Folded, masked

_SHORT_REPLY = 160
_ACCEPTING = 80
_NUMBERS = re.compile(
    r"(?<![\w.])#?(\d{1,2})(?:\s*[-~–]\s*(\d{1,2}))?(?!\d|[.%]\d|\s?(?:(?:px|ms|sec|min|h|kb|mb|gb|k|s|x|st|nd|rd|th|times|hours?|days?|minutes?|files?|tests?)\b|%|가지|개|명|분|시|초|일|월|년|个|次|天|つ|件|回|日|分|秒))"
)
_OWN_LIST = re.compile(r"^[ \t]*\d{1,2}[.)]\s", re.MULTILINE)
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "첫": 1,
    "두": 2,
    "세": 3,
    "一": 1,
    "二": 2,
    "三": 3,
}
_ORDINAL = re.compile(
    r"\b(?:the|just|only)\s(first|second|third|fourth|fifth)(?:\s(?:one|item|point|task|step)\b|\W*$)|(첫|두|세)\s?번째|第([一二三])"
)
_COMMON = 200
_STATE_HOLDS = 3
"""Replies after which what somebody said is missing has probably been seen to, or said again."""
_LONG_REPLY = 400
"""Characters. Behind the last reply that says so much, there are only thanks and farewells."""
_LAST = 0.12
_BEGUN = 0.75
"""The same for an announcement or a request, which proves less."""
_OFFERED = 0.5
_STRONG = 0.75
"""Confidence of a list that is put off in so many words; a plain "yes" is not about that one."""
_HALF = 0.5
_PART = 0.33
"""The same for a report that says nothing else: "Added the JSON writer." """
_COVERED = 0.6
"""Share of a candidate's words that a report of it being done holds."""


class Tracker:
    """Follows candidates through a conversation: feed it turn by turn, then take what is left."""

    def __init__(self, cues: Cues) -> None:
        self._cues = cues
        self.candidates: list[Candidate] = []
        self._open: dict[int, Candidate] = {}
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._groups: dict[Group, list[int]] = defaultdict(list)
        self._last_group: list[Group] = []
        self._replies: dict[int, int] = {}
        self._taken: list[tuple[Candidate, int]] = []
        self._left_behind: list[tuple[Candidate, int, float]] = []
        self._last_report = 0
        self._last_work = 0

    def feed(self, index: int, turn: Turn, reading: Reading) -> None:
        """Take in the next turn of the conversation."""
        languages = self._cues.of(turn.text)
        if turn.role == "user":
            self._hear_user(index, turn, languages)
        for group, items in reading.items.items():
            self._replace_lists(group, items)
        if not reading.pasted:
            for statement in reading.statements:
                self._hear(index, turn, statement, languages)
        by_group: dict[Group, list[Candidate]] = {group: [] for group in reading.items}
        for candidate in reading.candidates:
            by_group.setdefault(candidate.group, []).append(candidate)
        for group, members in by_group.items():
            self._replace_lists(group, reading.items.get(group, []))
            for candidate in members:
                self._add(candidate)
        fresh = list(dict.fromkeys(candidate.group for candidate in reading.candidates if candidate.in_list))
        if turn.role == "assistant":
            self._replies[index] = len(self._replies) + 1
            if len(turn.text) > _SHORT_REPLY:
                self._last_work = index
            if fresh or len(turn.text) > _LONG_REPLY:
                self._last_report = index
            self._last_group = fresh or ([] if len(turn.text) > _SHORT_REPLY else self._last_group)

    # --- additions -------------------------------------------------------------------------------------------

    def _add(self, candidate: Candidate) -> None:
        for number in self._sharing(candidate.words):
            older = self._open[number]
            same_place = older.turn == candidate.turn and older.start < candidate.end and candidate.start < older.end
            same_list = older.group == candidate.group and older.words != candidate.words
            if same_place or same_list or not same(older.words, candidate.words):
                continue
            if candidate.score < _OFFERED <= older.score:
                older.also.append((candidate.turn, candidate.said.line))
                return
            candidate.also = [*older.also, (older.turn, older.said.line), *candidate.also]
            candidate.score = max(candidate.score, older.score) if candidate.score >= _OFFERED else candidate.score
            self._settle(number, "repeated later")
        number = len(self.candidates)
        self.candidates.append(candidate)
        self._open[number] = candidate
        self._groups[candidate.group].append(number)
        for word in candidate.words:
            self._by_word[word].add(number)

    def _sharing(self, words: frozenset[str]) -> list[int]:
        counts = self._counts(words)
        return [number for number, hits in counts.items() if hits >= min(2, len(words)) and number in self._open]

    def _counts(self, words: frozenset[str]) -> Counter[int]:
        """How many of the words each open candidate holds; words that hundreds share tell nothing and cost time."""
        listed = (self._by_word.get(word, ()) for word in words)
        return Counter(number for numbers in listed if len(numbers) <= _COMMON for number in numbers)

    def _settle(self, number: int, reason: str) -> None:
        candidate = self._open.pop(number, None)
        if candidate is None:
            return
        candidate.settled = reason
        for word in candidate.words:
            self._by_word[word].discard(number)

    # --- what is said later ----------------------------------------------------------------------------------

    def _hear(self, index: int, turn: Turn, statement: Statement, languages: tuple[Language, ...]) -> None:
        """A sentence that covers a candidate's words and says it is done, begun or dropped."""
        if not self._open or not statement.words:
            return
        counts = self._counts(statement.words)
        if not counts:
            return
        verdict = ""
        for number, hits in counts.items():
            candidate = self._open.get(number)
            if candidate is None or candidate.turn >= index:
                continue
            size = len(candidate.words)
            # A title in a list of what was done is short: its words have to be the candidate's, not all of them.
            share = hits / max(1, len(statement.words - numbers_of(statement.words - candidate.words)))
            title = hits >= 2 and ((statement.done and share >= _BEGUN) or (share == 1 and hits / size >= _PART))
            if not title and (hits < min(2, size) or hits / size < _COVERED):
                if (
                    hits / size >= _HALF
                    and candidate.group in self._last_group
                    and self._declines(turn, statement, languages)
                ):
                    self._settle(number, "dropped by the user")
                continue
            verdict = verdict or self._verdict(turn, statement, languages)
            if verdict == "done":
                self._settle(number, "done later in the session")
            elif verdict == "begun" and hits / size >= _BEGUN:
                self._taken.append((candidate, index))
            elif verdict == "dropped":
                self._settle(number, "dropped later in the session")

    def _declines(self, turn: Turn, statement: Statement, languages: tuple[Language, ...]) -> bool:
        """Whether a short sentence of the user declines something of the list that was just shown."""
        if turn.role != "user" or len(statement.folded) > _ACCEPTING:
            return False
        return any(language.closers["dropped"].found(statement.folded) for language in languages)

    def _verdict(self, turn: Turn, statement: Statement, languages: tuple[Language, ...]) -> str:
        plain = masked(statement.folded)
        if turn.role == "user":
            if _any(languages, "dropped", plain):
                return "dropped"
            return "none" if _any(languages, "undone", plain) else "begun"
        if _any(languages, "undone", plain):
            return "none"
        if statement.done or _any(languages, "done", plain):
            return "done"
        return "begun" if _any(languages, "doing", plain) else "none"

    def _hear_user(self, index: int, turn: Turn, languages: tuple[Language, ...]) -> None:
        """A short line of the user about the list before it: numbers, "the rest", or plain acceptance."""
        text = turn.text.strip()
        if len(text) > _SHORT_REPLY:
            return
        listed = [(n, self._open[n]) for group in self._last_group for n in self._groups[group] if n in self._open]
        own_list = len(_OWN_LIST.findall(text)) > 1
        for sentence in re.split(r"[.!?。！？\n]+", Folded(text).text):
            if not sentence.strip():
                continue
            numbers = set() if own_list else _numbers(sentence)
            for name, reason in (("dropped", "dropped by the user"), ("done", "the user says it is done")):
                if any(language.closers[name].found(sentence) for language in languages):
                    chosen = [n for n, c in listed if c.number in numbers] if numbers else []
                    for number in chosen:
                        self._settle(number, reason)
                    break
            else:
                if any(
                    language.closers[name].found(sentence) for language in languages for name in ("later", "promise")
                ):
                    continue
                if numbers:
                    self._taken.extend((c, index) for _, c in listed if c.number in numbers)
                elif len(text) <= _ACCEPTING and any(
                    language.closers["accepted"].match(sentence.strip()) for language in languages
                ):
                    self._accept(index, listed)

    def _accept(self, index: int, listed: list[tuple[int, Candidate]]) -> None:
        for _, candidate in listed:
            if candidate.score < _STRONG:
                self._taken.append((candidate, index))
            else:
                self._leave_behind(candidate, index, -0.15)
        for candidate in self._open.values():
            # Lists of next steps, unlike what is put off in so many words, are mostly what the user goes on with.
            if candidate.score < _STRONG and not candidate.went_on and candidate.in_list:
                self._leave_behind(candidate, index, -0.25)

    def _leave_behind(self, candidate: Candidate, index: int, change: float) -> None:
        candidate.went_on = True
        self._left_behind.append((candidate, index, change))

    def _replace_lists(self, group: Group, items: list[tuple[frozenset[str], bool]]) -> None:
        """A list that repeats an earlier one takes its place: only the last version counts."""
        matched: dict[Group, set[int]] = defaultdict(set)
        listed = {words for words, _ in items}
        for words, done in items:
            for number in self._sharing(words):
                candidate = self._open.get(number)
                if candidate is None or not candidate.in_list or not alike(candidate.words, words):
                    continue
                if candidate.group == group:
                    continue
                matched[candidate.group].add(number)
                itself = candidate.words == words or candidate.words not in listed
                if done and itself:
                    self._settle(number, "done later in the session")
        for older, hits in matched.items():
            if len(hits) >= 2 and len(hits) * 2 >= len(self._groups[older]):
                self._leave_out(older, items)

    def _leave_out(self, older: Group, items: list[tuple[frozenset[str], bool]]) -> None:
        for number in self._groups[older]:
            candidate = self._open.get(number)
            if candidate and not any(alike(candidate.words, words) for words, _ in items):
                self._settle(number, "left out when the list was repeated")

    # --- the end ---------------------------------------------------------------------------------------------

    def finish(self, last_assistant: int) -> list[Candidate]:
        """All candidates, what was taken up and worked on settled.

        Args:
            last_assistant: index of the last turn of the assistant.
        """
        for candidate, index in self._taken:
            # Taken up in the very last words: nobody has had the time to do it.
            if not candidate.settled and last_assistant > index:
                candidate.settled = "taken up later in the session"
        for candidate, index, change in self._left_behind:
            if self._last_work > index:
                candidate.weigh(change, "the user went on")
        for candidate in self.candidates:
            if candidate.in_list and candidate.group[1] >= 0 and candidate.turn >= self._last_report:
                candidate.weigh(_LAST, "in the last report")
            if candidate.passing == "plan" and candidate.turn < last_assistant:
                candidate.weigh(-0.4, "a plan that was not the last word")
            elif candidate.passing == "state" and self._replies[candidate.turn] + _STATE_HOLDS <= len(self._replies):
                candidate.weigh(-0.1, "a state of then")
        return self.candidates


def _any(languages: Iterable[Language], name: str, plain: str) -> bool:
    return any(language.statements[name].found(plain) for language in languages)


def _numbers(sentence: str) -> set[int]:
    found: set[int] = set()
    for match in _NUMBERS.finditer(sentence):
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        found.update(range(first, min(last, first + 30) + 1))
    found.update(_ORDINALS[match[match.lastindex or 0]] for match in _ORDINAL.finditer(sentence))
    return found
