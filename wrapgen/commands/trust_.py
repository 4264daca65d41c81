"""`wrap trust`: say for which vaults hooks may act."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrapgen.commands import userfile
from wrapgen.commands.help import examples
from wrapgen.commands.reach import reach
from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.errors import ExitCode
from wrapgen.vault.layout import find_vault

if TYPE_CHECKING:
    from wrapgen.commands.app import App


@click.command("trust", epilog=examples("wrap trust", "wrap trust ~/notes", "wrap trust --remove", "wrap trust --list"))
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--remove", is_flag=True, help="Trust it no longer.")
@click.option("--list", "as_list", is_flag=True, help="Show the trusted vaults.")
@click.pass_obj
def command(app: App, *, folder: Path | None, remove: bool, as_list: bool) -> int:
    """Let hooks act for a vault.

    DIR is the vault (by default the one that is found here). A vault that came with somebody's repository is left
    alone by hooks until then: its wrapgen.toml says what is read, its templates what is written. The list stands in
    your own file, by real paths: a vault that is moved has to be trusted again.
    """
    if as_list and (remove or folder):
        raise click.UsageError("--list takes neither DIR nor --remove.")
    if as_list:
        _show(app)
        return ExitCode.DONE
    if remove:
        return _remove(app, (folder or app.root).absolute())
    root = find_vault(folder) if folder else app.root
    for line in reach(root, load(root / VAULT_FILE, Config)):
        app.say(f"it {line}")
    known = not userfile.trust(root)
    app.say(f"{os.path.realpath(root)}: {'was trusted already' if known else 'hooks act for it from now on'}")
    return ExitCode.DONE


def _remove(app: App, vault: Path) -> int:
    if userfile.distrust(vault):
        app.say(f"{vault}: hooks leave it alone from now on")
        return ExitCode.DONE
    app.warn(f"{vault} is not in the list of trusted vaults; `wrap trust --list` shows it")
    return ExitCode.COULD_NOT


def _show(app: App) -> None:
    known = userfile.trusted()
    for one in known:
        gone = "" if (Path(one).expanduser() / VAULT_FILE).is_file() else " (no vault there any more)"
        app.say(f"{one}{gone}")
    if not known:
        app.say("no vault is trusted; `wrap trust DIR` adds one")
