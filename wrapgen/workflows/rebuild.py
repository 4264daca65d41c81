"""Read, run, render, publish: what `wrap`, `wrap regen`, `wrap audit` and `wrap page` have in common."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import structs

from wrapgen.config import VAULT_FILE, is_source
from wrapgen.dashboard.document import audit_document
from wrapgen.dashboard.render import DASHBOARD, PAGE, USER_TEMPLATES, render_page
from wrapgen.days import moved
from wrapgen.errors import PublishError, WrapgenError, remedy
from wrapgen.ledger import FollowUpCounts, Handles, Lost, Run, SkippedFollowUp, WaitingFollowUp
from wrapgen.pipeline.collected import Collected
from wrapgen.pipeline.run import run
from wrapgen.pipeline.stage import Decisions, StageResult
from wrapgen.regular_files import whole
from wrapgen.session.follow_up import newest_first
from wrapgen.session.memory import LEFT_OUT, Skip
from wrapgen.vault.disk import publish
from wrapgen.vault.index import in_order
from wrapgen.vault.layout import is_trusted
from wrapgen.workflows.app import App
from wrapgen.workflows.git_setup import is_committed
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.vault_session import VaultSession


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A run and what it did to the dashboard."""

    run: Run
    written: bool  # whether the run was to publish
    changed: bool  # whether the dashboard changed, or, without publishing, would change
    recorded: bool = False  # whether the history knows of it

    def as_json(self, app: App) -> dict[str, Any]:
        return audit_document(
            self.run,
            vault=str(app.root),
            generated_at=app.now,
            elapsed_ms=app.elapsed_ms,
            written=self.written,
            changed=self.changed,
        )


def run_pipeline(session: VaultSession, *, whole: bool = True) -> Run:
    """Run the pipeline over the vault; nothing is written.

    Args:
        whole: look at every open item; else at those that the page can depend on, and at the others when asked.
    """
    app, memory, collected = session.app, session.memory, _collected(session, whole=whole)
    result = run(
        replace(collected, troubles=(*collected.troubles, *memory.troubles)),
        projects=session.projects,
        config=app.config,
        today=app.day,
        decisions=session.decisions,
        not_read=session.glance.unread_boxes,
        tick_days=session.tick_days,
    )
    return structs.replace(result, follow_ups=_counted(session), whole=None if whole else lambda: session.run)


def _collected(session: VaultSession, *, whole: bool = True) -> Collected:
    collected = session.collected if whole else session.collected_for_page
    troubles = in_order([*collected.troubles, *collected.drifted, *session.glance.unread.troubles])
    session.glance.index.save()
    return replace(collected, troubles=troubles)


def _counted(session: VaultSession) -> FollowUpCounts:
    """What became of follow-ups, with what is pending and what may be lost."""
    app, memory = session.app, session.memory
    waiting = [one.orphan for one in memory.pending.values()]
    recent = memory.skips_since(moved(app.day, -app.config.lookback_days))
    return structs.replace(
        session.follow_ups,
        pending=len(memory.pending),
        waiting=_waiting(memory),
        lost=tuple(Lost(one.text, one.reason) for one in waiting if one.reason),
        skips=_skipped([one for one in recent if one.why in ("", LEFT_OUT)]),  # by a person
        dropped=tuple(Lost(one.orphan.text, one.why) for one in recent if one.why not in ("", LEFT_OUT)),  # by a reader
    )


def _skipped(skips: Sequence[Skip]) -> tuple[SkippedFollowUp, ...]:
    names = Handles(one.orphan.id for one in skips)
    return tuple(SkippedFollowUp(names[one.orphan.id], one.orphan.text, one.on, one.why or "skipped") for one in skips)


def _waiting(memory: Memory) -> tuple[WaitingFollowUp, ...]:
    if not memory.pending:
        return ()

    names = Handles(memory.pending)
    return tuple(
        WaitingFollowUp(
            names[one.id],
            one.text,
            one.suggested.project or one.project,
            one.quote,
            one.role,
            one.said_on,
            f"{one.transcript}:{one.line}",
            one.suggested.route.value,
            one.suggested.task,
        )
        for one in newest_first(one.orphan for one in memory.pending.values())
    )


def preview(app: App) -> Rebuilt:
    """Compute what a rebuild would give, without writing anything."""
    return looked_at(VaultSession.look(app))


def looked_at(session: VaultSession) -> Rebuilt:
    """Compare the dashboard with that of a rebuild, without writing anything."""
    try:
        stands = whole(session.app.root / session.app.config.output)
    except OSError:
        stands = None
    changed = stands != page(session, session.run)
    return Rebuilt(session.run, written=False, changed=changed)


def rebuild(app: App) -> Rebuilt:
    """Rebuild the dashboard under the lock: sources are read inside it, so that the last run sees the last changes."""
    with app.locked():
        return publish_run(VaultSession.look(app))


