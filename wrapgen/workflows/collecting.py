"""What the pipeline is given: what is known of each file, and whole entries where a stage may ask for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import msgspec

from wrapgen.ledger import Beyond, LaterItems
from wrapgen.notes import Document, Kind, Trouble
from wrapgen.pipeline.beyond import PlainFile, out_of_reach
from wrapgen.pipeline.candidates import number_of, place_of
from wrapgen.pipeline.collected import (
    Collected,
    FileEntries,
    canonical,
    drifted,
    entries_of,
    gathered,
    ids_of,
    with_more,
    without_history,
)
from wrapgen.pipeline.expire import horizon, is_over, newest_journal
from wrapgen.pipeline.hand_overs import newest_next_day
from wrapgen.pipeline.specific import HABIT, Repeated
from wrapgen.vault.index import in_order, source_of
from wrapgen.word_digests import WORDS_SIZE, digest_in_project, text_digest, unpacked, words_alone, words_in_project
from wrapgen.workflows.comparing import EXTRA, Comparing
from wrapgen.workflows.entry_reader import NO_REST, EntryReader, LineWords, ReadFile, source_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from wrapgen.model import Evidence, Item
    from wrapgen.pipeline.alike import Alike
    from wrapgen.pipeline.hand_overs import FiledLines
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.stage import Decisions, StageResult
    from wrapgen.vault.index import Glance

_document = msgspec.msgpack.Decoder(Document).decode


class Collecting:
    """The entries of a vault: what is alike among them, and what must be looked at."""

    def __init__(self, glance: Glance, projects: Projects, today: date) -> None:
        self._glance, self._today = glance, today
        self._reader = EntryReader(glance, projects)
        day = newest_journal(((one.found.kind, one.day) for one in self._reader.files), today)
        self._oldest = horizon(day, glance.config.lookback_days) if day else None
        self._comparing = Comparing(self._reader, glance.config, self._is_old, self._is_past)

    @property
    def unreadable(self) -> set[str]:
        """The files of which nothing can be said, because they could not be read."""
        return self._reader.unreadable

    def everything(self) -> StageResult:
        """Return all items and all evidence, whatever became of them."""
        return self._reader.everything()

    def words(self) -> list[LineWords]:
        """Return what names every open item, next or not, whatever became of it."""
        return self._reader.words()

    def _is_old(self, item: Item) -> bool:
        return self._oldest is not None and is_over(item, self._oldest)

    def _is_past(self, one: ReadFile) -> bool:
        """Whether a file is of a day before the look-back."""
        return self._oldest is not None and one.day is not None and one.day < self._oldest

    def _is_expired(self, one: ReadFile) -> bool:
        """Whether all items of a file expire with their journal."""
        return self._is_past(one) and not one.summary.lasts

    def collected(self, decisions: Decisions, more: Sequence[Item], *, whole: bool = True) -> Collected:
        """Return what the stages decide about.

        Args:
            more: items that somebody named and no list holds.
            whole: look at each open item; else at those alone that the page can depend on.
        """
        extra = self._extra(decisions, more)
        alike = self._comparing.alike(extra)
        alone = [
            one
            for one in self._reader.files
            if self._is_expired(one) and one.id not in self._comparing.paired and not one.summary.conflicts
        ]
        alone = self._undecided(alone, decisions)
        beyond = [] if whole else self._beyond(decisions, more)
        apart = {one.id for one in (*alone, *beyond)}
        found = self._gathered([one for one in self._reader.files if one.id not in apart], alike)
        self._reader.let_go(but=EXTRA)
        sections = {glob for one in self._reader.files for glob in one.summary.sections}
        listing = self._glance.listing
        return Collected(
            tuple(one.source for one in self._reader.files),
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
        files = [one for one in self._reader.files if not said.keys().isdisjoint(ids_of([one.summary.backlog_ids]))]
        found = [one for rest in self._reader.rests(files).values() for one in rest.backlog if one.id in said]
        files = [
            one
            for one in self._reader.files
            if self._is_past(one) and not said.keys().isdisjoint(ids_of([one.summary.ids]))
        ]
        found += [one for one in self._later(files) if one.id in said and self._is_old(one)]
        return (*more, *found)

    def _undecided(self, files: list[ReadFile], decisions: Decisions) -> list[ReadFile]:
        """Leave out the files of which somebody has said something."""
        others = (one.other for one in decisions.judged.values())
        said = {*decisions.judged, *others, *decisions.said}
        return _without_ids(files, said)

    def _beyond(self, decisions: Decisions, more: Sequence[Item]) -> list[ReadFile]:
        """The files of which no item can reach the page, and none needs to be decided about."""
        judged = decisions.judged.values()
        words = {text_digest(one.folded.text) for one in more} | {text_digest(one.words) for one in judged if one.row}
        listed = self._listed

        def is_told(one: ReadFile) -> bool:
            each = unpacked([one.summary.words])
            return not (listed.isdisjoint(map(words_in_project, each)) and words.isdisjoint(map(words_alone, each)))

        some = [
            one
            for one in self._reader.files
            if one.summary.plain and not (one.summary.rows or one.id in self._comparing.paired)
        ]
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
        return {digest for one in self._reader.files for digest in one.summary.listed}

    def _gathered(self, files: Sequence[ReadFile], alike: Alike) -> StageResult:
        items = self._reader.items_of(files)
        rests = self._reader.rests(one for one in self._reader.files if one.summary.remarks or one.summary.conflicts)
        in_rows = {
            key: evidence for key, _, evidence in self._reader.entries([one.id for one in files if one.summary.rows])
        }
        evidence: defaultdict[int, dict[int, Evidence]] = defaultdict(dict)
        for number, one in alike.evidence.items():
            evidence[place_of(number)[0]][number] = one
        for key, more in in_rows.items():
            first = number_of(key, len(items.get(key, ())))
            evidence[key] = dict(enumerate(more, first)) | evidence[key]

        def entries(one: ReadFile) -> FileEntries:
            rest, done = rests.get(one.id, NO_REST), evidence.get(one.id)
            return FileEntries(
                items.get(one.id, ()),
                tuple(done[number] for number in sorted(done)) if done else (),
                rest.backlog,
                rest.unread,
                rest.unreadable_dates,
                one.summary.empty,
                one.summary.ignored,
            )

        found = gathered(map(entries, self._reader.files))
        listed = self._listed
        ticks = Counter(digest for one in self._reader.files for digest in one.summary.ticks)
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
        return self._comparing.finder.saying(text)

    def _backlog(self) -> LaterItems:
        files = [one for one in self._reader.files if one.summary.backlog]
        projects: Counter[str | None] = Counter()
        for one in files:
            projects.update(dict(one.summary.backlog))

        def load() -> Iterator[Item]:
            rests = self._reader.rests(files)
            return (item for one in files for item in rests[one.id].backlog)

        return LaterItems(projects.total(), load, lambda: ids_of(one.summary.backlog_ids for one in files), projects)

    def _later(self, files: Sequence[ReadFile]) -> LaterItems:
        projects: Counter[str | None] = Counter()
        for one in files:
            projects.update(dict(one.summary.projects))

        def load() -> Iterator[Item]:
            return (item for items in self._reader.items_of(files).values() for item in items)

        return LaterItems(projects.total(), load, lambda: ids_of(one.summary.ids for one in files), projects)

    def _newest_of(self, files: Sequence[ReadFile], number: int) -> Iterable[Item]:
        """The items of the newest of some journals, at least so many, and all of each day."""
        found: list[Item] = []
        last: date | None = None
        for one in sorted(files, key=lambda one: -one.day.toordinal() if one.day else 0):
            if len(found) >= number and one.day != last:
                break
            found += self._reader.items_of([one]).get(one.id, ())
            last = one.day
        return found

    def _next_day(self, filed: FiledLines, today: date) -> date | None:
        """The newest day of journals that has a *Next* list which is not all wrapgen's own."""
        handed = [one for one in self._reader.files if one.summary.handed and one.day is not None]
        newest: date | None = None
        for one in sorted(handed, key=lambda one: -one.day.toordinal() if one.day else 0):
            if newest and one.day and one.day < newest:
                break
            for _, items, evidence in self._reader.entries([one.id]):
                newest = max(filter(None, (newest, newest_next_day((*items, *evidence), filed, today))), default=None)
        return newest


def _without_ids(files: list[ReadFile], ids: AbstractSet[str]) -> list[ReadFile]:
    if not ids:
        return files
    return [one for one in files if ids.isdisjoint(ids_of([one.summary.ids]))]


def _counted_only(files: Sequence[ReadFile]) -> Beyond:
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
        ((one, reading) for one, reading in readings if reading.readable),
        key=lambda one: canonical(source_file(one[0])),
    )
    entries = [entries_of(source_of(one, _document(reading.packed)), glance.config, projects) for one, reading in read]
    sections = {glob for one in entries for glob in one.sections}
    troubles = (
        Trouble(one.path, why, unread=not reading.readable) for one, reading in readings for why in reading.troubles
    )
    return Collected(
        tuple(source_file(one) for one, _ in read),
        gathered(entries),
        in_order([*glance.listing.troubles, *troubles]),
        drifted=tuple(drifted(glance.config.sources, [one.path for one in glance.listing.found], sections)),
    )
