"""`wrap demo`: the sample vault, and a first `wrap` in it."""

from dataclasses import replace
from pathlib import Path

import click

from wrapgen.commands.wrap_ import wrap
from wrapgen.terminal.verb import verb
from wrapgen.vault.held import make_folder
from wrapgen.workflows import user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.demo import copy_demo

_FOLDER = "wrapgen-demo"


@verb("demo", "wrap demo", "wrap demo ~/try")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
def command(app: App, *, folder: Path | None) -> int:
    """Make a sample vault and run wrap in it.

    First the question, then the page. DIR is a new or empty folder, `wrapgen-demo` by default. The vault has some weeks
    of notes and a conversation that ended today; outside of it only the list of vaults that you trust is written.
    """
    root = (folder or Path(_FOLDER)).absolute()
    make_folder(root, root)
    copy_demo(root, app.day)
    user_config.trust(root, default=False)
    app.say(f"a sample vault is in {root}")
    code = wrap(replace(app, vault=root), transcripts=(), answers=None, prompt=True)
    app.wrote = True
    app.say(f"next: cd {folder or _FOLDER} && wrap list; set up your own notes: wrap init")
    return code
