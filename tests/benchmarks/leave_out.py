"""Leaving authors out: weights fitted, and cues chosen, on everybody else's conversations.

Another author's habits are another language. So `follow_ups.py --cross` gives each author's conversations weights that
were fitted without that author, and uses no cue word that was wrong more often than right for the others; then the
same with half of the authors. Which facts there are, and the cue files, were made by people who saw everybody: what is
told of strangers is less right than these figures.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from wrapgen.session.confidence import WEIGHTS, Fact
from wrapgen.session.detection import Detection

MIN_CONFIDENCE = 0.5
Weights = dict[Fact, float]
ROUNDS = 400
STEP = 0.3
PULL = 4.0
"""How strongly each weight is pulled towards the guess: as by four lists, so that no single author settles it."""
GUESS: Weights = {
    Fact.OWN: 1,
    Fact.LATER: 1,
    Fact.NEXT: 1,
    Fact.TITLED: 1,
    Fact.SAID: 0,
    Fact.NEAR_END: 1,
    Fact.EARLY: -3,
    Fact.DOUBT: -2,
    Fact.QUESTION: -3,
    Fact.DOCUMENT: -3,
    Fact.DROPPED: -3,
    Fact.ACCEPTED: -1,
    Fact.NO_TASK: -3,
    Fact.MIXED: -3,
    Fact.LONG: -1,
}
"""For or against in whole steps, as anybody would say before anything is counted."""


@dataclass(frozen=True, slots=True)
class Told:
    """A candidate that nothing in its conversation settled, and whether it is a follow-up by the labels.

    Args:
        author: whose conversation it is from.
        list: conversation and turn; items of one list are one piece of evidence more than many.
        word: language and the words that put it off.
        facts: what is known of it.
        right: by the labels; None when they count neither way.
    """

    author: str
    list: tuple[str, int]
    word: tuple[str, str]
    facts: frozenset[Fact]
    right: bool | None


def is_offered(one: Detection) -> bool:
    """Whether it is worth asking about."""
    return not one.settled and one.follow_up.confidence >= MIN_CONFIDENCE


def reasons(facts: Iterable[Fact]) -> str:
    """The facts in words, each with its weight, in the order in which they are defined."""
    held = set(facts)
    return ", ".join(f"{fact} {WEIGHTS[fact]:+.1f}" for fact in Fact if fact in held)


def chance(facts: Iterable[Fact], weights: Weights) -> float:
    """Probability of a follow-up with these facts."""
    return 1 / (1 + math.exp(-sum(weights[fact] for fact in facts)))


def fitted(told: Iterable[Told]) -> Weights:
    """Log-odds of the facts: logistic regression, pulled towards the guess. A list weighs as the root of its length."""
    known = [one for one in told if one.right is not None]
    sizes = Counter(one.list for one in known)
    weights = dict(GUESS)
    for _ in range(ROUNDS):
        slope = {fact: PULL * (GUESS[fact] - weight) for fact, weight in weights.items()}
        for one in known:
            error = (one.right - chance(one.facts, weights)) / math.sqrt(sizes[one.list])
            for fact in one.facts:
                slope[fact] += error
        weights = {fact: weight + STEP * slope[fact] / 10 for fact, weight in weights.items()}
    return weights


def unearned(told: Iterable[Told], weights: Weights) -> set[tuple[str, str]]:
    """Cue words that would be offered and are wrong more often than right."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for one in told:
        if one.right is not None and chance(one.facts, weights) >= MIN_CONFIDENCE:
            counts[one.word] += 1 if one.right else -1
    return {word for word, count in counts.items() if count < 0}


@dataclass(frozen=True, slots=True)
class Learnt:
    """What some authors' conversations teach: the weights of the facts, and cue words not to be used."""

    weights: Weights
    dropped: set[tuple[str, str]]

    def offers(self, one: Told) -> bool:
        """Whether a candidate of somebody else would be offered."""
        return one.word not in self.dropped and chance(one.facts, self.weights) >= MIN_CONFIDENCE


def learnt(told: Iterable[Told]) -> Learnt:
    """Learn from some authors' candidates."""
    known = list(told)
    weights = fitted(known)
    return Learnt(weights, unearned(known, weights))


def half_of(author: str) -> str:
    """The half of all authors that one belongs to, by a digest of the name: the same in every run."""
    return "AB"[hashlib.sha256(author.encode()).digest()[0] % 2]
