"""What became of a candidate in the rest of the conversation: done, dropped, taken up, replaced, repeated.

One pass, turn by turn; what is kept grows with the number of candidates, not with the conversation. One that is
repeated goes on as its last mention, and the former ones are places only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wrapgen.session.confidence import Fact
from wrapgen.session.lexicon import says
from wrapgen.session.replies import SHORT, replies
from wrapgen.session.sameness import alike, numbers_of, same
from wrapgen.text.words import masked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrapgen.session.candidate import (
        Candidate,
        CandidatePlace,
        Group,
        Listed,
        Shown,
        Statement,
        TurnReading,
    )
    from wrapgen.session.follow_up import Mention
    from wrapgen.session.lexicon import FollowUpCues, Languages
    from wrapgen.session.transcript import Turn

DONE = "done later in the session"
DROPPED = "dropped later in the session"
TAKEN_UP = "taken up later in the session"
LEFT_OUT = "left out when the list was repeated"
_LISTED = {Fact.OWN, Fact.LATER, Fact.NEXT}
_ANYWHERE = {Fact.KEPT, Fact.OWN, Fact.TITLED}
"""What counts anywhere in a conversation: the user's own phrases, and the plainest cues ("Next session: ...")."""
_COMMON = 200
"""Candidates. A word shared by this many says nothing and costs time."""
_COVERED = 0.6
"""Share of a candidate's words that a report of it being done holds."""
_BEGUN = 0.75
"""The same for a request, which proves less; and the share of a report's own words that are the candidate's."""


@dataclass(slots=True)
class TrackedCandidate:
    """A candidate and what was said about it later.

    Args:
        exchange: how many turns of the user had come before it ended.
        also: other mentions, oldest first.
        settled: why it is no longer a follow-up; empty while it is one.
        accepted: the user said to go on with its list.
    """

    candidate: Candidate
    exchange: int
    also: list[Mention] = field(default_factory=list)
    settled: str = ""
    accepted: bool = False

    def facts(self, turns: int, exchanges: int, last_list: int) -> frozenset[Fact]:
        """All that is known of it when the conversation ends.

        What is put off explicitly has to be said in the last third or the last two exchanges, with no open work listed
        after it:
         of items in earlier lists 9 were right and 27 wrong, of later ones 20 and 1. Next steps
        have to be in both.

        Args:
            turns: how many turns the conversation has.
            exchanges: how many of them are the user's.
            last_list: the last turn in it that lists open work.
        """
        found = set(self.candidate.facts)
        near = exchanges - self.exchange <= 1
        late = (self.candidate.follow_up.turn + 1) * 3 >= turns * 2
        last = not found & _LISTED or self.candidate.follow_up.turn >= last_list
        if near:
            found.add(Fact.NEAR_END)
        in_time = late and near if Fact.NEXT in found else near if Fact.SAID in found else late or near
        if not (last and in_time) and not found & _ANYWHERE:
            found.add(Fact.EARLY)
        if self.accepted and Fact.NEXT in found:
            found.add(Fact.ACCEPTED)
        return frozenset(found)


