"""`wrap plugin`: wrapgen as a Claude Code marketplace plugin."""

from pathlib import Path

import click

from wrapgen import __version__
from wrapgen.errors import WrapgenError
from wrapgen.hosts.host import MARKETPLACE, NAME, is_ours, plugin_files
from wrapgen.hosts.places import CONTRACT, skills
from wrapgen.terminal.verb import examples, verb
from wrapgen.text.display import count
from wrapgen.vault import disk
from wrapgen.workflows.app import App


@click.group("plugin", epilog=examples("wrap plugin build dist/plugin"))
def command() -> None:
    """Build wrapgen as a Claude Code plugin."""


@verb("build", "wrap plugin build dist/plugin", "wrap plugin build ~/plugin --program ~/.local/bin/wrap", of=command)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--program",
    "named",
    default=NAME,
    show_default=True,
    metavar="NAME",
    help="What the hooks and skills call: a name on the PATH, or a path.",
)
def build(app: App, *, folder: Path, named: str) -> None:
    """Write a marketplace containing the plugin into a folder.

    The plugin calls wrapgen by name, since it may be copied to other machines; each needs wrapgen on the PATH
    of the programs that start Claude Code. Use the plugin or `wrap install claude`, not both.
    """
    root = folder.absolute()
    _must_be_free(root)
    chosen = {name: text for name, text in skills((named,)).items() if name not in CONTRACT}
    texts = plugin_files((named,), chosen, __version__)
    with disk.refused("the plugin cannot be written", root):
        root.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            disk.publish(root / name, text.encode("utf-8"), root=root)
    app.wrote = True
    app.say(f"wrote {count(len(texts), 'file')} into {root}")
    app.say(f"add it with: claude plugin marketplace add {root} && claude plugin install {NAME}@{NAME}")


def _must_be_free(root: Path) -> None:
    try:
        ours = is_ours(disk.whole(root / MARKETPLACE))
    except OSError:
        ours = not root.exists() or (root.is_dir() and not any(root.iterdir()))
    if not ours:
        raise WrapgenError(
            "contains files that are not from an earlier build, so nothing was written",
            where=str(root),
            next_step="Name a new folder.",
        )
