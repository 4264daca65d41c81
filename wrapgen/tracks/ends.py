"""Where something is given up, and what speaks for a dead end there: the signals around it, as numbers. PURE.

Each number is a plain fact: a failure was reported one turn before, the words of what is left stood in an attempt. How
much each of them says was fitted on labelled dialogues, see `weights.toml` and `linear.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from wrapgen.tracks.signal import Kind, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wrapgen.tracks.turns import Turn

_T = TypeVar("_T")

LEAVING = (Kind.DROP, Kind.REMOVE, Kind.RETURN, Kind.SWITCH, Kind.PROPOSAL)
"""Signals of giving up, those that say most first."""
FAILED = (Kind.FAILURE, Kind.DOUBT)
_TOLD = (Kind.HYPOTHESIS, Kind.ATTEMPT, Kind.FAILURE, Kind.DOUBT, Kind.SUCCESS)
"""Signals that tell how a story goes."""
_HELPED = (Kind.SUCCESS, Kind.PLEASED)
REACH = 14
"""Turns with words before an end that belong to its story; no longer ones are among the labelled dialogues."""
_BREATH = 6
"""Sentences of a story that is told in one breath."""
_NEAR = (1, 2, 3)
"""Turns before an end that are looked at one by one."""
_ANSWERED = 2
"""Turns behind a proposal in which it is agreed to or refused."""
LONG = 600
"""Characters of a long turn."""
_NEXT, _FAR = 3, 60
"""Turns behind it that tell how it went on, and those in which the same thing may still come back."""

REFUSED = "proposed and refused"

Evidence = dict[str, float]
"""Facts by name, most of them 0 or 1."""


@dataclass(frozen=True, eq=False)
class End:
    """A turn in which something may be given up.

    Attributes:
        turns: the conversation.
        place: of the turn.
        told: the signals of giving up, in order.
    """

    turns: Sequence[Turn]
    place: int
    told: tuple[Signal, ...]

    @property
    def turn(self) -> Turn:
        """The turn."""
        return self.turns[self.place]

    @cached_property
    def before(self) -> Sequence[Turn]:
        """The turns before it that may belong to its story."""
        return self.turns[max(0, self.place - REACH) : self.place]

    @cached_property
    def signal(self) -> Signal:
        """The signal that says most; of equals the last."""
        return min(reversed(self.told), key=lambda one: LEAVING.index(one.kind))

    @cached_property
    def start(self) -> int:
        """Where its first clause begins: what stands there and behind is about what is left, and what comes instead."""
        return min(one.clause[0] for one in self.told)

    @cached_property
    def gone(self) -> frozenset[str]:
        """Words of what is left."""
        return _union(one.gone | one.terms for one in self.told)

    @cached_property
    def around(self) -> frozenset[str]:
        """Words of the sentences that leave it."""
        return _union(one.around for one in self.told)

    @cached_property
    def past(self) -> tuple[Signal, ...]:
        """The signals before it that may belong to its story, in order."""
        return (
            *chain.from_iterable(turn.told for turn in self.before),
            *(one for one in self.turn.told if one.at < self.signal.at),
        )

    @property
    def retried(self) -> tuple[Signal, ...]:
        """What is tried in the same turn: something else, or the same once more ("I put it back")."""
        return tuple(one for one in self.turn.told if one.kind is Kind.ATTEMPT and one.at >= self.start)

    @property
    def brief(self) -> bool:
        """Whether it was tried, seen to fail and left in a few sentences."""
        tried = next((one for one in self.past if one.kind is Kind.ATTEMPT), None)
        if tried is None or self.signal.clock - tried.clock >= _BREATH:
            return False
        return any(one.kind is Kind.FAILURE and one.clock > tried.clock for one in self.past)

    @property
    def rest(self) -> Sequence[Turn]:
        """The turns behind it in which the same thing may come back."""
        return self.turns[self.place + 1 : self.place + 1 + _FAR]

    def words(self, *kinds: Kind) -> frozenset[str]:
        """Words of the sentences before it that tell something."""
        return _union(one.around for one in self.past if one.kind in kinds)


def ends(turns: Sequence[Turn]) -> Iterator[End]:
    """The turns of a conversation in which something may be given up.

    Args:
        turns: all turns with words.
    """
    for turn in turns:
        told = [one for one in turn.told if one.kind in LEAVING]
        failed = max((one.at for one in turn.told if one.kind in FAILED), default=-1)
        if told:
            # What was changed before it failed was the attempt: "I switched to X, still no luck, switching back".
            yield End(turns, turn.place, tuple(one for one in told if one.at > failed) or tuple(told))


def evidence(end: End) -> Evidence:
    """What speaks for and against a dead end at a place, without its name.

    Args:
        end: the place.
    """
    return {**_itself(end), **_before(end), **_story(end), **_ties(end), **_after(end)}


def _itself(end: End) -> Evidence:
    turn, at = end.turn, end.signal.at
    before = turn.kinds_in(0, at)
    behind = frozenset(one.kind for one in turn.told if one.at > at)
    found: Evidence = {f"is {kind.value}": float(any(one.kind is kind for one in end.told)) for kind in LEAVING}
    found |= {f"same turn before: {kind.value}": float(kind in before) for kind in _TOLD}
    found |= {f"same turn behind: {kind.value}": float(kind in behind) for kind in _TOLD}
    found |= _proposed(end)
    found["for now"] = float(any(turn.says("screens.meanwhile", *one) for one in {one.sentence for one in end.told}))
    found["signs of leaving"] = float(min(len(end.told), 3))
    found["by user"] = float(turn.step.role == "user")
    found["latin"] = float(not turn.wide)
    found["length"] = min(len(turn.text), LONG) / LONG
    found["how far in"] = min(at, LONG) / LONG
    found["turns before"] = min(end.place, REACH) / REACH
    found["turns behind"] = min(len(end.rest), REACH) / REACH
    found["first turn"], found["second turn"] = float(end.place == 0), float(end.place == 1)
    return found


def _proposed(end: End) -> Evidence:
    """Whether giving up is only proposed, and what the next turn says to that."""
    if any(one.kind is not Kind.PROPOSAL for one in end.told):
        return {REFUSED: 0.0}
    others = (turn for turn in end.rest[:_ANSWERED] if turn.step.role != end.turn.step.role)
    answer = next(others, None)
    agreed = answer is not None and answer.opens_with("screens.accept")
    refused = answer is not None and answer.opens_with("screens.refuse")
    return {"proposed and agreed to": float(agreed), "only proposed": float(not agreed), REFUSED: float(refused)}


def _before(end: End) -> Evidence:
    """The turns right before, one by one."""
    found: Evidence = {}
    for back in _NEAR:
        turn = end.turns[end.place - back] if back <= end.place else None
        kinds = turn.kinds if turn else frozenset()
        found |= {f"{back} before: {kind.value}": float(kind in kinds) for kind in (*_TOLD, Kind.PLEASED)}
        found[f"{back} before: leaving"] = float(not kinds.isdisjoint(LEAVING))
        found[f"{back} before: by user"] = float(turn is not None and turn.step.role == "user")
        found[f"{back} before: number"] = float(turn is not None and any(map(str.isdigit, turn.opening)))
        found[f"{back} before: question"] = float(turn is not None and turn.opening.rstrip().endswith(("?", "？")))
        found[f"{back} before: written"] = float(turn is not None and turn.wrote is not None)
        found[f"{back} before: user told failure"] = float(
            turn is not None and turn.step.role == "user" and Kind.FAILURE in kinds
        )
    return found


def _story(end: End) -> Evidence:
    """Whether what makes a story was told at all."""
    kinds = {one.kind for one in end.past}
    written = any(turn.wrote is not None for turn in end.before)
    return {
        "attempts": float(min(sum(one.kind is Kind.ATTEMPT for one in end.past), 5)),
        "left before": float(min(sum(one.kind in LEAVING for one in end.past), 5)),
        "guessed": float(Kind.HYPOTHESIS in kinds),
        "announced": float(Kind.ANNOUNCEMENT in kinds),
        "tried": float(Kind.ATTEMPT in kinds or written),
        "failed": float(Kind.FAILURE in kinds),
        "doubted": float(Kind.DOUBT in kinds),
        "failures": float(min(sum(one.kind is Kind.FAILURE for one in end.past), 5)),
        **_rule(end),
    }


def _rule(end: End) -> Evidence:
    """Whether a guess, an attempt and a failure were told in this order, and nothing helped since (spec 6.2)."""
    wrote = [turn.place for turn in end.before if turn.wrote is not None]
    guess: Signal | None = None
    tried = failed = False
    for one in end.past:
        tried = tried or (guess is not None and any(guess.step <= place < one.step for place in wrote))
        if one.kind in (Kind.HYPOTHESIS, Kind.ANNOUNCEMENT) and not tried:
            guess = guess or one
        elif one.kind is Kind.ATTEMPT:
            tried = guess is not None
        elif one.kind is Kind.FAILURE:
            failed = tried
        elif one.kind in _HELPED:
            failed = False
    told = guess is not None and failed
    close = guess is not None and end.signal.clock - guess.clock < _BREATH
    return {"told in order": float(told), "in one breath": float(told and close)}


def _ties(end: End) -> Evidence:
    """What is left, and where its words stood before."""
    tried, guessed = end.words(Kind.ATTEMPT), end.words(Kind.HYPOTHESIS, Kind.ANNOUNCEMENT)
    agent = _union(turn.terms for turn in end.before if _is_agent(turn))
    return {
        "left: tried": _count(end.gone & tried),
        "left: guessed": _count(end.gone & guessed),
        "sentence: tried": _count(end.around & tried),
        "sentence: guessed": _count(end.around & guessed),
        "left: failed": _count(end.gone & end.words(*FAILED)),
        "left: said by agent": _count(end.gone & agent),
        "left: asked for": float(end.place > 0 and not end.gone.isdisjoint(end.turns[0].terms)),
        "left: no name": float(not end.gone),
    }


def _after(end: End) -> Evidence:
    """How it went on."""
    rest = end.rest
    kinds = _union(turn.kinds for turn in rest[:_NEXT])
    thing = end.gone & end.words(Kind.ATTEMPT, Kind.HYPOTHESIS, Kind.ANNOUNCEMENT)
    return {
        "next: success": float(Kind.SUCCESS in kinds),
        "next: pleased": float(Kind.PLEASED in kinds),
        "next: failure": float(Kind.FAILURE in kinds),
        "next: leaving": float(not kinds.isdisjoint(LEAVING)),
        "later: it helped": later(rest, thing, _HELPED),
        "later: it was tried": later(rest, thing, (Kind.ATTEMPT,)),
    }


def later(rest: Iterable[Turn], thing: frozenset[str], kinds: tuple[Kind, ...]) -> float:
    """Whether one of some turns tells something of a thing.

    Args:
        rest: the turns.
        thing: words of its name.
        kinds: what may be told.
    """
    said = (one for turn in rest for one in turn.told if one.kind in kinds)
    return float(bool(thing) and any(not one.around.isdisjoint(thing) for one in said))


def _is_agent(turn: Turn) -> bool:
    return turn.step.role == "assistant"


def _count(words: frozenset[str]) -> float:
    return float(min(len(words), 3))


def _union(sets: Iterable[frozenset[_T]]) -> frozenset[_T]:
    return frozenset().union(*sets)
