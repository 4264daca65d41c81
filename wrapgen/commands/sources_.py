"""`wrap sources` and `wrap projects`: what is read, whose it is, and changing both in `wrapgen.toml`."""

import shlex
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from wrapgen.dashboard.balance import not_read, unreadable
from wrapgen.dashboard.document import fields, unread_record
from wrapgen.terminal.verb import JSON, examples, verb
from wrapgen.text.display import count, visible
from wrapgen.vault.near_names import NearName
from wrapgen.workflows import sources
from wrapgen.workflows.app import App
from wrapgen.workflows.sources import Overview, SourceRow
from wrapgen.workflows.vault_session import VaultSession

_NAMED = 20  # files that are nearly named like sources


@click.group(
    "sources",
    invoke_without_command=True,
    epilog=examples(
        "wrap sources",
        'wrap sources add "notes/**/*.md" --as lists',
        "wrap sources add 'docs/STATE.md#Next' --as hand_overs",
        'wrap sources add "Templates/**" --as ignore',
        "wrap sources --names",
        'wrap sources remove "notes/**/*.md"',
    ),
)
@click.option("--names", is_flag=True, help="Show the names of headings that are in force.")
@JSON
@click.pass_context
def command(ctx: click.Context, *, names: bool) -> None:
    """Show what is read and what is not, and change it.

    Each row is a glob of wrapgen.toml, or a section as path#heading, with the files that fit it and the open items
    that they give; then open boxes that nothing reads, and the lines that would read them.
    """
    app: App = ctx.obj
    if ctx.invoked_subcommand is not None:
        if app.as_json or names:
            raise click.UsageError("--json and --names go with `wrap sources` alone.")
        return
    if names:
        _say_names(app)
        return
    found = sources.overview(app.root, app.config, app.day, app.read_options)
    near = found.near(app.config)
    app.answer(
        {
            "schema": "wrapgen.sources/1",
            "sources": [_record(row) for row in found.read],
            "unread": unread_record(found.unread),
            "unreadable": [fields(one, "path error") for one in found.troubles],
            "proposals": [{**_record(row), "add": row.command} for row in found.proposed],
            "drifted": [{"path": one.path, "error": one.error} for one in found.drifted],
            "nearly_named": [one._asdict() for one in near],
            "conflict_copies": [one._asdict() for one in found.copies],
        }
    )
    _print(app, found, near)


def _say_names(app: App) -> None:
    """Print the names of headings that are in force, and which of them are the vault's own."""
    own = msgspec.structs.asdict(app.config.sections)
    force = {key: getattr(app.config.names, key) for key in own}
    app.answer({"schema": "wrapgen.names/1", "names": force, "own": own})
    for key, names in force.items():
        app.say(f"{key}: {', '.join(map(visible, names)) or 'none'}")
    for key, mine in own.items():
        if mine:
            app.say(f"of these by sections.{key}: {', '.join(map(visible, mine))}")


@verb(
    "add",
    'wrap sources add "notes/**/*.md" --as lists',
    "wrap sources add 'docs/STATE.md#Next' --as hand_overs",
    of=command,
)
@click.argument("glob")
@click.option(
    "--as", "key", required=True, type=click.Choice(sources.KEY_NAMES), help="What these files are; `ignore`: nothing."
)
def add(app: App, *, glob: str, key: str) -> None:
    """Read the files of GLOB, or leave them out.

    Globs know `*`, `**` (any folders), `?`, `{a,b}`, `<project>`, `<task>` and dates (YYYY, MM, DD). Behind a `#`
    stands the heading of the section that is meant, with `*` for any words.
    """
    glob = sources.with_escapes(app.root, glob)
    if not sources.add(app.root, app.config, glob, key):
        app.say(f"`{glob}` is one of sources.{key} already")
        return
    app.wrote = True
    app.say(f"sources.{key}: added `{glob}`")
    _say_what_it_gives(app, glob)


@verb("remove", 'wrap sources remove "journals/**/YYYY-MM-DD*.md"', of=command)
@click.argument("glob")
def remove(app: App, *, glob: str) -> None:
    """Take GLOB out of wrapgen.toml."""
    for key in sources.remove(app.root, app.config, glob):
        app.wrote = True
        app.say(f"sources.{key}: removed `{glob}`")
    _say_what_it_gives(app)


