"""Read, run, render, publish: what `wrap`, `wrap regen` and `wrap audit` have in common."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wrapgen.commands.memory import Memory
from wrapgen.config import VAULT_FILE, is_source
from wrapgen.dashboard.document import audit_document
from wrapgen.errors import PublishError, WrapgenError, remedy
from wrapgen.ledger import FollowUpCounts, Lost
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.run import run
from wrapgen.pipeline.stage import Decisions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wrapgen.commands.app import App
    from wrapgen.ledger import Run
    from wrapgen.model import Contents


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A run and what it did to the dashboard.

    Attributes:
        written: whether the run was to publish.
        changed: whether the dashboard is another now, or, without publishing, would be.
        recorded: whether the history knows of it.
    """

    run: Run
    written: bool
    changed: bool
    recorded: bool = False

    def as_json(self, app: App) -> dict[str, Any]:
        """The audit document."""
        return audit_document(
            self.run,
            vault=str(app.root),
            generated_at=app.now,
            elapsed_ms=app.elapsed_ms,
            written=self.written,
            changed=self.changed,
        )


@dataclass(frozen=True, slots=True)
class Collected:
    """A run with the projects that it knew."""

    run: Run
    projects: Projects


def collect(app: App, contents: Contents | None = None, counts: FollowUpCounts | None = None) -> Collected:
    """Read the vault and run the pipeline; nothing is written.

    Args:
        app: the vault.
        contents: its files, when they have been read already.
        counts: what became of this run's follow-ups; what waits and what may be lost is filled in.
    """
    contents = contents or app.glance().read()
    memory = Memory.read(app.root)
    if memory.troubles:
        contents = replace(contents, troubles=(*contents.troubles, *memory.troubles))
    projects = Projects.known(contents.projects, app.config.projects)
    result = run(contents, projects=projects, config=app.config, today=app.day, decisions=memory.decisions())
    return Collected(replace(result, follow_ups=counted(app, memory, counts)), projects)


def counted(app: App, memory: Memory, counts: FollowUpCounts | None = None) -> FollowUpCounts:
    """What became of follow-ups, with what waits and what may be lost.

    Args:
        app: the vault.
        memory: what waits, was skipped and written.
        counts: what became of this run's follow-ups.
    """
    lost = tuple(Lost(text, reason) for text, reason in memory.lost(app.day, app.config.lookback_days))
    dropped = tuple(Lost(text, why) for text, why in memory.dropped(app.day, app.config.lookback_days))
    return replace(counts or FollowUpCounts(), pending=len(memory.pending), lost=lost, dropped=dropped)


def preview(app: App) -> Rebuilt:
    """Say what a rebuild would give, without writing anything."""
    return looked_at(app, collect(app).run)


def looked_at(app: App, result: Run) -> Rebuilt:
    """Compare the dashboard with that of a run, without writing anything."""
    from wrapgen.vault.disk import whole

    output = app.root / app.config.output
    try:
        stands = whole(output)
    except OSError:
        stands = None
    return Rebuilt(result, written=False, changed=stands != page(app, result))


def rebuild(app: App) -> Rebuilt:
    """Rebuild the dashboard under the lock: sources are read inside it, so that the last run sees the last words.

    Raises:
        LockHeldError: another run holds the lock.
        PublishError: the dashboard cannot be written; the former one is untouched.
    """
    with app.locked():
        return publish_run(app, collect(app).run)


def publish_run(app: App, result: Run) -> Rebuilt:
    """Write the dashboard of a run; the caller holds the lock.

    Raises:
        PublishError: it cannot be written; the former one is untouched.
    """
    from wrapgen.commands.daybook import write_history
    from wrapgen.commands.headline import write_headline
    from wrapgen.vault.files import publish

    _check_target(app)
    changed = publish(app.root / app.config.output, page(app, result), root=app.root)
    memory = Memory.read(app.root)
    write_headline(app, result, memory)
    recorded = write_history(app, result, memory)
    return Rebuilt(result, written=True, changed=changed, recorded=recorded)


def publish_after(app: App, counts: FollowUpCounts | None = None) -> Rebuilt:
    """Rebuild the dashboard after a change of the notes or of what is remembered; the caller holds the lock.

    Args:
        app: the vault.
        counts: what became of this run's follow-ups.

    Raises:
        WrapgenError: the dashboard cannot be rebuilt; it says that the change stands, so that nobody makes it twice.
    """
    try:
        return publish_run(app, collect(app, counts=counts).run)
    except WrapgenError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        step = remedy(error.__cause__, "run `wrap regen`: everything else is done")
        raise type(error)(error.what, where=error.where, next_step=step) from error


@contextmanager
def rebuilt_after(app: App, then: Callable[[Run], None] = lambda _: None) -> Iterator[None]:
    """Rebuild the dashboard after a change, also after one that could be made in part only; under the lock.

    Args:
        app: the vault.
        then: is given the vault as it stands after the change.

    Raises:
        WrapgenError: the dashboard cannot be rebuilt.
    """
    try:
        yield
    except WrapgenError:
        with suppress(WrapgenError, OSError):  # the first error is the one that matters
            publish_after(app)
        raise
    then(publish_after(app).run)


def _check_target(app: App) -> None:
    """A dashboard that is a link to a note would be written over it.

    Raises:
        PublishError: it is such a link.
    """
    output = app.root / app.config.output
    root = os.path.realpath(app.root)
    target = os.path.relpath(os.path.realpath(output), root).replace(os.sep, "/")
    if output.is_symlink() and (target == VAULT_FILE or is_source(target, app.config.sources)):
        raise PublishError(
            f"is a link to {target}, which a rebuild would overwrite", where=str(output), next_step="Remove the link."
        )


def page(app: App, result: Run) -> bytes:
    """The dashboard of a run, rendered; a committed one shows what every clone of the vault would show.

    Raises:
        PublishError: the template is broken.
    """
    from wrapgen.dashboard.page import render_page
    from wrapgen.dashboard.render import DASHBOARD
    from wrapgen.dashboard.view import build_view

    if app.config.share_page:
        result = _of_the_notes(app, result)
    view = build_view(result, app.config.link_style, app.config.output)
    return render_page(DASHBOARD, view, app.root).encode("utf-8")


def _of_the_notes(app: App, result: Run) -> Run:
    """A run without what is remembered beside the notes, in `.wrapgen/state/` of this clone alone."""
    memory = Memory.read(app.root)
    if memory.decisions() != Decisions() or memory.troubles:
        contents = app.glance().read()
        projects = Projects.known(contents.projects, app.config.projects)
        result = run(contents, projects=projects, config=app.config, today=app.day)
    return replace(result, follow_ups=FollowUpCounts())
