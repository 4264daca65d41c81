"""What was said: what is next, what was judged, and what wrapgen itself filed (`.wrapgen/said.jsonl`). PURE.

Lines are appended, never changed, and each says when it was said. Clones that git merges by union hold the lines of
both sides in any order: so they are taken by their moment, each once, and of two about one thing the newest counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from wrapgen.jsonl import NOT_JSON
from wrapgen.model import Judged, SaidNext, TriageVerdict
from wrapgen.text.folding import fold

DAYS = 14
"""Days after which an entry of a list that nobody said again is an item like any other."""

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Number = Annotated[int, msgspec.Meta(ge=0, lt=1_000_000_000)]
Id = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{12}\Z")]
Path = Annotated[str, msgspec.Meta(min_length=1, max_length=4096, pattern=r"\A(?!/)(?!(?:.*/)?\.\.(?:/|\Z))[^\x00]+\Z")]


class SaidEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of work that was named, and where it stands."""

    id: Id  # of the item, or of the line where no list holds it
    path: Path  # relative to the vault, or to the folder of the project `base`
    line: Number
    quote: str = ""  # words of that line
    text: str = ""  # the work in a plain line
    base: str = ""  # the project in whose folder the file is, when that is outside of the vault
    you: bool = False  # whether only the person can do it


