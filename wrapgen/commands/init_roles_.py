"""`wrap init --review` and `--reviewed`: whoever can tell says where the next work stands; the page that it gives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.errors import ExitCode
from wrapgen.model import Fate
from wrapgen.terminal.item_list import print_items, tagged
from wrapgen.text.display import count, shorten
from wrapgen.whereabouts import nearest_vault
from wrapgen.workflows import user_config

if TYPE_CHECKING:
    from wrapgen.ledger import Run
    from wrapgen.workflows.app import App

_SHOWN = 120  # characters of an item


def root_of(app: App, folder: Path | None) -> Path:
    """Return the folder that is meant: of a vault around this one its own."""
    named = folder or app.vault
    return (named or Path(nearest_vault(str(Path.cwd())) or ".")).absolute()


def review(app: App, folder: Path | None) -> int:
    """Print what a judge needs; nothing is written."""
    from wrapgen.workflows.roles_review import look

    root = root_of(app, folder)
    app.print_json(look(app, root, load(root / VAULT_FILE, Config)))
    return ExitCode.DONE


def take_reviewed(app: App, root: Path, source: str, *, dry_run: bool) -> int:
    """Carry out a judge's answer in a vault, and show the page that it gives."""
    from wrapgen.workflows.roles_apply import take

    inside = msgspec.structs.replace(app, vault=root)
    taken = take(inside, source, dry_run=dry_run)
    app.wrote = app.wrote or inside.wrote
    for one in taken.refused:
        app.warn(f"refused: {one}")
    for line in _told(taken.tables):
        app.say(f"{'would write' if dry_run else 'wrote'} {line}")
    if not taken.tables:
        app.say("nothing was written")
    show_page(inside, taken.run, numbered=not dry_run)
    return ExitCode.COULD_NOT if taken.refused else ExitCode.DONE


def show_page(app: App, run: Run, *, numbered: bool = True) -> None:
    """Print what the page shows; from now on numbers mean these lines, unless nothing may be written."""
    shown = [one.item for one in run.of(Fate.SHOWN)]
    app.say(f"the page: {count(len(shown), 'item')}" if shown else "the page shows nothing")
    if shown and numbered:
        print_items(app, run, [*enumerate(shown, 1)], {})
    else:
        for item in shown:
            app.say(f"- {tagged(item.project, shorten(item.words, _SHOWN))}  {item.place}")


def _told(tables: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for table, keys in tables.items():
        if isinstance(keys, dict):
            lines += [f"{table}.{key}: {_words(value)}" for key, value in keys.items()]
        else:
            lines.append(f"{table}: {keys}")
    return lines


def _words(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_words(entry)}" for key, entry in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def write_anew(app: App, root: Path) -> None:
    """Take names out of `[sections]` that an earlier version wrote there, and that count anyway."""
    from wrapgen.config.schema import redundant_names

    names = redundant_names(load(root / VAULT_FILE, Config).sections)
    if names:
        user_config.set_keys(root / VAULT_FILE, {"sections": {key: list(kept) or None for key, kept in names.items()}})
        app.say(
            f"{', '.join(f'sections.{key}' for key in names)}: usual names are no longer written; they count anyway"
        )
