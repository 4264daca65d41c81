"""Reading stage snapshots: `wrap stage show`, `next`, `list`, `diff`, `archive`."""

from __future__ import annotations

import os
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from wrapgen.dashboard.document import fields
from wrapgen.errors import ExitCode, SnapshotError, UsageError
from wrapgen.terminal.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.stage.cold import TaskLine
    from wrapgen.stage.context import CommandContext
    from wrapgen.stage.store import Snapshots, StoredSnapshot
    from wrapgen.workflows.app import App


STAGE_SCHEMA = "wrapgen.stage/1"
LIST_SCHEMA = "wrapgen.stage-list/1"
NEXT_SCHEMA = "wrapgen.stage-next/1"
DIFF_SCHEMA = "wrapgen.stage-diff/1"
ARCHIVE_SCHEMA = "wrapgen.stage-archive/1"
_COLD_SHOWN = 40


@verb("show", "wrap stage show TUNE-0254", "wrap stage show TUNE-0254 --json", json=True)
@click.argument("task", metavar="ID")
def show(app: App, *, task: str) -> None:
    """Show a task's latest snapshot, and whether it is valid or stale."""
    from wrapgen.stage.context import here
    from wrapgen.stage.prompt import printable

    snapshots = snapshots_of(app)
    task = snapshots.id_of(task)
    stored = snapshots.read(task)
    if stored is None:
        raise _none(app, snapshots, task)
    stale = _stale(app, stored, here())
    if app.as_json:
        formers = [_relative(app, former.path) for former in snapshots.formers(task)]
        app.print_json({"schema": STAGE_SCHEMA, **_record(app, stored, stale), "formers": formers})
        return
    header = stored.snapshot.header
    where = f"branch {stored.context.branch}" if stored.context.branch else "no known branch"
    rows = [
        ("task", header.task_id),
        ("stage", f"{header.stage} ({header.command})"),
        ("captured", f"{header.captured_at} by {header.captured_by}, {where}"),
        ("next", header.recommended_next),
        *(("option", option) for option in header.options),
        *([("text", "cut to fit")] if stored.snapshot.truncated else []),
        *(("stale", why) for why in stale),
    ]
    for name, value in rows:
        app.say(f"{name:9} {value}")
    if stored.snapshot.body and not app.quiet:
        click.echo("\n" + "\n".join(printable(stored.snapshot.text)))


@verb("next", "wrap stage next TUNE-0254", json=True)
@click.argument("task", metavar="ID")
def next_(app: App, *, task: str) -> int:
    """Print what a session needs to resume a task.

    This is the recommended command, the options, and the last answer as data. Without a snapshot: the lines of the
    vault that name the task, and exit code 1.
    """
    from wrapgen.stage.cold import lines_naming
    from wrapgen.stage.context import here
    from wrapgen.stage.prompt import resume_block

    snapshots = snapshots_of(app)
    task = snapshots.id_of(task)
    snapshots.path(task)
    trouble: SnapshotError | None = None
    stored: StoredSnapshot | None = None
    try:
        stored = snapshots.read(task)
    except SnapshotError as error:
        trouble = error
    document: dict[str, Any] = {"schema": NEXT_SCHEMA, "task_id": task, "snapshot": None, "prompt": None}
    if stored is not None:
        stale = _stale(app, stored, here())
        block = resume_block(stored.snapshot, app.now, stale)
        app.answer(document | {"snapshot": _record(app, stored, stale), "prompt": block, "trouble": None, "cold": []})
        if not (app.quiet or app.as_json):
            click.echo(block, nl=False)
        return ExitCode.DONE
    cold = lines_naming(app.root, app.config, task)
    if app.as_json:
        lines = [line._asdict() for line in cold]
        app.print_json(document | {"trouble": str(trouble) if trouble else None, "cold": lines})
        return ExitCode.COULD_NOT
    _say_cold(app, task, cold)
    raise trouble or _none(app, snapshots, task)


def _say_cold(app: App, task: str, cold: list[TaskLine]) -> None:
    if not cold:
        app.say(f"No list, progress file or journal mentions {task}.")
        return
    app.say(f"What the vault says about {task}:")
    for line in cold[:_COLD_SHOWN]:
        app.say(f"{line.path}:{line.line}  {line.text}")
    if len(cold) > _COLD_SHOWN:
        app.say(f"... and {len(cold) - _COLD_SHOWN} more, see --json")


