"""`wrap stage`: where a task stands, saved for the session that resumes it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.commands.stage_reading import archived, diff, listed, next_, show, snapshots_of
from wrapgen.errors import UsageError
from wrapgen.terminal.verb import examples, verb
from wrapgen.text.display import count

if TYPE_CHECKING:
    from wrapgen.stage.compose import Composed
    from wrapgen.stage.record import Body, FrontMatter
    from wrapgen.stage.store import Snapshots
    from wrapgen.workflows.app import App


# The second name is datarim's, whose agents call this command unchanged.
DISABLE_VARIABLES = ("WRAPGEN_DISABLE_SNAPSHOT", "DATARIM_DISABLE_SNAPSHOT")
_STAGE = "do"
"""The stage of who names none: work that goes on."""
# How long to wait for stdin that was not asked for: it may never deliver anything.
_UNNAMED_SECONDS = 5.0
_MOST_OPTION_BYTES = 1 << 16


class _Write(click.Command):
    """Checks the kill switch before anything else, even before parsing its arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if any(os.environ.get(name) == "1" for name in DISABLE_VARIABLES):
            ctx.exit(0)
        return super().parse_args(ctx, args)


@verb(
    "write",
    'wrap stage write --task WEB-12 --text "login works; the reset mail is next"',
    "wrap stage write --task TUNE-0254 --stage plan --command /dr-plan --recommended-next /dr-do <answer.md",
    'wrap stage write --task WEB-1024 --stage do --command /do --recommended-next /qa --option "/do again"',
    cls=_Write,
)
@click.option("--task", metavar="ID", help="The task, such as TUNE-0254, web-12 or #12.  [required]")
@click.option("--stage", metavar="STAGE", help="The stage that ended, a plain word such as plan; `do` by default.")
@click.option("--command", "ran", metavar="TEXT", help="The command that ran it; by default `/` and the stage.")
@click.option("--recommended-next", metavar="TEXT", help="How to go on; by default `continue` and the task.")
@click.option("--option", "options", multiple=True, metavar="TEXT", help="Another way to go on (repeatable).")
@click.option("--options-file", type=click.Path(path_type=Path), metavar="FILE", help="More options, one per line.")
@click.option(
    "--body-file", metavar="FILE", help="The answer to keep (- for stdin); without it, stdin unless that is a terminal."
)
@click.option("--text", metavar="TEXT", help="The text to keep, instead of a file or stdin.")
@click.option("--captured-by", metavar="NAME", help="Who writes this; `agent` by default.")
@click.option("--captured-at", metavar="ISO", help="When the stage ended; now by default.")
def write(  # noqa: PLR0913 - the options of the command line
    app: App,
    *,
    task: str | None,
    stage: str | None,
    ran: str | None,
    recommended_next: str | None,
    options: tuple[str, ...],
    options_file: Path | None,
    body_file: str | None,
    text: str | None,
    captured_by: str | None,
    captured_at: str | None,
) -> None:
    """Save where a task stands, so that another session can go on from there.

    The file is at most 8,192 bytes: a longer answer keeps its head and its tail. It gives up on stdin, and writes
    nothing, after a minute of silence (five seconds without --body-file) or ten minutes in all.
    """
    from wrapgen.stage.compose import compose
    from wrapgen.stage.context import here
    from wrapgen.stage.record import Body, FrontMatter, canonical_time, one_line_value

    if not task:
        raise UsageError("missing: --task", next_step="Name the task: `wrap stage write --task WEB-12`.")
    if text is not None and body_file is not None:
        raise UsageError("--text and --body-file are both given", next_step="Leave one of them out.")
    snapshots = snapshots_of(app)
    task, stage = snapshots.id_of(task), stage or _STAGE
    header = FrontMatter(
        task_id=task,
        stage=stage,
        command=one_line_value("--command", ran or f"/{stage}"),
        captured_at=canonical_time(captured_at) if captured_at else _now(app),
        captured_by=one_line_value("--captured-by", captured_by or "agent"),
        recommended_next=one_line_value("--recommended-next", recommended_next or f"continue {task}"),
        options=tuple(one_line_value("--option", option) for option in options if option),
    )
    _check(app, snapshots, header)
    header = _with_options(app, header, options_file)
    body = _body(body_file) if text is None else Body.of(text.encode("utf-8", "replace"))
    if not (body.head.strip() or recommended_next or header.options):
        step = 'Say it with --text "login works; the reset mail is next", or pipe the answer in.'
        raise UsageError("nothing says where the task stands, so nothing was written", next_step=step)
    composed = compose(header, body)
    path, forgotten = snapshots.write(header.task_id, composed.data, here())
    app.wrote = True
    if forgotten is not None:
        app.warn(f"the snapshot is written, but its branch is not: {forgotten}")
    app.say(f"snapshot: {path.relative_to(app.root).as_posix()} ({len(composed.data)} bytes{_left_out(composed)})")


