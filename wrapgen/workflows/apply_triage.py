"""Carries out what a judge says is next and what is not, as far as its quotes prove it, under one receipt (spec 9)."""

import os
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from wrapgen.config import VAULT_FILE, Config, escaped_heading, load_text
from wrapgen.config.file_roles import heading_as_compared
from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, Refusal, WrapgenError
from wrapgen.late_pattern import late
from wrapgen.ledger import Outcome
from wrapgen.model import Fate, Item, TriageVerdict
from wrapgen.pipeline.hand_overs import row_of
from wrapgen.pipeline.judged import Verdicts
from wrapgen.redact import redact
from wrapgen.regular_files import whole
from wrapgen.session.memory import Change, Receipt, Step
from wrapgen.text.display import one_line, shorten
from wrapgen.text.patterns import Pattern
from wrapgen.text.words import content_words
from wrapgen.triage.claims import ItemClaim, NextClaim, SourceClaim, Triaged, decode_triaged
from wrapgen.triage.form import TriageForm, TriageRow
from wrapgen.triage.hints import identifiers
from wrapgen.triage.said import ListSaid, PersonSays, Record, SaidEntry, VerdictSaid
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.vault.rewrite import rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.item_edit import ItemEdit, MergedItems, edit_document, item_edit
from wrapgen.workflows.line_writer import LineEdit, Written, whole_lines, write_lines
from wrapgen.workflows.next_list import commit_of, entry_of
from wrapgen.workflows.said_work import WorkFinder
from wrapgen.workflows.triage import Triage
from wrapgen.workflows.triage_proof import Proofs, Quoted
from wrapgen.workflows.unread_sessions import running_session
from wrapgen.workflows.vault_session import VaultSession

