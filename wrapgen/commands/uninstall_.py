"""`wrap uninstall`: go as one came."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.commands import hosting, userfile
from wrapgen.commands.help import examples
from wrapgen.errors import WrapgenError
from wrapgen.hosts import record

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command("uninstall", epilog=examples("wrap uninstall claude", "wrap uninstall claude --scope local --dry-run"))
@hosting.HOST
@hosting.SCOPE
@hosting.DRY_RUN
@click.pass_obj
def command(app: App, *, host: str, scope: str, dry_run: bool) -> None:
    """Take back what `wrap install` did.

    HOST is claude, codex or gemini. The settings get back the bytes that they had, if nobody has changed them
    since; otherwise wrapgen's own entries go and all else stays. Your vault and what wrapgen remembers there are
    not touched.
    """
    there = hosting.guest(host, scope)
    if dry_run:
        hosting.show(app, there.farewell())
        return
    with record.one_at_a_time():
        plan = there.farewell()
        there.uninstall(plan)
    for change in plan.changes:
        app.say(f"{'removed' if change.after is None else 'restored'} {change.file}")
    if not plan.changes:
        app.say(f"{there.places.settings}: nothing of wrapgen stands there")
    hosting.warn(app, plan)
    with suppress(WrapgenError):
        if userfile.reader().command == host:
            userfile.name_reader("")
            app.say("no conversation is sent to a reader any more")
    with suppress(WrapgenError):  # a broken file of the user's own names no default, and all that was asked for is done
        if known := userfile.default_vault():
            vault = shlex.quote(str(Path(known).expanduser()))
            app.say(f"{known} stays your default vault; take that back with: wrap init {vault} --no-default")
