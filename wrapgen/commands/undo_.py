"""`wrap undo`: undo the last write."""

import click

from wrapgen.errors import ExitCode
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import rebuilt_after
from wrapgen.workflows.receipts import choose, undo
from wrapgen.workflows.vault_session import open_vault


@verb("undo", "wrap undo", "wrap undo 20260424T1802", json=True)
@click.argument("receipt", required=False)
def command(app: App, *, receipt: str | None) -> int:
    """Undo the last route, add, done, edit, move, snooze, keep or triage.

    RECEIPT: the id of an earlier change, or its start. Lines changed since then are kept.
    """
    with open_vault(app, strict=True) as session, rebuilt_after(session):
        undone = undo(session, choose(session.memory, receipt))
    code = ExitCode.COULD_NOT if undone.failed else ExitCode.DONE
    app.answer(
        {"schema": "wrapgen.undo/1", "command": undone.receipt.command, "receipt": undone.receipt.id,
         "removed": undone.removed, "restored": undone.restored, "kept": undone.gone, "failed": undone.failed}
    )  # fmt: skip
    kept = "kept, because it was changed since:"
    for word, lines in (("restored", undone.restored), ("removed", undone.removed), (kept, undone.gone)):
        for line in lines:
            app.say(f"{word} {line}")
    for failure in undone.failed:
        app.warn(failure)
    if not undone.failed:
        app.say(f"undone: {undone.receipt.command} {undone.receipt.id}")
    return code
