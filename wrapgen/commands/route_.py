"""`wrap route`: file pending follow-ups."""

import click

from wrapgen.errors import ExitCode
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count
from wrapgen.workflows.app import App
from wrapgen.workflows.apply_answers import (
    apply_answers,
    as_suggested,
    ask,
    can_ask,
    open_to_ask,
    read_answers,
    route,
)
from wrapgen.workflows.vault_session import VaultSession


@verb(
    "route",
    "wrap route",
    "wrap route --answers answers.json",
    "wrap route --answers - --dry-run < answers.json",
    json=True,
)
@click.option("--answers", metavar="FILE", help="Read the answers from a file (- for stdin) instead of asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, but write nothing.")
def command(app: App, *, answers: str | None, dry_run: bool) -> int:
    """File pending follow-ups in your notes.

    On a terminal it asks once. Answers can also come from a file: `wrapgen.answers/1`, or the result of the question
    that `wrap orphans --ask` prints.
    """
    session = VaultSession.look(app) if answers is not None or dry_run else open_to_ask(app)
    if answers is None and (can_ask() or not dry_run):
        decided = ask(session)
    elif answers is not None:
        decided = read_answers(session, answers)
    else:
        decided = as_suggested(session)  # nobody to ask: what Enter would write
    if decided is None:
        app.say("nothing was written; everything stays pending")
        return ExitCode.DONE
    if dry_run:
        applied, pending = apply_answers(session, decided, dry_run=True), len(session.memory.pending)
    else:
        applied, pending = route(app, decided)
    if app.as_json:
        app.print_json(applied.as_json(pending))
    else:
        for trouble in applied.refusals():
            app.warn(trouble)
    for line in [*applied.told(dry_run=dry_run), f"{count(pending, 'follow-up')} pending"]:
        app.say(line)
    return ExitCode.COULD_NOT if applied.refused else ExitCode.DONE
