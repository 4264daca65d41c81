"""Facts weighed: linear models whose weights stand in a file and can be read. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST = 30.0
"""Beyond it a probability is 0 or 1 for a float."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A logistic regression.

    Attributes:
        bias: what stands against it (or for it) before any fact is known, as log odds.
        weights: what a fact adds, by its name; a fact without a weight says nothing.
    """

    bias: float
    weights: Mapping[str, float]

    def __call__(self, evidence: Mapping[str, float]) -> float:
        """The probability that facts give.

        Args:
            evidence: facts by name.
        """
        weights = self.weights
        odds = self.bias + sum(weights.get(name, 0.0) * value for name, value in evidence.items() if value)
        return 1 / (1 + exp(-max(-_MOST, min(_MOST, odds))))


@dataclass(frozen=True, slots=True)
class Models:
    """What the labelled dialogues teach.

    Attributes:
        end: that something is given up for good, by what is around; before its name is known.
        word: that a word names what is given up.
        name: that a piece of a sentence names it.
        dead_end: that it is a dead end and the name is its, by all of these.
        rarity: how seldom a word is used, from 0 to 1, for words that are not rare.
    """

    end: Linear
    word: Linear
    name: Linear
    dead_end: Linear
    rarity: Mapping[str, float]