def _left_out(composed: Composed) -> str:
    """What did not fit into a snapshot, as the end of its line."""
    cut = ["the text is cut"] if composed.cut else []
    cut += [f"{count(composed.dropped, 'option')} left out"] if composed.dropped else []
    return f", {' and '.join(cut)} to fit" if cut else ""


def _now(app: App) -> str:
    from datetime import UTC

    from wrapgen.stage.record import utc_text

    try:
        return utc_text(app.now)
    except OverflowError:  # the first or the last day of the calendar
        return utc_text(app.now.replace(tzinfo=UTC))


def _check(app: App, snapshots: Snapshots, header: FrontMatter) -> None:
    from wrapgen.errors import SnapshotError
    from wrapgen.stage.record import is_stage

    snapshots.path(header.task_id)
    if not is_stage(header.stage, app.config.stage):
        names = ", ".join(app.config.stage.names)
        raise SnapshotError(f"{header.stage!r} is not a stage", next_step=f"The stages are: {names}; or a plain word.")


def _with_options(app: App, header: FrontMatter, file: Path | None) -> FrontMatter:
    """The header with the options from a file; a missing file does not prevent the snapshot."""
    from dataclasses import replace

    from wrapgen.vault import disk

    if file is None:
        return header
    try:
        with disk.opened(file) as descriptor:
            data = disk.content(descriptor, _MOST_OPTION_BYTES)
    except OSError as error:
        app.warn(
            f"{file}: the options cannot be read ({error.strerror or error}); the snapshot is written without them"
        )
        return header
    lines = data.replace(b"\0", b"").decode("utf-8", "replace").splitlines()
    return replace(header, options=(*header.options, *(line for line in lines if line)))


def _body(file: str | None) -> Body:
    """The text: from the file named, else from stdin when a program is at its other end."""
    import sys

    from wrapgen.errors import SnapshotError
    from wrapgen.stage.body import read_file, read_stream
    from wrapgen.stage.record import Body
    from wrapgen.streams import given_input

    if file not in (None, "-"):
        return read_file(Path(file or ""))
    stdin = sys.stdin
    try:
        if file is None:
            return Body.of(b"") if stdin is None or stdin.isatty() else read_stream(stdin.buffer, _UNNAMED_SECONDS)
        return read_stream(given_input())
    except (OSError, ValueError, AttributeError) as error:  # closed, or no stream of bytes
        if file is None:
            return Body.of(b"")
        raise SnapshotError(
            f"the body cannot be read from stdin ({error})", next_step="Name a file with --body-file."
        ) from error


@click.group("stage", epilog=examples("wrap stage list", "wrap stage next TUNE-0254"))
def command() -> None:
    """Save where a task stands after each stage, and resume it from there.

    A task's snapshot is one small file, overwritten at the end of each stage; previous ones are kept beside it.
    """


for one in (write, show, next_, listed, diff, archived):
    command.add_command(one)
