"""`wrap page`: the vault as one HTML page to read in a browser."""

import os
import webbrowser
from contextlib import nullcontext
from pathlib import Path

import click

from wrapgen.config import VAULT_FILE, is_source
from wrapgen.dashboard.balance import audit_line, collected, fates
from wrapgen.errors import PublishError
from wrapgen.regular_files import content, opened
from wrapgen.terminal.verb import verb
from wrapgen.vault.disk import cannot, make_private_folder, publish
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import MARK, page_of

FOLDER = ".wrapgen/page"
NAME = "index.html"


@verb("page", "wrap page --open", "wrap page --out ~/status.html", json=True)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"Write it here; by default to {FOLDER}/{NAME}, which git ignores.",
)
def command(app: App, *, show: bool, out: Path | None) -> None:
    """Write the vault as one HTML page to read in a browser.

    It shows what the dashboard shows, plus the evidence for every item, filters and charts. It needs no network
    and no other file. It contains text from your notes, so a new file is readable only by you.
    """
    file = app.root / FOLDER / NAME if out is None else Path(os.path.abspath(out))
    run, data = page_of(app, file.parent)
    changed = _write(app, file, data)
    app.wrote = True
    counts = {fate.value: number for fate, number in fates(run).items()}
    document = {"path": str(file), "bytes": len(data), "changed": changed, "today": run.today}
    app.answer({"schema": "wrapgen.page/1", **document, "collected": collected(run), **counts})
    app.say(f"{file}: {'written' if changed else 'unchanged'}")
    app.say(audit_line(run))
    if show and not webbrowser.open(file.as_uri()):
        app.warn(f"no browser could be started; open {file} yourself")


def _write(app: App, file: Path, data: bytes) -> bool:
    vault = Path(os.path.realpath(app.root))
    within = file.is_relative_to(app.root) or Path(os.path.realpath(file.parent)).is_relative_to(vault)
    with app.locked() if within else nullcontext():
        _make_way(app, file)
        # A link that came with the vault must not lead outside it; the user's own links may lead anywhere.
        return publish(file, data, root=app.root if within else Path(file.anchor), private=True)


def _make_way(app: App, file: Path) -> None:
    own = app.root / FOLDER
    if file.parent == own:
        make_private_folder(own, app.root, ignored=own)
    elif not file.parent.is_dir():
        raise PublishError("its folder does not exist", where=str(file), next_step="Create it, or name another file.")
    vault, target = Path(os.path.realpath(app.root)), Path(os.path.realpath(file))
    path = target.relative_to(vault).as_posix() if target.is_relative_to(vault) else ""
    # What would be read as a note or as the configuration stays free even where nothing is yet.
    if path in (VAULT_FILE, app.config.output) or (path and is_source(path, app.config)) or _is_other(file):
        raise PublishError(
            "was not made by `wrap page`, so it is not overwritten",
            where=str(file),
            next_step="Name another file, or remove this one.",
        )


def _is_other(file: Path) -> bool:
    mark = MARK.encode()
    try:
        with opened(file) as descriptor:
            return content(descriptor, len(mark)) != mark
    except FileNotFoundError:
        return False
    except OSError as error:
        raise cannot("cannot be written; the existing file is unchanged", file, error) from error
