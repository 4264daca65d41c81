"""Stage 1: which entries of the sources are open items, and which are evidence of finished work. PURE."""

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache

from msgspec.structs import replace

from wrapgen.config import Tasks
from wrapgen.late_pattern import late
from wrapgen.ledger import Concern, Remark
from wrapgen.model import Evidence, Item, UnreadableDate, UnreadSection
from wrapgen.notes import Entry, Kind, Source
from wrapgen.pipeline.item_context import says_enough
from wrapgen.pipeline.source_outline import SourceOutline
from wrapgen.pipeline.stage import Context, StageResult
from wrapgen.pipeline.unfinished import is_under_way
from wrapgen.text.folding import fold
from wrapgen.text.headings import BACKLOG, DONE, NEXT, WAITING
from wrapgen.text.wildcards import words_pattern
from wrapgen.vault.markdown.note import is_closed


def extract(_: StageResult, context: Context) -> StageResult:
    """Collect every open item of every source, and everything that is finished.

    An open box with a done mark in its text stays open and is remarked as a conflict, as is an open box in a *Done*
    list. Every open box is an item, backlog, empty or ignored: none is passed over.
    """
    found = _Found()
    for source in context.sources:
        _read(source, SourceOutline(source, context.config), found)
    return StageResult(
        kept=tuple(found.items),
        evidence=tuple(found.evidence),
        remarks=tuple(found.remarks),
        unread=tuple(found.unread),
        backlog=tuple(found.backlog),
        empty=found.empty,
        ignored=found.ignored,
        unreadable_dates=tuple(found.unreadable_dates),
    )


@dataclass(slots=True)
class _Found:
    items: list[Item] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    unread: list[UnreadSection] = field(default_factory=list)
    backlog: list[Item] = field(default_factory=list)
    unreadable_dates: list[UnreadableDate] = field(default_factory=list)
    empty: int = 0
    ignored: int = 0


def _read(source: Source, outline: SourceOutline, found: _Found) -> None:
    found.empty += len(source.document.empty)
    found.ignored += source.document.ignored
    entries: list[Entry] = []
    for as_written in outline.entries:
        entry = in_own_states(as_written, outline.config.tasks)
        if entry is None:
            found.ignored += not as_written.done
        elif outline.is_ignored(entry) or is_never_work(entry.text, outline.config.items.ignore):
            found.ignored += entry.box and not entry.done
            if outline.kind(entry) is Kind.HAND_OVERS and outline.is_handed(entry):
                # What was put aside there is the newest all the same: it brings nothing older back.
                found.evidence.append(_evidence(source, replace(entry, text=""), "", None, None, outline))
        else:
            entries.append(entry)
    for entry, identity in zip(entries, _identities(source, entries, outline), strict=True):
        _sort_out(source, entry, identity, outline, found)
    if source.kind is not Kind.ACTIVE_TODOS:
        found.unread += [
            UnreadSection(source.path, section.line, section.title)
            for at, (section, role) in enumerate(zip(source.document.sections, outline.roles, strict=True))
            if section.prose and role == NEXT and not outline.reads_prose(at)
        ]


# A bullet that says that there is nothing to list.
_NOTHING = late(r"[\W_]*(?:none|nothing|n/?a|tbd|없음|なし|無し|无|無|暂无)[\W_]*", re.IGNORECASE)


def _sort_out(source: Source, entry: Entry, identity: str, outline: SourceOutline, found: _Found) -> None:
    """Take an entry for evidence, an open item, backlog, or nothing."""
    role = outline.role(entry)
    block, _ = outline.sessions[entry.section] if entry.section >= 0 else (0, None)
    header = "\n".join(reversed(outline.chain(entry.section))) or None
    place = (source.path, block) if source.kind is Kind.JOURNAL_NEXT else None
    listed = _is_listed_done(entry, outline)
    if entry.done or (listed and not entry.box and not is_under_way(entry.text)):
        if entry.box or not entry.row or role:  # a table that is no list of items proves nothing
            found.evidence.append(_evidence(source, entry, role, place, header, outline))
        return
    stands = standing(entry, outline)
    if source.document.task and source.kind is not Kind.JOURNAL_NEXT and entry.line > 1:
        stands = TaskStanding.BACKLOG if entry.box else TaskStanding.NOTHING  # a detail of the note, which is the item
    if not entry.box and _NOTHING.fullmatch(entry.text):
        if _is_handed(entry, outline):  # what was left before is no longer next
            found.evidence.append(_evidence(source, entry, role, place, header, outline))
        return
    if stands is TaskStanding.NOTHING:
        return
    item = _item(source, entry, identity, place, header, outline)
    found.unreadable_dates += [UnreadableDate(item.path, item.line, item.text, one) for one in entry.unreadable]
    if stands is TaskStanding.BACKLOG:
        found.backlog.append(item)
        if item.conflict:
            found.remarks.append(Remark(Concern.CONFLICTS, item))
        return
    item = replace(item, conflict=True) if listed else item
    found.items.append(item)
    if item.conflict:
        found.remarks.append(Remark(Concern.CONFLICTS, item))


