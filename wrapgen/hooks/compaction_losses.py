"""What a compaction left out, kept until the session's next start."""

from __future__ import annotations

from wrapgen.vault.keyed_files import KeyedFiles

_LOST = KeyedFiles("lost", largest=None)
_KEPT = 50  # lines


def keep_lost(root: str, cwd: str, lines: list[str]) -> None:
    """Keep lines for the next session that starts in a folder: the one that was compacted, or one that goes on with it.

    Args:
        lines: what was left out.

    Raises:
        OSError: they cannot be written.
        WrapgenError: the folder cannot be made.
    """
    _LOST.put(root, cwd, {"lines": lines[:_KEPT]})


def take_lost(root: str, cwd: str) -> list[str]:
    """The lines left for a session; they are returned once."""
    lines = (_LOST.take(root, cwd) or {}).get("lines")
    return [one for one in lines if isinstance(one, str)] if isinstance(lines, list) else []
