"""What was collected: the open items and the finished work of each file, tagged, and of all files together. PURE."""

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

import msgspec

from wrapgen.config import KEYS, Config, Sources, names_section, pattern_of, section_globs, split_headings
from wrapgen.ledger import NOTHING_BEYOND, Beyond, Concern, LaterItems, Remark, SaidGone
from wrapgen.model import Evidence, Item, UnreadableDate, UnreadSection
from wrapgen.notes import Contents, Kind, Source, Trouble
from wrapgen.pipeline.beyond import plain_day
from wrapgen.pipeline.expire import lasts
from wrapgen.pipeline.extract import extract
from wrapgen.pipeline.hand_overs import FiledLines, newest_entries, order
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.source_outline import titles_above
from wrapgen.pipeline.stage import Context, Decisions, Stage, StageResult, checked
from wrapgen.pipeline.tag import tag
from wrapgen.word_digests import digest_in_project, packed, text_digest

# What is found in each file by itself; what follows looks at all of them (`run.STAGES`).
COLLECTING: tuple[Stage, ...] = (extract, tag)
_NO_ITEMS = LaterItems.of(())


class FileEntries(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the first two stages found in a file, which no other file changes; so it is kept until the file does."""

    items: tuple[Item, ...] = ()  # the open ones
    evidence: tuple[Evidence, ...] = ()  # the finished ones
    backlog: tuple[Item, ...] = ()  # open boxes that are not next
    unread: tuple[UnreadSection, ...] = ()  # sections that hold prose instead of a list
    unreadable_dates: tuple[UnreadableDate, ...] = ()  # dates of open items that no calendar has
    empty: int = 0  # how many open boxes have no words
    ignored: int = 0  # how many are no items for another reason
    sections: tuple[str, ...] = ()  # the globs of `[sources]` that name one of its headings


class SourceFile(NamedTuple):
    """A file that was read, as far as later stages ask."""

    path: str
    kind: Kind
    day: date | None


class FileSummary(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What every run asks about a file."""

    ids: bytes = b""  # of its items, each as six bytes
    backlog_ids: bytes = b""  # of its boxes that are not next
    projects: tuple[tuple[str | None, int], ...] = ()  # how many items each project has in it
    backlog: tuple[tuple[str | None, int], ...] = ()  # likewise of boxes that are not next
    empty: int = 0
    ignored: int = 0
    lasts: bool = False  # whether some item does not expire with its journal
    conflicts: bool = False  # whether some item, or box of the backlog, is a conflict
    remarks: bool = False  # whether it has unread sections or dates
    rows: bool = False  # whether finished work stands in a row of hand-overs
    handed: bool = False  # whether it has a list of what is next
    plain: date | None = None  # the day of its items, where nothing else moves one of them, see `beyond`
    words: bytes = b""  # what each of these says, see `word_digests`
    ticks: tuple[int, ...] = ()  # digests of what is ticked in a journal
    listed: tuple[int, ...] = ()  # digests of what is ticked in a list, or open in a hand-over, and has a project
    sections: tuple[str, ...] = ()  # the globs of `[sources]` that name one of its headings


class FileRest(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What few runs ask about a file."""

    backlog: tuple[Item, ...] = ()
    unread: tuple[UnreadSection, ...] = ()
    unreadable_dates: tuple[UnreadableDate, ...] = ()


def summary_of(entries: FileEntries) -> FileSummary:
    """Return what every run asks."""
    items, backlog, evidence = entries.items, entries.backlog, entries.evidence
    ticks = {text_digest(one.folded.text) for one in evidence if one.kind is Kind.JOURNAL_NEXT and not one.listed}
    ticked = (one for one in evidence if one.own_list and one.project is not None)
    handed = (one for one in items if one.kind is Kind.HAND_OVERS and one.project is not None)
    listed = {*map(digest_in_project, ticked), *map(digest_in_project, handed)}
    return FileSummary(
        bytes.fromhex("".join(item.id for item in items)),
        bytes.fromhex("".join(item.id for item in backlog)),
        tuple(Counter(item.project for item in items).items()),
        tuple(Counter(item.project for item in backlog).items()),
        entries.empty,
        entries.ignored,
        any(item.kind is not Kind.JOURNAL_NEXT or item.raised is None or lasts(item) for item in items),
        any(item.conflict for item in (*items, *backlog)),
        bool(entries.unread or entries.unreadable_dates),
        any(one.entry is not None for one in evidence),
        any(one.handed for one in items) or any(one.handed for one in evidence),
        plain := plain_day(items),
        packed(items) if plain else b"",
        tuple(ticks),
        tuple(listed),
        entries.sections,
    )


def ids_of(packed: Iterable[bytes]) -> list[str]:
    """Return the ids of many files."""
    digits = b"".join(packed).hex()
    return [digits[at : at + 12] for at in range(0, len(digits), 12)]


@dataclass(frozen=True, slots=True)
class Collected:
    """What the stages decide about."""

    files: tuple[SourceFile, ...]  # those that were read, in canonical order
    found: StageResult  # the open items and the evidence that may matter, tagged, by file
    troubles: tuple[Trouble, ...] = ()  # what could not be read, or not whole
    alone: LaterItems = _NO_ITEMS  # the other items: they have expired, and nothing has their words
    newest_alone: Callable[[int], Iterable[Item]] | None = None  # at least so many of these, of the newest days
    beyond: Beyond = NOTHING_BEYOND  # and these: they are open, and cannot reach the page
    # the newest day of journals with a list of what is next; None: what was found says it
    next_day: Callable[[FiledLines, date], date | None] | None = None
    said_gone: tuple[SaidGone, ...] = ()  # what somebody said is next, and is gone
    none_next: date | None = None  # the day of the newest list of what is next, where none names anything
    drifted: tuple[Trouble, ...] = ()  # what `[sources]` names and is not there


def drifted(sources: Sources, paths: Collection[str], sections: Container[str]) -> Iterator[Trouble]:
    """Return the user's own globs of sources that fit no file, or name a heading that no file has.

    Args:
        paths: the files that are sources.
        sections: the globs whose heading stands in one of these.
    """
    usual = Sources()
    for key in KEYS.values():
        for glob in getattr(sources, key):
            if glob in getattr(usual, key):
                continue
            if not any(map(pattern_of(glob).match, paths)):
                yield Trouble(glob, f"no file fits this glob of `sources.{key}`: wrap sources")
            elif split_headings(glob)[1] and glob not in sections:
                yield Trouble(glob, f"no heading is called so, which `sources.{key}` names: wrap sources")


def entries_of(source: Source, config: Config, projects: Projects) -> FileEntries:
    """Run the first two stages on one file, which is all that they look at."""
    context = Context((source,), config, projects, date.min, Decisions())  # neither stage looks at the day
    found = COLLECTING[0](StageResult(), context)
    for stage in COLLECTING[1:]:
        found = checked(stage, found, context)
    return FileEntries(
        found.kept,
        found.evidence,
        tuple(found.backlog),
        found.unread,
        found.unreadable_dates,
        found.empty,
        found.ignored,
        tuple(_sections(source, config)),
    )


def _sections(source: Source, config: Config) -> Iterator[str]:
    """The globs of `[sources]` that name a heading of a file."""
    globs = [glob for glob in section_globs(config.sources) if pattern_of(glob).match(source.path)]
    if globs:
        chains = [*titles_above(source.document)]
        yield from (glob for glob in globs if any(names_section(glob, titles) for titles in chains))


def gathered(files: Iterable[FileEntries]) -> StageResult:
    """What the first two stages found in all files."""
    each = list(files)
    items = tuple(item for one in each for item in one.items)
    backlog = tuple(item for one in each for item in one.backlog)
    return StageResult(
        kept=items,
        evidence=tuple(evidence for one in each for evidence in one.evidence),
        remarks=(
            *(Remark(Concern.CONFLICTS, item) for item in (*items, *backlog) if item.conflict),
            *(Remark(Concern.UNTAGGED, item) for item in items if item.project is None),
        ),
        unread=tuple(section for one in each for section in one.unread),
        backlog=backlog,
        empty=sum(one.empty for one in each),
        ignored=sum(one.ignored for one in each),
        unreadable_dates=tuple(written for one in each for written in one.unreadable_dates),
    )


def without_history(found: StageResult, filed: FiledLines, today: date) -> StageResult:
    """Let of each row of hand-overs only the newest entry count; what is older is backlog, and was never next."""
    if not any(item.entry for item in found.kept):
        return found
    newest = newest_entries((*found.kept, *found.evidence), filed, today)
    old = {
        item.id for item in found.kept if item.entry and order(item.entry) < newest.get(item.entry.row, (0, 0, 0, 0))
    }
    return replace(
        found,
        kept=tuple(item for item in found.kept if item.id not in old),
        backlog=LaterItems.of(found.backlog).plus([item for item in found.kept if item.id in old and item.box]),
        remarks=tuple(one for one in found.remarks if one.concern is Concern.CONFLICTS or one.item.id not in old),
    )


def with_more(found: StageResult, items: Collection[Item]) -> StageResult:
    """Add items that no list holds to what was collected."""
    if not items:
        return found
    ids = {item.id for item in (*found.kept, *found.backlog)}
    more = {item.id: item for item in items if item.id not in ids}.values()
    untagged = (Remark(Concern.UNTAGGED, item) for item in more if item.project is None)
    return replace(found, kept=(*found.kept, *more), remarks=(*found.remarks, *untagged))


def canonical(file: SourceFile) -> tuple[int, str]:
    """Sort key of files."""
    return file.kind.chain, file.path


def collect(contents: Contents, projects: Projects, config: Config) -> Collected:
    """Collect from parsed files, in any order."""
    sources = sorted(contents.sources, key=lambda one: canonical(SourceFile(one.path, one.kind, one.day)))
    found = gathered(entries_of(one, config, projects) for one in sources)
    return Collected(tuple(SourceFile(one.path, one.kind, one.day) for one in sources), found, contents.troubles)
