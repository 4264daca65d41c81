"""`wrap triage`: who can judge, judges the page."""

import click

from wrapgen.errors import ExitCode
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.apply_triage import ask, take
from wrapgen.workflows.triage import MOST_ITEMS, look


@verb(
    "triage",
    "wrap triage",
    "wrap triage --review --limit 12",
    "wrap triage --review --next",
    "wrap triage --reviewed verdicts.json",
    json=True,
)
@click.option(
    "--review", is_flag=True, help="Print what a judge needs: instructions, what is next, items, facts about them."
)
@click.option("--next", "only_next", is_flag=True, help="With --review: only what is next, in few words.")
@click.option("--reviewed", metavar="FILE", help="Carry out a judge's verdicts; - for stdin.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=MOST_ITEMS, show_default=True, help="How many items at most."
)
@click.option("--all", "everything", is_flag=True, help="Also items that were judged and have not changed since.")
@click.option("--dry-run", is_flag=True, help="Check the verdicts, and write nothing.")
def command(
    app: App, *, review: bool, only_next: bool, reviewed: str | None, limit: int, everything: bool, dry_run: bool
) -> int:
    """Say what is next and what is not: done, no work, put off, the same.

    On a terminal it is one form, a key a verdict. An agent that works in the repository judges with --review and
    --reviewed: what it says is believed only as far as its quotes stand where it says. `wrap undo` takes all of it
    back.
    """
    if review and reviewed:
        raise click.UsageError("Use only one of --review and --reviewed.")
    if only_next and not review:
        raise click.UsageError("--next goes with --review.")
    if review:
        app.print_json(look(app, limit=limit, everything=everything, only_next=only_next))
        return ExitCode.DONE
    if reviewed is None:
        return ask(app, limit=limit, everything=everything)
    proved = take(app, reviewed, dry_run=dry_run)
    for one in proved.refused:
        app.warn(f"refused: {one}")
    if dry_run:
        for line in proved.told():
            app.say(line)
    return ExitCode.COULD_NOT if proved.refused else ExitCode.DONE
