"""What becomes of a find in the rest of the conversation: reported done, dropped, taken up, or said again. PURE.

One pass, turn by turn; what is kept grows with the number of finds, not with the conversation. One that is repeated
goes on as its last mention, and the former ones are places only.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from wrapgen.session.follow_up import FollowUp, Mention
from wrapgen.session.lexicon import FollowUpCues, Languages, same, says
from wrapgen.session.transcript import Turn
from wrapgen.text.words import masked

DONE = "done later in the session"
DROPPED = "dropped later in the session"
TAKEN_UP = "taken up later in the session"
LEFT_OUT = "left out when the list was repeated"
REPLACED = "a later list took its place"
WENT_ON = "the conversation went on after the compaction"
STALE_TURNS = 3
"""Typed turns of the user after which what the host keeps, untouched, is offered but not ticked (spec 3.2)."""
SURE, UNSURE = 0.8, 0.3  # confidence of what is told, and of what is only offered (measured, spec 3.3)
_COMMON = 200  # finds. A word shared by this many says nothing and costs time.
_COVERED, _BEGUN = 0.6, 0.75
"""Share of a find's words that a report of it being done holds; and a request for it, which proves less."""

Statement = tuple[str, frozenset[str], bool]
"""A sentence or item: folded, its words, and whether it stands among what was done."""


@dataclass(slots=True)
class Find:
    """Work that was put off, as it was said, and what became of it."""

    follow_up: FollowUp
    start: int  # offset of its quote in the turn's text
    end: int
    words: frozenset[str]  # what it is about, for comparison
    group: tuple[int, int] | None = None  # the turn, and the offset of the heading, of the list that it is an item of
    steps: bool = False  # of a list of next steps
    label: bool = False  # a sentence that bears a label (`TODO:`)
    own: bool = False  # put off by a phrase of the user's own
    weak: bool = False  # of a list that may be one of open work
    doubt: bool = False  # offered, asked, reported, explained, or a step for right now
    kept: bool = False  # in the summary of a compaction
    at_once: bool = False  # what that summary calls the next step
    exchange: int = 0  # how many turns of the user had come before it ended
    also: list[Mention] = field(default_factory=list)  # other mentions, oldest first
    settled: str = ""  # why it is no follow-up any more


