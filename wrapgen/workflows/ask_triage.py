"""Triage on a terminal: a person judges the page, a key a verdict."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wrapgen.errors import ExitCode
from wrapgen.model import TriageVerdict
from wrapgen.triage.claims import ItemClaim, SourceClaim, Triaged
from wrapgen.triage.form import TriageForm, TriageRow
from wrapgen.workflows.apply_triage import COMMAND, Judge, carry_out
from wrapgen.workflows.item_edit import item_edit
from wrapgen.workflows.rebuild import run_pipeline
from wrapgen.workflows.triage import Triage
from wrapgen.workflows.vault_session import VaultSession

if TYPE_CHECKING:
    from wrapgen.model import Item
    from wrapgen.workflows.app import App


def ask(app: App, *, limit: int, everything: bool) -> int:
    """Ask about the page's items, and carry out what was marked; nothing is written when the form is left.

    Raises:
        NoTerminalError: there is something to ask, and nobody to ask.
    """
    from wrapgen.session.form import FormLeftError
    from wrapgen.session.prompt import Terminal, require_terminal

    session = VaultSession.look(app)
    triage = Triage(session, run_pipeline(session))
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
    with item_edit(app, COMMAND) as made:
        proved = Judge(made.session, made.run, by="person").check(answers(form))
        carry_out(made, proved)
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
