"""`wrap demo`, and `wrap init --demo`: the sample vault, with its dates moved so that it ends today."""

import re
import shlex
from datetime import date, timedelta
from pathlib import Path

import click
import msgspec

from wrapgen.errors import UsageError
from wrapgen.hosts.places import program_here
from wrapgen.regular_files import ENDING
from wrapgen.resources import resource
from wrapgen.terminal.verb import verb
from wrapgen.vault import run_history
from wrapgen.vault.disk import make_new
from wrapgen.vault.held import make_folder
from wrapgen.workflows import user_config
from wrapgen.workflows.app import App

_FOLDER = "wrapgen-demo"


@verb("demo", "wrap demo", "wrap demo ~/try")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
def demo(app: App, *, folder: Path | None) -> int:
    """Make a sample vault and run wrap in it.

    First the question, then the page. DIR is a new or empty folder, `wrapgen-demo` by default. The vault has some weeks
    of notes and a conversation that ended today; outside of it only the list of vaults that you trust is written.
    """
    from wrapgen.commands.wrap_ import wrap

    root = (folder or Path(_FOLDER)).absolute()
    make_folder(root, root)
    copy_demo(root, app.day)
    user_config.trust(root, default=False)
    app.say(f"a sample vault is in {root}")
    code = wrap(msgspec.structs.replace(app, vault=root), transcripts=(), answers=None, prompt=True)
    app.wrote = True
    name = shlex.join(program_here())
    app.say(f"next: cd {shlex.quote(str(folder or _FOLDER))} && {name} list; set up your own notes: {name} init")
    return code


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MONTH_FOLDER = re.compile(r"\d{4}/\d{2}(?=/(\d{4})-(\d{2}))")


def demo_files(today: date) -> dict[str, str]:
    """The files of the sample vault with all their dates moved: text by path relative to the vault.

    Its last day becomes today, so that ages and due dates make sense. It brings a conversation and a history of some
    weeks, which a vault of one's own has only after a while.
    """
    sample = resource("sample_vault")
    files = {
        path.relative_to(sample).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(sample.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(sample).parts)
    }
    journals = [match[0] for path in files if (match := _DAY.search(path))]
    # In the checkout it is a plain file: there, `.wrapgen` is what a run leaves behind.
    history = files.pop("history.jsonl")
    files = {".wrapgen/.gitignore": "*\n!/said.jsonl\n", **files, run_history.FILE: history}  # before words come in
    shift = today - date.fromisoformat(max(journals))
    moved = ((_moved(path, shift), _moved(text, shift)) for path, text in files.items())
    return {_MONTH_FOLDER.sub(lambda day: f"{day[1]}/{day[2]}", path): text for path, text in moved}


def _moved(text: str, shift: timedelta) -> str:
    return _DAY.sub(lambda day: (date.fromisoformat(day[0]) + shift).isoformat(), text)


def copy_demo(folder: Path, today: date) -> list[str]:
    """Write the sample vault into an otherwise empty folder; an interrupted copy is completed."""
    files = demo_files(today)
    for path in folder.rglob("*"):
        if not _is_ours(path, files.get(path.relative_to(folder).as_posix())):
            raise UsageError(
                f"the sample vault needs an empty folder, but this one contains {path.name!r}",
                where=str(folder),
                next_step="Name a new folder: wrap demo DIR, or wrap init DIR --demo",
            )
    return make_new(folder, files)


def _is_ours(path: Path, text: str | None) -> bool:
    if path.is_symlink():
        return False
    if text is None:
        return path.is_dir() or path.name.endswith(ENDING)
    return path.is_file() and path.read_bytes() == text.encode("utf-8")
