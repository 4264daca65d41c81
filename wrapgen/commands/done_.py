"""`wrap done`, `snooze`, `keep` and `undo`: what somebody says of items, and taking it back."""

import shlex
from collections.abc import Collection
from dataclasses import replace
from datetime import date

import click

from wrapgen.days import day_meant, moved
from wrapgen.errors import ConfigError, ExitCode, UsageError
from wrapgen.model import Fate, Item, TriageVerdict
from wrapgen.notes import Kind
from wrapgen.session.follow_up import Route
from wrapgen.session.memory import Step
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.verb import verb
from wrapgen.triage.said import Record
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import ItemEdit, item_edit
from wrapgen.workflows.line_edit import LineEdit
from wrapgen.workflows.line_writer import write_lines
from wrapgen.workflows.rebuild import rebuilt_after
from wrapgen.workflows.receipts import choose, recover, undo, undoable, what_of
from wrapgen.workflows.said_edit import remember, verdict_of_person
from wrapgen.workflows.vault_session import VaultSession, open_vault


@verb(
    "done",
    "wrap done 2",
    "wrap done 1 4",
    "wrap done 5-7",
    "wrap done restore runbook",
    "wrap done projects/web/todos.md:8",
    json=True,
)
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=item_names)
def command(app: App, *, items: tuple[str, ...]) -> int:
    """Finish items: tick the box, or add a line to today's Done.

    Whatever was merged into an item is ticked too. A line without a box stays as it is where you keep no journal.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item.
    """
    with item_edit(app, "done") as made:
        chosen = picked(made.session, items)
        made.name(chosen)
        finished, joined = made.parts(chosen)
        boxed = made.tickable(finished)
        edits = {edit.id: edit for item in chosen for edit in _edits(app, made, item, boxed)}
        made.receipt = replace(made.receipt, finished=tuple(item.id for item in finished))
        ticked = {edit.id for edit in edits.values() if edit.route is None}
        bare = [item for item in finished if item.own_list and item.id not in edits and _is_open(made, item)]
        named = [item for item in finished if item.kind is Kind.SAID and item not in bare]
        unticked = [item for item in (*bare, *named, *joined) if item.id not in ticked]

        now = app.now

        def says(failed: Collection[str]) -> list[Record]:
            done = (item for item in unticked if item.id not in failed)
            return [verdict_of_person(now, item, TriageVerdict.DONE) for item in done]

        written = write_lines(made.session, list(edits.values()), made.receipt, says)
        made.wrote(written)
        made.leave(joined)
        for line in made.lines:
            made.say(f"done: {line.path}:{line.number}  {line.line}")
        for item in bare:
            made.say(f"done: {item.place}  {item.text}; its line has no box and stays as it is")
        for item in chosen:
            ids = {one.id for one in made.group([item])}
            if item.recurrence and ids & {line.id for line in made.lines}:
                _tell_next(made, item, next((text for key, text in written.then.items() if key in ids), None))
    return ExitCode.COULD_NOT if made.failed else ExitCode.DONE


def _tell_next(made: ItemEdit, item: Item, text: str | None) -> None:
    for one in made.items:
        if one["id"] == item.id:
            one["next"] = text
    if text is not None:
        made.say(f"next: {text}")
    else:
        if item.box:
            made.say(f"its rule is not understood, so no next one was written: {item.recurrence}")
        made.say(f"it repeats; next one: {_next_one(item, made.session.app.day)}")


def _next_one(item: Item, today: date) -> str:
    """Return the command that adds the next occurrence, raised tomorrow so that today's Done is older."""
    words = f"{item.text} 🔁 {item.recurrence} ➕ {moved(today, 1)}"
    return shlex.join(["wrap", "add", words, *(("-p", item.project) if item.project else ())])


def _is_open(made: ItemEdit, item: Item) -> bool:
    return all(one.item.id != item.id for one in made.run.of(Fate.RESOLVED))


def _edits(app: App, made: ItemEdit, item: Item, tickable: Collection[str]) -> list[LineEdit]:
    """Return what finishes an item and what is merged into it: boxes, else lines in today's Done, one for each wording.

    Nothing when it has no box, and evidence already resolved it or no journals are kept.
    """
    group, _ = made.parts([item])
    boxed = [one for one in group if one.id in tickable]
    because = next((one.because for one in made.run.of(Fate.RESOLVED) if one.item.id == item.id), None)
    if because and not boxed:
        made.say(f"already done, see {because.path}:{because.line}: {item.text}")
        return []
    edits = [LineEdit(one.id, one.text, None, one.path, project=one.project, item=one) for one in boxed]
    finished = {one.folded.text for one in boxed}
    for one in group:
        if one.folded.text not in finished and not (made.session.index.places.home and one.own_list):
            finished.add(one.folded.text)
            alike = [other for other in group if other.folded.text == one.folded.text]
            edits.append(_done_line(app, made, one, alike))
    return edits


def _done_line(app: App, made: ItemEdit, item: Item, alike: list[Item]) -> LineEdit:
    # An item of a future journal can only be finished there: a Done of today would be older than it.
    ahead = item.kind is Kind.JOURNAL_NEXT and item.raised is not None and item.raised > app.day
    path = item.path if ahead else made.session.index.places.journal
    if not path:
        raise ConfigError(made.session.index.places.journal_trouble)
    after = max((one.line for one in alike if one.path == path), default=0)
    return LineEdit(item.id, item.text, Route.JOURNAL, path, project=item.project, done=True, after=after)


