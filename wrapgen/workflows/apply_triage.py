"""Carries out what a judge of the page says, as far as its quotes prove it, under one receipt (spec 9)."""

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from wrapgen.config import VAULT_FILE, Config, load_text
from wrapgen.dashboard.document import fields
from wrapgen.days import moved
from wrapgen.errors import ExitCode, Refusal
from wrapgen.ledger import Outcome
from wrapgen.model import Fate, Item, Judged, TriageVerdict
from wrapgen.redact import redact
from wrapgen.text.display import count, one_line, shorten
from wrapgen.triage.claims import ItemClaim, SourceClaim, Triaged, decode_triaged
from wrapgen.triage.form import TriageForm, TriageRow
from wrapgen.vault.detect.proposal import literal
from wrapgen.vault.markdown.tick import Replacement
from wrapgen.workflows.app import App
from wrapgen.workflows.file_writer import Computed
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.item_edit import ItemEdit, edit_document, item_edit
from wrapgen.workflows.line_writer import LineEdit, write_lines
from wrapgen.workflows.triage import Triage
from wrapgen.workflows.triage_proof import Proofs
from wrapgen.workflows.vault_session import VaultSession

COMMAND = "triage"
PARKED_DAYS = 30
"""How long an item is hidden that was put off without a day."""
_LONGEST_REASON = 160
_MOST_PASSED = 1_000  # items, in the order of the ranking
_OPEN = (Fate.SHOWN, Fate.OVERFLOW, Fate.EXPIRED)


@dataclass(slots=True)
class Proved:
    """What of an answer holds."""

    judged: list[Judged] = field(default_factory=list)
    items: dict[str, Item] = field(default_factory=dict)  # what was judged, by id
    ignored: list[tuple[SourceClaim, str]] = field(default_factory=list)  # what is left out, and why
    left_out: set[str] = field(default_factory=set)  # ids of the items below these
    passed: tuple[str, ...] = ()  # ids of what stays behind the page, once most of that was judged
    refused: list[Refusal] = field(default_factory=list)

    def told(self, failed: Collection[str] = ()) -> Iterator[str]:
        """A line for each verdict, but for the items that failed: most verdicts change no note that would show them."""
        yield from (f"{one.verdict}: {self.items[one.id].words}" for one in self.judged if one.id not in failed)
        yield from (f"left out: {claim.name}" for claim, _ in self.ignored)


