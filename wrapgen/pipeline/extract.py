"""Stage 1: which entries of the sources are open items, and which are evidence of finished work. PURE."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from wrapgen.folding import fold
from wrapgen.headings import roles, session_subject
from wrapgen.ledger import Concern, Remark
from wrapgen.model import Evidence, Item, Kind, UnreadSection
from wrapgen.pipeline.stage import Context, StageResult

if TYPE_CHECKING:
    from wrapgen.config import Config
    from wrapgen.model import Entry, Source


def extract(_: StageResult, context: Context) -> StageResult:
    """Collect every open item of every source, and everything that is finished.

    An open box with a done mark in its text stays open and is remarked as a conflict, as is an open box in a *Done*
    list, which proves nothing.
    """
    found = _Found()
    for source in context.sources:
        _read(source, _Outline(source, context.config), found)
    return StageResult(
        kept=tuple(found.items),
        evidence=tuple(found.evidence),
        remarks=tuple(found.remarks),
        unread=tuple(found.unread),
    )


@dataclass(slots=True)
class _Found:
    items: list[Item] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    unread: list[UnreadSection] = field(default_factory=list)


@dataclass(frozen=True)
class _Outline:
    """What the headings of a file say about the lines below them."""

    source: Source
    config: Config

    @cached_property
    def roles(self) -> list[str]:
        """`next`, `done` or nothing for each section: the innermost named heading decides."""
        sections = self.source.document.sections
        names = self.config.sections
        return roles(((section.title, section.parent) for section in sections), names.next, names.done)

    @cached_property
    def sessions(self) -> list[tuple[int, str | None]]:
        """Session block of each section: its position among the blocks of the file, and what its heading names.

        Blocks are counted odd, what stands before, between and behind them even.
        """
        blocks: list[tuple[int, str | None]] = []
        opened = 0
        for section in self.source.document.sections:
            subject = session_subject(section.title, self.config.sections.session)
            above = blocks[section.parent] if section.parent >= 0 else (0, None)
            if subject is not None:
                opened += 1
                blocks.append((2 * opened - 1, subject))
            elif above[1] is not None:
                blocks.append(above)
            else:
                blocks.append((2 * opened, None))
        return blocks

    def chain(self, section: int) -> list[str]:
        """The titles above an entry, outermost first."""
        titles: list[str] = []
        while section >= 0:
            titles.append(self.source.document.sections[section].title)
            section = self.source.document.sections[section].parent
        return titles[::-1]


def _read(source: Source, outline: _Outline, found: _Found) -> None:
    identities = _Identities(source.path)
    for entry in source.document.entries:
        identity = identities.next(entry, outline)
        role = outline.roles[entry.section] if entry.section >= 0 else ""
        block, header = outline.sessions[entry.section] if entry.section >= 0 else (0, None)
        place = (source.path, block) if source.kind is Kind.JOURNAL_NEXT else None
        listed = role == "done" and source.kind is Kind.JOURNAL_NEXT
        if entry.done or (listed and not entry.box):
            found.evidence.append(_evidence(source, entry, role, place, header))
        elif _is_open_item(source.kind, role, entry):
            found.items.append(item := _item(source, entry, identity, place, header))
            if entry.conflict:
                found.remarks.append(Remark(Concern.CONFLICTS, item))
        elif listed:
            found.remarks.append(Remark(Concern.CONFLICTS, _item(source, entry, identity, place, header)))
    if source.kind is not Kind.ACTIVE_TODOS:
        found.unread += [
            UnreadSection(source.path, section.line, section.title)
            for section, role in zip(source.document.sections, outline.roles, strict=True)
            if section.prose and role == "next"
        ]


def _is_open_item(kind: Kind, role: str, entry: Entry) -> bool:
    return entry.box if kind is Kind.ACTIVE_TODOS else role == "next"


def _item(source: Source, entry: Entry, identity: str, block: tuple[str, int] | None, header: str | None) -> Item:
    raised = source.day if source.kind is Kind.JOURNAL_NEXT else entry.created
    return Item(
        id=identity,
        text=entry.text,
        kind=source.kind,
        path=source.path,
        line=entry.line,
        folded=fold(entry.text),
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
    )


def _evidence(source: Source, entry: Entry, role: str, block: tuple[str, int] | None, header: str | None) -> Evidence:
    """A finished entry with the day it can mean.

    A tick in a todos file, or in an old *Next* list, may be younger than the file's name: its last change bounds it.
    """
    dated_by_journal = source.kind is Kind.JOURNAL_NEXT and role != "next"
    day = entry.finished or (source.day if dated_by_journal else None)
    return Evidence(
        text=entry.text,
        path=source.path,
        line=entry.line,
        folded=fold(entry.text),
        kind=source.kind,
        listed=source.kind is Kind.JOURNAL_NEXT and role == "done",
        day=day,
        latest=day or source.line_days.get(entry.line, source.changed),
        block=block,
        header=header,
        project=source.project,
    )


class _Identities:
    """Gives the entries of one file their ids.

    The id hangs on words and file, so it survives edits elsewhere; the same words again in the same file are told
    apart by their headings and counted there.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: set[str] = set()
        self._counts: Counter[tuple[str, ...]] = Counter()

    def next(self, entry: Entry, outline: _Outline) -> str:
        words = unicodedata.normalize("NFKC", entry.text)
        parts = [words, self._path]
        if words in self._seen:
            place = (words, *outline.chain(entry.section))
            self._counts[place] += 1
            parts += [*place[1:], str(self._counts[place])]
        self._seen.add(words)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