@verb("snooze", "wrap snooze 3 7", "wrap snooze 1 4 fri", "wrap snooze 2 2w", "wrap snooze 3 off", json=True)
@click.argument("words", nargs=-1, required=True, metavar="N... WHEN", shell_complete=item_names)
def snooze(app: App, *, words: tuple[str, ...]) -> None:
    """Hide items until a day.

    Their files stay as they are; `wrap list --snoozed` shows them, `off` shows them again.

    N: a number of the list that was printed last, a range, a handle, path:line, or the words of one item. WHEN: a
    number of days, `2w`, `tomorrow`, a weekday such as `fri`, a date, or `off`.
    """
    *items, until = words
    day = date.min if until.casefold() == "off" else day_meant(until, app.day)
    if day is None or not items:
        what = f"{until!r} is not a future day" if items else f"WHEN is missing: until when shall {until!r} be hidden"
        raise UsageError(
            what, next_step="Say when: a number of days, 2w, 3m, tomorrow, fri, a date such as 2026-04-24, or off."
        )
    with item_edit(app, "snooze") as made:
        chosen = picked(made.session, items)
        made.name(chosen, until=None if day == date.min else day)
        made.close(replace(made.receipt, snoozed={item.id: day for item in made.group(chosen)}))
        for item in chosen:
            said = "no longer hidden" if day == date.min else f"hidden until {day:%a} {day}"
            made.say(f"{said}: {item.place}  {item.text}")


@verb("keep", "wrap keep b5ce0eee3176", "wrap keep projects/web/todos.md:7", json=True)
@click.argument("items", nargs=-1, required=True, metavar="N...", shell_complete=item_names)
def keep(app: App, *, items: tuple[str, ...]) -> None:
    """Reopen or un-merge items.

    Use it when wrapgen wrongly took an item for done, or merged it with another. Of one that others are merged into,
    those stand alone again.

    N: a handle, an id or path:line, as shown by `wrap explain`, a number of the list that was printed last, or the
    words of one item.
    """
    with item_edit(app, "keep") as made:
        chosen = picked(made.session, items, dropped_first=True)
        ids = {item.id for item in chosen}
        merged = [
            one.item
            for one in made.run.of(Fate.DUPLICATE)
            if one.because and one.because.item in ids and one.item.id not in ids
        ]
        made.name([*chosen, *merged])
        judged = [item for item in (*chosen, *merged) if item.id in made.session.decisions.judged]
        receipt = replace(made.receipt, kept=tuple(item.id for item in (*chosen, *merged)))
        if judged:
            opened = [verdict_of_person(app.now, item, TriageVerdict.OPEN) for item in judged]
            remember(made.session, receipt, opened)
        else:
            made.close(receipt)
        snoozed = made.session.decisions.snoozed
        for item in chosen:
            made.say(f"kept: {item.place}  {item.text}")
            if (until := snoozed.get(item.id)) and until > app.day:
                made.say(f"it stays hidden until {until}; to show it: wrap snooze {item.id[:8]} off")
        for item in merged:
            made.say(f"no longer merged: {item.place}  {item.text}")


@verb("undo", "wrap undo", "wrap undo 20260424T1802", "wrap undo --list", json=True)
@click.argument("receipt", required=False)
@click.option("--list", "listed", is_flag=True, help="Show the last ten that can be undone.")
def undo_last(app: App, *, receipt: str | None, listed: bool) -> int:
    """Undo the last route, add, done, edit, move, snooze, keep, next or triage.

    RECEIPT: the id of an earlier change, or its start. Lines changed since then are kept and named, and what is not
    back can be undone again.
    """
    if listed:
        return _list_receipts(app)
    with open_vault(app, finish=False) as session, rebuilt_after(session):
        chosen = choose(session.memory, receipt)
        recover(session, but=chosen.id)
        undone = undo(session, chosen)
    app.answer(
        {"schema": "wrapgen.undo/1", "command": chosen.command, "receipt": chosen.id, "undone": undone.whole,
         "removed": undone.removed, "restored": undone.restored, "decisions": undone.decisions, "gone": undone.gone,
         "kept": undone.kept, "failed": undone.failed}
    )  # fmt: skip
    for word, lines in (
        ("restored", undone.restored), ("removed", undone.removed), ("no longer", undone.decisions),
        ("not there any more:", undone.gone),
        ("kept, because it was changed since:", undone.kept),
    ):  # fmt: skip
        for line in lines:
            app.say(f"{word} {line}")
    for failure in undone.failed:
        app.warn(failure)
    what = f"{chosen.command} {chosen.id}"
    if undone.whole:
        app.say(f"undone: {what}")
        return ExitCode.DONE
    if undone.kept:
        step = "put it right by hand and undo it again, or an earlier one: wrap undo --list"
        app.warn(f"not undone, or not all of it: {what}; {step}")
    return ExitCode.COULD_NOT


_MOST_LISTED = 10


def _list_receipts(app: App) -> int:
    session = VaultSession.look(app)
    receipts = undoable(session.memory)[: -_MOST_LISTED - 1 : -1]
    app.answer(
        {"schema": "wrapgen.receipts/1",
         "receipts": [{"receipt": one.id, "at": one.at, "command": one.command, "step": one.step, "files": one.paths,
                       "what": what_of(session, one)} for one in receipts]}
    )  # fmt: skip
    for one in receipts:
        left = {Step.PLANNED: " (interrupted)", Step.UNDOING: " (undone in part)"}.get(one.step, "")
        app.say(f"{one.id}  {one.command}{left}: {'; '.join(what_of(session, one))}")
    if not receipts:
        app.say("there is nothing to undo")
    return ExitCode.DONE