COMMAND = "triage"
MOST_NEXT = 10
_LONGEST_REASON = 160
_LONGEST_TEXT = 300
_OPEN = (Fate.SHOWN, Fate.OVERFLOW, Fate.EXPIRED)
_LINES = late(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?")
_FILLER = content_words(
    "continue, see above, see below, same as before, TBD, to do, todo, next, later, work, go on, more"
)
_LEAST_WORDS = 2  # words of content that an entry has at least, where it names nothing

By = Literal["person", "agent", "reader"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict that holds."""

    item: Item
    verdict: TriageVerdict
    own: tuple[Item, ...]  # the item, and what was merged into it by its words
    joined: tuple[Item, ...] = ()  # what only a verdict has joined to it
    quote: str = ""
    at: str = ""
    other: str = ""
    claim: ItemClaim | None = None
    is_of_source: bool = False  # whether its whole section or file was judged


@dataclass(slots=True)
class Proved:
    """What of an answer holds."""

    verdicts: list[Verdict] = field(default_factory=list)
    ignored: list[tuple[str, str, str]] = field(default_factory=list)  # what is left out: name, glob, why
    next: list[SaidEntry] | None = None
    project: str | None = None
    words: dict[str, str] = field(default_factory=dict)  # of what is next, by its id
    refused: list[Refusal] = field(default_factory=list)

    def told(self, failed: Collection[str] = ()) -> Iterator[str]:
        """A line for each verdict, but for the items that failed: most verdicts change no note that would show them."""
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
        self._open = {one.item.id: one for one in self._run.outcomes if one.fate in _OPEN}
        self._ids = sorted(self._open)
        self._merged = MergedItems(self._run)
        self._taken: dict[str, Verdict] = {}

    @cached_property
    def _plain(self) -> dict[str, Item]:
        """The items as they stand in their files, before anything was merged into them."""
        return {one.id: one for one in self._session.collected.found.kept}

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

    def _verdict(self, claim: ItemClaim) -> Verdict | str:
        outcome = self._item(claim.handle)
        if isinstance(outcome, str):
            return outcome
        item = outcome.item
        if item.id in self._taken:
            return "it is judged twice"
        own, joined = self._merged.parts([item])
        quoted: Quoted | str = ""
        if self.by != "person" and (claim.quote or claim.verdict is TriageVerdict.DONE):
            quoted = self._proofs.of_verdict(claim, [*own, *joined])
            if isinstance(quoted, str):
                return quoted
        if claim.until is not None and claim.until <= self._run.today:
            return f"{claim.until} is not after today"
        other = ""
        if claim.verdict is TriageVerdict.SAME_AS:
            kept = self._kept(item, claim)
            if isinstance(kept, str):
                return f"other: {kept}"
            other = kept.id
        at = quoted.at if isinstance(quoted, Quoted) else claim.at
        return Verdict(item, claim.verdict, tuple(own), tuple(joined), claim.quote, at, other, claim)

    def _kept(self, item: Item, claim: ItemClaim) -> Item | str:
        """The item that stays for one that is the same."""
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
        inside = [
            one.item
            for one in self._open.values()
            if one.item.path == path and (within is None or one.item.line in within) and self._is_below(claim, one.item)
        ]
        if not inside:
            return "no open item stands there: a path of one file, and the heading as written, are needed"
        at = claim.at
        if self.by != "person":
            quoted = self._proofs.of_source(claim, inside)
            if isinstance(quoted, str):
                return quoted
            at = quoted.at
        if rows or not self._is_one_place(path, claim.section):
            verdict = TriageVerdict(claim.verdict)
            for item in inside:
                if item.id not in self._taken:
                    own, joined = self._merged.parts([item])
                    one = Verdict(item, verdict, tuple(own), tuple(joined), claim.quote, at, is_of_source=True)
                    self._taken[item.id] = one
                    proved.verdicts.append(one)
            return None
        said = f"{claim.verdict}, {self._run.today}"
        reason = f'{said}: "{redact(claim.quote)[0]}" ({at})' if claim.quote else said
        glob = f"{path}#{escaped_heading(claim.section)}" if claim.section else path
        proved.ignored.append((claim.name, glob, reason))
        return None

    def _is_below(self, claim: SourceClaim, item: Item) -> bool:
        if not claim.section:
            return True
        named = heading_as_compared(claim.section)
        return any(heading_as_compared(one) == named for one in self._triage.sections_around(item))

    def _is_one_place(self, path: str, section: str) -> bool:
        """Whether a line of `[sources] ignore` can name a file or section and nothing else."""
        pattern = Pattern(path)
        plain = not re.search(r"[*?{}<>\[\]!#\\]", path) and len(pattern.choices) == 1 and all(pattern.literals)
        return plain and (not section or self._triage.same_headings(path, section) == 1)

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
        said = content_words(f"{text} {item.words}") - _FILLER
        if len(said) < _LEAST_WORDS and not identifiers(item.words):
            return "it names no work: fewer than two words of content"
        proved.words[item.id] = item.words
        return msgspec.structs.replace(known, id=item.id)

    @cached_property
    def _finder(self) -> WorkFinder:
        return self._session.work_finder()

    def _stands(self, item: Item) -> Item | str:
        """The item that is open for one that was named; why there is none."""
        outcome = self._outcomes.get(item.id)
        met: set[str] = set()
        while outcome and outcome.fate is Fate.DUPLICATE and outcome.because and outcome.because.item not in met:
            met.add(outcome.because.item or "")
            outcome = self._outcomes.get(outcome.because.item or "")
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
        """What is remembered of an answer."""
        found: list[Record] = []
        for one in proved.verdicts:
            if one.item.id not in failed:
                found += self._records(one, now, ticked)
        if proved.next is not None:
            found.append(self._list(proved, now))
        return found

    def _records(self, one: Verdict, now: datetime, ticked: Collection[str]) -> Iterator[Record]:
        """A verdict on the item and on what was merged into it; what was ticked says so itself."""
        done, same = one.verdict is TriageVerdict.DONE, one.verdict is TriageVerdict.SAME_AS
        about = one.own[:1] if one.verdict is TriageVerdict.OPEN else one.own if same else (*one.own, *one.joined)
        for item in about:
            if (done and item.id in ticked) or item.id == one.other:
                continue
            plain = self._plain.get(item.id, item)
            yield VerdictSaid(
                said=now, id=item.id, verdict=one.verdict, by=self.by, seen=plain.digest, text=redact(plain.text)[0],
                row="" if done or same else row_of(plain), quote=redact(one.quote)[0], at=one.at, other=one.other,
                until=one.claim.until if one.claim else None,
            )  # fmt: skip

    def _list(self, proved: Proved, now: datetime) -> Record:
        entries = tuple(proved.next or ())
        if self.by == "person":
            return PersonSays(said=now, how="front", next=entries, commit=commit_of(self._folder))
        session = running_session(self._session.app.root, self._cwd) if self.by == "agent" else ""
        return ListSaid(
            said=now, by=self.by, project=proved.project, next=entries, session=session,
            commit=commit_of(self._folder),
        )  # fmt: skip


def _place_of(app: App, folder: Path | None) -> Path:
    """The folder in which a session runs; the vault where that is no place of its."""
    return folder if folder and app.folders.project_of(str(folder))[0] else app.root


def take(app: App, source: str, *, dry_run: bool) -> Proved:
    """Check a judge's answer, and carry out what holds."""
    said = decode_triaged(read_bytes(source), source)
    if dry_run:
        session = VaultSession.look(app)
        proved = Judge(session, by="agent", folder=Path.cwd()).check(said)
        app.answer(edit_document(COMMAND, None, [], [], []) | _answered(proved))
        return proved
    return apply_verdicts(app, said, by="agent", folder=Path.cwd())[0]


def apply_verdicts(app: App, said: Triaged, *, by: By, folder: Path | None = None) -> tuple[Proved, ItemEdit]:
    """Carry out what holds of a judge's answer, and rebuild: quotes are looked up before the lock is taken."""
    looked = VaultSession.look(app)
    judge = Judge(looked, by=by, folder=folder)
    proved = judge.check(said)
    with item_edit(app, COMMAND, looked) as made:
        _drop_what_changed(made, proved)
        _carry_out(made, proved, judge)
        made.more |= _answered(proved)
    return proved, made


def _answered(proved: Proved) -> dict[str, Any]:
    listed = None if proved.next is None else [{"id": one.id, "text": proved.words[one.id]} for one in proved.next]
    return {
        "refused": [fields(one, "what why") for one in proved.refused],
        "next": listed,
        "project": proved.project,
        "left_out": [glob for _, glob, _ in proved.ignored],
    }


def _drop_what_changed(made: ItemEdit, proved: Proved) -> None:
    """Refuse verdicts on items that are not open any more, now that nobody else writes."""
    now = {one.item.id for one in made.run.outcomes if one.fate in _OPEN}
    gone = [one for one in proved.verdicts if one.item.id not in now]
    proved.verdicts = [one for one in proved.verdicts if one.item.id in now]
    proved.refused += [Refusal(f"item {one.item.id[:6]}", "it was changed meanwhile") for one in gone]


def _carry_out(made: ItemEdit, proved: Proved, judge: Judge) -> None:
    """Tick, put aside, merge and leave out what was proved; the caller holds the lock and rebuilds afterwards."""
    done = [one for one in proved.verdicts if one.verdict is TriageVerdict.DONE and not one.is_of_source]
    finished = {item.id: item for one in done for item in one.own}
    of_item = {item.id: one.item.id for one in done for item in one.own}
    made.receipt = replace(made.receipt, finished=tuple(finished))
    edits = [
        LineEdit(one.id, one.text, None, one.path, project=one.project, item=one)
        for one in finished.values()
        if made.can_tick(one)
    ]
    ticks = {one.id for one in edits}
    now = made.session.app.now

    def says(written: Written) -> list[Record]:
        failed = {of_item[key] for key in written.failed}
        return judge.records(proved, now, failed, ticks)

    left = _left_behind(made.session, proved, judge.by)
    written = write_lines(made.session, edits, made.receipt, says)
    made.lines += written.lines
    failed = {of_item[key] for key in written.failed}
    if failed:
        _stay_open(made, {key for key, item in of_item.items() if item in failed})
    proved.refused += [Refusal(f"item {key[:6]}", why) for key, why in written.failed.items()]
    if proved.ignored:
        _leave_out(made, proved)
    for line in proved.told(failed=failed):
        made.say(line)
    for one in done:
        if one.item.id not in failed:
            made.leave(one.joined)
    for item in left:
        made.say(f"still open, no longer first: {item.words}")
    made.more["no_longer_first"] = [item.id for item in left]


def _left_behind(session: VaultSession, proved: Proved, by: By) -> list[Item]:
    """What the former list of the project put first, and the new one does not name."""
    if proved.next is None or by == "person":
        return []
    named = {one.id for one in proved.next} | {one.item.id for one in proved.verdicts}
    items = {one.item.id: one.item for one in session.run.outcomes if one.fate in _OPEN}
    former = session.decisions.said.items()
    return [
        items[key]
        for key, said in former
        if said.leads and said.by != "person" and said.project == proved.project and key in items and key not in named
    ]


def _stay_open(made: ItemEdit, failed: Collection[str]) -> None:
    """Items whose boxes could not be ticked stay open."""
    memory = made.session.memory
    receipt = memory.receipt(made.receipt.id)
    memory.close(replace(receipt, finished=tuple(key for key in receipt.finished if key not in failed)))


def _leave_out(made: ItemEdit, proved: Proved) -> None:
    session = made.session
    try:
        made.receipt = _ignore_in_config(session, proved.ignored, session.memory.receipt(made.receipt.id))
    except WrapgenError as error:
        proved.refused += [Refusal(name, str(error)) for name, _, _ in proved.ignored]
        proved.ignored.clear()
        return
    session.app.reload()
    session.notes_changed()


def _ignore_in_config(session: VaultSession, ignored: Sequence[tuple[str, str, str]], receipt: Receipt) -> Receipt:
    """Write what is left out, under a closed receipt, which is opened for it; the caller holds the lock."""
    app, memory = session.app, session.memory
    file = app.root / VAULT_FILE

    def transform(data: bytes | None) -> bytes:
        former = (data or b"").decode("utf-8")
        mark = "\ufeff" if former.startswith("\ufeff") else ""
        text = _with_ignored(former.removeprefix(mark), ignored)
        load_text(text, file, Config)
        return f"{mark}{text}".encode()

    former = whole(file)
    planned = replace(receipt, step=Step.PLANNED, changes=(*receipt.changes, _change(former, transform(former))))
    memory.write(planned)
    result = rewrite(file, transform, root=app.root)
    changes = (*receipt.changes, _change(result.former or b"", result.data or b""))
    closed = replace(receipt, step=Step.DONE, changes=changes)
    memory.close(closed)
    return closed


def _with_ignored(text: str, ignored: Sequence[tuple[str, str, str]]) -> str:
    """A configuration that leaves more out; comments and everything else stay as they are."""
    import tomlkit
    from tomlkit.items import Array

    document = tomlkit.parse(text)
    table = document.setdefault("sources", tomlkit.table())
    present = table.get("ignore")
    if not isinstance(present, Array):
        table["ignore"] = tomlkit.array()
        present = table["ignore"]
    for _, glob, reason in ignored:
        if glob not in present:
            present.add_line(glob, comment=shorten(one_line(reason), _LONGEST_REASON))
    if present and not present.as_string().rstrip("]").endswith("\n"):
        present.add_line(indent="", newline=True)
    return tomlkit.dumps(document)


def _change(former: bytes, data: bytes) -> Change:
    start = _shared(former, data)
    end = _shared(former[start:][::-1], data[start:][::-1])
    old, new = former[start : len(former) - end], data[start : len(data) - end]
    return whole_lines(VAULT_FILE, Replacement(start, old, new), former)


def _shared(one: bytes, other: bytes) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def ask(app: App, *, limit: int, everything: bool) -> int:
    """Ask about the page's items, and carry out what was marked; NoTerminalError with nobody to ask."""
    from wrapgen.session.form import FormLeftError
    from wrapgen.session.prompt import Terminal, require_terminal

    session = VaultSession.look(app)
    triage = Triage(session)
    rows = [_row(triage, one.item) for one in triage.candidates(everything=everything)[:limit]]
    if not rows:
        app.say("nothing to judge: what the page shows was judged, and has not changed since (`--all` shows it)")
        return ExitCode.DONE
    require_terminal("Nothing was changed; run it in a terminal, or let an agent judge: `wrap triage --review`.")
    form = TriageForm(rows)
    try:
        Terminal(color=app.color and "NO_COLOR" not in os.environ).form(form.draw, form.keys)
    except (FormLeftError, EOFError):
        app.say("nothing was changed")
        return ExitCode.DONE
    proved, _ = apply_verdicts(app, answers(form), by="person")
    for refusal in proved.refused:
        app.warn(f"{refusal.what}: {refusal.why}")
    return ExitCode.COULD_NOT if proved.refused else ExitCode.DONE


def answers(form: TriageForm) -> Triaged:
    """What was marked, as a judge's answer; an item is named by its whole id."""
    said = Triaged()
    for row in form.rows:
        if row.is_next:
            said.first.append(row.id)
        elif row.scope:
            said.sources.append(SourceClaim(row.path, "not_work", row.section if row.scope == "section" else ""))
        elif row.verdict is TriageVerdict.SAME_AS:
            said.items.append(ItemClaim(row.id, row.verdict, other=form.above(row).id))
        elif row.verdict:
            said.items.append(ItemClaim(row.id, row.verdict))
    said.sources = list(dict.fromkeys(said.sources))
    return said


def _row(triage: Triage, item: Item) -> TriageRow:
    hints = triage.hints(item)
    hint = f"{hints[0].text} ({hints[0].at})" if hints else ""
    section = triage.section_of(item)
    title = section.title if section else ""
    return TriageRow(item.id, item.words, item.path, item.line, title, triage.age(item), hint)
