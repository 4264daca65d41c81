"""`wrap init`, which makes a vault; `wrap trust`: on which ones hooks may act."""

import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click
import msgspec

from wrapgen.commands import init_roles_
from wrapgen.commands.demo_ import copy_demo
from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.dashboard.balance import not_read
from wrapgen.errors import ExitCode, NoTerminalError, NoVaultError, WrapgenError
from wrapgen.hosts.places import program_here
from wrapgen.notes import UnreadBoxes
from wrapgen.terminal.verb import verb
from wrapgen.text.display import count, shorten
from wrapgen.vault import disk
from wrapgen.vault.detect.proposal import Detected
from wrapgen.vault.disk import make_new
from wrapgen.vault.held import make_folder
from wrapgen.vault.layout import find_vault, is_trusted
from wrapgen.workflows import git_setup, roles_form, sources, user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.sources import Overview
from wrapgen.workflows.user_config import reach
from wrapgen.workflows.vault_session import VaultSession

_LISTED = 5
# With the "[Y/n]: " behind them they fit into 80 columns: a terminal breaks longer ones in the middle of a word.
_NEXT = "Do these say what comes next? (Then their lists are read.)"
_SHOWN = 70  # characters of an item
HEAD = """\
# This file marks a vault of wrapgen; what it does not say is as usual. All keys: docs/configuration.md, or
# https://github.com/wrapgen/wrapgen/blob/main/docs/configuration.md
"""
FIRST_JOURNAL = """\
# {day}

## Session

<!-- A project named in this heading (Session: web) is that of the items below. -->

### Done

- Made this vault with `wrap init`

### Next

- [ ]
"""


@verb(
    "init",
    "wrap init",
    "wrap init demo --demo",
    "wrap init ~/notes --detect",
    'wrap init ~/notes --journals "Daily/YYYY-MM-DD.md"',
    "wrap init --git",
    "wrap init --review",
    "wrap init --reviewed answer.json --dry-run",
)
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option(
    "--demo", is_flag=True, help="Copy the sample vault into an empty folder, with its dates shifted to end today."
)
@click.option("--detect", is_flag=True, help="Read the notes found here, without asking.")
@click.option("--journals", multiple=True, metavar="GLOB", help="Read these files as journals (repeatable).")
@click.option(
    "--default/--no-default",
    "default",
    default=None,
    help="Make this your default vault, or stop it being the default.",
)
@click.option("--git", is_flag=True, help="Print the lines for git by which lists merge and the page never conflicts.")
@click.option("--page", type=click.Choice(git_setup.PAGES), help="With --git: ignore ACTIVE-STATUS.md, or commit it.")
@click.option("--review", is_flag=True, help="Print what a judge needs to say where your next work stands.")
@click.option("--reviewed", metavar="FILE", help="Take a judge's answer; - for stdin.")
@click.option("--dry-run", is_flag=True, help="With --reviewed: check the answer, and write nothing.")
def command(  # noqa: PLR0913 - the options of the command line
    app: App,
    *,
    folder: Path | None,
    demo: bool,
    detect: bool,
    journals: tuple[str, ...],
    default: bool | None,
    git: bool,
    page: str | None,
    review: bool,
    reviewed: str | None,
    dry_run: bool,
) -> int:
    """Set up wrapgen in a folder.

    Creates wrapgen.toml in DIR (by default, this folder). Existing files are never overwritten. Existing notes are
    looked at: what other tools say of them, where one session hands over to the next, which files hold open boxes. On a
    terminal a form shows these places, a key a role; elsewhere a table, and --detect takes all of it. An empty folder
    gets a first journal.

    An agent that works here says it better, once, with --review and --reviewed: each place that it names must be
    there, and `wrap undo` takes its answer back.
    """
    _refuse_contradictions(page=page and not git, review=review, reviewed=reviewed, dry_run=dry_run)
    if review or reviewed is not None:
        return _by_review(app, folder, reviewed, dry_run=dry_run)
    for glob in journals:  # before there is anything that holds them
        sources.refuse(Config(), {"journals": journals}, glob)
    root = Path(folder or app.vault or ".").absolute()
    if default is False and _is_forgotten(app, root) and not (demo or detect or journals or git):
        return ExitCode.DONE
    with disk.refused("cannot be made a vault", root):
        make_folder(root, root)
        if git:
            git_setup.require_git(root)
        found = _found(app, root, journals) if not demo else None
        agreed = _agreed(app, found, detect=detect) if found else None
        written = _make(app, root, demo=demo, empty=found is None or (found.is_empty and not agreed))
    app.wrote = True
    _say_written(app, root, written)
    _write_globs(app, root, journals)
    init_roles_.write_anew(app, root)
    if found:
        _read_them(app, root, found, agreed)
    _say_git(app, root, page or "ignore", asked=git)
    _remember(app, root, default=default, demo=demo)
    _say_next(app, root, folder or root)
    return ExitCode.DONE


