"""`wrap regen`: rebuild the dashboard, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.help import examples
from wrapgen.commands.rebuild import preview, rebuild
from wrapgen.dashboard.balance import audit_line
from wrapgen.errors import ExitCode

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command(
    "regen",
    epilog=examples(
        "wrap regen",
        "wrap --quiet regen",
        "wrap regen --check",
    ),
)
@click.option("--check", is_flag=True, help="Write nothing; exit 3 if a rebuild would change the dashboard.")
@click.option("--json", "as_json", is_flag=True, help="Print the audit as one JSON document.")
@click.pass_obj
def command(app: App, *, check: bool, as_json: bool) -> int:
    """Rebuild the dashboard under the lock, for cron and scripts."""
    rebuilt = preview(app) if check else rebuild(app)
    if as_json:
        app.print_json(rebuilt.as_json(app))
    else:
        if check:
            state = "out of date; run `wrap regen`" if rebuilt.changed else "up to date"
        else:
            state = "rebuilt" if rebuilt.changed else "unchanged"
        app.say(f"{app.config.output}: {state}")
        app.say(audit_line(rebuilt.run))
    return ExitCode.FOUND if check and rebuilt.changed else ExitCode.DONE
