"""A file as it stands: its open items, and what finishes them. What is asked for is worked out once."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain

from wrapgen.config import Config
from wrapgen.model import Item
from wrapgen.notes import Document
from wrapgen.pipeline.collected import entries_of
from wrapgen.pipeline.projects import Projects
from wrapgen.vault.index import source_of
from wrapgen.vault.markdown.blocks import read_document
from wrapgen.vault.markdown.tick import Replacement, finish
from wrapgen.vault.walk import FoundFile


@dataclass(frozen=True)
class StandingFile:
    """A file while it holds certain bytes."""

    path: str
    data: bytes
    found: FoundFile | None  # None for one that is no source
    config: Config
    projects: Projects
    _finished: dict[tuple[object, ...], dict[int, Replacement]] = field(default_factory=dict)

    @cached_property
    def document(self) -> Document:
        return read_document(self.data, self.path)

    @cached_property
    def parts(self) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
        """The open items, and the backlog; none of a file that is no source."""
        if self.found is None:
            return (), ()
        entries = entries_of(source_of(self.found, self.document), self.config, self.projects)
        return entries.items, entries.backlog

    @cached_property
    def _by_words(self) -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = defaultdict(list)
        for one in chain(*self.parts):
            found[one.text].append(one)
        return found

    @cached_property
    def by_line(self) -> dict[int, Item]:
        return {one.line: one for one in reversed([*chain(*self.parts)])}

    def now(self, item: Item) -> Item | None:
        """Return an item as it stands: by its id, else by its words, on its line or wherever they stand once."""
        same = self._by_words.get(item.text, [])
        return next(
            (one for one in same if one.id == item.id),
            next((one for one in same if one.line == item.line), same[0] if len(same) == 1 else None),
        )

    def finished(self, lines: Collection[int], day: date, status: str) -> dict[int, Replacement]:
        """Return what finishes the items on lines, as `finish`."""
        key = *sorted(lines), day, status
        if key not in self._finished:
            self._finished[key] = finish(self.path, self.data, lines, day, status, self.document)
        return self._finished[key]