def _say_what_it_gives(app: App, glob: str = "") -> None:
    app.reload()
    found = sources.overview(app.root, app.config, app.day, app.read_options)
    gone = {one.path: one.error.removesuffix(": wrap sources") for one in found.drifted}
    for row in found.read:
        if row.glob == glob:
            app.say(gone.get(glob) or _given(row))
    if left := not_read(found.unread):
        app.say(left)


def _given(row: SourceRow) -> str:
    if not row.files:
        return "no file fits it"
    what = "open box" if row.key == "ignore" else "open item"
    plural = "es" if row.key == "ignore" and row.items != 1 else "" if row.items == 1 else "s"
    return f"{count(row.files, 'file')}, {row.items} {what}{plural}"


def _record(row: SourceRow) -> dict[str, Any]:
    return {"kind": row.key, "glob": row.glob, "what": row.why, **fields(row, "files items")}


def _print(app: App, found: Overview, named: Sequence[NearName]) -> None:
    from wrapgen.terminal.audit_tables import source_rows, unread_rows

    # A usual place where nothing is says nothing to somebody who keeps notes in another way.
    app.show(source_rows([row for row in found.read if row.files or row.why == sources.YOURS]))
    for gone in found.drifted:
        app.say(f"{gone.path}: {gone.error.removesuffix(': wrap sources')}")
    near = [f"{one.path}; rename it if you mean {one.meant}" for one in named]
    copies = [f"{one.path}, a conflict copy of {one.original}" for one in found.copies]
    for lines, what in ((near, "nearly named like a source"), (copies, "that are conflict copies")):
        for line in lines[:_NAMED]:
            app.say(f"not read: {line}")
        if more := len(lines) - _NAMED if len(lines) > _NAMED else 0:
            app.say(f"not read: {count(more, 'more file')} {what}; --json has all")
    app.say("")
    if left := unreadable(found.troubles):
        app.say(left)
    elif not found.unread.boxes:
        app.say("every open box of the notes is read or ignored")
    if found.unread.boxes:
        app.say(not_read(found.unread).removesuffix(": wrap sources"))
        app.show(unread_rows(found.unread))
    if found.proposed:
        app.say("")
        app.say("to read them (all of it: wrap init --detect):")
        for row in found.proposed:
            app.say(f"  {row.command}  ({_given(row)})")


@click.group(
    "projects",
    invoke_without_command=True,
    epilog=examples("wrap projects", "wrap projects add web ~/code/web", "wrap projects remove web"),
)
@JSON
@click.pass_context
def projects_(ctx: click.Context) -> None:
    """Show the projects and their folders, and change them.

    Projects are the folders under projects/, the tables [projects.NAME] of wrapgen.toml, and `project`, which names
    that of the whole vault.
    """
    app: App = ctx.obj
    if ctx.invoked_subcommand is not None:
        if app.as_json:
            raise click.UsageError("--json goes with `wrap projects` alone.")
        return
    rows = sources.projects_of(VaultSession.look(app))
    app.answer({"schema": "wrapgen.projects/1", "project": app.config.project or None, "projects": rows})
    if not rows:
        app.say("no project is known; to make one known: wrap projects add NAME [PATH]")
    for one in rows:
        parts = [visible(one["name"]), count(one["items"], "open item")]
        parts += [f"list {one['list']}"] if one["list"] else []
        parts += [f"in {', '.join(one['paths'])}"] if one["paths"] else []
        parts += [f"also called {', '.join(one['aliases'])}"] if one["aliases"] else []
        parts += ["the whole vault"] if one["own"] else []
        app.say("  ".join(parts))


@verb("add", "wrap projects add web ~/code/web", of=projects_)
@click.argument("name")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
def add_project(app: App, *, name: str, paths: tuple[str, ...]) -> None:
    """Make a project known, with its working folders.

    PATHs are folders in which you work on it; TODO, plan and progress files that are found in them are proposed.
    """
    made = sources.add_project(app.root, app.config, name, paths)
    app.wrote = True
    app.say(f"projects.{name}: {', '.join(made) if made else 'known by its name'}")
    app.reload()
    for path, within in sources.lists_in(app, made):
        if within:
            app.say(f"not read yet: {path}; to read it: wrap sources add {shlex.quote(path)} --as lists")
        else:
            app.say(f"outside of the vault, so not read: {path}")


@verb("remove", "wrap projects remove web", of=projects_)
@click.argument("name")
def remove_project(app: App, *, name: str) -> None:
    """Take a project out of wrapgen.toml; its notes stay as they are."""
    sources.remove_project(app.root, app.config, name)
    app.wrote = True
    app.say(f"projects.{name}: removed")
