"""Cues of dead ends, decisions and state, ready to be looked up in folded text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wrapgen.phrases import Groups, Phrases
from wrapgen.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TOLD = (
    "signals.announcement",
    "signals.attempt",
    "signals.did",
    "signals.failure",
    "signals.doubt",
    "signals.drop",
    "signals.remove",
    "signals.switch",
    "signals.success",
    "signals.pleased",
)
"""Groups that tell something of a dead end, but for guesses."""


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """The cues of all languages together; `cues/en.toml` tells what each group is for.

    Attributes:
        phrases: groups of phrases, by `table.group`.
        told: the groups that tell something, but for guesses, together.
        words: groups of single words, by group.
        joints: characters that only join Chinese words.
        endings: particles and endings of a Korean word.
    """

    phrases: Mapping[str, Phrases]
    told: Groups
    words: Mapping[str, frozenset[str]]
    joints: re.Pattern[str]
    endings: re.Pattern[str]

    @classmethod
    def from_tables(cls, tables: Iterable[Mapping[str, Any]]) -> Cues:
        """Compile tables as they stand in the cue files."""
        phrases: dict[str, list[str]] = {}
        words: dict[str, set[str]] = {}
        for table in tables:
            for section, groups in table.items():
                if section == "words":
                    for name, listed in groups.items():
                        words.setdefault(name, set()).update(listed)
                elif section != "lang":
                    for name, listed in groups.items():
                        phrases.setdefault(f"{section}.{name}", []).extend(listed)
        # Words are compared by their stems, so the stems of words without content have none either.
        words["stop"] = words.get("stop", set()) | {stem(word) for word in words.get("stop", set())}
        compiled = {name: Phrases(listed) for name, listed in phrases.items()}
        return cls(
            compiled,
            Groups({name: compiled[name] for name in TOLD}),
            {name: frozenset(listed) for name, listed in words.items()},
            re.compile("|".join(map(re.escape, sorted(words.get("joints", ()))))),
            re.compile(f"(?:{'|'.join(map(re.escape, sorted(words.get('endings', ()), key=len, reverse=True)))})$"),
        )

    def __getitem__(self, name: str) -> Phrases:
        """A group of phrases, as `table.group`."""
        return self.phrases[name]
