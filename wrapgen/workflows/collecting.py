"""What the pipeline is given: what is known of each file, and whole entries where a stage may ask for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cached_property, partial
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.ledger import Beyond, LaterItems
from wrapgen.model import Evidence, Item
from wrapgen.notes import Document, Kind, Trouble
from wrapgen.pipeline.alike import Alike, AlikePairs, Thresholds
from wrapgen.pipeline.beyond import PlainFile, out_of_reach
from wrapgen.pipeline.candidates import (
    Finder,
    alike_of,
    common_words,
    number_of,
    place_of,
)
from wrapgen.pipeline.collected import (
    Collected,
    FileEntries,
    FileRest,
    FileSummary,
    SourceFile,
    canonical,
    drifted,
    entries_of,
    gathered,
    ids_of,
    summary_of,
    with_more,
    without_history,
)
from wrapgen.pipeline.expire import horizon, is_over, newest_journal
from wrapgen.pipeline.hand_overs import FiledLines, newest_next_day
from wrapgen.pipeline.specific import HABIT, Repeated
from wrapgen.vault.cache import program_key, time_zone
from wrapgen.vault.entry_index import COMPARED, DamagedIndexError, Kept
from wrapgen.vault.index import Made, in_order, source_of
from wrapgen.word_digests import WORDS_SIZE, digest_in_project, text_digest, unpacked, words_alone, words_in_project

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from wrapgen.config import Config
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.stage import Decisions, StageResult
    from wrapgen.vault.index import Glance
    from wrapgen.vault.walk import FoundFile

_items = msgspec.msgpack.Decoder(tuple[Item, ...]).decode
_evidence = msgspec.msgpack.Decoder(tuple[Evidence, ...]).decode
_rest = msgspec.msgpack.Decoder(FileRest).decode
_summary = msgspec.msgpack.Decoder(FileSummary).decode
_document = msgspec.msgpack.Decoder(Document).decode
_pairs = msgspec.msgpack.Decoder(AlikePairs).decode
_NO_REST = FileRest()
_EXTRA = 0
"""The number of no file: that of the items which none was taken with."""
_FEW = 200  # files that are decoded at once
_SAMPLE = 20_000  # texts by which the common words are found


class Compared(msgspec.Struct, frozen=True, array_like=True):
    """How far the index has come with comparing."""

    last: int = 0  # the newest file that was compared
    old: tuple[int, ...] = ()  # the files some of whose items were old by then, and compared with the same words alone
    common: dict[str, int] = {}  # how often words are


class _ReadFile(NamedTuple):
    """A source that could be read."""

    id: int
    found: FoundFile
    summary: FileSummary

    @property
    def day(self) -> date | None:
        return self.found.place.day


def made_of(config: Config, projects: Projects, found: FoundFile, document: Document) -> bytes:
    """Return what is kept of a source, packed: what a process that parses it gives back."""
    entries = entries_of(source_of(found, document), config, projects)
    rest = FileRest(entries.backlog, entries.unread, entries.unreadable_dates)
    pack = msgspec.msgpack.encode
    return pack(
        Made(
            pack(summary_of(entries)),
            pack(entries.items) if entries.items else b"",
            pack(entries.evidence) if entries.evidence else b"",
            pack(rest) if rest != _NO_REST else b"",
        )
    )


class Collecting:
    """The entries of a vault: the index brought up to date, and read."""

    def __init__(self, glance: Glance, projects: Projects, today: date) -> None:
        self._glance, self._index, self._projects, self._today = glance, glance.index, projects, today
        config = glance.config
        depends = msgspec.msgpack.encode((program_key(), config, glance.listing.projects, time_zone()))
        self._key = blake2b(depends, digest_size=20).hexdigest()
        self._thresholds = Thresholds(config.evidence_threshold, config.dedup_threshold)
        self._loaded: dict[int, tuple[tuple[Item, ...], tuple[Evidence, ...]]] = {}
        self._read()
        day = newest_journal(((one.found.kind, one.day) for one in self._files), today)
        self._newest = day
        self._oldest = horizon(day, config.lookback_days) if day else None
        self._pairs = self._compared()
        self._paired: set[int] = set()  # the files that have something which is like something else

    def _read(self) -> None:
        glance, index, key = self._glance, self._index, self._key
        found, others = glance.listing.found, glance.listing.others
        index.forget(index.files.keys() - {one.path for one in (*found, *others)})
        worn = index.is_worn or 2 * len(glance.changed(found, key)) > len(found)
        if index.files and worn and not index.is_used:
            index.renew()
        glance.read_anew(found, partial(made_of, glance.config, self._projects), key)
        known = index.files
        self._files = sorted(
            (_ReadFile(known[one.path].id, one, _summary(head.known)) for one, head in glance.heads(found)),
            key=lambda one: canonical(_source(one)),
        )
        self._by_id = {one.id: one for one in self._files}

    @property
    def unreadable(self) -> set[str]:
        """The files of which nothing can be said, because they could not be read."""
        return {one.path for one in self._glance.listing.found} & self._glance.unreadable.keys()

    def _is_old(self, item: Item) -> bool:
        return self._oldest is not None and is_over(item, self._oldest)

    def _is_past(self, one: _ReadFile) -> bool:
        """Whether a file is of a day before the look-back."""
        return self._oldest is not None and one.day is not None and one.day < self._oldest

    def _is_expired(self, one: _ReadFile) -> bool:
        """Whether all items of a file expire with their journal."""
        return self._is_past(one) and not one.summary.lasts

    # Comparing

    def _compared(self) -> dict[int, AlikePairs]:
        """Compare what has not been compared yet; what is alike, by file."""
        index, kept = self._index, Kept(self._index, COMPARED, Compared, self._key)
        before = kept.load() or Compared()
        found = {key: _pairs(data) for key, data in index.pairs()}
        new = sorted(key for key in self._by_id if key > before.last)
        wide = [key for key in before.old if (one := self._by_id.get(key)) and not self._is_past(one)]
        if not new and not wide:
            return found
        common = before.common or common_words(islice(self._texts(new), _SAMPLE))
        finder = self._finder(common, has_posts=before.last > 0)
        for key, items, evidence in self._entries(new):
            alike = finder.take(key, items, evidence, self._is_old)
            self._note(found, key, alike)
        for key, items, _ in self._entries(wide):
            self._note(found, key, finder.widen(key, items, self._is_old))
        self._loaded.clear()
        index.post(dict(finder.taken()))
        old = {key for key in before.old if key in self._by_id}.difference(wide)
        old |= {key for key in new if self._is_past(self._by_id[key])}
        kept.save(Compared(max([before.last, *new]), tuple(sorted(old)), common))
        return found

    def _note(self, found: dict[int, AlikePairs], key: int, alike: AlikePairs) -> None:
        if alike.done or alike.open:
            former = found.get(key, AlikePairs())
            found[key] = AlikePairs(former.done + alike.done, former.open + alike.open)
            self._index.put_pairs(key, msgspec.msgpack.encode(found[key]))

    def _finder(self, common: dict[str, int], *, has_posts: bool) -> Finder:
        posted = self._index.numbers if has_posts else None
        return Finder(self._thresholds, common, self.entry_at, posted, self._by_id)

    @cached_property
    def finder(self) -> Finder:
        """Finds what is like an entry, among all that there are."""
        compared = Kept(self._index, COMPARED, Compared, self._key).load() or Compared()
        return self._finder(compared.common, has_posts=True)

    def _texts(self, keys: Sequence[int]) -> Iterator[str]:
        step = max(1, len(keys) * 12 // _SAMPLE)
        for _, items, evidence in self._entries(keys[::step]):
            yield from (one.folded.text for one in items)
            yield from (one.folded.text for one in evidence)

    # Reading

    def _entries(self, keys: Sequence[int]) -> Iterator[tuple[int, tuple[Item, ...], tuple[Evidence, ...]]]:
        """Return the items and the evidence of files, some files at a time."""
        for at in range(0, len(keys), _FEW):
            part = keys[at : at + _FEW]
            items = {key: _items(data) for key, data in self._content("items", part)}
            evidence = {key: _evidence(data) for key, data in self._content("evidence", part)}
            for key in part:
                yield key, items.get(key, ()), evidence.get(key, ())

    def _content(self, part: str, keys: Collection[int]) -> list[tuple[int, bytes]]:
        try:
            return list(self._index.contents(part, keys))
        except DamagedIndexError:
            return [(key, data) for key in keys if (data := self._parsed(part, key))]

    def _parsed(self, part: str, key: int) -> bytes:
        from wrapgen.vault.reading import read_all

        make = partial(made_of, self._glance.config, self._projects)
        (reading,) = read_all([self._by_id[key].found], make)
        made: bytes = getattr(msgspec.msgpack.decode(reading.made, type=Made), part) if reading.readable else b""
        return made

    def entry_at(self, number: int) -> Item | Evidence:
        key, place = place_of(number)
        if key not in self._loaded:
            ((_, items, evidence),) = self._entries([key])
            self._loaded[key] = items, evidence
        items, evidence = self._loaded[key]
        return items[place] if place < len(items) else evidence[place - len(items)]

    def items_of(self, files: Collection[_ReadFile]) -> dict[int, tuple[Item, ...]]:
        unknown = [one.id for one in files if one.id not in self._loaded]
        found = {key: _items(data) for key, data in self._content("items", unknown)}
        return found | {one.id: self._loaded[one.id][0] for one in files if one.id in self._loaded}

    def _rests(self, files: Iterable[_ReadFile]) -> dict[int, FileRest]:
        return {key: _rest(data) for key, data in self._content("rest", [one.id for one in files])}

    def collected(self, decisions: Decisions, more: Sequence[Item], *, whole: bool = True) -> Collected:
        """Return what the stages decide about.

        Args:
            more: items that somebody named and no list holds.
            whole: look at each open item; else at those alone that the page can depend on.
        """
        extra = self._extra(decisions, more)
        alike = self._alike(extra)
        alone = [
            one
            for one in self._files
            if self._is_expired(one) and one.id not in self._paired and not one.summary.conflicts
        ]
        alone = self._undecided(alone, decisions)
        beyond = [] if whole else self._beyond(decisions, more)
        apart = {one.id for one in (*alone, *beyond)}
        found = self._gathered([one for one in self._files if one.id not in apart], alike)
        self._loaded = {_EXTRA: self._loaded[_EXTRA]} if extra else {}
        sections = {glob for one in self._files for glob in one.summary.sections}
        listing = self._glance.listing
        return Collected(
            tuple(map(_source, self._files)),
            with_more(_newest_alone(found, decisions.filed, self._today), more),
            self._glance.troubles_of(listing.found),
            drifted=tuple(drifted(self._glance.config.sources, [one.path for one in listing.found], sections)),
            alone=self._later(alone),
            newest_alone=partial(self._newest_of, alone),
            beyond=_counted_only(beyond),
            next_day=self._next_day,
        )

    def _extra(self, decisions: Decisions, more: Sequence[Item]) -> tuple[Item, ...]:
        """The items that are on no list, and those of the backlog or of an old journal that somebody named as next."""
        if not decisions.said:
            return tuple(more)
        said = decisions.said
        files = [one for one in self._files if not said.keys().isdisjoint(ids_of([one.summary.backlog_ids]))]
        found = [one for rest in self._rests(files).values() for one in rest.backlog if one.id in said]
        files = [
            one for one in self._files if self._is_past(one) and not said.keys().isdisjoint(ids_of([one.summary.ids]))
        ]
        found += [one for one in self._later(files) if one.id in said and self._is_old(one)]
        return (*more, *found)

    def _alike(self, extra: tuple[Item, ...]) -> Alike:
        live = self._by_id

        def standing(pairs: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
            return [one for one in pairs if place_of(one[0])[0] in live and place_of(one[1])[0] in live]

        pairs = [AlikePairs(standing(each.done), standing(each.open)) for each in self._pairs.values()]
        found = (one for each in pairs for one in (*each.done, *each.open))
        self._paired = {place_of(number)[0] for one in found for number in one[:2]}
        for key, items, evidence in self._entries(sorted(self._paired - self._loaded.keys())):
            self._loaded[key] = items, evidence
        if extra:
            self._loaded[_EXTRA] = extra, ()
            pairs.append(self.finder.take(_EXTRA, extra, (), lambda _: False))
        return alike_of(pairs, self.entry_at)

    def _undecided(self, files: list[_ReadFile], decisions: Decisions) -> list[_ReadFile]:
        """Leave out the files of which somebody has said something."""
        others = (one.other for one in decisions.judged.values())
        said = {*decisions.judged, *others, *decisions.said}
        return _without_ids(files, said)

    def _beyond(self, decisions: Decisions, more: Sequence[Item]) -> list[_ReadFile]:
        """The files of which no item can reach the page, and none needs to be decided about."""
        judged = decisions.judged.values()
        words = {text_digest(one.folded.text) for one in more} | {text_digest(one.words) for one in judged if one.row}
        listed = self._listed

        def is_told(one: _ReadFile) -> bool:
            each = unpacked([one.summary.words])
            return not (listed.isdisjoint(map(words_in_project, each)) and words.isdisjoint(map(words_alone, each)))

        some = [one for one in self._files if one.summary.plain and not (one.summary.rows or one.id in self._paired)]
        some = self._undecided(some, decisions)
        some = _without_ids(some, {*decisions.kept, *decisions.finished, *decisions.snoozed, *decisions.doubted})
        plain = [
            PlainFile(one.id, one.found.kind, one.found.path, one.summary.plain, one.summary.projects)
            for one in some
            if one.summary.plain and not is_told(one)
        ]
        beyond = out_of_reach(plain, self._glance.config.cap, self._today)
        return [one for one in some if one.id in beyond]

    @cached_property
    def _listed(self) -> set[int]:
        """What another list may say word for word: what is ticked in a list, or open in a hand-over."""
        return {digest for one in self._files for digest in one.summary.listed}

    def _gathered(self, files: Sequence[_ReadFile], alike: Alike) -> StageResult:
        items = self.items_of(files)
        rests = self._rests(one for one in self._files if one.summary.remarks or one.summary.conflicts)
        in_rows = {key: evidence for key, _, evidence in self._entries([one.id for one in files if one.summary.rows])}
        evidence: defaultdict[int, dict[int, Evidence]] = defaultdict(dict)
        for number, one in alike.evidence.items():
            evidence[place_of(number)[0]][number] = one
        for key, more in in_rows.items():
            first = number_of(key, len(items.get(key, ())))
            evidence[key] = dict(enumerate(more, first)) | evidence[key]

        def entries(one: _ReadFile) -> FileEntries:
            rest, done = rests.get(one.id, _NO_REST), evidence.get(one.id)
            return FileEntries(
                items.get(one.id, ()),
                tuple(done[number] for number in sorted(done)) if done else (),
                rest.backlog,
                rest.unread,
                rest.unreadable_dates,
                one.summary.empty,
                one.summary.ignored,
            )

        found = gathered(map(entries, self._files))
        listed = self._listed
        ticks = Counter(digest for one in self._files for digest in one.summary.ticks)
        return replace(
            found,
            backlog=self._backlog(),
            alike=alike,
            repeated=Repeated.known(
                self._saying,
                lambda text: ticks[text_digest(text)] >= HABIT,
                lambda item: bool(listed) and digest_in_project(item) in listed,
            ),
        )

    def _saying(self, text: str) -> list[Item | Evidence]:
        return self.finder.saying(text)

    def _backlog(self) -> LaterItems:
        files = [one for one in self._files if one.summary.backlog]
        projects: Counter[str | None] = Counter()
        for one in files:
            projects.update(dict(one.summary.backlog))

        def load() -> Iterator[Item]:
            rests = self._rests(files)
            return (item for one in files for item in rests[one.id].backlog)

        return LaterItems(projects.total(), load, lambda: ids_of(one.summary.backlog_ids for one in files), projects)

    def _later(self, files: Sequence[_ReadFile]) -> LaterItems:
        projects: Counter[str | None] = Counter()
        for one in files:
            projects.update(dict(one.summary.projects))

        def load() -> Iterator[Item]:
            return (item for items in self.items_of(files).values() for item in items)

        return LaterItems(projects.total(), load, lambda: ids_of(one.summary.ids for one in files), projects)

    def _newest_of(self, files: Sequence[_ReadFile], number: int) -> Iterable[Item]:
        """The items of the newest of some journals, at least so many, and all of each day."""
        found: list[Item] = []
        last: date | None = None
        for one in sorted(files, key=lambda one: -one.day.toordinal() if one.day else 0):
            if len(found) >= number and one.day != last:
                break
            found += self.items_of([one]).get(one.id, ())
            last = one.day
        return found

    def _next_day(self, filed: FiledLines, today: date) -> date | None:
        """The newest day of journals that has a *Next* list which is not all wrapgen's own."""
        handed = [one for one in self._files if one.summary.handed and one.day is not None]
        newest: date | None = None
        for one in sorted(handed, key=lambda one: -one.day.toordinal() if one.day else 0):
            if newest and one.day and one.day < newest:
                break
            for _, items, evidence in self._entries([one.id]):
                newest = max(filter(None, (newest, newest_next_day((*items, *evidence), filed, today))), default=None)
        return newest

    def everything(self) -> StageResult:
        """Return all items and all evidence, whatever became of them."""
        rests = self._rests(self._files)
        entries = {key: (items, evidence) for key, items, evidence in self._entries([one.id for one in self._files])}
        return gathered(FileEntries(*entries[one.id], rests.get(one.id, _NO_REST).backlog) for one in self._files)


