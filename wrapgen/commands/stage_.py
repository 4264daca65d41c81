"""`wrap stage`: where a task stands, saved for the session that resumes it."""

import os
import sys
from math import isfinite
from pathlib import Path
from typing import Any

import click

from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, SnapshotError, UsageError
from wrapgen.stage.compose import compose
from wrapgen.stage.context import CommandContext, contexts, here
from wrapgen.stage.reading import lines_naming, read_file, read_stream
from wrapgen.stage.record import (
    Body,
    FrontMatter,
    age_in_words,
    canonical_time,
    difference,
    is_stage,
    one_line_value,
    printable,
    resume_block,
    stale_because,
    utc_text,
)
from wrapgen.stage.store import LOCK_SECONDS, Snapshots, StoredSnapshot, archive, last_archived
from wrapgen.streams import given_input
from wrapgen.terminal.verb import examples, verb
from wrapgen.text.display import count
from wrapgen.vault import disk
from wrapgen.workflows.app import App

_COLD_SHOWN = 40
# The second names are datarim's, whose agents call this command unchanged.
DISABLE_VARIABLES = ("WRAPGEN_DISABLE_SNAPSHOT", "DATARIM_DISABLE_SNAPSHOT")
LOCK_VARIABLES = ("WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "DR_SNAPSHOT_LOCK_TIMEOUT")
_STAGE = "do"
"""The stage of who names none: work that goes on."""
# How long to wait for stdin that was not asked for: it may never deliver anything.
_UNNAMED_SECONDS = 5.0
_MOST_OPTION_BYTES = 1 << 16


@click.group("stage", epilog=examples("wrap stage list", "wrap stage next TUNE-0254"))
def command() -> None:
    """Save where a task stands after each stage, and resume it from there.

    Use it when a task takes several sessions: the next one starts from a few lines instead of a long conversation.

    A task's snapshot is one small file, overwritten at the end of each stage; previous ones are kept beside it.
    """


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
    of=command,
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
    if not task:
        raise UsageError("missing: --task", next_step="Name the task: `wrap stage write --task WEB-12`.")
    if text is not None and body_file is not None:
        raise UsageError("--text and --body-file are both given", next_step="Leave one of them out.")
    snapshots, task = _asked(app, task)
    snapshots.path(task)
    stage = _known_stage(app, stage or _STAGE)
    header = FrontMatter(
        task_id=task,
        stage=stage,
        command=one_line_value("--command", ran or f"/{stage}"),
        captured_at=canonical_time(captured_at) if captured_at else utc_text(app.now),
        captured_by=one_line_value("--captured-by", captured_by or "agent"),
        recommended_next=one_line_value("--recommended-next", recommended_next or f"continue {task}"),
        options=(*(one_line_value("--option", one) for one in options if one), *_options(app, options_file)),
    )
    body = _body(body_file) if text is None else Body.of(text.encode("utf-8", "replace"))
    if not (body.head.strip() or recommended_next or header.options):
        step = 'Say it with --text "login works; the reset mail is next", or pipe the answer in.'
        raise UsageError("nothing says where the task stands, so nothing was written", next_step=step)
    composed = compose(header, body)
    path, forgotten = snapshots.write(header.task_id, composed.data, here())
    app.wrote = True
    if forgotten is not None:
        app.warn(f"the snapshot is written, but its branch is not: {forgotten}")
    cut = ["the text is cut"] if composed.cut else []
    cut += [f"{count(composed.dropped, 'option')} left out"] if composed.dropped else []
    fit = f", {' and '.join(cut)} to fit" if cut else ""
    app.say(f"snapshot: {_relative(app, path)} ({len(composed.data)} bytes{fit})")


def _known_stage(app: App, stage: str) -> str:
    if is_stage(stage, app.config.stage):
        return stage
    names = ", ".join(app.config.stage.names)
    raise SnapshotError(f"{stage!r} is not a stage", next_step=f"The stages are: {names}; or a plain word.")


def _options(app: App, file: Path | None) -> list[str]:
    """The options from a file; a missing one does not prevent the snapshot."""
    if file is None:
        return []
    try:
        with disk.opened(file) as descriptor:
            data = disk.content(descriptor, _MOST_OPTION_BYTES)
    except OSError as error:
        why = error.strerror or error
        app.warn(f"{file}: the options cannot be read ({why}); the snapshot is written without them")
        return []
    return [line for line in data.replace(b"\0", b"").decode("utf-8", "replace").splitlines() if line]


def _body(file: str | None) -> Body:
    """The text: from the file named, else from stdin when a program is at its other end."""
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


@verb("show", "wrap stage show TUNE-0254", "wrap stage show TUNE-0254 --json", json=True, of=command)
@click.argument("task", metavar="ID")
def show(app: App, *, task: str) -> None:
    """Show a task's latest snapshot, and whether it is valid or stale."""
    snapshots, task = _asked(app, task)
    stored = snapshots.read(task)
    if stored is None:
        raise _none(app, snapshots, task)
    record = _record(app, stored, here())
    formers = [_relative(app, former.path) for former in snapshots.formers(task)]
    app.answer({"schema": "wrapgen.stage/1", **record, "formers": formers})
    header = stored.snapshot.header
    where = f"branch {stored.context.branch}" if stored.context.branch else "no known branch"
    rows = [
        ("task", header.task_id),
        ("stage", f"{header.stage} ({header.command})"),
        ("captured", f"{header.captured_at} by {header.captured_by}, {where}"),
        ("next", header.recommended_next),
        *(("option", option) for option in header.options),
        *([("text", "cut to fit")] if stored.snapshot.truncated else []),
        *(("stale", why) for why in record["stale_because"]),
    ]
    for name, value in rows:
        app.say(f"{name:9} {value}")
    if stored.snapshot.body and not (app.quiet or app.as_json):
        click.echo("\n" + "\n".join(printable(stored.snapshot.text)))


@verb("next", "wrap stage next TUNE-0254", json=True, of=command)
@click.argument("task", metavar="ID")
def next_(app: App, *, task: str) -> int:
    """Print what a session needs to resume a task.

    This is the recommended command, the options, and the last answer as data. Without a snapshot: the lines of the
    vault that name the task, and exit code 1.
    """
    snapshots, task = _asked(app, task)
    snapshots.path(task)
    trouble: SnapshotError | None = None
    stored: StoredSnapshot | None = None
    try:
        stored = snapshots.read(task)
    except SnapshotError as error:
        trouble = error
    document: dict[str, Any] = {"schema": "wrapgen.stage-next/1", "task_id": task, "snapshot": None, "prompt": None}
    if stored is not None:
        record = _record(app, stored, here())
        block = resume_block(stored.snapshot, app.now, record["stale_because"])
        app.answer(document | {"snapshot": record, "prompt": block, "trouble": None, "cold": []})
        if not (app.quiet or app.as_json):
            click.echo(block, nl=False)
        return ExitCode.DONE
    cold = lines_naming(app.root, app.config, task)
    if app.as_json:
        lines = [line._asdict() for line in cold]
        app.print_json(document | {"trouble": str(trouble) if trouble else None, "cold": lines})
        return ExitCode.COULD_NOT
    app.say(f"What the vault says about {task}:" if cold else f"No list, progress file or journal mentions {task}.")
    for line in cold[:_COLD_SHOWN]:
        app.say(f"{line.path}:{line.line}  {line.text}")
    if len(cold) > _COLD_SHOWN:
        app.say(f"... and {len(cold) - _COLD_SHOWN} more, see --json")
    raise trouble or _none(app, snapshots, task)


@verb("list", "wrap stage list", "wrap stage list --json", json=True, of=command)
def listed(app: App) -> None:
    """List the tasks that have a snapshot, newest first."""
    snapshots, present, known = _snapshots(app), here(), contexts(app.root)
    rows: list[dict[str, Any]] = []
    for task in snapshots.tasks():
        try:
            stored = snapshots.read(task, known)
        except SnapshotError as error:
            rows.append({"task_id": task, "path": _relative(app, snapshots.path(task)), "trouble": str(error)})
            continue
        if stored is not None:
            record = _record(app, stored, present)
            rows.append({**{key: value for key, value in record.items() if key != "body"}, "trouble": None})
    rows.sort(key=lambda row: str(row.get("captured_at", "")), reverse=True)
    app.answer({"schema": "wrapgen.stage-list/1", "snapshots": rows})
    if not rows:
        app.say("no task has a snapshot")
    for row in rows:
        if row["trouble"]:
            app.say(f"{row['task_id']}  {row['trouble']}")
        else:
            stale = f"  stale: {'; '.join(row['stale_because'])}" if row["stale"] else ""
            app.say(f"{row['task_id']}  {row['stage']}  {row['age']}  next: {row['recommended_next']}{stale}")


@verb("diff", "wrap stage diff TUNE-0254", "wrap stage diff TUNE-0254 --from 2", json=True, of=command)
@click.argument("task", metavar="ID")
@click.option(
    "--from", "number", type=click.IntRange(min=1), default=1, metavar="N", help="Compare with the N-th previous one."
)
def diff(app: App, *, task: str, number: int) -> None:
    """Show what changed between an earlier stage and the latest."""
    snapshots, task = _asked(app, task)
    latest = snapshots.read(task)
    if latest is None:
        raise _none(app, snapshots, task)
    former = snapshots.read_former(task, number)
    if former is None:
        numbers = ", ".join(str(one.number) for one in snapshots.formers(task)) or "none"
        raise SnapshotError(f"{task} has no previous snapshot {number}", next_step=f"Available: {numbers}.")
    names = (_relative(app, former.path), _relative(app, latest.path))
    lines = list(difference(former.snapshot, latest.snapshot, names))
    app.answer({"schema": "wrapgen.stage-diff/1", "task_id": task, "from": names[0], "to": names[1], "diff": lines})
    if not (app.quiet or app.as_json):
        click.echo("\n".join(lines) or "no difference")


@verb("archive", "wrap stage archive TUNE-0254", "wrap stage archive TUNE-0254 --area web", json=True, of=command)
@click.argument("task", metavar="ID")
@click.option("--area", default="general", metavar="A", help="The archive folder; `general` by default.")
def archived(app: App, *, task: str, area: str) -> None:
    """Move a finished task's snapshots to archive/AREA/snapshots."""
    snapshots, task = _asked(app, task)
    moved = archive(snapshots, task, area)
    app.wrote = True
    pairs = [{"from": _relative(app, one.source), "to": _relative(app, one.target)} for one in moved]
    app.answer({"schema": "wrapgen.stage-archive/1", "task_id": task, "moved": pairs})
    for pair in pairs:
        app.say(f"archived: {pair['from']} -> {pair['to']}")
    if not pairs:
        app.say(f"nothing to archive: {task} has no snapshot")


def _none(app: App, snapshots: Snapshots, task: str) -> SnapshotError:
    if file := last_archived(snapshots, task):
        step = f"Read {_relative(app, file)}, or start again with `wrap stage write`."
        return SnapshotError(f"no snapshot of {task}: the last one was archived", next_step=step)
    step = "`wrap stage list` shows the existing ones, `wrap stage write` makes one."
    return SnapshotError(f"no snapshot of {task}", next_step=step)


def _record(app: App, stored: StoredSnapshot, present: CommandContext) -> dict[str, Any]:
    snapshot, header = stored.snapshot, stored.snapshot.header
    away = present.leads_away_from(stored.context)
    stale = stale_because(header, app.now, (stored.context.branch, present.branch) if away else (None, None))
    return {
        "task_id": header.task_id,
        "path": _relative(app, stored.path),
        **fields(header, "stage command captured_at captured_by recommended_next options"),
        **fields(snapshot, "size_bytes truncated"),
        "age": age_in_words(app.now - header.captured),
        "stale": bool(stale),
        "stale_because": stale,
        **fields(stored.context, "branch commit cwd"),
        "body": snapshot.text,
    }


def _relative(app: App, path: Path) -> str:
    return path.relative_to(app.root).as_posix()


def _asked(app: App, task: str) -> tuple[Snapshots, str]:
    snapshots = _snapshots(app)
    return snapshots, snapshots.id_of(task)


def _snapshots(app: App) -> Snapshots:
    """The vault's snapshots, with the lock timeout from the environment; raises `UsageError` when that is no number."""
    seconds = LOCK_SECONDS
    name = next((name for name in LOCK_VARIABLES if os.environ.get(name)), None)
    if name is not None:
        try:
            seconds = float(os.environ[name])
        except ValueError:
            seconds = -1
        if not isfinite(seconds) or seconds < 0:
            raise UsageError(
                f"${name} is not a number of seconds: {os.environ[name]!r}", next_step="Set it to 60, or unset it."
            )
    return Snapshots(app.root, app.config, seconds)
