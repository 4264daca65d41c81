"""`wrap explain`: what became of an item, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wrapgen.commands.completing import item_numbers
from wrapgen.commands.help import examples
from wrapgen.commands.picking import meant
from wrapgen.commands.rebuild import collect
from wrapgen.commands.report import tagged
from wrapgen.dashboard.document import item_record
from wrapgen.errors import ExitCode, WrapgenError
from wrapgen.folding import fold
from wrapgen.model import Fate
from wrapgen.pipeline import run as pipeline
from wrapgen.pipeline.nearby import refused
from wrapgen.text import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.commands.app import App
    from wrapgen.ledger import Outcome, Run
    from wrapgen.model import Evidence, Item

EXPLAIN_SCHEMA = "wrapgen.explain/1"
_TEXT_LIMIT = 300
_NEAR_LIMIT = 80


@click.command(
    "explain",
    epilog=examples(
        'wrap explain "restore runbook"',
        "wrap explain 3",
        "wrap explain b5ce0e",
        "wrap explain projects/web/todos.md:8",
    ),
)
@click.argument("text_or_id", shell_complete=item_numbers)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def command(app: App, *, text_or_id: str, as_json: bool) -> int:
    """Say what became of an item, and by which evidence.

    What reads much like it and yet counts as other work is named too, with the rule that says so.

    TEXT_OR_ID: its number in `wrap list`, the beginning of its id, its place as path:line, or words of it. A number
    of the list always means that item, even if others have it in their words.
    """
    contents = app.glance().read()
    collected = collect(app, contents)
    run = collected.run
    found = find(run, text_or_id)
    known = pipeline.collect(contents, projects=collected.projects, config=app.config, today=app.day)
    entries: list[Item | Evidence] = [*known.kept, *known.evidence]
    if as_json:
        items = [{**item_record(one), "refused": _refused(app, one.item, entries)} for one in found]
        app.print_json({"schema": EXPLAIN_SCHEMA, "query": text_or_id, "items": items})
        return ExitCode.DONE if found else ExitCode.COULD_NOT
    if not found:
        raise WrapgenError(
            f"no collected item matches {text_or_id!r}",
            next_step="Only open items of the four sources are collected; `wrap list --all` shows those still open.",
        )
    for one in found:
        item = one.item
        app.say(f"{item.id}  {tagged(item.project, shorten(item.text, _TEXT_LIMIT))}")
        app.say(f"  stands at    {item.place} ({item.kind}{f', raised {item.raised}' if item.raised else ''})")
        app.say(f"  fate         {_fate(run, one)}")
        for near in refused(item, entries, app.config):
            what = "not done by" if near.done else "not one with"
            words = f"{shorten(near.text, _NEAR_LIMIT)} ({near.score:.1f} % alike)"
            app.say(f"  {what:12s} {near.path}:{near.line} {words}: {near.rule}")
    return ExitCode.DONE


def find(run: Run, words: str) -> list[Outcome]:
    """The items that a person means: by number, by place, by the beginning of the id, else by words.

    Args:
        run: the run.
        words: words of the text, a number of `wrap list`, an id's first four digits or more, or `path:line`.
    """
    if found := meant(run, words):
        return found
    folded = fold(words).text
    return [one for one in run.outcomes if folded in one.item.folded.text] if folded else []


def _refused(app: App, item: Item, entries: Sequence[Item | Evidence]) -> list[dict[str, object]]:
    return [{**near._asdict(), "score": round(near.score, 1)} for near in refused(item, entries, app.config)]


def _fate(run: Run, outcome: Outcome) -> str:
    because = outcome.because
    match outcome.fate:
        case Fate.SHOWN:
            twins = outcome.item.twins
            also = f"; also said at {', '.join(f'{path}:{line}' for path, line in twins)}" if twins else ""
            return f"shown as number {outcome.rank}{also}"
        case Fate.OVERFLOW:
            return "overflow: beyond the cap, `wrap list --all` shows it"
        case Fate.EXPIRED:
            return "expired: its journal is older than the look-back, `wrap list --expired` shows it"
        case Fate.RESOLVED if because:
            return f"resolved by {because.path}:{because.line} ({because.score:g} % alike)"
        case Fate.DUPLICATE if because:
            return f"duplicate of {because.path}:{because.line} ({because.score:g} % alike, item {because.item})"
        case _:
            return outcome.fate.value
