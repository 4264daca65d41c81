"""`wrap init`: make a folder a vault."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.commands import in_git, userfile
from wrapgen.commands.help import examples
from wrapgen.config import VAULT_FILE, Config, Sources, load
from wrapgen.config.reference import commented
from wrapgen.errors import WrapgenError
from wrapgen.model import Kind
from wrapgen.text import count
from wrapgen.vault import disk
from wrapgen.vault.files import make_new

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.commands.app import App
    from wrapgen.vault.detect import DailyNotes

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
    help="Copy the sample vault into an empty folder, with its dates moved so that it ends today.",
)
@click.option("--detect", is_flag=True, help="Read the daily notes that are found here as journals.")
@click.option("--journals", multiple=True, metavar="GLOB", help="Read these files as journals (may be repeated).")
@click.option(
    "--default/--no-default", "default", default=None, help="Use this vault outside of every vault, or no longer."
)
@click.option("--git", is_flag=True, help="A vault in git: lists merge, and ACTIVE-STATUS.md is never in conflict.")
@click.option(
    "--page",
    type=click.Choice(in_git.MODES),
    help="With --git: ignore ACTIVE-STATUS.md, or commit and merge it; else it asks.",
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
    """Make a folder a vault.

    DIR (this folder by default) gets wrapgen.toml, folders and a first journal.
    Nothing that stands there is overwritten. Folders that already hold notes are looked through for daily notes.
    """
    if page and not git:
        raise click.UsageError("--page is said together with --git.")
    root = Path(folder or app.vault or ".").absolute()
    if default is False and userfile.forget_default(root):
        app.say(f"{root} is your default vault no more")
        if not (demo or detect or journals or git):
            return
    try:
        root.mkdir(parents=True, exist_ok=True)
        checkout = in_git.checkout_of(root) if git else None
        notes = _daily_notes(root) if not demo else []
        written = _make(app, root, demo=demo, first_journal=not notes)
    except OSError as error:
        raise disk.cannot("cannot be made a vault", root, error) from error
    if len(written) > _LISTED:
        app.say(f"wrote {len(written)} files into {root}")
    else:
        for path in written:
            app.say(f"wrote {root / path}")
    if not written:
        app.say(f"{root} is a vault already; nothing was overwritten")
    if journals:
        _write_globs(app, root, journals)
    if notes and (found := _chosen(app, root, notes, detect=detect)):
        _write_globs(app, root, found)
    if checkout:
        in_git.set_up(app, checkout, page)
    else:
        in_git.offer(app, root)
    _remember(app, root, default=default, demo=demo)
    app.say(f"next: {'' if root == Path.cwd() else f'cd {folder} && '}wrap")


def _make(app: App, root: Path, *, demo: bool, first_journal: bool) -> list[str]:
    if demo:
        from wrapgen.commands.demo import copy_demo

        return copy_demo(root, app.day)
    day = app.day.isoformat()
    files = {VAULT_FILE: commented(Config)}
    if first_journal:
        files[f"journals/{day[:4]}/{day[5:7]}/{day}.md"] = FIRST_JOURNAL.format(day=day)
    written = make_new(root, files)
    (root / "projects").mkdir(exist_ok=True)
    return written


def _daily_notes(root: Path) -> list[DailyNotes]:
    from wrapgen.vault.detect import daily_notes

    return daily_notes(root)


def _chosen(app: App, root: Path, notes: list[DailyNotes], *, detect: bool) -> list[str]:
    """Print what each pattern would yield, and return those that are to be written."""
    known = load(root / VAULT_FILE, Config).sources.journals
    others = [one for one in notes if one.pattern not in known and not _read_already(one, known)]
    if not others:
        return []
    app.say("daily notes found here:")
    for number, one in enumerate(others, 1):
        items = _open_items(app, root, one.pattern)
        app.say(
            f"  {number}. {one.pattern}: {count(len(one.files), 'file')}, {one.first} to {one.last}, "
            f"{count(items, 'open item')}"
        )
    if not detect:
        app.say("read them as journals with: wrap init --detect")
        return []
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return [one.pattern for one in others]
    answer = click.prompt("Which ones are journals? Numbers, `all` or `none`", default="all")
    if answer.strip().casefold() in ("all", "none"):
        return [one.pattern for one in others] if answer.strip().casefold() == "all" else []
    picked = {word for word in answer.replace(",", " ").split() if word.isdigit()}
    return [one.pattern for number, one in enumerate(others, 1) if str(number) in picked]


def _open_items(app: App, root: Path, pattern: str) -> int:
    """How many open items the journals of a pattern hold."""
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.run import run
    from wrapgen.vault.index import read_vault

    config = Config(sources=Sources(journals=(pattern,)))
    result = run(read_vault(root, config), projects=Projects({}), config=config, today=app.day)
    return next(one.items for one in result.sources if one.kind is Kind.JOURNAL_NEXT)


def _read_already(notes: DailyNotes, known: tuple[str, ...]) -> bool:
    from wrapgen.patterns import Pattern

    return any(Pattern(text).match(notes.files[0]) for text in known)


def _write_globs(app: App, root: Path, globs: Sequence[str]) -> None:
    present = load(root / VAULT_FILE, Config).sources.journals
    kept = [text for text in present if text not in globs]
    userfile.set_keys(root / VAULT_FILE, {"sources": {"journals": [*kept, *globs]}})
    load(root / VAULT_FILE, Config)  # a glob that is not allowed must fail now, not at the first run
    for text in globs:
        app.say(f"journals are read from {text}")


def _remember(app: App, root: Path, *, default: bool | None, demo: bool) -> None:
    """Write the vault into the user's own file; a vault without it is still a vault."""
    try:
        if default is None and not demo and not userfile.default_vault():
            # Code mostly lives elsewhere: sessions there would find no vault at all.
            asks = sys.stdin.isatty() and sys.stdout.isatty()
            default = not asks or click.confirm("Use this vault wherever no other is found?", default=True)
        userfile.trust(root, default=bool(default))
        if default:
            app.say("it is used wherever no other vault is found; `wrap init --no-default` takes that back")
    except WrapgenError as error:
        app.warn(f"the vault works, but could not be written into your own file: {error}")
