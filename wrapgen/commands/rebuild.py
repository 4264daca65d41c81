"""Read, run, render, publish: what `wrap`, `wrap regen` and `wrap audit` have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wrapgen.dashboard.document import audit_document
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.run import run
from wrapgen.vault.index import read_vault

if TYPE_CHECKING:
    from wrapgen.commands.app import App
    from wrapgen.ledger import Run


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A run and what it did to the dashboard.

    Attributes:
        written: whether the run was to publish.
        changed: whether the dashboard is another now, or, without publishing, would be.
    """

    run: Run
    written: bool
    changed: bool

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


def collect(app: App) -> Collected:
    """Read the vault and run the pipeline; nothing is written."""
    contents = read_vault(app.root, app.config)
    projects = Projects.known(contents.projects, app.config.projects)
    return Collected(run(contents, projects=projects, config=app.config, today=app.day), projects)


def preview(app: App) -> Rebuilt:
    """Say what a rebuild would give, without writing anything."""
    result = collect(app).run
    output = app.root / app.config.output
    try:
        stands = output.read_bytes()
    except OSError:
        stands = None
    return Rebuilt(result, written=False, changed=stands != _page(app, result).encode("utf-8"))


def rebuild(app: App) -> Rebuilt:
    """Rebuild the dashboard under the lock: sources are read inside it, so that the last run sees the last words.

    Raises:
        LockHeldError: another run holds the lock.
        PublishError: the dashboard cannot be written; the former one is untouched.
    """
    from wrapgen.vault.files import publish
    from wrapgen.vault.lock import vault_lock

    config = app.config  # a broken configuration must fail before the lock is taken
    with vault_lock(app.root, config):
        result = collect(app).run
        changed = publish(app.root / config.output, _page(app, result), root=app.root)
    return Rebuilt(result, written=True, changed=changed)


def _page(app: App, result: Run) -> str:
    from wrapgen.dashboard.render import render
    from wrapgen.dashboard.view import build_view

    return render(build_view(result, app.config.link_style), app.root)
