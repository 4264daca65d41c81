"""Facts that help to judge an item: never verdicts (spec 9). PURE."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from rapidfuzz import fuzz

from wrapgen.text.display import shorten
from wrapgen.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wrapgen.model import Evidence, Item
    from wrapgen.vault.git import Commit

_MOST_COMMITS = 2
"""More of them were noise: on ten vaults most commits that share two words with an item are about something else."""
_MOST_LIKE = 2
_LEAST_LIKE = 60.0
_LEAST_RARE = 2  # rare words that a commit's subject must share, where no path names it
_RARE = 12  # a word in more commits than this tells nothing
_QUIET_DAYS = 14
_QUIET_COMMITS = 5
_LONGEST = 160
_FILE = re.compile(r"(?<![\w/.@~-])(?:[\w.@~-]+/)*[\w@~-]+\.[a-z]{2,5}\d?(?![\w/])")


@dataclass(frozen=True, slots=True)
class Hint:
    """One fact."""

    kind: Literal["note_status", "like_done", "commit", "path_exists", "quiet"]
    text: str
    at: str  # `path:line`, or `commit:` and a hash

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind, "text": shorten(self.text, _LONGEST), "at": self.at}


def _numbers_by_word(texts: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for word in content_words(text):
            found[word].append(number)
    return found


class CommitHints:
    """The last commits, newest first, and which of their words are rare."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self.commits = commits

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        return _numbers_by_word(one.subject for one in self.commits)

    def about(self, item: Item) -> list[Hint]:
        """The commits since an item was written whose subjects share its rarest words, at most two."""
        since = item.raised or item.changed
        words = content_words(" ".join((*item.context, item.text)))
        shared: Counter[int] = Counter()
        rarity: dict[int, int] = {}
        for word in words:
            numbers = self._by_word.get(word, [])
            if len(numbers) <= _RARE:
                for number in numbers:
                    shared[number] += 1
                    rarity[number] = min(rarity.get(number, len(numbers)), len(numbers))
        fitting = [
            number
            for number, often in shared.items()
            if often >= _LEAST_RARE and (since is None or self.commits[number].day >= since)
        ]
        fitting.sort(key=lambda number: (-shared[number], rarity[number], number))
        best = [self.commits[number] for number in fitting[:_MOST_COMMITS]]
        return [Hint("commit", f"{one.day} {one.subject}", one.at) for one in best]

    def quiet(self, path: str) -> list[Hint]:
        touched = next((number for number, one in enumerate(self.commits) if path in one.paths), None)
        if touched is None or touched < _QUIET_COMMITS:
            return []
        last, newest = self.commits[touched], self.commits[0]
        days = (newest.day - last.day).days
        if days < _QUIET_DAYS:
            return []
        return [Hint("quiet", f"not changed since {last.day}; {touched} commits elsewhere since then", last.at)]


class FinishedLines:
    """The finished lines of the notes, looked up by the words of an open one."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self._lines = list(evidence)

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        return _numbers_by_word(one.text for one in self._lines)

    def like(self, item: Item) -> list[Hint]:
        """The finished lines that are likest to an item, at most two; alike by less than a merge needs."""
        shared = Counter(number for word in content_words(item.text) for number in self._by_word.get(word, ()))
        near = [number for number, _ in shared.most_common(30)]
        scored = sorted(
            ((fuzz.token_set_ratio(item.folded.text, self._lines[number].folded.text), -number) for number in near),
            reverse=True,
        )
        best = [self._lines[-negative] for score, negative in scored if score >= _LEAST_LIKE][:_MOST_LIKE]
        return [Hint("like_done", f"{one.day or ''} {one.text}".strip(), f"{one.path}:{one.line}") for one in best]


def files_named(item: Item) -> list[str]:
    """The files that an item names in its words or its context."""
    return list(dict.fromkeys(_FILE.findall(" ".join((*item.context, item.text)))))


_STATUS = re.compile(r"[-*>\s]*+(?:status|state|상태|状态|ステータス|estado|статус)\W{0,6}[:：]\s*(.+)", re.IGNORECASE)
_HEAD = 15  # lines in which a note says how it stands


def note_status(path: str, lines: Sequence[str]) -> list[Hint]:
    """What a note says of itself in its first lines."""
    for number, line in enumerate(lines[:_HEAD], 1):
        if found := _STATUS.match(line):
            return [Hint("note_status", found[0].strip(), f"{path}:{number}")]
    return []