class Judge:
    """Checks verdicts of a judge (`agent`, `reader` or `person`); a person need not prove anything."""

    def __init__(self, session: VaultSession, *, by: str) -> None:
        self._session = session
        self._run = session.run
        self._by = by
        self._triage = Triage(session)
        self._proofs = Proofs(session)
        self._open = {one.item.id: one for one in self._run.outcomes if one.fate in _OPEN}

    def check(self, said: Triaged) -> Proved:
        proved = Proved(refused=list(said.refused))
        for claim in said.items:
            found = self._judged(claim, proved)
            if isinstance(found, str):
                proved.refused.append(Refusal(claim.name, found))
            else:
                proved.judged.append(found)
                proved.items[found.id] = self._open[found.id].item
        for source in said.sources:
            refusal = self._source(source, proved)
            if refusal:
                proved.refused.append(Refusal(source.name, refusal))
        proved.passed = self._passed(proved)
        return proved

    def _passed(self, proved: Proved) -> tuple[str, ...]:
        """What nobody has judged and shall not fill the page, when at least half of what that shows is judged now."""
        shown = self._triage.of(self._run.of(Fate.SHOWN))
        judged = sum(one.is_settled or one.item.id in proved.items or one.item.id in proved.left_out for one in shown)
        if not shown or 2 * judged < len(shown):
            return ()
        behind = self._triage.of(one for one in self._run.of(Fate.OVERFLOW) if not one.is_set_aside)
        left = (one.item.id for one in behind if not one.is_settled and one.item.id not in proved.items)
        return tuple(islice((key for key in left if key not in proved.left_out), _MOST_PASSED))

    def _item(self, handle: str) -> Outcome | str:
        wanted = handle.strip().lower()
        fitting = [one for key, one in self._open.items() if wanted and key.startswith(wanted)]
        if len(fitting) == 1:
            return fitting[0]
        return f"{len(fitting)} open items have ids that begin so" if fitting else "no open item has this handle"

    def _judged(self, claim: ItemClaim, proved: Proved) -> Judged | str:
        outcome = self._item(claim.handle)
        if isinstance(outcome, str):
            return outcome
        item, today = outcome.item, self._run.today
        if item.id in proved.items:
            return "it is judged twice"
        made = Judged(
            item.id, claim.verdict, today, self._by, self._triage.seen(item), redact(claim.quote)[0], claim.at
        )
        if self._by != "person" and (claim.quote or claim.verdict is TriageVerdict.DONE):
            why = self._proofs.why_not(claim, self._group(item))
            if why:
                return why
        if claim.verdict is TriageVerdict.PARKED:
            until = claim.until or moved(today, PARKED_DAYS)
            return replace(made, until=until) if until > today else f"{until} is not after today"
        if claim.verdict is TriageVerdict.SAME_AS:
            return self._same(made, claim, proved)
        return made

    def _same(self, made: Judged, claim: ItemClaim, proved: Proved) -> Judged | str:
        other = self._item(claim.other) if claim.other else "it names no other item"
        if isinstance(other, str):
            return f"other: {other}"
        if other.item.id == made.id:
            return "other: it is this item itself"
        if any(one.id == other.item.id and one.verdict is not TriageVerdict.OPEN for one in proved.judged):
            return "other: that item is taken away by this answer"
        return replace(made, other=other.item.id)

    def _group(self, item: Item) -> list[Item]:
        merged = (one.item for one in self._run.of(Fate.DUPLICATE) if one.because and one.because.item == item.id)
        return [item, *merged]

    def _source(self, claim: SourceClaim, proved: Proved) -> str | None:
        """Take a verdict on a file or section; why it is refused, None when it is not."""
        inside = [
            one.item
            for one in self._run.outcomes
            if one.fate in _OPEN
            and one.item.path == claim.path
            and (not claim.section or self._triage.section_at(claim.path, one.item.line) == claim.section)
        ]
        if not inside:
            return "no open item stands there: a path of one file, and the heading as written, are needed"
        if self._by != "person" and (why := self._proofs.why_not_source(claim, inside)):
            return why
        said = f"{claim.verdict}, {self._run.today}"
        reason = f'{said}: "{redact(claim.quote)[0]}" ({claim.at})' if claim.quote else said
        proved.ignored.append((claim, reason))
        proved.left_out |= {one.id for one in inside}
        return None


def take(app: App, source: str, *, dry_run: bool) -> Proved:
    """Check a judge's answer, and carry out what holds."""
    said = decode_triaged(read_bytes(source), source)
    if dry_run:
        session = VaultSession.look(app)
        proved = Judge(session, by="agent").check(said)
        app.answer(edit_document(COMMAND, None, [], [], []) | _refused(proved))
        return proved
    return apply_verdicts(app, said, by="agent")[0]


def apply_verdicts(app: App, said: Triaged, *, by: str) -> tuple[Proved, ItemEdit]:
    """Carry out what holds of a judge's answer, under the lock, and rebuild."""
    with item_edit(app, COMMAND) as made:
        proved = Judge(made.session, by=by).check(said)
        _carry_out(made, proved)
        made.more |= _refused(proved)
    return proved, made


def _refused(proved: Proved) -> dict[str, Any]:
    return {"refused": [fields(one, "what why") for one in proved.refused]}


