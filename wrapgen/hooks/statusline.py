"""`wrap statusline`: the vault's status in one line. Imports nothing large."""

import os
import sys
import time
from collections.abc import Sequence

from wrapgen.hooks.place import PlaceError, vault_for
from wrapgen.hooks.stdin import NoJSONError, read_object
from wrapgen.regular_files import text_of
from wrapgen.vault import headline

_SECONDS = 0.2  # hosts do not show a late status line
_PENDING = ".wrapgen/state/pending.jsonl"
_LARGEST = 1 << 22  # bytes


def main(words: Sequence[str]) -> int:
    """Print one line, or nothing where there is no vault; always 0."""
    del words
    try:
        found = vault_for(_folder())
        line = line_for(found, time.time()) if found else ""
    except (PlaceError, OSError, ValueError):
        line = ""
    if line:
        try:
            sys.stdout.buffer.write(f"{line}\n".encode())
            sys.stdout.buffer.flush()
        except (OSError, ValueError):
            return 0
    return 0


def line_for(root: str, now: float) -> str:
    """Overdue, open and pending work, and the age of the dashboard (`now` in epoch seconds)."""
    waiting = f"{_pending(root)} pending"
    counted = headline.counts(root)
    if counted is None:
        return f"wrap: {waiting} · no dashboard yet: wrap regen"
    late = headline.overdue(counted, time.strftime("%Y-%m-%d", time.localtime(now)))
    return f"wrap: {late} overdue · {counted['open']} open · {waiting} · rebuilt {headline.ago(now - counted['at'])}"


def _folder() -> str:
    try:
        fields = {} if sys.stdin is None or os.isatty(0) else read_object(0, _SECONDS)
    except (NoJSONError, OSError):
        fields = {}
    workspace = fields.get("workspace")
    places = workspace if isinstance(workspace, dict) else {}
    named = (places.get("current_dir"), fields.get("cwd"))
    return next((one for one in named if isinstance(one, str) and os.path.isabs(one) and "\0" not in one), os.getcwd())


def _pending(root: str) -> int:
    return sum(1 for line in text_of(f"{root}/{_PENDING}", _LARGEST).splitlines() if line.strip())
