"""`wrap doctor`: the table of checks, what is wrong, and what fixes it."""

from collections.abc import Iterator
from contextlib import nullcontext, suppress

import click

from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, WrapgenError
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count, visible
from wrapgen.workflows.app import App
from wrapgen.workflows.doctor import hosts, vault
from wrapgen.workflows.doctor.finding import Check, Finding, Level, Visit, ok, wrong

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
    visit = Visit(app)
    lines = [(check.name, finding) for check in _possible(visit) for finding in _findings(check, visit)]
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


CHECKS = (
    Check("vault", vault.vault, ""),
    Check("own file", vault.own_file, "", "valid"),
    Check("configuration", vault.configuration, "root"),
    Check("trust", vault.trust),
    Check("sources", vault.sources, well="every open box of the notes is read"),
    Check("templates", vault.templates),
    Check("follow-ups", vault.waiting, well="nothing pending, nothing expired"),
    Check("lock", vault.lock, mends=True, under_lock=False),
    Check("left behind", vault.left_behind, well="nothing", mends=True),
    Check("memory", vault.state_files, well="every line can be read", mends=True),
    Check("private", vault.private, "root", "private to you", mends=True, under_lock=False),
    Check("store", vault.store, well="nothing waits for it", mends=True, under_lock=False),
    Check("hooks", hosts.hooks, "", "no coding agent is set up here", mends=True, under_lock=False),
    Check("fired", hosts.fired, well="no agent is set up"),
    Check("hook log", hosts.troubles, "", "no trouble in the last week"),
    Check("reader", hosts.reader, well="none configured: rules and the session's own agent find follow-ups"),
    Check("conversations", hosts.unread, well="none is about to be deleted unsaved", mends=True),
)


def mend(visit: Visit) -> list[str]:
    """Fix what can be fixed without a decision.

    Each check runs again under the lock, since a concurrent run may have cleaned up after itself.
    """
    said: list[str] = []
    for check in _possible(visit):
        if not check.mends or not any(one.fix for one in _findings(check, visit)):
            continue
        try:
            with visit.app.locked() if check.under_lock else nullcontext():
                for finding in _findings(check, visit):
                    said += _fixed(finding)
        except WrapgenError as error:
            said.append(f"could not fix ({check.name}): {error}")
    return said


def _possible(visit: Visit) -> Iterator[Check]:
    """The checks whose requirements are met; the others would only repeat the same error."""
    met = {""}
    with suppress(WrapgenError):
        for name in ("root", "config"):
            getattr(visit.app, name)
            met.add(name)
    return (check for check in CHECKS if check.needs in met)


def _findings(check: Check, visit: Visit) -> list[Finding]:
    try:
        return list(check.look(visit)) or [ok(check.well)]
    except WrapgenError as error:
        return [wrong(error.what, error.where or "", error.next_step or "")]
    except OSError as error:
        return [wrong(f"cannot be checked ({error.strerror or error})", str(error.filename or ""))]


def _fixed(finding: Finding) -> list[str]:
    if finding.fix is None:
        return []
    try:
        return list(finding.fix())
    except WrapgenError as error:
        return [f"could not fix {finding.where}: {error}"]
    except OSError as error:
        return [f"could not fix {finding.where}: {error.strerror or error}"]
