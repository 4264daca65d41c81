"""`wrap uninstall`: undo `wrap install`."""

import shlex
from contextlib import suppress
from pathlib import Path

from wrapgen.errors import WrapgenError
from wrapgen.hosts import record
from wrapgen.terminal.verb import verb
from wrapgen.workflows import host_setup, user_config
from wrapgen.workflows.app import App


@verb("uninstall", "wrap uninstall claude", "wrap uninstall claude --scope local --dry-run")
@host_setup.HOST
@host_setup.SCOPE
@host_setup.DRY_RUN
def command(app: App, *, host: str | None, scope: str, dry_run: bool) -> None:
    """Undo `wrap install`.

    HOST is claude, codex, gemini or cursor. The settings are restored byte for byte if nobody has changed them
    since; otherwise only wrapgen's own entries are removed. What --contract wrote into wrapgen.toml is removed, too.
    Your notes and wrapgen's data in the vault are not touched.
    """
    host = host_setup.named(host, "uninstall")
    there = host_setup.guest(host, scope, contract=True)
    if dry_run:
        host_setup.show(app, there.farewell())
        for file in there.vaults:
            app.say(f"{file}: `contract` below [agents] would go")
        return
    with record.one_at_a_time():
        plan, vaults = there.farewell(), there.vaults
        there.uninstall(plan)
    app.wrote = True
    for change in plan.changes:
        app.say(f"{'removed' if change.after is None else 'restored'} {change.file}")
    if not plan.changes:
        app.say(f"{there.places.settings}: no wrapgen entries found")
    host_setup.warn(app, plan)
    for file, note in vaults.items():
        if file.exists():
            host_setup.say_off(app, file, note)
    with suppress(WrapgenError):
        if user_config.own().reader.command == host:
            user_config.set_own({"reader": {"command": ""}})
            app.say("conversations are no longer sent to a reader")
    with suppress(WrapgenError):  # a broken user configuration names no default; the uninstall itself is done
        if known := user_config.own().default_vault:
            vault = shlex.quote(str(Path(known).expanduser()))
            app.say(f"{known} is still your default vault; undo: wrap init {vault} --no-default")
