"""What was found to be alike. PURE."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from wrapgen.model import Evidence


class AlikePairs(msgspec.Struct, array_like=True, gc=False):
    """What is alike, with its similarity (0 to 100): an item's number first."""

    done: list[tuple[int, int, float]] = []  # with evidence
    open: list[tuple[int, int, float]] = []  # with another item


class Thresholds(NamedTuple):
    """The least similarities, above 0 and up to 100."""

    done: float
    open: float


class Alike(NamedTuple):
    """The items and the evidence that are alike."""

    evidence: Mapping[int, Evidence] = {}  # by number
    done: Mapping[str, Sequence[tuple[int, float]]] = {}  # by an item's id, evidence with its similarity
    open: Mapping[str, Sequence[tuple[str, float]]] = {}  # by an item's id, those of others
