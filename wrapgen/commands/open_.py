"""`wrap open`: go to an item's source."""

import os
import shlex
import subprocess
from pathlib import Path

import click

from wrapgen.errors import UsageError, WrapgenError
from wrapgen.terminal.completions import item_names
from wrapgen.terminal.item_list import picked
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.item_edit import edit_document, named
from wrapgen.workflows.vault_session import VaultSession

_STDERR = 2  # takes what an editor prints where stdout is for JSON
# Editors that take the line behind the file's name; all others get `+LINE FILE`, as vi, nano and emacs accept it.
_COLON_EDITORS = ("code", "code-insiders", "codium", "cursor", "windsurf", "subl", "zed", "hx", "helix")


@verb("open", "wrap open 1", json=True)
@click.argument("items", nargs=-1, required=True, metavar="N", shell_complete=item_names)
def command(app: App, *, items: tuple[str, ...]) -> None:
    """Open an item's source in your editor.

    N: a number of the list that was printed last, a handle, path:line, or the item's words. The editor is $VISUAL or
    $EDITOR.
    """
    session = VaultSession.look(app)
    run = session.run
    chosen, *more = picked(session, run, items)
    if more:
        raise UsageError("an editor opens one item at a time", next_step="Name one.")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        program = shlex.split(editor)
    except ValueError as error:
        raise WrapgenError(f"$VISUAL or $EDITOR cannot be read: {error}", next_step="Fix its quotes.") from error
    if not program:
        raise WrapgenError(
            "neither $VISUAL nor $EDITOR is set",
            next_step=f"Set one, or open {chosen.place} yourself.",
        )
    words = editor_command(program, app.root / chosen.path, chosen.line)
    try:
        code = subprocess.run(words, stdout=_STDERR if app.as_json else None, check=False).returncode
    except OSError as error:
        raise WrapgenError(
            f"the editor `{editor}` cannot be started: {error.strerror}", next_step="Check $VISUAL and $EDITOR."
        ) from error
    if code:
        raise WrapgenError(f"the editor `{editor}` ended with exit code {code}", next_step="Check $VISUAL and $EDITOR.")
    app.answer(edit_document("open", None, [named(chosen, run.handles()[chosen.id])], [], []))


def editor_command(editor: list[str], file: Path, line: int) -> list[str]:
    """The command line that opens a file at a line."""
    program = os.path.basename(editor[0]).removesuffix(".exe")  # noqa: PTH119 - a program's name, not a path of ours
    if program in _COLON_EDITORS:
        goto = ["--goto"] if program.startswith(("code", "cursor", "windsurf")) else []
        return [*editor, *goto, f"{file}:{line}"]
    return [*editor, f"+{line}", str(file)]