def _by_review(app: App, folder: Path | None, reviewed: str | None, *, dry_run: bool) -> int:
    """Print what a judge needs, or take the answer of one."""
    if reviewed is None:
        return init_roles_.review(app, folder)
    return _take_reviewed(app, init_roles_.root_of(app, folder), reviewed, dry_run=dry_run)


def _is_forgotten(app: App, root: Path) -> bool:
    """Stop a vault being the default; whether it was that."""
    forgotten = user_config.forget_default(root)
    if forgotten:
        app.say(f"{root} is no longer your default vault")
    return forgotten


def _say_next(app: App, root: Path, named: Path) -> None:
    there = "" if root == Path.cwd() else f"cd {shlex.quote(str(named))} && "
    app.say(f"next: {there}{shlex.join(program_here())}")
    app.say("then say what is next: `wrap next`, or judge the whole page: `wrap triage`")


def _say_written(app: App, root: Path, written: Sequence[str]) -> None:
    if len(written) > _LISTED:
        app.say(f"wrote {len(written)} files into {root}")
        return
    for path in written:
        app.say(f"wrote {root / path}")
    if not written:
        app.say(f"{root} is already a vault; nothing was overwritten")


def _refuse_contradictions(*, page: object, review: bool, reviewed: str | None, dry_run: bool) -> None:
    if page:
        raise click.UsageError("--page needs --git.")
    if review and reviewed is not None:
        raise click.UsageError("Use only one of --review and --reviewed.")
    if dry_run and reviewed is None:
        raise click.UsageError("--dry-run needs --reviewed.")


def _take_reviewed(app: App, root: Path, source: str, *, dry_run: bool) -> int:
    """Take an answer; where there is no vault, one is made first."""
    if not (root / VAULT_FILE).is_file():
        if dry_run:
            raise NoVaultError(
                f"has no {VAULT_FILE}", where=str(root), next_step="Run it without --dry-run, or `wrap init`."
            )
        with disk.refused("cannot be made a vault", root):
            make_folder(root, root)
            make_new(root, {VAULT_FILE: HEAD})
        app.wrote = True
        app.say(f"wrote {root / VAULT_FILE}")
        _remember(app, root, default=None, demo=True)
    return init_roles_.take_reviewed(app, root, source, dry_run=dry_run)


def _say_git(app: App, root: Path, page: str, *, asked: bool) -> None:
    config = load(root / VAULT_FILE, Config)
    if asked:
        places = VaultSession.look(msgspec.structs.replace(app, vault=root)).index.places
        shared = [*git_setup.lines(root, config, places, page)]
        app.say("for clones that share this vault, add these lines, which wrapgen does not write:")
        for name in dict.fromkeys(name for name, _ in shared):
            app.say(f"{name}:")
            for line in (line for of, line in shared if of == name):
                app.say(f"  {line}")
    elif git_setup.is_wanting(root, config):
        app.say("this folder is in git; how its clones keep from conflicting: wrap init --git")


def _make(app: App, root: Path, *, demo: bool, empty: bool) -> list[str]:
    if demo:
        return copy_demo(root, app.day)
    day = app.day.isoformat()
    files = {VAULT_FILE: HEAD}
    if empty:  # else notes are kept here in a way of their own
        files[f"journals/{day[:4]}/{day[5:7]}/{day}.md"] = FIRST_JOURNAL.format(day=day)
    written = make_new(root, files)
    if empty:
        make_folder(root / "projects", root)
    return written


def _found(app: App, root: Path, journals: Sequence[str]) -> Overview:
    config = load(root / VAULT_FILE, Config)
    read = msgspec.structs.replace(config.sources, journals=_with_globs(config, journals))
    return sources.overview(root, msgspec.structs.replace(config, sources=read), app.day, app.read_options, anew=True)


def _agreed(app: App, found: Overview, *, detect: bool) -> Detected | None:
    """Ask what the places found are, or show them where nobody can be asked; nothing is written yet."""
    from wrapgen.terminal.audit_tables import source_rows

    detected, asks = found.detected, app.at_terminal and not detect
    if asks:
        with suppress(NoTerminalError):
            answer = roles_form.ask(app, found)
            if answer is None or answer.is_empty:
                return None
            return _with_next_names(app, answer, asks=True)
    if detected.is_empty:
        return None
    app.say("notes found here:")
    app.show(source_rows(found.proposed))
    _say_settings(app, detected)
    return _with_next_names(app, detected, asks=False) if detect else None


def _say_settings(app: App, detected: Detected) -> None:
    for key, value in sources.task_settings(detected).items():
        app.say(f"tasks.{key} is to be {value}, as your task plugin has it")
    for folder in (f"{name} ({folder})" for name, folder in detected.projects.folders.items()):
        app.say(f"project: {folder}")
    if detected.projects.own:
        app.say(f"all of it is one project: {detected.projects.own}")


