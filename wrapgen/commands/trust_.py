"""`wrap trust`: which vaults hooks may act on, and may read outside themselves."""

import os
from pathlib import Path

import click

from wrapgen.config import VAULT_FILE
from wrapgen.errors import ExitCode
from wrapgen.terminal.verb import verb
from wrapgen.vault.layout import find_vault
from wrapgen.workflows import user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.user_config import reach


@verb("trust", "wrap trust", "wrap trust ~/notes", "wrap trust --remove", "wrap trust --list")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--remove", is_flag=True, help="Stop trusting it.")
@click.option("--list", "as_list", is_flag=True, help="List the trusted vaults.")
def command(app: App, *, folder: Path | None, remove: bool, as_list: bool) -> int:
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