class Tracker:
    """Follows candidates through a conversation: feed it turn by turn, then take what is left.

    Attributes:
        exchanges: how many turns of the user have come so far.
    """

    def __init__(self, cues: FollowUpCues) -> None:
        self._cues = cues
        self._fates: dict[int, TrackedCandidate] = {}
        self._number = 0
        self._open: dict[int, TrackedCandidate] = {}
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._groups: dict[Group, list[int]] = defaultdict(list)
        self._shown: list[Shown] = []
        self._taken: list[tuple[TrackedCandidate, int]] = []
        self._turns = 0
        self.exchanges = 0
        self._last_reply = 0
        self._last_list = 0

    def feed(self, index: int, turn: Turn, reading: TurnReading) -> None:
        """Take in the next turn of the conversation."""
        languages = self._cues.of(turn.text)
        self._turns = index + 1
        if turn.role == "user":
            self.exchanges += 1
            self._hear_reply(index, turn, languages)
        for group, items in reading.lists.items():
            self._replace_lists(group, items)
        if not reading.pasted:
            for statement in reading.statements:
                self._hear(index, turn, statement, languages)
        for candidate in reading.candidates:
            self._add(candidate)
        if turn.role == "assistant":
            self._last_reply = index
            if reading.shown or len(turn.text) > SHORT:
                self._shown = reading.shown

    def take(self, reading: TurnReading) -> None:
        """Take in what was not said, but is in the host's data."""
        for candidate in reading.candidates:
            self._add(candidate)

    def finish(self) -> list[tuple[TrackedCandidate, frozenset[Fact]]]:
        """All candidates with their facts; what was taken up and worked on is closed."""
        for fate, index in self._taken:
            # Taken up in the very last words: there was no time to do it.
            if not fate.settled and self._last_reply > index:
                fate.settled = TAKEN_UP
        return [(fate, fate.facts(self._turns, self.exchanges, self._last_list)) for fate in self._fates.values()]

    # --- additions -------------------------------------------------------------------------------------------

    def _add(self, candidate: Candidate) -> None:
        fate = TrackedCandidate(candidate, self.exchanges)
        for number in self._sharing(candidate.words):
            older = self._open[number]
            said = older.candidate
            same_place = said.follow_up.turn == candidate.follow_up.turn and _overlap(said.place, candidate.place)
            same_list = said.place.group == candidate.place.group and said.words != candidate.words
            if not same_place and not same_list and same(said.words, candidate.words):
                self._forget(number)
                # Taken over, not copied: of thousands of mentions each would hold all before it.
                older.also.append(said.follow_up.mention)
                fate.also = [*fate.also, *older.also] if fate.also else older.also
        if candidate.facts & _LISTED:
            self._last_list = max(self._last_list, candidate.follow_up.turn)
        number = self._number
        self._number += 1
        self._fates[number] = self._open[number] = fate
        self._groups[candidate.place.group].append(number)
        for word in candidate.words:
            self._by_word[word].add(number)

    def _sharing(self, words: frozenset[str]) -> list[int]:
        counts = self._counts(words)
        return [number for number, hits in counts.items() if hits >= min(2, len(words)) and number in self._open]

    def _counts(self, words: Iterable[str]) -> Counter[int]:
        """How many of the words each open candidate contains."""
        listed = (self._by_word.get(word, ()) for word in words)
        return Counter(number for numbers in listed if len(numbers) <= _COMMON for number in numbers)

    def _settle(self, number: int, reason: str) -> None:
        fate = self._open.pop(number, None)
        if fate is None:
            return
        fate.settled = reason
        for word in fate.candidate.words:
            self._by_word[word].discard(number)

    def _forget(self, number: int) -> None:
        """Leave out what is repeated later."""
        self._settle(number, "")
        del self._fates[number]

    # --- what is said later ----------------------------------------------------------------------------------

    def _hear(self, index: int, turn: Turn, statement: Statement, languages: Languages) -> None:
        """A sentence that covers a candidate's words and says it is done, begun or dropped."""
        counts = self._counts(statement.words) if self._open and statement.words else Counter[int]()
        if not counts:
            return
        verdict = _verdict(turn, statement, languages)
        for number, hits in counts.items():
            fate = self._open.get(number)
            if not verdict or fate is None or fate.candidate.follow_up.turn >= index:
                continue
            words = fate.candidate.words
            share = hits / max(1, len(statement.words - numbers_of(statement.words - words)))
            # A title in a list of what was done is short: its words have to be the candidate's, not all of them.
            titled = hits >= 2 and share >= _BEGUN and (statement.done or share == 1)
            if not titled and (hits < min(2, len(words)) or hits / len(words) < _COVERED):
                if verdict == "dropped" and turn.role == "user" and hits * 2 >= len(words):
                    self._settle(number, DROPPED)
            elif verdict == "begun":
                if hits / len(words) >= _BEGUN:
                    self._taken.append((fate, index))
            else:
                self._settle(number, DONE if verdict == "done" else DROPPED)

    def _hear_reply(self, index: int, turn: Turn, languages: Languages) -> None:
        """A short line about the list before it; its items may be older candidates that it only lists again."""
        for reply in replies(turn.text, languages):
            items = [one for one in self._shown if reply.verdict == "accepted" or one.number in reply.numbers]
            for number in {number for one in items for number in self._sharing(one.words)}:
                fate = self._open[number]
                if not any(alike(fate.candidate.words, one.words) for one in items):
                    continue
                if reply.verdict == "accepted":
                    fate.accepted = True
                elif reply.verdict == "taken":
                    self._taken.append((fate, index))
                else:
                    self._settle(number, DONE if reply.verdict == "done" else DROPPED)

    def _replace_lists(self, group: Group, items: list[Listed]) -> None:
        """A list that repeats an earlier one replaces it: only the last version counts."""
        matched: dict[Group, set[int]] = defaultdict(set)
        listed = {item.words for item in items}
        for item in items:
            for number in self._sharing(item.words):
                said = self._open[number].candidate
                if not said.place.in_list or said.place.group == group or not alike(said.words, item.words):
                    continue
                matched[said.place.group].add(number)
                if item.done and (said.words == item.words or said.words not in listed):
                    self._settle(number, DONE)
        for older, hits in matched.items():
            if len(hits) >= 2 and len(hits) * 2 >= len(self._groups[older]):
                for number in self._groups[older]:
                    fate = self._open.get(number)
                    if fate and not any(alike(fate.candidate.words, item.words) for item in items):
                        self._settle(number, LEFT_OUT)


def _overlap(one: CandidatePlace, other: CandidatePlace) -> bool:
    return one.start < other.end and other.start < one.end


def _verdict(turn: Turn, statement: Statement, languages: Languages) -> str:
    plain = masked(statement.folded)
    if turn.role == "user":
        if says(languages, "outcome.dropped", plain):
            return "dropped"
        return "" if says(languages, "outcome.undone", plain) else "begun"
    if says(languages, "outcome.undone", plain):
        return ""
    return "done" if statement.done or says(languages, "outcome.done", plain) else ""
