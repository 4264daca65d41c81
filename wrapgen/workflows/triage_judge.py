"""Checks what a judge says is next and what is not against the notes, and words what is remembered of it."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from wrapgen.config import escaped_heading
from wrapgen.errors import Refusal
from wrapgen.ledger import Outcome
from wrapgen.model import Fate, Item, TriageVerdict
from wrapgen.pipeline.hand_overs import row_of
from wrapgen.pipeline.judged import Verdicts
from wrapgen.redact import redact
from wrapgen.text.display import one_line, shorten
from wrapgen.text.patterns import Pattern
from wrapgen.triage.claims import ItemClaim, NextClaim, SourceClaim, Triaged
from wrapgen.triage.hints import identifiers
from wrapgen.triage.related import is_filler
from wrapgen.triage.said import ListSaid, PersonSays, Record, SaidEntry, VerdictSaid
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import MergedItems
from wrapgen.workflows.next_list import commit_of, entry_of
from wrapgen.workflows.said_work import WorkFinder
from wrapgen.workflows.triage import Triage
from wrapgen.workflows.triage_proof import Proofs, QuotedPlace
from wrapgen.workflows.unread_sessions import running_session
from wrapgen.workflows.vault_session import VaultSession

MOST_NEXT = 10
_LONGEST_TEXT = 300
OPEN = (Fate.SHOWN, Fate.OVERFLOW, Fate.EXPIRED)
_LINES = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")

By = Literal["person", "agent", "reader"]


@dataclass(frozen=True, slots=True)
class ProvedVerdict:
    """A verdict that holds."""

    item: Item
    verdict: TriageVerdict
    own: tuple[Item, ...]  # the item, and what was merged into it by its words
    joined: tuple[Item, ...] = ()  # what only a verdict has joined to it
    quote: str = ""
    at: str = ""
    other: str = ""
    until: date | None = None
    is_of_source: bool = False  # whether its whole section or file was judged


@dataclass(slots=True)
class Proved:
    """What of an answer holds."""

    verdicts: list[ProvedVerdict] = field(default_factory=list)
    ignored: list[tuple[str, str, str]] = field(default_factory=list)  # what is left out: name, glob, why
    next: list[SaidEntry] | None = None
    project: str | None = None
    words: dict[str, str] = field(default_factory=dict)  # of what is next, by its id
    refused: list[Refusal] = field(default_factory=list)

    def told(self, failed: Collection[str] = ()) -> Iterator[str]:
        """Yield a line for each verdict that did not fail: most verdicts change no note that would show them."""
        if self.next is not None:
            whose = f" in {self.project}" if self.project else ""
            yield from (f"next: {self.words[one.id]}{' (you)' if one.you else ''}" for one in self.next)
            if not self.next:
                yield f"nothing is to be put first{whose}"
        yield from (f"{one.verdict}: {one.item.words}" for one in self.verdicts if one.item.id not in failed)
        for name, glob, _ in self.ignored:
            yield f"left out from now on, by a standing rule ([sources] ignore = {glob!r}): {name}"


class Judge:
    """Checks what a judge (`agent`, `reader` or `person`) says; a person need not prove anything."""

    def __init__(self, session: VaultSession, *, by: By, folder: Path | None = None) -> None:
        self._session = session
        self._run = session.run
        self.by = by
        self._cwd = folder or session.app.root
        self._folder = _place_of(session.app, folder)
        self._triage = Triage(session)
        self._proofs = Proofs(session)
        self._open = {one.item.id: one for one in self._run.outcomes if one.fate in OPEN}
        self._ids = sorted(self._open)
        self._merged = MergedItems(self._run)
        self._taken: dict[str, ProvedVerdict] = {}

    @cached_property
    def _by_path(self) -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = defaultdict(list)
        for one in self._open.values():
            found[one.item.path].append(one.item)
        return found

    def check(self, said: Triaged) -> Proved:
        proved = Proved(refused=list(said.refused))
        for claim in said.items:
            found = self._verdict(claim)
            if isinstance(found, str):
                proved.refused.append(Refusal(claim.name, found))
            else:
                self._taken[found.item.id] = found
                proved.verdicts.append(found)
        for source in said.sources:
            if refusal := self._source(source, proved):
                proved.refused.append(Refusal(source.name, refusal))
        if said.next is not None:
            self._check_next(said.next, said.project, proved)
        if said.first:
            items = [self._open[key].item for key in said.first if key in self._open]
            proved.next = [entry_of(one) for one in items]
            proved.words |= {one.id: one.words for one in items}
        return proved

    def _item(self, handle: str) -> Outcome | str:
        wanted = handle.strip().lower()
        at = bisect_left(self._ids, wanted)
        fitting = self._ids[at : at + 2] if wanted else []
        fitting = [key for key in fitting if key.startswith(wanted)]
        if len(fitting) == 1:
            return self._open[fitting[0]]
        return "several open items have ids that begin so" if fitting else "no open item has this handle"

    def _verdict(self, claim: ItemClaim) -> ProvedVerdict | str:
        outcome = self._item(claim.handle)
        if isinstance(outcome, str):
            return outcome
        item = outcome.item
        if item.id in self._taken:
            return "it is judged twice"
        own, joined = self._merged.parts([item])
        at = claim.at
        if self.by != "person" and (claim.quote or claim.verdict is TriageVerdict.DONE):
            quoted = self._proofs.of_verdict(claim, [*own, *joined])
            if isinstance(quoted, str):
                offer = "; `parked` needs no proof" if claim.verdict is TriageVerdict.DONE else ""
                return f"{quoted}{offer}"
            at = quoted.at
        if claim.until is not None and claim.until <= self._run.today:
            return f"{claim.until} is not after today"
        other = ""
        if claim.verdict is TriageVerdict.SAME_AS:
            kept = self._kept(item, claim)
            if isinstance(kept, str):
                return f"other: {kept}"
            other = kept.id
        return ProvedVerdict(item, claim.verdict, tuple(own), tuple(joined), claim.quote, at, other, claim.until)

    def _kept(self, item: Item, claim: ItemClaim) -> Item | str:
        """Return the item that stays of two that are the same."""
        other = self._item(claim.other) if claim.other else "it names no other item"
        if isinstance(other, str):
            return other
        if other.item.id == item.id:
            return "it is this item itself"
        taken = self._taken.get(other.item.id)
        if taken and taken.verdict is not TriageVerdict.OPEN:
            return "that item is taken away by this answer"
        return other.item

    def _source(self, claim: SourceClaim, proved: Proved) -> str | None:
        """Take a verdict on a file or section; why it is refused, None when it is not."""
        named = self._proofs.files.resolve(claim.path)
        path = self._proofs.files.from_vault(named[0]) if named else claim.path
        rows = _LINES.fullmatch(claim.lines.strip()) if claim.lines else None
        if claim.lines and rows is None:
            return f'`lines` are like "33-80", not {one_line(claim.lines)!r}'
        within = range(int(rows[1]), int(rows[2] or rows[1]) + 1) if rows else None
        alike = self._triage.sections_named(path, claim.section) if claim.section else []
        inside = [
            one
            for one in self._by_path.get(path, ())
            if (within is None or one.line in within)
            and (not claim.section or any(one.line in section for section in alike))
        ]
        if not inside:
            return "no open item stands there: a path of one file, and the heading as written, are needed"
        at = claim.at
        if self.by != "person":
            quoted = self._proofs.of_source(claim, inside)
            if isinstance(quoted, str):
                return quoted
            at = quoted.at
        if len(alike) > 1 and not rows:
            meant = self._section_meant(path, at, alike)
            if meant is None:
                lines = " and ".join(str(one.start) for one in alike)
                return f"lines {lines} have this heading: say which with `lines`, or quote the heading itself"
            inside = [one for one in inside if one.line in meant]
        if rows or len(alike) > 1 or not _is_plain(path):
            verdict = TriageVerdict(claim.verdict)
            for item in inside:
                if item.id not in self._taken:
                    own, joined = self._merged.parts([item])
                    one = ProvedVerdict(item, verdict, tuple(own), tuple(joined), claim.quote, at, is_of_source=True)
                    self._taken[item.id] = one
                    proved.verdicts.append(one)
            return None
        said = f"{claim.verdict}, {self._run.today}"
        reason = f'{said}: "{redact(claim.quote)[0]}" ({at})' if claim.quote else said
        glob = f"{path}#{escaped_heading(claim.section)}" if claim.section else path
        proved.ignored.append((claim.name, glob, reason))
        return None

    def _section_meant(self, path: str, at: str, alike: Sequence[range]) -> range | None:
        """Return which of several sections with one heading is meant: the one that holds the place that proves it."""
        place = QuotedPlace.of(at)
        if place is None or place.path != path:
            return None
        return next((one for one in alike if place.line in one), None)

    def _check_next(self, claims: Sequence[NextClaim], project: str | None, proved: Proved) -> None:
        session = self._session
        own = session.app.folders.project_of(str(self._folder))[1] or session.app.config.project or None
        proved.project = session.projects.named(project) if project else own
        if project and proved.project is None:
            proved.refused.append(Refusal("next", f"no project named {one_line(project)!r}"))
            return
        found: dict[str, SaidEntry] = {}
        for claim in claims[:MOST_NEXT]:
            entry = self._next(claim, proved)
            if isinstance(entry, str):
                proved.refused.append(Refusal(claim.name, entry))
            elif entry.id in found:
                proved.refused.append(Refusal(claim.name, f"it is the same work as {proved.words[entry.id]!r}"))
            else:
                found[entry.id] = entry
        if len(claims) > MOST_NEXT:
            why = f"{len(claims) - MOST_NEXT} entries more than the {MOST_NEXT} that a list may have"
            proved.refused.append(Refusal("next", why))
        proved.next = list(found.values()) if found or not claims else None

    def _next(self, claim: NextClaim, proved: Proved) -> SaidEntry | str:
        place = self._proofs.of_next(claim)
        if isinstance(place, str):
            return place
        quote, text = (redact(part)[0] for part in (claim.quote, shorten(one_line(claim.text), _LONGEST_TEXT)))
        known = SaidEntry("0" * 12, place.named, place.line, quote, text, place.base, claim.you)
        found = self._finder.item_at(place.text, place.path, place.line, known, None)
        if isinstance(found, str):
            return "its line is ticked or struck through"
        item = self._stands(found)
        if isinstance(item, str):
            return item
        if is_filler(f"{text} {item.words}") and not identifiers(item.words):
            return "it names no work: fewer than two words of content"
        proved.words[item.id] = item.words
        return msgspec.structs.replace(known, id=item.id)

    @cached_property
    def _finder(self) -> WorkFinder:
        return self._session.work_finder()

    def _stands(self, item: Item) -> Item | str:
        """Return the item that is open for the named one, or why there is none."""
        outcome = self._outcomes.get(self._merged.kept(item.id))
        taken = self._taken.get(outcome.item.id if outcome else item.id)
        if taken and taken.verdict in (TriageVerdict.DONE, TriageVerdict.NOT_WORK, TriageVerdict.PARKED):
            return f"this answer judges it as {taken.verdict}"
        done = self._verdicts.on(item)
        if done and done.verdict is TriageVerdict.DONE:
            return f"it is remembered as done since {done.on}, and its line has not changed since"
        if outcome and outcome.fate is Fate.RESOLVED:
            because = outcome.because
            where = f" by {because.path}:{because.line}" if because else ""
            return f"it counts as done{where}; `wrap keep {outcome.item.id}` reopens it"
        return outcome.item if outcome else item

    @cached_property
    def _outcomes(self) -> dict[str, Outcome]:
        return {one.item.id: one for one in self._run.outcomes}

    @cached_property
    def _verdicts(self) -> Verdicts:
        return Verdicts(self._session.said.judged, {}, self._run.today)

    def records(self, proved: Proved, now: datetime, failed: Collection[str], ticked: Collection[str]) -> list[Record]:
        """Return what is remembered of an answer."""
        found: list[Record] = []
        for one in proved.verdicts:
            if one.item.id not in failed:
                found += self._records(one, now, ticked)
        if proved.next is not None:
            found.append(self._list(proved, now))
        return found

    def _records(self, one: ProvedVerdict, now: datetime, ticked: Collection[str]) -> Iterator[Record]:
        """Yield a verdict on the item and on what was merged into it; what was ticked says so itself."""
        done, same = one.verdict is TriageVerdict.DONE, one.verdict is TriageVerdict.SAME_AS
        about = one.own[:1] if one.verdict is TriageVerdict.OPEN else one.own if same else (*one.own, *one.joined)
        for item in about:
            if (done and item.id in ticked) or item.id == one.other:
                continue
            plain = self._triage.plain.get(item.id, item)
            yield VerdictSaid(
                said=now, id=item.id, verdict=one.verdict, by=self.by, seen=plain.digest, text=redact(plain.text)[0],
                row="" if done or same else row_of(plain), quote=redact(one.quote)[0], at=one.at, other=one.other,
                until=one.until,
            )  # fmt: skip

    def _list(self, proved: Proved, now: datetime) -> Record:
        entries = tuple(proved.next or ())
        commit = commit_of(self._folder)
        if self.by == "person":
            return PersonSays(said=now, how="front", next=entries, commit=commit)
        session = running_session(self._session.app.root, self._cwd) if self.by == "agent" else ""
        return ListSaid(said=now, by=self.by, project=proved.project, next=entries, session=session, commit=commit)


def _is_plain(path: str) -> bool:
    """Tell whether a path in `[sources] ignore` names that file and nothing else."""
    pattern = Pattern(path)
    return not re.search(r"[*?{}<>\[\]!#\\]", path) and len(pattern.choices) == 1 and all(pattern.literals)


def _place_of(app: App, folder: Path | None) -> Path:
    """Return the folder in which a session runs; the vault where that is no place of its."""
    return folder if folder and app.folders.project_of(str(folder))[0] else app.root
