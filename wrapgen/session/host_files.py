"""The session files that hosts keep, listed without opening one of them."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.session.readers.opencode import pointers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class SessionFile(NamedTuple):
    """A session file as its folder shows it."""

    path: str  # the file; as text, since there may be ten thousands
    size: int  # bytes
    changed: int  # last change, in nanoseconds since the epoch


@dataclass(slots=True)
class HostFolder:
    """What a host keeps."""

    root: Path  # the folder below which all of its session files are
    files: list[SessionFile] = field(default_factory=list)  # in no order
    # why a folder could not be listed, or its files not be looked at, by its path
    troubles: dict[str, OSError] = field(default_factory=dict)


def host_folder(home: Path, environment: Mapping[str, str]) -> Path:
    """Claude Code's own folder."""
    return Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")


def host_folders(home: Path, environment: Mapping[str, str]) -> Iterator[HostFolder]:
    """List the session files of the known hosts; those of sub-agents are left out, the main one has what they found."""
    claude = host_folder(home, environment) / "projects"
    codex = Path(environment.get("CODEX_HOME") or home / ".codex")
    gemini = Path(environment.get("GEMINI_CLI_HOME") or home) / ".gemini" / "tmp"
    kept = [(claude, 1, ""), (codex / "sessions", 3, "rollout-"), (codex / "archived_sessions", 0, "rollout-")]
    kept.append((gemini, 2, "session-"))
    troubles: dict[str, OSError] = {}
    try:
        pointed = pointers(home, environment)
        kept += [(pointed, 0, "ses")] if pointed else []
    except OSError as error:
        troubles[str(error.filename or "OpenCode")] = error
    for root, depth, beginning in kept:
        found = HostFolder(root)
        _list(found, str(root), depth, beginning)
        newer = {file.path for file in found.files}
        found.files = [
            file for file in found.files if file.path + "l" not in newer
        ]  # of `.json` and `.jsonl` the latter
        if found.files or found.troubles or root.is_dir():
            yield found
    if troubles:
        yield HostFolder(home, troubles=troubles)


def _list(found: HostFolder, folder: str, depth: int, beginning: str) -> None:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if depth and entry.is_dir():
                    _list(found, entry.path, depth - 1, beginning)
                elif not depth and _is_session(entry.name, beginning):
                    _add(found, entry)
    except (FileNotFoundError, NotADirectoryError):  # gone meanwhile, or never there
        return
    except OSError as error:
        found.troubles[folder] = error


def _is_session(name: str, beginning: str) -> bool:
    ends = (".json", ".jsonl") if beginning in ("session-", "ses") else (".jsonl", ".jsonl.zst")
    return name.endswith(ends) and name.startswith(beginning) and not name.startswith("agent-")


def _add(found: HostFolder, entry: os.DirEntry[str]) -> None:
    try:
        status = entry.stat()
    except FileNotFoundError:  # gone meanwhile, or a broken link
        return
    if stat.S_ISREG(status.st_mode):
        found.files.append(SessionFile(entry.path, status.st_size, status.st_mtime_ns))
