"""What Dendron says: where its journal notes are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wrapgen.vault import disk
from wrapgen.vault.detect.moment import LUXON, glob_of
from wrapgen.vault.detect.proposal import Proposal, ToolSettings, joined, literal

if TYPE_CHECKING:
    from pathlib import Path

FILE = "dendron.yml"
_NAME, _FORMAT = "journal", "y.MM.dd"
_REST = r":[^\S\n]*+['\"]?((?:[^'\"#\s]++|[^\S\n]++(?!$))*+)['\"]?[^\S\n]*$"
_VAULT = re.compile(r"^[^\S\n]*+(?:-\s+)?fsPath" + _REST, re.MULTILINE)
_NOTES = "notes"


def settings(root: Path, inside: str) -> ToolSettings:
    """Read the settings of a workspace.

    Args:
        root: the folder that becomes a vault of ours.
        inside: the workspace, relative to it; "" for itself.
    """
    try:
        text = disk.whole(root / inside / FILE).decode("utf-8", "replace")
    except OSError:
        return ToolSettings()
    journal = _table(text, "journal")
    name, glob = _value(journal, "name") or _NAME, glob_of(_value(journal, "dateFormat") or _FORMAT, LUXON)
    if glob is None:
        return ToolSettings()
    folders = dict.fromkeys(_folder(root, inside, path) for path in _VAULT.findall(text) or ["."])
    found = (
        Proposal("journals", joined(literal(folder), f"*.{literal(name)}.{glob}*.md"), "Dendron's journal notes")
        for folder in folders
        if ".." not in folder.split("/")
    )
    return ToolSettings(tuple(found))


def _folder(root: Path, inside: str, path: str) -> str:
    """Where the notes of one of its vaults are: in its folder, or in `notes` below it."""
    folder = joined(inside, path.removeprefix("./").strip(".") if path.strip("./") == "" else path.removeprefix("./"))
    own = joined(folder, _NOTES)
    return own if (root / own).is_dir() else folder


def _table(text: str, name: str) -> str:
    """The lines below a key, by their indentation: a whole reader of YAML is more than two values are worth."""
    found = re.search(rf"^(?P<indent>[ ]*){name}:[ ]*\n(?P<body>(?:(?P=indent)[ ]+\S.*\n?)*)", text, re.MULTILINE)
    return found["body"] if found else ""


def _value(table: str, key: str) -> str:
    found = re.search(rf"^[^\S\n]*+{key}{_REST}", table, re.MULTILINE)
    return found[1] if found and found[1].isprintable() else ""