class Conclusion:
    """Follows finds through a conversation: feed it turn by turn, then take what is left."""

    def __init__(self, cues: FollowUpCues) -> None:
        self._cues = cues
        self._finds: dict[int, Find] = {}
        self._by_word: dict[str, set[int]] = defaultdict(set)  # those that are not settled
        self._taken: list[tuple[Find, int]] = []
        self._number = self._turns = self._exchanges = self._last_reply = self._last_list = self._summary = 0

    def feed(self, index: int, turn: Turn, finds: Iterable[Find], statements: Iterable[Statement]) -> None:
        self._turns = index + 1
        self._exchanges += turn.role == "user"
        if turn.role == "assistant":
            self._last_reply = index
        languages = self._cues.of(turn.text)
        for statement in statements:
            self._hear(index, turn, statement, languages)
        for find in finds:
            self._add(find)

    def summary(self, finds: Iterable[Find], line: int) -> None:
        """Take in what the summary of a compaction, at a line of the transcript, calls open."""
        self._summary = line
        for find in finds:
            self._add(find)

    def finish(self) -> list[tuple[FollowUp, str]]:
        """All finds in their order, each with why it is no follow-up any more."""
        for find, index in self._taken:
            # Taken up in the very last words: there was no time to do it.
            if not find.settled and self._last_reply > index:
                find.settled = TAKEN_UP
        told = (one for one in self._finds.values() if not one.weak or self._in_time(one))
        found = sorted(told, key=lambda one: (one.follow_up.turn, one.start))
        return [self._ended(one) for one in found]

    def _ended(self, find: Find) -> tuple[FollowUp, str]:
        said = replace(find.follow_up, also=tuple(find.also))
        if find.kept:
            goes_on = self._turns > said.turn + 1
            return replace(said, by="state", sure=not goes_on, confidence=SURE), self._why_not_kept(
                find, goes_on=goes_on
            )
        sure = find.own or (not find.doubt and (find.label or (find.group is not None and self._in_time(find))))
        # Of next steps with another list of open work after them 3 were right and 29 wrong.
        gone = find.settled or (REPLACED if find.steps and said.turn < self._last_list else "")
        return replace(said, sure=sure, confidence=SURE if sure else UNSURE), gone

    def _in_time(self, find: Find) -> bool:
        """Whether a list item was said near the end, with no open work listed after it.

        Of items in earlier lists 9 were right and 27 wrong, of later ones 20 and 1.
        """
        near = self._exchanges - find.exchange <= 1
        late = (find.follow_up.turn + 1) * 3 >= self._turns * 2
        return find.follow_up.turn >= self._last_list and (near and late if find.steps or find.weak else near or late)

    def _why_not_kept(self, find: Find, *, goes_on: bool) -> str:
        """Why what a summary calls open is no follow-up.

        Of 53 such items in public sessions that went on after it, 11 of 31 were still open within three turns of the
        user, and 3 of 22 later; the next step is mostly what comes next.
        """
        if find.follow_up.line != self._summary:
            return find.settled or LEFT_OUT
        stale = self._exchanges - find.exchange > STALE_TURNS
        return find.settled or (WENT_ON if stale or (find.at_once and goes_on) else "")

    def _add(self, find: Find) -> None:
        find.exchange = self._exchanges
        said = find.follow_up
        for number, hits in self._counts(find.words).items():
            if hits < min(2, len(find.words)):
                continue
            older = self._finds[number]
            beside = older.follow_up.turn == said.turn and (
                (older.start < find.end and find.start < older.end)
                or (older.group is not None and older.group == find.group and older.words != find.words)
            )
            if not beside and same(older.words, find.words):
                self._close(number)
                del self._finds[number]
                # Taken over, not copied: of thousands of mentions each would hold all before it.
                older.also.append(older.follow_up.mention)
                find.also = [*find.also, *older.also] if find.also else older.also
        if find.group is not None and not find.kept and not find.weak:
            self._last_list = max(self._last_list, said.turn)
        self._finds[self._number] = find
        for word in find.words:
            self._by_word[word].add(self._number)
        self._number += 1

    def _counts(self, words: Iterable[str]) -> Counter[int]:
        """How many of the words each open find contains."""
        listed = (self._by_word.get(word, ()) for word in words)
        return Counter(number for numbers in listed if len(numbers) <= _COMMON for number in numbers)

    def _close(self, number: int, reason: str = "") -> None:
        find = self._finds[number]
        find.settled = reason
        for word in find.words:
            self._by_word[word].discard(number)

    def _hear(self, index: int, turn: Turn, statement: Statement, languages: Languages) -> None:
        """A sentence that covers a find's words and says that it is done, begun or dropped."""
        folded, words, done = statement
        counts = self._counts(words)
        verdict = _verdict(turn, folded, languages, done=done) if counts else ""
        for number, hits in counts.items() if verdict else ():
            find = self._finds[number]
            if find.follow_up.turn >= index:
                continue
            covered = hits / len(find.words)
            if hits >= min(2, len(find.words)) and covered >= _COVERED:
                if verdict != TAKEN_UP:
                    self._close(number, verdict)
                elif covered >= _BEGUN:
                    self._taken.append((find, index))
            elif verdict == DROPPED and turn.role == "user" and covered >= 0.5:
                self._close(number, DROPPED)


def _verdict(turn: Turn, folded: str, languages: Languages, *, done: bool) -> str:
    plain = masked(folded)
    if turn.role == "user" and says(languages, "outcome.dropped", plain):
        return DROPPED
    if says(languages, "outcome.undone", plain):
        return ""
    if turn.role == "user":
        return TAKEN_UP
    return DONE if done or says(languages, "outcome.done", plain) else ""