def _carry_out(made: ItemEdit, proved: Proved) -> None:
    """Tick, hide, merge and leave out what was proved; the caller holds the lock and rebuilds afterwards."""
    judged = tuple(proved.judged)
    done = [proved.items[one.id] for one in judged if one.verdict is TriageVerdict.DONE]
    finished = made.group(done) if done else []
    snoozed = {one.id: one.until for one in judged if one.until is not None}
    made.receipt = replace(
        made.receipt,
        judged=judged,
        snoozed=snoozed,
        finished=tuple(item.id for item in finished),
        passed=proved.passed,
    )
    edits = [
        LineEdit(one.id, one.text, None, one.path, project=one.project, item=one)
        for one in finished
        if made.can_tick(one)
    ]
    ignoring = [_Ignoring(tuple(proved.ignored), made.session.app.root / VAULT_FILE)] if proved.ignored else []
    written = write_lines(made.session, edits, made.receipt, ignoring)
    made.lines += written.lines
    if written.failed:
        _take_back(made, written.failed)
    if why := written.failed.get(VAULT_FILE):
        proved.refused += [Refusal(claim.name, why) for claim, _ in proved.ignored]
        proved.ignored.clear()
    elif proved.ignored:
        made.session.app.reload()
        made.session.notes_changed()
    proved.refused += [Refusal(f"item {key[:6]}", why) for key, why in written.failed.items() if key != VAULT_FILE]
    for line in proved.told(failed=written.failed):
        made.say(line)
    if proved.passed:
        made.say(f"{count(len(proved.passed), 'open item')} nobody has judged: not on this page (`wrap triage --all`)")


def _take_back(made: ItemEdit, failed: Collection[str]) -> None:
    """Drop the verdicts on items whose boxes could not be ticked: they stay open."""
    memory = made.session.memory
    receipt = memory.receipt(made.receipt.id)
    judged = tuple(one for one in receipt.judged if one.id not in failed)
    memory.close(replace(receipt, judged=judged, finished=tuple(key for key in receipt.finished if key not in failed)))


@dataclass(frozen=True, slots=True)
class _Ignoring:
    """What is left out from now on, in the vault's configuration."""

    ignored: tuple[tuple[SourceClaim, str], ...]
    file: Path
    path: str = VAULT_FILE
    ids: Collection[str] = (VAULT_FILE,)

    def compute(self, data: bytes | None, failed: Collection[str]) -> Computed:
        del failed
        former = data or b""
        text = _with_ignored(former.decode("utf-8"), self.ignored)
        load_text(text, self.file, Config)
        new = text.encode("utf-8")
        start = _shared(former, new)
        end = _shared(former[start:][::-1], new[start:][::-1])
        splice = Replacement(start, former[start : len(former) - end], new[start : len(new) - end])
        return Computed.of(self.path, data, [splice])


def _with_ignored(text: str, ignored: Sequence[tuple[SourceClaim, str]]) -> str:
    """A configuration that leaves more out; comments and everything else stay as they are."""
    import tomlkit
    from tomlkit.items import Array

    document = tomlkit.parse(text)
    for claim, reason in ignored:
        table = document.setdefault("sections" if claim.section else "sources", tomlkit.table())
        present = table.get("ignore")
        if not isinstance(present, Array):
            table["ignore"] = present = tomlkit.array()
            present = table["ignore"]
        value = f"{claim.path}#{claim.section}" if claim.section else literal(claim.path)
        if value not in present:
            present.add_line(value, comment=shorten(one_line(reason), _LONGEST_REASON))
    for name in ("sections", "sources"):
        listed = document.get(name, {}).get("ignore")
        if isinstance(listed, Array) and listed and not listed.as_string().rstrip("]").endswith("\n"):
            listed.add_line(indent="", newline=True)
    return tomlkit.dumps(document)


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
        if row.scope:
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
    section = triage.section_at(item.path, item.line)
    return TriageRow(item.id, item.words, item.path, item.line, section, triage.age(item), hint)
