"""A session that did work and ended without saying what is next: it is named once to the next one of its project."""

import json
import os
import time
from typing import NamedTuple

from wrapgen.late_pattern import late
from wrapgen.regular_files import text_of
from wrapgen.vault import headline, session_registry
from wrapgen.vault.session_registry import RegisteredSession

_SAID = ".wrapgen/said.jsonl"
_TAIL = 4 << 20  # bytes of a transcript in which a change of a file is looked for
_OLD = 14 * 86_400  # seconds; what ended earlier is not named any more
_SILENT = 3_600  # seconds after which a session without an end has ended, for hosts that tell no end
# A call of a tool that changes files, by the names of Claude Code, Codex and Gemini CLI.
_WRITES = late(
    rb'"name"\s*:\s*"(?:Write|Edit|MultiEdit|NotebookEdit|apply_patch|write_file|replace)"'
    rb"|\*\*\* (?:Add|Update) File: "
)


class Unsaid(NamedTuple):
    """A session without a list."""

    told: RegisteredSession
    ended: float  # in seconds since the epoch

    @property
    def line(self) -> str:
        """What the next session is told of it."""
        ago = headline.ago(max(0.0, time.time() - self.ended))
        return f"the session here that ended {ago} did not say what is next: `wrap triage --review --next`"


def take_unsaid(root: str, own: str, cwd: str, waiting: set[str]) -> Unsaid | None:
    """The last session of a folder that ended without a list, when it was not named before; it counts as named now.

    Args:
        own: the session that starts.
        waiting: the transcripts of which follow-ups are pending.
    """
    ended = [
        Unsaid(one, at)
        for one in session_registry.sessions(root)
        if one.session != own and one.cwd == cwd and one.transcript and (at := _end(one)) is not None
    ]
    last = max(ended, key=lambda one: one.ended, default=None)
    if last is None or last.told.named or time.time() - last.ended > _OLD:
        return None
    if not (os.path.realpath(last.told.transcript) in waiting or _wrote(last.told.transcript)):
        return None
    session_registry.tell(root, last.told._replace(named=True))
    return None if _has_list(root, last.told.session) else last


def _end(told: RegisteredSession) -> float | None:
    """When a session ended; None while it may go on, or nobody knows."""
    try:
        changed = os.stat(told.transcript).st_mtime
    except (OSError, ValueError):
        return None
    return changed if told.ended or time.time() - changed > _SILENT else None


def _wrote(transcript: str) -> bool:
    """Whether a conversation has changed files."""
    try:
        with open(transcript, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
            return _WRITES.search(file.read(_TAIL)) is not None
    except OSError:
        return False


def _has_list(root: str, session: str) -> bool:
    """Whether a session said what is next."""
    for line in text_of(f"{root}/{_SAID}").splitlines():
        if session in line and '"kind":"next"' in line:
            try:
                if json.loads(line).get("session") == session:
                    return True
            except (ValueError, RecursionError, AttributeError):
                continue
    return False
