"""TrackCues of dead ends, decisions and state, ready to be looked up in folded text. PURE."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from wrapgen.resources import cue_tables
from wrapgen.text.phrases import Phrases
from wrapgen.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class TrackCues:
    """The cues of all languages together; `cues/all.toml` tells what each group is for."""

    phrases: Mapping[str, Phrases]  # groups of phrases, by name
    labels: Mapping[str, frozenset[str]]  # what may begin a line that says what it is, by name
    stop: frozenset[str]  # words without content, and their stems
    joints: re.Pattern[str]  # characters that only join Chinese words
    endings: re.Pattern[str]  # particles and endings of a Korean word

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> TrackCues:
        """Compile a table as it is in `cues/all.toml`.

        Raises:
            KeyError: it has no labels or words.
        """
        words, labels = table["words"], table["labels"]
        groups = {name: listed for name, listed in table.items() if name not in {"words", "labels"}}
        return cls(
            {name: Phrases(chain.from_iterable(by_language.values())) for name, by_language in groups.items()},
            {name: frozenset(listed) for name, listed in labels.items()},
            # Words are compared by their stems, so the stems of words without content have none either.
            frozenset(words["stop"]) | frozenset(map(stem, words["stop"])),
            re.compile("|".join(map(re.escape, words["joints"]))),
            re.compile(f"(?:{'|'.join(map(re.escape, sorted(words['endings'], key=len, reverse=True)))})$"),
        )

    def __getitem__(self, name: str) -> Phrases:
        """A group of phrases."""
        return self.phrases[name]


@lru_cache(maxsize=1)
def load_cues() -> TrackCues:
    """The cues of all shipped languages; they apply to every text, for conversations mix languages."""
    (table,) = cue_tables("tracks")
    return TrackCues.from_table(table)