def _item(
    source: Source,
    entry: Entry,
    identity: str,
    block: tuple[str, int] | None,
    header: str | None,
    outline: SourceOutline,
) -> Item:
    raised = source.day if source.kind is Kind.JOURNAL_NEXT else entry.created
    text = without_filter(entry.text, outline.config.tasks)
    context = outline.context(entry)
    kind = outline.kind(entry)
    return Item(
        id=identity,
        text=text,
        kind=kind,
        path=source.path,
        line=entry.line,
        folded=fold(text),
        raised=raised,
        last_seen=raised,
        due=entry.due,
        priority=entry.priority,
        recurrence=entry.recurrence,
        block=block,
        header=header,
        project=source.project,
        conflict=entry.conflict,
        box=entry.box,
        mark=entry.mark,
        context=context,
        needs_context=bool(context) and (bool(entry.above) or not says_enough(text)),
        title="" if context or kind is not Kind.LISTS or says_enough(text, 2) else outline.title,
        own_list=source.own_list,
        changed=outline.changed(entry),
        not_before=max((day for day in (entry.scheduled, entry.start) if day), default=None),
        ident=entry.ident,
        depends=entry.depends,
        handed=_is_handed(entry, outline),
        entry=outline.hand_over(entry) if kind is Kind.HAND_OVERS else None,
        aside=_aside(source, entry, outline),
    )


def _is_handed(entry: Entry, outline: SourceOutline) -> bool:
    """Tell whether an entry is in a *Next* list, or where `[sources] hand_overs` says that such a list is."""
    return outline.is_handed(entry) if outline.kind(entry) is Kind.HAND_OVERS else outline.role(entry) == NEXT


_WAITING_MARKS = ("WAITING", "WAIT")


def _aside(source: Source, entry: Entry, outline: SourceOutline) -> str:
    """Return why an entry is nobody's next step by its note's own word; "" for most."""
    if source.kind is not Kind.JOURNAL_NEXT and is_closed(source.document.status):
        return f"its note says `{source.document.status}`"
    if entry.mark in _WAITING_MARKS or outline.role(entry) == WAITING:
        return "waiting"
    parked = outline.parked[entry.section] if entry.section >= 0 else ""
    return f"put off by its heading: {parked}" if parked else ""


def _evidence(
    source: Source,
    entry: Entry,
    role: str,
    block: tuple[str, int] | None,
    header: str | None,
    outline: SourceOutline,
) -> Evidence:
    """A finished entry with the day it can mean.

    A tick in a todos file, or in an old *Next* list, may be younger than the file's name: its last change bounds it. In
    the list of a day to come it is of that day.
    """
    ahead = source.day is not None and source.changed is not None and source.changed < source.day
    dated_by_journal = source.kind is Kind.JOURNAL_NEXT and (role != NEXT or ahead)
    kind, listed = outline.kind(entry), _is_listed_done(entry, outline)
    dated = source.day if dated_by_journal else None
    if listed and kind is Kind.HAND_OVERS:
        dated = outline.day_of(entry)
    day = entry.finished or dated
    return Evidence(
        text=entry.text,
        path=source.path,
        line=entry.line,
        folded=fold(entry.text),
        kind=kind,
        listed=listed,
        day=day,
        latest=day or source.changed,
        written=source.day if source.kind is Kind.JOURNAL_NEXT else None,
        due=entry.due,
        block=block,
        header=header,
        project=source.project,
        context=outline.context(entry),
        own_list=source.own_list,
        handed=_is_handed(entry, outline),
        entry=outline.hand_over(entry) if kind is Kind.HAND_OVERS else None,
    )


def _is_listed_done(entry: Entry, outline: SourceOutline) -> bool:
    """Tell whether whatever stands in an entry's section is finished: in a *Done* list of a journal or hand-over."""
    return outline.role(entry) == DONE and outline.kind(entry) in (Kind.JOURNAL_NEXT, Kind.HAND_OVERS)


