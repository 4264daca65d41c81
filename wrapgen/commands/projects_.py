"""`wrap projects`: the projects, their working folders and other names; options in, `wrapgen.workflows.projects`."""

import shlex

import click

from wrapgen.terminal.verb import JSON, examples, verb
from wrapgen.text.display import count, visible
from wrapgen.workflows import projects
from wrapgen.workflows.app import App
from wrapgen.workflows.vault_session import VaultSession


@click.group(
    "projects",
    invoke_without_command=True,
    epilog=examples("wrap projects", "wrap projects add web ~/code/web", "wrap projects remove web"),
)
@JSON
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show the projects and their folders, and change them.

    Projects are the folders under projects/, the tables [projects.NAME] of wrapgen.toml, and `project`, which names
    that of the whole vault.
    """
    app: App = ctx.obj
    if ctx.invoked_subcommand is not None:
        if app.as_json:
            raise click.UsageError("--json goes with `wrap projects` alone.")
        return
    rows = projects.overview(VaultSession.look(app))
    app.answer(
        {
            "schema": "wrapgen.projects/1",
            "project": app.config.project or None,
            "projects": [one.record for one in rows],
        }
    )
    if not rows:
        app.say("no project is known; to make one known: wrap projects add NAME [PATH]")
    for one in rows:
        parts = [visible(one.name), count(one.items, "open item")]
        parts += [f"list {one.list}"] if one.list else []
        parts += [f"in {', '.join(one.paths)}"] if one.paths else []
        parts += [f"also called {', '.join(one.aliases)}"] if one.aliases else []
        parts += ["the whole vault"] if one.own else []
        app.say("  ".join(parts))


@verb("add", "wrap projects add web ~/code/web", of=command)
@click.argument("name")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
def add(app: App, *, name: str, paths: tuple[str, ...]) -> None:
    """Make a project known, with its working folders.

    PATHs are folders in which you work on it; TODO, plan and progress files that are found in them are proposed.
    """
    made = projects.add(app.root, app.config, name, paths)
    app.wrote = True
    app.say(f"projects.{name}: {', '.join(made) if made else 'known by its name'}")
    app.reload()
    for path, within in projects.lists_in(app, made):
        if within:
            app.say(f"not read yet: {path}; to read it: wrap sources add {shlex.quote(path)} --as lists")
        else:
            app.say(f"outside of the vault, so not read: {path}")


@verb("remove", "wrap projects remove web", of=command)
@click.argument("name")
def remove(app: App, *, name: str) -> None:
    """Take a project out of wrapgen.toml; its notes stay as they are."""
    projects.remove(app.root, app.config, name)
    app.wrote = True
    app.say(f"projects.{name}: removed")
