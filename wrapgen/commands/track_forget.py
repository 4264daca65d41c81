"""`wrap track forget`: what is kept of a project's conversations, and how to be rid of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from wrapgen.commands.track_writing import DIR, project_folder
from wrapgen.errors import UsageError, WrapgenError
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.workflows.app import App
    from wrapgen.workflows.track_forget import KeptFile

FORGET_SCHEMA = "wrapgen.track-forget/1"


@verb("forget", "wrap track forget", "wrap track forget T03", "wrap track forget --all --dir ~/shop", json=True)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="Delete all that is kept of this project's conversations.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@DIR
def forget(app: App, *, ids: tuple[str, ...], everything: bool, yes: bool, folder: Path | None, as_json: bool) -> None:
    """Say what is kept of a project's conversations; take back dead ends by their ids, or delete everything.

    A dead end that is taken back is none: it warns nobody, and no rule brings it back. --all deletes the log, and both
    files made from it; what you wrote into them by hand is kept in HOT_TRACK.by-hand.md. It cannot be undone.
    """
    from wrapgen.tracks.place import nearest_project
    from wrapgen.workflows.track_forget import forget_all, kept_files, withdraw

    if ids and everything:
        raise UsageError("--all and an id are both given", next_step="Leave one of them out.")
    wanted = project_folder(folder)
    project = wanted if folder else nearest_project(wanted) or wanted
    files = kept_files(project)
    if not files:
        raise WrapgenError(
            "nothing is kept of this project's conversations",
            where=str(project),
            next_step="--dir names another project.",
        )
    removed: list[Path] = []
    taken: list[str] = []
    if ids:
        taken = [one.id for one in withdraw(app, project, ids)]
    elif everything:
        if not yes and not _confirmed(files):
            raise WrapgenError("nothing was deleted", where=str(project), next_step="--yes deletes without asking.")
        removed = forget_all(app, project)
    app.wrote = bool(removed or taken)
    if as_json:
        left = [{"path": str(one.path), "bytes": one.size, "what": one.what} for one in kept_files(project)]
        deleted = [str(path) for path in removed]
        app.print_json({"schema": FORGET_SCHEMA, "kept": left, "deleted": deleted, "taken_back": taken})
        return
    for one in taken:
        app.say(f"dead end {one} is taken back")
    for path in removed:
        app.say(f"deleted: {path}")
    if not (ids or everything):
        for kept in files:
            app.say(f"{kept.path}  {kept.size:,} bytes: {kept.what}")
        app.say("delete all of it: `wrap track forget --all`; a dead end that is none: `wrap track forget T03`")


def _confirmed(files: list[KeptFile]) -> bool:
    if not sys.stdin or not sys.stdin.isatty():
        return False
    size = sum(one.size for one in files)
    return click.confirm(f"Delete {count(len(files), 'file')} ({size:,} bytes) for good?", default=False)
