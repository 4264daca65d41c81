"""A vault's HTML page, as `wrap page` writes it."""

import os
from pathlib import Path
from urllib.parse import quote

from wrapgen.dashboard.render import PAGE, USER_TEMPLATES
from wrapgen.ledger import Run
from wrapgen.pipeline.stage import StageResult
from wrapgen.vault.layout import is_trusted
from wrapgen.workflows.app import App
from wrapgen.workflows.vault_session import VaultSession

# The first line of every page, which distinguishes it from other files.
MARK = "<!-- made by wrap page: it may be overwritten -->\n"


def page_of(app: App, folder: Path) -> tuple[Run, bytes]:
    """A vault's page as it is now, with links from `folder`, and the run that it shows; nothing is written."""
    from wrapgen.dashboard.html.html_page import sheet
    from wrapgen.dashboard.html.rows import Links, Rows
    from wrapgen.dashboard.render import render_page
    from wrapgen.vault.run_history import days

    session = VaultSession.look(app)
    run = session.run
    links = Links(app.config.link_style, _base(app.root, folder), app.root.as_posix())
    rows = Rows(run, links, _texts(session.collected.found), app.config.due_soon_days)
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