@verb("list", "wrap stage list", "wrap stage list --json", json=True)
def listed(app: App) -> None:
    """List the tasks that have a snapshot, newest first."""
    from wrapgen.stage.context import contexts, here

    snapshots, present, known = snapshots_of(app), here(), contexts(app.root)
    rows: list[dict[str, Any]] = []
    for task in snapshots.tasks():
        try:
            stored = snapshots.read(task, known)
        except SnapshotError as error:
            rows.append({"task_id": task, "path": _relative(app, snapshots.path(task)), "trouble": str(error)})
            continue
        if stored is not None:
            record = _record(app, stored, _stale(app, stored, present))
            rows.append({**{key: value for key, value in record.items() if key != "body"}, "trouble": None})
    rows.sort(key=lambda row: str(row.get("captured_at", "")), reverse=True)
    app.answer({"schema": LIST_SCHEMA, "snapshots": rows})
    if not rows:
        app.say("no task has a snapshot")
    for row in rows:
        if row["trouble"]:
            app.say(f"{row['task_id']}  {row['trouble']}")
        else:
            stale = f"  stale: {'; '.join(row['stale_because'])}" if row["stale"] else ""
            app.say(f"{row['task_id']}  {row['stage']}  {row['age']}  next: {row['recommended_next']}{stale}")


@verb("diff", "wrap stage diff TUNE-0254", "wrap stage diff TUNE-0254 --from 2", json=True)
@click.argument("task", metavar="ID")
@click.option(
    "--from", "number", type=click.IntRange(min=1), default=1, metavar="N", help="Compare with the N-th previous one."
)
def diff(app: App, *, task: str, number: int) -> None:
    """Show what changed between an earlier stage and the latest."""
    from wrapgen.stage.prompt import difference

    snapshots = snapshots_of(app)
    task = snapshots.id_of(task)
    latest = snapshots.read(task)
    if latest is None:
        raise _none(app, snapshots, task)
    former = snapshots.read_former(task, number)
    if former is None:
        numbers = ", ".join(str(one.number) for one in snapshots.formers(task)) or "none"
        raise SnapshotError(
            f"{task} has no previous snapshot {number}",
            next_step=f"Available: {numbers}.",
        )
    names = (_relative(app, former.path), _relative(app, latest.path))
    lines = list(difference(former.snapshot, latest.snapshot, names))
    app.answer({"schema": DIFF_SCHEMA, "task_id": task, "from": names[0], "to": names[1], "diff": lines})
    if not (app.quiet or app.as_json):
        click.echo("\n".join(lines) or "no difference")


@verb("archive", "wrap stage archive TUNE-0254", "wrap stage archive TUNE-0254 --area web", json=True)
@click.argument("task", metavar="ID")
@click.option("--area", default="general", metavar="A", help="The archive folder; `general` by default.")
def archived(app: App, *, task: str, area: str) -> None:
    """Move a finished task's snapshots to archive/AREA/snapshots."""
    from wrapgen.stage.store import archive

    snapshots = snapshots_of(app)
    task = snapshots.id_of(task)
    moved = archive(snapshots, task, area)
    app.wrote = True
    pairs = [{"from": _relative(app, one.source), "to": _relative(app, one.target)} for one in moved]
    app.answer({"schema": ARCHIVE_SCHEMA, "task_id": task, "moved": pairs})
    for pair in pairs:
        app.say(f"archived: {pair['from']} -> {pair['to']}")
    if not pairs:
        app.say(f"nothing to archive: {task} has no snapshot")


def _none(app: App, snapshots: Snapshots, task: str) -> SnapshotError:
    from wrapgen.stage.store import last_archived

    if file := last_archived(snapshots, task):
        return SnapshotError(
            f"no snapshot of {task}: the last one was archived",
            next_step=f"Read {_relative(app, file)}, or start again with `wrap stage write`.",
        )
    return SnapshotError(
        f"no snapshot of {task}",
        next_step="`wrap stage list` shows the existing ones, `wrap stage write` makes one.",
    )


def _stale(app: App, stored: StoredSnapshot, present: CommandContext) -> list[str]:
    from wrapgen.stage.prompt import stale_because

    away = present.leads_away_from(stored.context)
    branches = (stored.context.branch, present.branch) if away else (None, None)
    return stale_because(stored.snapshot.header, app.now, branches)


def _record(app: App, stored: StoredSnapshot, stale: list[str]) -> dict[str, Any]:
    from wrapgen.stage.record import age_in_words

    snapshot, header = stored.snapshot, stored.snapshot.header
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


# The second name is datarim's, whose agents call this program unchanged.
LOCK_VARIABLES = ("WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "DR_SNAPSHOT_LOCK_TIMEOUT")


def snapshots_of(app: App) -> Snapshots:
    """The vault's snapshots, with the lock timeout from the environment.

    Raises:
        UsageError: the timeout is not a number of seconds.
    """
    from wrapgen.stage.store import LOCK_SECONDS, Snapshots

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
