"""`wrap brief`: what a sub-agent must know about the session, and how many tokens a text costs."""

from pathlib import Path

import click

from wrapgen.brief import LANGUAGES, SNAPSHOT_MAX_TOKENS, create_snapshot, diff_snapshots, fitted
from wrapgen.dashboard.document import fields
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.given_files import read_bytes, read_json

_NO_EXTRA = 'needs an extra; in a checkout of wrapgen: pip install ".[tokens]"'


@verb(
    "brief",
    "wrap brief",
    "wrap brief --state session.json --lang ko",
    "wrap brief --format json > before.json && wrap brief --since before.json",
    "wrap brief --count CLAUDE.md",
)
@click.option("--state", metavar="FILE", help="Read the session's state from a JSON file (- for stdin).")
@click.option(
    "--lang", type=click.Choice(LANGUAGES), help="Language of the labels; by default, `lang` in wrapgen.toml."
)
@click.option(
    "--format", "form", type=click.Choice(["xml", "json"]), default="xml", help="Output format: a text block, or JSON."
)
@click.option(
    "--budget", type=click.IntRange(min=1), default=SNAPSHOT_MAX_TOKENS, metavar="N", help="Maximum number of tokens."
)
@click.option("--since", metavar="FILE", help="Only what is new since an earlier state or --format json output.")
@click.option("--count", metavar="FILE", help="Only count the tokens of a text (- for stdin).")
def command(
    app: App, *, state: str | None, lang: str | None, form: str, budget: int, since: str | None, count: str | None
) -> None:
    """Tell a sub-agent what the session is doing, within a token budget.

    Use it when you write a sub-agent's prompt: it knows nothing of the session, so put what this prints on top.

    Without --state: the active task, files changed according to git, the newest decisions, and open items in the
    project of this folder.
    """
    if count is not None:
        if state is not None or since is not None:
            raise click.UsageError("--count cannot be combined with --state or --since.")
        _print_count(app, read_bytes(count).decode("utf-8", "replace"), as_json=form == "json")
        return
    if state is None:
        from wrapgen.workflows.session_brief import known_state

        snapshot = create_snapshot(known_state(app, Path.cwd()))
    else:
        snapshot = create_snapshot(read_json(state))
    if since is not None:
        snapshot = diff_snapshots(create_snapshot(read_json(since)), snapshot)
    made = fitted(snapshot, lang=lang or app.language, budget=budget)
    if made.tokens > budget:
        app.warn(f"even an empty block takes {made.tokens} tokens; --budget {budget} is too small")
    if form == "json":
        app.print_json(
            {  # a state that `--state` and `--since` take, and the block
                "schema": "wrapgen.brief/1",
                "generated_at": snapshot.generated_at or None,
                "branch": snapshot.branch or None,
                "task_description": snapshot.task,
                **fields(snapshot, "files decisions teammates pending"),
                **fields(made, "omitted tokens"),
                "block": made.text,
            }
        )
    else:
        click.echo(made.text)


def _print_count(app: App, text: str, *, as_json: bool) -> None:
    from wrapgen.text.tokens import conservative_tokens, exact_tokens, legacy_tokens

    counts = {
        "characters": len(text),
        "legacy": legacy_tokens(text),
        "conservative": conservative_tokens(text),
        "exact": exact_tokens(text),
    }
    if as_json:
        app.print_json({"schema": "wrapgen.tokens/1", **counts})
        return
    for name in ("conservative", "exact", "legacy", "characters"):
        app.say(f"{name:12}  {_NO_EXTRA if counts[name] is None else counts[name]}")
