"""The page for eyes of a vault: what `wrap page` writes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from wrapgen.commands.rebuild import collect
from wrapgen.dashboard.render import PAGE, USER_TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrapgen.commands.app import App
    from wrapgen.ledger import Run
    from wrapgen.model import Contents

# The first line of every page, by which one is told from somebody's own file.
MARK = "<!-- made by wrap page: it may be overwritten -->\n"


def page_of(app: App, folder: Path) -> tuple[Run, bytes]:
    """The page of a vault as it stands, and the run that it shows; nothing is written.

    Args:
        app: the vault.
        folder: where the page will stand: its links start there.

    Raises:
        PublishError: the template is broken.
        WrapgenError: the history cannot be read.
    """
    from wrapgen.dashboard.html import charts
    from wrapgen.dashboard.html.links import Links
    from wrapgen.dashboard.html.sheet import Setting, sheet
    from wrapgen.dashboard.page import render_page
    from wrapgen.vault.daybook import days

    contents = app.glance().read()
    run = collect(app, contents).run
    setting = Setting(
        name=app.root.name,
        links=Links(app.config.page.links, _base(app.root, folder), app.root.as_posix()),
        texts=_texts(contents, _proofs(run)),
        due_soon=app.config.due_soon_days,
        ages=charts.ages(run),
        trend=charts.trend(days(app.root)),
    )
    return run, (MARK + render_page(PAGE, sheet(run, setting), _templates(app))).encode("utf-8")


def _templates(app: App) -> Path | None:
    """The vault whose own template may be used: a page can send what it shows elsewhere, a Markdown file cannot."""
    from wrapgen.vault.trust import is_trusted

    own = app.root / USER_TEMPLATES / PAGE
    if not os.path.lexists(own):
        return None
    if is_trusted(app.root):
        return app.root
    app.warn(f"{own} is not used, because this vault is not trusted; `wrap trust` says that it is")
    return None


def _base(root: Path, folder: Path) -> str:
    """The vault as seen from a folder, as an address."""
    root, folder = Path(os.path.realpath(root)), Path(os.path.realpath(folder))
    if root.anchor != folder.anchor:  # Windows: no relative path leads to another drive
        return root.as_uri() + "/"
    return quote(Path(os.path.relpath(root, folder)).as_posix()) + "/"


def _proofs(run: Run) -> Iterable[tuple[str, int]]:
    """The places that evidence names, and of what it is evidence for."""
    dropped = [(one.item, one.because) for one in run.outcomes]
    for item, because in (*dropped, *((one.item, one.because) for one in run.remarks)):
        if because:
            yield because.path, because.line
            yield item.path, item.line


def _texts(contents: Contents, places: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """What stands at some places."""
    wanted = set(places)
    paths = {path for path, _ in wanted}
    return {
        (source.path, entry.line): entry.text
        for source in contents.sources
        if source.path in paths
        for entry in source.document.entries
        if (source.path, entry.line) in wanted
    }