class _Line(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", kw_only=True):
    said: Moment


class PersonSays(_Line, frozen=True, tag="first"):
    """A person puts work first or behind what stands there, or takes back what was said so far."""

    how: Literal["front", "behind", "clear"]
    next: tuple[SaidEntry, ...] = ()
    ids: tuple[Id, ...] = ()  # what is taken back; all of it when none is named
    commit: str = ""  # what the folder stood at


class ListSaid(_Line, frozen=True, tag="next"):
    """A list of what is next in a project; empty: nothing is to be put first."""

    by: Literal["agent", "reader"]
    project: str | None = None
    next: tuple[SaidEntry, ...] = ()
    session: str = ""
    commit: str = ""  # what the folder of the session stood at


class VerdictSaid(_Line, frozen=True, tag="judged"):
    """A verdict on an item."""

    id: Id
    verdict: TriageVerdict
    by: Literal["person", "agent", "reader"]
    seen: str = ""  # digest of the line that was judged
    text: str = ""  # its words
    row: str = ""  # the row of dated files that it stands in
    quote: str = ""
    at: str = ""  # `path:line`, or `commit:` and a hash
    other: str = ""  # id of the item that stays, for `same_as`
    until: date | None = None  # for `parked`


class ItemBecame(_Line, frozen=True, tag="became"):
    """An item was reworded or moved: what was said of it goes on to mean it, also what another clone says later.

    One that became itself is a new item of the id that another one had.
    """

    was: Id
    id: Id
    path: Path
    line: Number
    quote: str = ""
    seen: str = ""


class LinesFiled(_Line, frozen=True, tag="filed"):
    """Lines that wrapgen wrote: they make no other list old."""

    lines: tuple[str, ...]  # digests of path and words


Record = PersonSays | ListSaid | VerdictSaid | ItemBecame | LinesFiled
_decoder = msgspec.json.Decoder(Record)


def encoded(records: Iterable[Record]) -> bytes:
    """Return records as lines of the file."""
    return b"".join(msgspec.json.encode(one) + b"\n" for one in records)


def decoded(data: bytes) -> tuple[list[Record], list[int]]:
    """Return the records of the file, and the numbers of the lines that are none."""
    records: list[Record] = []
    odd: list[int] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            records.append(_decoder.decode(line))
        except NOT_JSON:
            odd.append(number)
    return records, odd


def named_again(known: Iterable[Record], records: Iterable[Record]) -> Iterator[ItemBecame]:
    """Yield what has to be said with records that know of an item of an id that another item had before."""
    told = _Told()
    for one in sorted((one for one in known if isinstance(one, ItemBecame)), key=lambda one: one.said):
        told.take(one)
    for record in records:
        match record:
            case VerdictSaid():
                keys = {record.id, record.other}
            case PersonSays() | ListSaid():
                keys = {entry.id for entry in record.next}
            case _:
                continue
        for key in sorted(keys & told.became.keys()):
            yield replace(told.became[key], id=key, said=record.said)


def filed_digest(path: str, folded: str) -> str:
    """Return the name of a line that was filed, by its file and folded words."""
    return hashlib.blake2b(f"{path}\0{folded}".encode(), digest_size=8).hexdigest()


class Filed(msgspec.Struct, frozen=True):
    """The lines that wrapgen wrote, by path and folded words."""

    digests: Collection[str] = frozenset()

    def __contains__(self, line: object) -> bool:
        return bool(self.digests) and isinstance(line, tuple) and filed_digest(*line) in self.digests


class SaidWork(msgspec.Struct, frozen=True):
    """An entry as it counts now."""

    entry: SaidEntry
    said: SaidNext

    @property
    def key(self) -> str:
        return self.entry.id


class SaidList(msgspec.Struct, frozen=True):
    """The newest list of a project, or what the person put first."""

    by: str
    day: date
    project: str | None = None
    commit: str = ""
    size: int = 0  # how many of its entries lead now


class Said(msgspec.Struct, frozen=True):
    """What all that was said comes to on a day."""

    work: tuple[SaidWork, ...] = ()  # what is said to be next, in order; then what newer lists left out
    past: tuple[SaidWork, ...] = ()  # what was said too long ago
    lists: tuple[SaidList, ...] = ()  # those in force, in the order of their entries
    judged: Mapping[str, Judged] = {}  # the newest verdict on each item
    filed: Filed = Filed()

    @property
    def none_next(self) -> date | None:
        """Return the day of the newest list, where none names anything."""
        return None if any(one.size for one in self.lists) else max((one.day for one in self.lists), default=None)


_LIFTED = (TriageVerdict.DONE, TriageVerdict.NOT_WORK, TriageVerdict.PARKED)
"""The verdicts that end what was said to be next before."""


def fold_said(records: Iterable[Record], today: date) -> Said:
    """Take what was said by its moment, in whatever order it is given."""
    unique = {msgspec.json.encode(one): one for one in records}  # of one moment, what became comes first
    told = _Told()
    for _, one in sorted(unique.items(), key=lambda pair: (pair[1].said, pair[0])):
        told.take(one)
    return told.at(today)


_Order = dict[str, SaidWork]


class _Told:
    """What stands after the records so far."""

    def __init__(self) -> None:
        self.latest: _Order = {}  # the newest saying of each entry that has not ended
        self.person: _Order = {}
        self.person_said: PersonSays | None = None
        self.lists: dict[tuple[str, str | None], tuple[ListSaid, _Order]] = {}
        self.judged: dict[str, Judged] = {}
        self.became: dict[str, ItemBecame] = {}  # by what was
        self.filed: set[str] = set()

    def take(self, one: Record) -> None:
        match one:
            case PersonSays():
                self._person(one)
            case ListSaid():
                self.lists[one.by, one.project] = one, self._named(one, one.by, one.project, one.session)
            case VerdictSaid():
                self._judge(one)
            case ItemBecame():
                self._become(one)
            case LinesFiled():
                self.filed.update(one.lines)

    def _named(self, one: PersonSays | ListSaid, by: str, project: str | None = None, session: str = "") -> _Order:
        """Name entries; verdicts from before are lifted by it, but for those that merge."""
        day = one.said.date()
        found: _Order = {}
        for named in one.next:
            last = self._last(named.id)
            entry = named if last is None else _entry(named, last)
            at = f"{entry.path}:{entry.line}"
            said = SaidNext(
                day, by, project=project, quote=entry.quote, at=at, is_for_person=entry.you, session=session,
                commit=one.commit,
            )  # fmt: skip
            self.latest[entry.id] = found[entry.id] = SaidWork(entry, said)
            before = self.judged.get(entry.id)
            if before is not None and before.verdict in _LIFTED:
                del self.judged[entry.id]
        return found

    def _person(self, one: PersonSays) -> None:
        if one.how == "clear":
            for order in self._orders():
                for key in map(self._now, one.ids) if one.ids else [*order]:
                    order.pop(key, None)
            return
        named = self._named(one, "person")
        rest = {key: work for key, work in self.person.items() if key not in named}
        self.person = named | rest if one.how == "front" else rest | named
        self.person_said = one

    def _judge(self, said: VerdictSaid) -> None:
        last, other = self._last(said.id), self._now(said.other)
        one = replace(said, other=other)
        if last is not None:
            one = replace(one, id=last.id, seen=last.seen or said.seen, row="")
        words = fold(one.text).text if one.row and one.verdict in _LIFTED else ""
        self.judged[one.id] = Judged(
            one.id, one.verdict, one.said.date(), one.by, one.seen, one.quote, one.at, one.other, one.until, one.row,
            words,
        )  # fmt: skip
        if one.verdict in _LIFTED:
            for order in (self.latest, *self._orders()):
                order.pop(one.id, None)

    def _orders(self) -> list[_Order]:
        return [self.person, *(order for _, order in self.lists.values())]

    def _last(self, key: str) -> ItemBecame | None:
        """Return how an item of this id came to be what it is by now; None when it is itself."""
        last = None
        while one := self.became.get(key):
            last, key = one, one.id
        return last

    def _now(self, key: str) -> str:
        return last.id if (last := self._last(key)) else key

    def _become(self, one: ItemBecame) -> None:
        self.became.pop(one.id, None)
        if one.was == one.id:
            return
        self.became[one.was] = one
        for order in (self.latest, *self._orders()):
            if one.was in order:
                moved = {one.id if key == one.was else key: _moved(work, one) for key, work in order.items()}
                order.clear()
                order.update(moved)
        if (judged := self.judged.pop(one.was, None)) is not None:
            self.judged[one.id] = replace(judged, id=one.id, seen=one.seen or judged.seen, row="", words="")
        for key, judged in self.judged.items():
            if judged.other == one.was:
                self.judged[key] = replace(judged, other=one.id)

    def at(self, today: date) -> Said:
        lists = self._in_force(today)
        leading: _Order = {}
        sizes: list[SaidList] = []
        for head, order in lists:
            new = {key: work for key, work in order.items() if key not in leading}
            sizes.append(replace(head, size=len(new)))
            leading |= new
        rest = sorted(
            (one for key, one in self.latest.items() if key not in leading),
            key=lambda one: (-one.said.day.toordinal(), one.entry.path, one.entry.line, one.key),
        )
        left_out = [SaidWork(one.entry, replace(one.said, leads=False)) for one in rest if _is_young(one, today)]
        return Said(
            work=(*leading.values(), *left_out),
            past=tuple(one for one in rest if not _is_young(one, today)),
            lists=tuple(sizes),
            judged=self.judged,
            filed=Filed(self.filed),
        )

    def _in_force(self, today: date) -> list[tuple[SaidList, _Order]]:
        """Return the person's list, then the agents', the newest first, then readers' where no agent's is."""
        found: list[tuple[SaidList, _Order]] = []
        if self.person and (own := self.person_said):
            found.append((SaidList("person", own.said.date(), commit=own.commit), self.person))
        young = [one for one in self.lists.values() if (today - one[0].said.date()).days < DAYS]
        agents = {head.project for head, _ in young if head.by == "agent"}
        newest = sorted(young, key=lambda one: (one[0].by != "agent", -one[0].said.timestamp(), one[0].project or ""))
        for head, order in newest:
            if head.by == "agent" or head.project not in agents:
                found.append((SaidList(head.by, head.said.date(), head.project, head.commit), order))
        return found


def _moved(work: SaidWork, to: ItemBecame) -> SaidWork:
    if work.key != to.was:
        return work
    entry = _entry(work.entry, to)
    return SaidWork(entry, replace(work.said, quote=entry.quote, at=f"{to.path}:{to.line}"))


def _entry(entry: SaidEntry, to: ItemBecame) -> SaidEntry:
    quote = to.quote or entry.quote
    return replace(entry, id=to.id, path=to.path, line=to.line, quote=quote, base="")


def _is_young(one: SaidWork, today: date) -> bool:
    return (today - one.said.day).days < DAYS
