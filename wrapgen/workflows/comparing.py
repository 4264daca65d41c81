"""What is alike in a vault: each new entry is compared once with those that were there, and pairs are kept."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from wrapgen.pipeline.alike import Alike, AlikePairs, Thresholds
from wrapgen.pipeline.candidates import Finder, alike_of, common_words, place_of
from wrapgen.vault.entry_index import COMPARED, Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wrapgen.config import Config
    from wrapgen.model import Item
    from wrapgen.workflows.entry_reader import EntryReader, ReadFile

_pairs = msgspec.msgpack.Decoder(AlikePairs).decode
EXTRA = 0
"""The number of no file: that of the items which none was taken with."""
_SAMPLE = 20_000  # texts by which the common words are found


class Compared(msgspec.Struct, frozen=True, array_like=True):
    """How far the index has come with comparing."""

    last: int = 0  # the newest file that was compared
    old: tuple[int, ...] = ()  # the files some of whose items were old by then, and compared with the same words alone
    common: dict[str, int] = {}  # how often words are


class Comparing:
    """The pairs of a vault, brought up to date.

    Attributes:
        paired: the numbers of the files that have something which is like something else, once `alike` was asked.
    """

    def __init__(
        self,
        reader: EntryReader,
        config: Config,
        is_old: Callable[[Item], bool],
        is_past: Callable[[ReadFile], bool],
    ) -> None:
        self._reader, self._is_old, self._is_past = reader, is_old, is_past
        self._thresholds = Thresholds(config.evidence_threshold, config.dedup_threshold)
        self._kept = Kept(reader.index, COMPARED, Compared, reader.key)
        self.paired: set[int] = set()
        self._pairs = self._compared()

    def _compared(self) -> dict[int, AlikePairs]:
        """Compare what has not been compared yet; what is alike, by file."""
        reader, index = self._reader, self._reader.index
        before = self._kept.load() or Compared()
        found = {key: _pairs(data) for key, data in index.pairs()}
        new = sorted(key for key in reader.by_id if key > before.last)
        wide = [key for key in before.old if (one := reader.by_id.get(key)) and not self._is_past(one)]
        if not new and not wide:
            return found
        common = before.common or common_words(islice(self._texts(new), _SAMPLE))
        finder = self._finder(common, has_posts=before.last > 0)
        for key, items, evidence in reader.entries(new):
            alike = finder.take(key, items, evidence, self._is_old)
            self._note(found, key, alike)
        for key, items, _ in reader.entries(wide):
            self._note(found, key, finder.widen(key, items, self._is_old))
        reader.let_go()
        index.post(dict(finder.taken()))
        old = {key for key in before.old if key in reader.by_id}.difference(wide)
        old |= {key for key in new if self._is_past(reader.by_id[key])}
        self._kept.save(Compared(max([before.last, *new]), tuple(sorted(old)), common))
        return found

    def _note(self, found: dict[int, AlikePairs], key: int, alike: AlikePairs) -> None:
        if alike.done or alike.open:
            former = found.get(key, AlikePairs())
            found[key] = AlikePairs(former.done + alike.done, former.open + alike.open)
            self._reader.index.put_pairs(key, msgspec.msgpack.encode(found[key]))

    def _finder(self, common: dict[str, int], *, has_posts: bool) -> Finder:
        reader = self._reader
        posted = reader.index.numbers if has_posts else None
        return Finder(self._thresholds, common, reader.entry_at, posted, reader.by_id)

    @cached_property
    def finder(self) -> Finder:
        """Finds what is like an entry, among all that there are."""
        compared = self._kept.load() or Compared()
        return self._finder(compared.common, has_posts=True)

    def _texts(self, keys: Sequence[int]) -> Iterator[str]:
        step = max(1, len(keys) * 12 // _SAMPLE)
        for _, items, evidence in self._reader.entries(keys[::step]):
            yield from (one.folded.text for one in items)
            yield from (one.folded.text for one in evidence)

    def alike(self, extra: tuple[Item, ...]) -> Alike:
        """Return what is alike, also to items that stand in no file."""
        live = self._reader.by_id

        def standing(pairs: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
            return [one for one in pairs if place_of(one[0])[0] in live and place_of(one[1])[0] in live]

        pairs = [AlikePairs(standing(each.done), standing(each.open)) for each in self._pairs.values()]
        found = (one for each in pairs for one in (*each.done, *each.open))
        self.paired = {place_of(number)[0] for one in found for number in one[:2]}
        self._reader.load(self.paired)
        if extra:
            self._reader.hold(EXTRA, extra)
            pairs.append(self.finder.take(EXTRA, extra, (), lambda _: False))
        return alike_of(pairs, self._reader.entry_at)