def _with_next_names(app: App, detected: Detected, *, asks: bool) -> Detected:
    if asks:
        _say_settings(app, detected)
    for one in detected.next_names:
        app.say(f'"{one.title}" stands above a list in {one.files} of {one.of} journals; the newest:')
        for item in one.newest:
            app.say(f"  - {shorten(item, _SHOWN)}")
    if not detected.next_names or not asks or click.confirm(_NEXT, default=True):
        return detected
    return detected._replace(next_names=())


def _read_them(app: App, root: Path, found: Overview, agreed: Detected | None) -> None:
    if agreed is None:
        if found.proposed:
            app.say("none of it is read yet; `wrap sources` shows it again, `wrap init --detect` reads it")
        _say_unread(app, found.unread)
        return
    sources.write_proposals(root, load(root / VAULT_FILE, Config), agreed)
    load(root / VAULT_FILE, Config)  # what is not allowed must fail now, not at the first run
    given, unread = found.proposed, found.still_unread
    if agreed != found.detected:
        now = sources.counts_now(found, load(root / VAULT_FILE, Config), app.day)
        taken = {(one.key, one.glob) for one in agreed.proposals}
        given, unread = tuple(row for row in now.rows if (row.key, row.glob) in taken), now.unread
    items = sum(row.items for row in given if row.key != "ignore")
    app.say(f"{count(items, 'open item')} will be read; change it with: wrap sources")
    if agreed != found.detected:
        inside = msgspec.structs.replace(app, vault=root)
        init_roles_.show_page(inside, VaultSession.look(inside).run)
    _say_unread(app, unread)


def _say_unread(app: App, unread: UnreadBoxes) -> None:
    if left := not_read(unread):
        app.say(left)


def _with_globs(config: Config, globs: Sequence[str]) -> tuple[str, ...]:
    return (*(text for text in config.sources.journals if text not in globs), *globs)


def _write_globs(app: App, root: Path, globs: Sequence[str]) -> None:
    if not globs:
        return
    written = _with_globs(load(root / VAULT_FILE, Config), globs)
    user_config.set_keys(root / VAULT_FILE, {"sources": {"journals": list(written)}})
    load(root / VAULT_FILE, Config)  # a glob that is not allowed must fail now, not at the first run
    for text in globs:
        app.say(f"journals are read from {text}")


def _remember(app: App, root: Path, *, default: bool | None, demo: bool) -> None:
    """Save the vault as the user's default; failing to do so is not fatal."""
    try:
        asks = app.at_terminal and not demo
        if default is None and asks and not user_config.own().default_vault:
            app.say("In folders that belong to no vault, `wrap` uses your default vault.")
            default = click.confirm("Make this your default vault?", default=True)
        if not is_trusted(root):  # its configuration may be somebody else's
            for line in reach(root):
                app.say(f"it {line}")
        user_config.trust(root, default=bool(default))
        if default:
            app.say("this is now your default vault; undo: `wrap init --no-default`")
    except WrapgenError as error:
        app.warn(f"the vault works, but could not be saved as your default: {error}")


@verb("trust", "wrap trust", "wrap trust ~/notes", "wrap trust --remove", "wrap trust --list")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--remove", is_flag=True, help="Stop trusting it.")
@click.option("--list", "as_list", is_flag=True, help="List the trusted vaults.")
def trust(app: App, *, folder: Path | None, remove: bool, as_list: bool) -> int:
    """Allow hooks to act on a vault, and it to read outside itself.

    DIR is the vault (by default, the one found from here). Until you trust it, hooks ignore a vault that came with
    someone else's repository: its wrapgen.toml decides what is read, its templates what is written; and no command
    uses its `paths` and `follow`. The list is in your own configuration, by real path: after moving a vault, trust it
    again.
    """
    if as_list and (remove or folder):
        raise click.UsageError("--list cannot be combined with DIR or --remove.")
    if as_list:
        known = user_config.own().trusted_vaults
        for one in known:
            gone = "" if (Path(one).expanduser() / VAULT_FILE).is_file() else " (no longer a vault)"
            app.say(f"{one}{gone}")
        if not known:
            app.say("no vault is trusted yet; `wrap trust DIR` adds one")
        return ExitCode.DONE
    if remove:
        vault = (folder or app.root).absolute()
        app.wrote = user_config.distrust(vault)
        if app.wrote:
            app.say(f"{vault}: hooks now ignore it")
            return ExitCode.DONE
        app.warn(f"{vault} is not in the list of trusted vaults; `wrap trust --list` shows it")
        return ExitCode.COULD_NOT
    root = find_vault(folder) if folder else app.root
    for line in reach(root):
        app.say(f"it {line}")
    new = user_config.trust(root)
    app.wrote = True
    app.say(f"{os.path.realpath(root)}: {'hooks now act on it' if new else 'was already trusted'}")
    return ExitCode.DONE