def publish_run(session: VaultSession) -> Rebuilt:
    """Write the dashboard; the caller holds the lock."""
    from wrapgen.workflows.page_record import keep_foreign_output, write_headline, write_history

    app, result = session.app, session.page_run
    _check_target(app)
    data = page(session, result)
    keep_foreign_output(app, data)
    changed = publish(app.root / app.config.output, data, root=app.root)
    app.wrote = True
    for gone in session.drifted:
        app.warn(f"{gone.path}: {gone.error}")
    write_headline(app, result)
    recorded = write_history(app, result, session.memory, session.glance.index)
    session.glance.index.finish()
    return Rebuilt(result, written=True, changed=changed, recorded=recorded)


def publish_after(session: VaultSession) -> Rebuilt:
    """Rebuild the dashboard after a change of the notes or of what is remembered; the caller holds the lock."""
    session.notes_changed()
    try:
        return publish_run(session)
    except WrapgenError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        step = remedy(error.__cause__, "run `wrap regen`: everything else is done")
        raise type(error)(error.what, where=error.where, next_step=step) from error


@contextmanager
def rebuilt_after(session: VaultSession) -> Iterator[None]:
    """Rebuild the dashboard after a change, also after one that could be made in part only; under the lock."""
    from wrapgen.workflows.last_run import is_current

    before = session.glance, list(session.memory.receipts)
    try:
        yield
    except WrapgenError:
        unchanged = session.glance is before[0] and session.memory.receipts == before[1]
        if unchanged and is_current(session.app, session.glance):
            raise
        with suppress(WrapgenError, OSError):  # the first error is the one that matters
            publish_after(session)
        raise
    publish_after(session)


def _check_target(app: App) -> None:
    """A dashboard that is a link to a note would be written over it."""
    output = app.root / app.config.output
    root = os.path.realpath(app.root)
    target = os.path.relpath(os.path.realpath(output), root).replace(os.sep, "/")
    if output.is_symlink() and (target == VAULT_FILE or is_source(target, app.config)):
        raise PublishError(
            f"is a link to {target}, which a rebuild would overwrite", where=str(output), next_step="Remove the link."
        )


def page(session: VaultSession, result: Run) -> bytes:
    """The dashboard of a run, rendered; a committed one shows what every clone of the vault would show."""
    from wrapgen.dashboard.view import build_view

    app = session.app
    if is_committed(app.root, app.config):
        result = _of_the_notes(session, result)
    view = build_view(result, app.config.link_style, app.config.output)
    return render_page(DASHBOARD, view, app.root).encode("utf-8")


def _of_the_notes(session: VaultSession, result: Run) -> Run:
    """A run without what is remembered beside the notes, in `.wrapgen/state/` of this clone alone."""
    memory, app = session.memory, session.app
    if memory.decisions() != Decisions() or memory.troubles:
        plain = run(
            _collected(session, whole=not result.beyond.number),
            projects=session.projects,
            config=app.config,
            today=app.day,
            decisions=session.decided_in(Decisions()),
            tick_days=session.tick_days,
        )
        result = structs.replace(plain, not_read=result.not_read)
    return structs.replace(result, follow_ups=FollowUpCounts())


# The first line of every page, which distinguishes it from other files.
MARK = "<!-- made by wrap page: it may be overwritten -->\n"


def page_of(app: App, folder: Path) -> tuple[Run, bytes]:
    """A vault's page as it is now, with links from `folder`, and the run that it shows; nothing is written."""
    from wrapgen.dashboard.html.html_page import sheet
    from wrapgen.dashboard.html.rows import Links, Rows
    from wrapgen.vault.run_history import days
    from wrapgen.workflows.next_list import NextList

    session = VaultSession.look(app)
    run = session.run
    links = Links(app.config.link_style, _base(app.root, folder), app.root.as_posix())
    said = NextList(session).ages()
    rows = Rows(run, links, _texts(session.everything), app.config.due_soon_days, said, session.hidden)
    page = render_page(PAGE, sheet(rows, app.root.name, days(app.root)), _templates(app))
    return run, (MARK + page).encode("utf-8")


def _templates(app: App) -> Path | None:
    """The vault whose own template may be used: a page can send what it shows elsewhere, a Markdown file cannot."""
    own = app.root / USER_TEMPLATES / PAGE
    if not os.path.lexists(own):
        return None
    if is_trusted(app.root):
        return app.root
    app.warn(f"{own} is not used because this vault is not trusted; `wrap trust` changes that")
    return None


def _base(root: Path, folder: Path) -> str:
    root, folder = Path(os.path.realpath(root)), Path(os.path.realpath(folder))
    if root.anchor != folder.anchor:  # Windows: no relative path leads to another drive
        return root.as_uri() + "/"
    return quote(Path(os.path.relpath(root, folder)).as_posix()) + "/"


def _texts(found: StageResult) -> dict[tuple[str, int], str]:
    """What stands where evidence may be."""
    texts = {(one.path, one.line): one.text for one in found.kept}
    return texts | {(one.path, one.line): one.text for one in found.evidence}
