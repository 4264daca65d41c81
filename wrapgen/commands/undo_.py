"""`wrap undo`: take the last write back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.help import examples
from wrapgen.commands.rebuild import rebuilt_after
from wrapgen.commands.remembering import remembering
from wrapgen.commands.undoing import choose, undo
from wrapgen.errors import ExitCode

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command("undo", epilog=examples("wrap undo", "wrap undo 20260424T1802"))
@click.argument("receipt", required=False)
@click.pass_obj
def command(app: App, *, receipt: str | None) -> int:
    """Take the last routing, add, done, snooze or keep back.

    RECEIPT: the name of an earlier one, or its beginning. Lines that were changed since are left alone.
    """
    with remembering(app, strict=True) as memory, rebuilt_after(app):
        undone = undo(app, memory, choose(memory, receipt))
    for line in undone.removed:
        app.say(f"took back {line}")
    for line in undone.gone:
        app.say(f"left alone, it was changed since: {line}")
    for failure in undone.failed:
        app.warn(failure)
    if not undone.failed:
        app.say(f"undone: {undone.receipt.command} {undone.receipt.id}")
    return ExitCode.COULD_NOT if undone.failed else ExitCode.DONE
