"""`wrap open`: go to an item's source."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import TYPE_CHECKING

import click

from wrapgen.commands.completing import item_numbers
from wrapgen.commands.help import examples
from wrapgen.commands.picking import pick
from wrapgen.commands.rebuild import collect
from wrapgen.errors import WrapgenError

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.commands.app import App

# Editors that take the line behind the file's name; all others are given `+LINE FILE`, as vi, nano and emacs take it.
_COLON_EDITORS = ("code", "code-insiders", "codium", "cursor", "windsurf", "subl", "zed", "hx", "helix")


@click.command("open", epilog=examples("wrap open 1"))
@click.argument("item", metavar="N", shell_complete=item_numbers)
@click.pass_obj
def command(app: App, *, item: str) -> None:
    """Open an item's source in your editor.

    N: a number of `wrap list`, an id, or path:line. The editor is $VISUAL or $EDITOR.
    """
    chosen = pick(collect(app).run, item).item
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        program = shlex.split(editor)
    except ValueError as error:
        raise WrapgenError(f"$VISUAL or $EDITOR cannot be read: {error}", next_step="Mend its quotes.") from error
    if not program:
        raise WrapgenError(
            "neither $VISUAL nor $EDITOR names an editor",
            next_step=f"Set one, or open {chosen.place} yourself.",
        )
    words = editor_command(program, app.root / chosen.path, chosen.line)
    try:
        subprocess.run(words, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise WrapgenError(f"the editor `{editor}` failed ({error})", next_step="Check $VISUAL and $EDITOR.") from error


def editor_command(editor: list[str], file: Path, line: int) -> list[str]:
    """The words that open a file at a line.

    Args:
        editor: the editor's program with its own arguments.
        file: the file.
        line: 1-based line.
    """
    program = os.path.basename(editor[0]).removesuffix(".exe")  # noqa: PTH119 - a program's name, not a path of ours
    if program in _COLON_EDITORS:
        goto = ["--goto"] if program.startswith(("code", "cursor", "windsurf")) else []
        return [*editor, *goto, f"{file}:{line}"]
    return [*editor, f"+{line}", str(file)]
