"""`wrap doctor`: what is wrong, and what fixes it."""

import click

from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, WrapgenError
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count, visible
from wrapgen.workflows.app import App
from wrapgen.workflows.doctor.checks import examine, mend
from wrapgen.workflows.doctor.finding import Finding, Level, Visit

_STYLES = {Level.OK: "green", Level.NOTE: "cyan", Level.WARNING: "yellow", Level.WRONG: "bold red"}


@verb("doctor", "wrap doctor", "wrap doctor --fix", "wrap doctor --fix --host nas", "wrap doctor --json", json=True)
@click.option("--fix", is_flag=True, help="Fix what can be fixed without your decision, and report what was done.")
@click.option(
    "--host", metavar="NAME", help="With --fix: that host is gone for good; clear the shared lock it left behind."
)
def command(app: App, *, fix: bool, host: str | None) -> int:
    """Find problems with a vault and its setup, and fix them.

    Each finding names the command that fixes it. Exit 3 if something is wrong. --fix deletes only the cache and files
    left behind by interrupted runs; your own text is restored, or kept where it says.
    """
    if host and not fix:
        raise click.UsageError("--host needs --fix.")
    mended = mend(Visit(app, host)) if fix else []
    lines = examine(Visit(app))
    wrong, warnings = (sum(one.level is level for _, one in lines) for level in (Level.WRONG, Level.WARNING))
    try:
        vault: str | None = str(app.root)
    except WrapgenError:
        vault = None
    found = [
        {
            "check": check,
            **fields(one, "level what"),
            "where": one.where or None,
            "mend": one.mend or None,
            "fixable": one.fix is not None,
        }
        for check, one in lines
    ]
    counts = {"wrong": wrong, "warnings": warnings, "mended": mended}
    app.answer({"schema": "wrapgen.doctor/1", "vault": vault, **counts, "findings": found})
    for done in mended:
        app.say(done)
    _print(app, lines)
    app.say(f"{wrong} wrong, {count(warnings, 'warning')}" if wrong or warnings else "no problems found")
    return ExitCode.FOUND if wrong else ExitCode.DONE


def _print(app: App, lines: list[tuple[str, Finding]]) -> None:
    from rich.text import Text

    widest = max(len(check) for check, _ in lines)
    for check, one in lines:
        text = Text(f"{one.level.value:<8}", style=_STYLES[one.level])
        text.append(f"{check:<{widest}}  ", style="bold")
        place = f"{one.where}: " if one.where else ""
        text.append(visible(f"{place}{one.what}"))
        if one.mend:
            text.append(visible(f" → {one.mend}"), style="dim")
        app.show(text)