def _identities(source: Source, entries: Sequence[Entry], outline: SourceOutline) -> list[str]:
    """The ids of the entries of one file.

    An id hangs on words and file, so it survives edits elsewhere. Words that stand there several times are told apart
    by the headings above them, and by which of how many they are below these: an id may end when one of them comes or
    goes, but it never comes to mean another line. A finished one counts as well, so that the others keep theirs when a
    box is ticked; what was added to a *Done* list never was an item there.
    """
    words = [unicodedata.normalize("NFKC", entry.text) for entry in entries]
    alike: dict[str, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        in_done = entry.section >= 0 and outline.roles[entry.section] == DONE
        if not in_done or (entry.box and not entry.done):
            alike[words[at]].append(at)
    apart: dict[int, tuple[str, ...]] = {}
    for repeated in alike.values():
        if len(repeated) > 1:
            apart |= _told_apart(repeated, [_headings(source, entries[at].section) for at in repeated])
    named = ((one, source.path, *apart.get(at, ())) for at, one in enumerate(words))
    return [hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12] for parts in named]


def _told_apart(repeated: Sequence[int], headings: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """What the ids of entries with the same words hang on as well."""
    counts, seen = Counter(headings), Counter[tuple[str, ...]]()
    for at, above in zip(repeated, headings, strict=True):
        seen[above] += 1
        yield at, (*above, f"{seen[above]} of {counts[above]}")


def _headings(source: Source, section: int) -> tuple[str, ...]:
    """The headings above an entry, innermost first, with levels: one that goes may have the title of the next."""
    found: list[str] = []
    while section >= 0:
        heading = source.document.sections[section]
        found.append(f"{heading.level} {heading.title}")
        section = heading.parent
    return tuple(found)


def is_never_work(text: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether a line is never work here, by its words (`[items] ignore`)."""
    fits = never_work_pattern(patterns) if patterns else None
    return fits is not None and fits.fullmatch(bare_words(text)) is not None


@lru_cache(maxsize=8)
def never_work_pattern(patterns: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return what fits the bare words of every line that one of some patterns means; None where none says anything."""
    each = [words_pattern(one, bare_words) for one in patterns if one.strip(" *")]
    return re.compile("|".join(each), re.DOTALL) if each else None


def bare_words(text: str) -> str:
    """Return a line's words without marks of Markdown, in folded case."""
    return " ".join(re.sub(r"[*_`~]", "", unicodedata.normalize("NFKC", text)).split()).casefold()


class TaskStanding(Enum):
    """What an entry that is not done is.

    Attributes:
        ITEM: an open item.
        BACKLOG: an open box that is not next: the ledger counts it apart.
        NOTHING: a line of a list that is no work.
    """

    ITEM = auto()
    BACKLOG = auto()
    NOTHING = auto()


def standing(entry: Entry, outline: SourceOutline) -> TaskStanding:
    """Say what an entry is that is not done, by what its section or its file is declared to be."""
    kind, role, tasks = outline.kind(entry), outline.role(entry), outline.config.tasks
    if kind is Kind.JOURNAL_NEXT and entry.row and role != NEXT:
        return TaskStanding.NOTHING  # a table in a journal is a list of items only there
    if entry.box and tasks.filter and tasks.filter not in entry.text:
        return TaskStanding.BACKLOG
    rest = TaskStanding.BACKLOG if entry.box else TaskStanding.NOTHING
    if kind is Kind.HAND_OVERS:
        return TaskStanding.ITEM if outline.is_handed(entry) else rest
    if outline.section_role(entry) is not None:
        return rest if role in (DONE, BACKLOG) or outline.is_remark(entry) else TaskStanding.ITEM
    if not outline.file.whole:
        return rest
    if role == NEXT and kind is not Kind.ACTIVE_TODOS:
        return TaskStanding.ITEM
    if kind in (Kind.JOURNAL_NEXT, Kind.ACTIVE_TODOS):
        return TaskStanding.ITEM if entry.box else TaskStanding.NOTHING
    is_next = entry.box and role != BACKLOG and not outline.has_next(entry)
    return TaskStanding.ITEM if is_next else rest


def in_own_states(entry: Entry, tasks: Tasks) -> Entry | None:
    """An entry in the vault's own states, None where its mark means that it is no task."""
    state = tasks.states.get(entry.mark)
    if state is None:
        return entry
    if state == "ignored":
        return None
    return replace(entry, done=state != "open", conflict=entry.conflict and state == "open")


def without_filter(text: str, tasks: Tasks) -> str:
    """An item's text without the tag that all tasks of the vault bear."""
    if not tasks.filter or tasks.filter not in text:
        return text
    return " ".join(re.sub(rf"(?<!\S){re.escape(tasks.filter)}(?!\S)", " ", text).split()) or text
