"""`wrap audit`, which accounts for every item and writes nothing; `wrap regen`, which only rebuilds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.errors import ExitCode
from wrapgen.terminal.verb import verb
from wrapgen.workflows.last_run import regenerate

if TYPE_CHECKING:
    from wrapgen.ledger import Run
    from wrapgen.workflows.app import App

# What `--strict` can look for, in the words of the JSON document.
CLASSES = ("lost", "untagged", "conflicts", "unreadable", "stale_boxes", "probably_done", "unread_sections", "expired")
DEFAULT_CLASSES = "lost,untagged,conflicts,unreadable"


@verb("audit", "wrap audit", "wrap audit --strict", "wrap audit --strict=untagged,expired --json", json=True)
@click.option(
    "--strict",
    is_flag=False,
    flag_value=DEFAULT_CLASSES,
    metavar="[CLASSES]",
    help=f"Exit 3 when any of these is found; by default {DEFAULT_CLASSES}. Known: {', '.join(CLASSES)}.",
)
def command(app: App, *, strict: str | None) -> int:
    """Account for every item, writing nothing: when you miss one, or in CI."""
    from wrapgen.workflows.rebuild import preview  # `regen` where nothing changed needs none of it

    classes = _classes(strict)
    rebuilt = preview(app)
    if app.as_json:
        app.print_json(rebuilt.as_json(app))
    elif not app.quiet:
        from wrapgen.terminal.audit_tables import Audit

        app.show(*Audit(rebuilt.run).printed(whole=app.verbose))
    found = [name for name in classes if _found(rebuilt.run, name)]
    if found and not app.as_json:
        app.warn(f"found: {', '.join(found)}")
    return ExitCode.FOUND if found else ExitCode.DONE


def _classes(strict: str | None) -> list[str]:
    if strict is None:
        return []
    names = [name.strip() for name in strict.split(",") if name.strip()]
    if not names:
        raise click.UsageError(f"--strict names no class; known are {', '.join(CLASSES)}.")
    for name in names:
        if name not in CLASSES:
            raise click.UsageError(f"--strict does not know {name!r}; known are {', '.join(CLASSES)}.")
    return names


def _found(run: Run, name: str) -> bool:
    from wrapgen.ledger import Concern

    match name:
        case "lost":
            return bool(run.follow_ups.lost)
        case "unreadable":
            return bool(run.troubles)
        case "unread_sections":
            return bool(run.unread)
        case "expired":
            return any(outcome.fate.value == name for outcome in run.outcomes)
        case _:
            return bool(run.about(Concern(name)))


@verb("regen", "wrap regen", "wrap --quiet regen", "wrap regen --check", json=True)
@click.option("--check", is_flag=True, help="Write nothing; exit 3 if a rebuild would change the dashboard.")
def regen(app: App, *, check: bool) -> int:
    """Rebuild the dashboard and nothing else: for cron, git hooks and CI."""
    if app.as_json:
        from wrapgen.workflows.rebuild import preview, rebuild

        rebuilt = preview(app) if check else rebuild(app)
        app.print_json(rebuilt.as_json(app))
        return ExitCode.FOUND if check and rebuilt.changed else ExitCode.DONE
    changed, line = regenerate(app, check=check)
    if check:
        state = "out of date; run `wrap regen`" if changed else "up to date"
    else:
        state = "rebuilt" if changed else "unchanged"
    app.say(f"{app.config.output}: {state}")
    app.say(line)
    return ExitCode.FOUND if check and changed else ExitCode.DONE
