"""`wrap init`: set up wrapgen in a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.config.reference import commented
from wrapgen.dashboard.balance import not_read
from wrapgen.errors import WrapgenError
from wrapgen.terminal.help import examples
from wrapgen.text.display import count
from wrapgen.vault import disk
from wrapgen.vault.files import make_new
from wrapgen.vault.held import make_folder
from wrapgen.vault.trust import is_trusted
from wrapgen.workflows import git_setup, user_config
from wrapgen.workflows.trust_report import reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.notes import UnreadBoxes
    from wrapgen.workflows.app import App
    from wrapgen.workflows.sources import Overview

_LISTED = 5
FIRST_JOURNAL = """\
# {day}

## Session

<!-- A project named in this heading (Session: web) is that of the items below. -->

### Done

- Made this vault with `wrap init`

### Next

- [ ]
"""


@click.command(
    "init",
    epilog=examples(
        "wrap init",
        "wrap init demo --demo",
        "wrap init ~/notes --detect",
        'wrap init ~/notes --journals "Daily/YYYY-MM-DD.md"',
        "wrap init --git",
        "wrap init --git --page merge",
    ),
)
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option(
    "--demo",
    is_flag=True,
    help="Copy the sample vault into an empty folder, with its dates shifted to end today.",
)
@click.option("--detect", is_flag=True, help="Read the notes found here, without asking.")
@click.option("--journals", multiple=True, metavar="GLOB", help="Read these files as journals (repeatable).")
@click.option(
    "--default/--no-default",
    "default",
    default=None,
    help="Make this your default vault, or stop it being the default.",
)
@click.option("--git", is_flag=True, help="Set up git so that lists merge and ACTIVE-STATUS.md never conflicts.")
@click.option(
    "--page",
    type=click.Choice(git_setup.MODES),
    help="With --git: ignore ACTIVE-STATUS.md, or commit and merge it; asks by default.",
)
@click.pass_obj
def command(
    app: App,
    *,
    folder: Path | None,
    demo: bool,
    detect: bool,
    journals: tuple[str, ...],
    default: bool | None,
    git: bool,
    page: str | None,
) -> None:
    """Set up wrapgen in a folder.

    Creates wrapgen.toml in DIR (by default, this folder). Existing files are never overwritten. Existing notes are
    looked at: where the settings of Obsidian, Logseq and Dendron say that daily notes are, and which files hold open
    boxes. A table shows what would be read before anything is written. An empty folder gets a first journal.
    """
    if page and not git:
        raise click.UsageError("--page needs --git.")
    root = Path(folder or app.vault or ".").absolute()
    if default is False and user_config.forget_default(root):
        app.say(f"{root} is no longer your default vault")
        if not (demo or detect or journals or git):
            return
    try:
        make_folder(root, root)
        checkout = git_setup.checkout_of(root) if git else None
        found = _found(app, root) if not demo else None
        written = _make(app, root, demo=demo, empty=found is None or found.is_empty)
    except OSError as error:
        raise disk.cannot("cannot be made a vault", root, error) from error
    app.wrote = True
    if len(written) > _LISTED:
        app.say(f"wrote {len(written)} files into {root}")
    else:
        for path in written:
            app.say(f"wrote {root / path}")
    if not written:
        app.say(f"{root} is already a vault; nothing was overwritten")
    if journals:
        _write_globs(app, root, journals)
    if found and found.proposed:
        _propose(app, root, found, detect=detect)
    if checkout:
        git_setup.set_up(app, checkout, page)
    else:
        git_setup.offer(app, root)
    _remember(app, root, default=default, demo=demo)
    app.say(f"next: {'' if root == Path.cwd() else f'cd {folder} && '}wrap")


def _make(app: App, root: Path, *, demo: bool, empty: bool) -> list[str]:
    if demo:
        from wrapgen.workflows.demo import copy_demo

        return copy_demo(root, app.day)
    day = app.day.isoformat()
    files = {VAULT_FILE: commented(Config)}
    if empty:  # else notes are kept here in a way of their own
        files[f"journals/{day[:4]}/{day[5:7]}/{day}.md"] = FIRST_JOURNAL.format(day=day)
    written = make_new(root, files)
    if empty:
        make_folder(root / "projects", root)
    return written


def _found(app: App, root: Path) -> Overview:
    """What is and would be read of the notes in the folder."""
    from wrapgen.workflows.sources import overview

    return overview(root, load(root / VAULT_FILE, Config), app.read_options)


def _propose(app: App, root: Path, found: Overview, *, detect: bool) -> None:
    """Show what was found, and write it once it is agreed to."""
    from wrapgen.terminal.source_tables import source_rows
    from wrapgen.workflows.sources import write_proposals

    app.say("notes found here:")
    app.show(source_rows(found.proposed))
    if not detect:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            app.say("read them with: wrap init --detect")
            _say_unread(app, found.unread)
            return
        if not click.confirm("Read them like this?", default=True):
            app.say("none of it is read; `wrap sources` shows it again")
            _say_unread(app, found.unread)
            return
    write_proposals(root, load(root / VAULT_FILE, Config), found.detected)
    load(root / VAULT_FILE, Config)  # what is not allowed must fail now, not at the first run
    items = sum(row.items for row in found.proposed if row.key != "ignore")
    app.say(f"{count(items, 'open item')} will be read; change it with: wrap sources")
    _say_unread(app, found.still_unread)


def _say_unread(app: App, unread: UnreadBoxes) -> None:
    if left := not_read(unread):
        app.say(left)


def _write_globs(app: App, root: Path, globs: Sequence[str]) -> None:
    present = load(root / VAULT_FILE, Config).sources.journals
    kept = [text for text in present if text not in globs]
    user_config.set_keys(root / VAULT_FILE, {"sources": {"journals": [*kept, *globs]}})
    load(root / VAULT_FILE, Config)  # a glob that is not allowed must fail now, not at the first run
    for text in globs:
        app.say(f"journals are read from {text}")


def _remember(app: App, root: Path, *, default: bool | None, demo: bool) -> None:
    """Save the vault as the user's default; failing to do so is not fatal."""
    try:
        asks = sys.stdin.isatty() and sys.stdout.isatty() and not demo
        if default is None and asks and not user_config.default_vault():
            default = click.confirm("Make this your default vault?", default=True)
        if not is_trusted(root):  # its configuration may be somebody else's
            for line in reach(root):
                app.say(f"it {line}")
        user_config.trust(root, default=bool(default))
        if default:
            app.say("this is now your default vault; undo: `wrap init --no-default`")
    except WrapgenError as error:
        app.warn(f"the vault works, but could not be saved as your default: {error}")