def _without_ids(files: list[_ReadFile], ids: AbstractSet[str]) -> list[_ReadFile]:
    if not ids:
        return files
    return [one for one in files if ids.isdisjoint(ids_of([one.summary.ids]))]


def _counted_only(files: Sequence[_ReadFile]) -> Beyond:
    projects: Counter[str | None] = Counter()
    kinds: Counter[Kind] = Counter()
    for one in files:
        projects.update(dict(one.summary.projects))
        kinds[one.found.kind] += len(one.summary.words) // WORDS_SIZE
    return Beyond(
        kinds.total(),
        projects,
        kinds,
        {one.id: one.summary.words for one in files},
        lambda: ids_of(one.summary.ids for one in files),
    )


def _newest_alone(found: StageResult, filed: FiledLines, today: date) -> StageResult:
    """Leave out history, and let nothing be repeated by it."""
    newest = without_history(found, filed, today)
    if newest is found or found.repeated is None:
        return newest
    old = {one.id for one in found.kept}.difference(one.id for one in newest.kept)
    return replace(newest, repeated=found.repeated.without(old))


def counted(glance: Glance, projects: Projects) -> Collected:
    """Return all that a configuration reads of a folder, of which the index knows nothing."""
    readings = list(glance.readings(glance.listing.found))
    read = sorted(
        ((one, reading) for one, reading in readings if reading.readable), key=lambda one: canonical(_place(one[0]))
    )
    entries = [entries_of(source_of(one, _document(reading.packed)), glance.config, projects) for one, reading in read]
    sections = {glob for one in entries for glob in one.sections}
    troubles = (
        Trouble(one.path, why, unread=not reading.readable) for one, reading in readings for why in reading.troubles
    )
    return Collected(
        tuple(_place(one) for one, _ in read),
        gathered(entries),
        in_order([*glance.listing.troubles, *troubles]),
        drifted=tuple(drifted(glance.config.sources, [one.path for one in glance.listing.found], sections)),
    )


def _place(found: FoundFile) -> SourceFile:
    return SourceFile(found.path, found.kind, found.place.day)


def _source(one: _ReadFile) -> SourceFile:
    return _place(one.found)
