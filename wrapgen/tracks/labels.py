"""The lines of HOT_TRACK.md and COLD_TRACK.md that do not come from a conversation, in three languages. PURE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import msgspec

from wrapgen.resources import cue_tables

Head = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class TrackLabels:
    """The labels of a language, as `cues/labels.toml` has them."""

    hot: str
    generated: str
    version: str
    state: str
    goal: str
    progress: str
    progress_head: Head
    done: str
    open: str
    written: str
    blockers: str
    problem: str
    last: str
    user: str
    assistant: str
    interfaces: str
    tombstones: str
    tombstone_head: Head
    decisions: str
    decision_head: Head
    by_hand: str
    tokens: str
    none: str
    more: str
    moved: str
    cold: str
    created: str
    graves: str
    reason: str
    day: str
    story: str
    decided: str
    history: str
    statistics: str
    interactions: str
    buried: str
    earliest: str
    kept: str


@cache
def _by_language() -> Mapping[str, TrackLabels]:
    return msgspec.convert(cue_tables("tracks")[0], dict[str, TrackLabels])


def labels(lang: str) -> TrackLabels:
    """The labels for `zh`, `en` or `ko`; English for any other."""
    return _by_language().get(lang, _by_language()["en"])


def in_all_languages(name: str) -> tuple[str, ...]:
    """The words of one label in every language."""
    return tuple(str(getattr(one, name)) for one in all_labels())


def all_labels() -> tuple[TrackLabels, ...]:
    """The labels of every language."""
    return tuple(_by_language().values())
