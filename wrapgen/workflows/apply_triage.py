"""Carries out what a judge says is next and what is not, as far as its quotes prove it, under one receipt."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from wrapgen.config import VAULT_FILE
from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, Refusal
from wrapgen.model import Item, TriageVerdict
from wrapgen.text.display import one_line, shorten
from wrapgen.triage.claims import ItemClaim, SourceClaim, Triaged, decode_triaged
from wrapgen.triage.form import TriageForm, TriageRow
from wrapgen.triage.said import Record
from wrapgen.workflows.app import App
from wrapgen.workflows.config_edit import ConfigEdit
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.item_edit import ItemEdit, edit_document, item_edit
from wrapgen.workflows.line_edit import LineEdit
from wrapgen.workflows.line_writer import write_lines
from wrapgen.workflows.said_file import SAID_FILE
from wrapgen.workflows.triage import Triage
from wrapgen.workflows.triage_judge import OPEN, By, Judge, Proved
from wrapgen.workflows.vault_session import VaultSession

COMMAND = "triage"
_LONGEST_REASON = 160


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
    now = {one.item.id for one in made.run.outcomes if one.fate in OPEN}
    gone = [one.item.id for one in proved.verdicts if one.item.id not in now]
    proved.verdicts = [one for one in proved.verdicts if one.item.id in now]
    proved.refused += [Refusal(f"item {key[:6]}", "it was changed meanwhile") for key in gone]


def _carry_out(made: ItemEdit, proved: Proved, judge: Judge) -> None:
    """Tick, put aside, merge and leave out what was proved; the caller holds the lock and rebuilds afterwards."""
    done = [one for one in proved.verdicts if one.verdict is TriageVerdict.DONE and not one.is_of_source]
    finished = {item.id: item for one in done for item in one.own}
    of_item = {item.id: one.item.id for one in done for item in one.own}
    made.receipt = replace(made.receipt, finished=tuple(finished))
    ticks = made.tickable(finished.values())
    edits = [
        LineEdit(one.id, one.text, None, one.path, project=one.project, item=one)
        for one in finished.values()
        if one.id in ticks
    ]
    now = made.session.app.now

    def says(failed: Collection[str]) -> list[Record]:
        return judge.records(proved, now, {of_item[key] for key in failed if key in of_item}, ticks)

    left = _left_behind(made.session, proved, judge.by)
    ignored = tuple(proved.ignored)
    config = [ConfigEdit(made.session.app.root, partial(_with_ignored, ignored=ignored))] if ignored else []
    written = write_lines(made.session, edits, made.receipt, says, config)
    made.lines += written.lines
    failed = {of_item[key] for key in written.failed if key in of_item}
    if failed:
        receipt = made.session.memory.receipt(made.receipt.id)
        still = tuple(key for key in receipt.finished if of_item[key] not in failed)
        made.session.memory.close(replace(receipt, finished=still))
    proved.refused += [Refusal(f"item {key[:6]}", why) for key, why in written.failed.items() if key in of_item]
    proved.refused += [Refusal(key, why) for key, why in written.failed.items() if key == SAID_FILE]
    if why := written.failed.get(VAULT_FILE):
        proved.refused += [Refusal(name, why) for name, _, _ in ignored]
        proved.ignored.clear()
    elif ignored:
        made.session.app.reload()
        made.session.notes_changed()
    for line in proved.told(failed=failed):
        made.say(line)
    for one in done:
        if one.item.id not in failed:
            made.leave(one.joined)
    for item in left:
        made.say(f"still open, no longer first: {item.words}")
    made.more["no_longer_first"] = [item.id for item in left]


def _left_behind(session: VaultSession, proved: Proved, by: By) -> list[Item]:
    """Return what the former list of the project put first, and the new one does not name."""
    if proved.next is None or by == "person":
        return []
    named = {one.id for one in proved.next} | {one.item.id for one in proved.verdicts}
    items = {one.item.id: one.item for one in session.run.outcomes if one.fate in OPEN}
    return [
        items[key]
        for key, said in session.decisions.said.items()
        if said.leads and said.by != "person" and said.project == proved.project and key in items and key not in named
    ]


def _with_ignored(text: str, ignored: Sequence[tuple[str, str, str]]) -> str:
    """Return a configuration that leaves more out; comments and everything else stay as they are."""
    import tomlkit

    document = tomlkit.parse(text)
    table = document.setdefault("sources", tomlkit.table())
    present = table.setdefault("ignore", tomlkit.array())
    for _, glob, reason in ignored:
        if glob not in present:
            present.add_line(glob, comment=shorten(one_line(reason), _LONGEST_REASON))
    if present and not present.as_string().rstrip("]").endswith("\n"):
        present.add_line(indent="", newline=True)
    return tomlkit.dumps(document)


def ask(app: App, *, limit: int, everything: bool) -> int:
    """Ask about the page's items, and carry out what was marked; NoTerminalError with nobody to ask."""
    from wrapgen.session.prompt import is_filled_in, require_terminal

    session = VaultSession.look(app)
    triage = Triage(session)
    rows = [_row(triage, one.item) for one in triage.candidates(everything=everything)[:limit]]
    if not rows:
        app.say("nothing to judge: what the page shows was judged, and has not changed since (`--all` shows it)")
        return ExitCode.DONE
    require_terminal("Nothing was changed; run it in a terminal, or let an agent judge: `wrap triage --review`.")
    form = TriageForm(rows)
    if not is_filled_in(form, color=app.color):
        app.say("nothing was changed")
        return ExitCode.DONE
    proved, _ = apply_verdicts(app, answers(form), by="person")
    for refusal in proved.refused:
        app.warn(str(refusal))
    return ExitCode.COULD_NOT if proved.refused else ExitCode.DONE


def answers(form: TriageForm) -> Triaged:
    """Return what was marked, as a judge's answer; an item is named by its whole id."""
    said = Triaged()
    for row in form.rows:
        if row.is_next:
            said.first.append(row.id)
        elif row.scope:
            section = row.section if row.scope == "section" else ""
            said.sources.append(SourceClaim(row.path, "not_work", section, at=row.place if section else ""))
        elif row.verdict is TriageVerdict.SAME_AS:
            said.items.append(ItemClaim(row.id, row.verdict, other=form.above(row).id))
        elif row.verdict:
            said.items.append(ItemClaim(row.id, row.verdict))
    said.sources = list({(one.path, one.section): one for one in said.sources}.values())
    return said


def _row(triage: Triage, item: Item) -> TriageRow:
    hints = triage.hints(item)
    hint = f"{hints[0].text} ({hints[0].at})" if hints else ""
    return TriageRow(item.id, item.words, item.path, item.line, triage.section_of(item), triage.age(item), hint)
