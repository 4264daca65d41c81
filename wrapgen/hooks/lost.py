"""What a compaction left out, kept until the session's next start."""

from __future__ import annotations

import json
import os

from wrapgen.vault.hookfiles import folder_of, put_json

_FOLDER = "lost"
_KEPT = 50  # lines


def keep_lost(root: str, cwd: str, lines: list[str]) -> None:
    """Keep lines for the next session that starts in a folder: the one that was compacted, or one that goes on with it.

    Args:
        root: the vault.
        cwd: the working folder of the session that was compacted.
        lines: what was left out.

    Raises:
        OSError: they cannot be written.
        WrapgenError: the folder cannot be made.
    """
    put_json(_file(root, cwd), {"lines": lines[:_KEPT]})


def take_lost(root: str, cwd: str) -> list[str]:
    """The lines that wait for a session; they are given once.

    Args:
        root: the vault.
        cwd: its working folder.
    """
    try:
        file = _file(root, cwd)
        with open(file, "rb") as data:
            found = json.loads(data.read())
        os.unlink(file)
    except (OSError, ValueError):
        return []
    lines = found.get("lines") if isinstance(found, dict) else None
    return [one for one in lines if isinstance(one, str)] if isinstance(lines, list) else []


def _file(root: str, cwd: str) -> str:
    from hashlib import sha256

    return f"{folder_of(root, _FOLDER)}/{sha256(cwd.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"
