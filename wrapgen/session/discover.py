"""Which conversations belong to a vault: the hosts' session files whose working folder is one of its projects."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wrapgen.errors import WrapgenError
from wrapgen.session.readers import open_transcript
from wrapgen.session.readers.whole import pointers


def host_sessions(since: float, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The session files of the known hosts that changed since a moment (epoch seconds), oldest change first."""
    files = (file for folder in host_folders(home, environment) for file in folder.files)
    found = sorted((file.changed, file.path) for file in files if file.changed >= since * 1e9)
    return (Path(path) for _, path in found)


def working_folder(path: Path) -> str | None:
    """The folder that a session ran in; None when nothing says so, or it cannot be read."""
    try:
        return next(iter(named_folders(path)), None)
    except WrapgenError:
        return None


def named_folders(path: Path) -> list[str]:
    """The folder that a session began in, and further roots of its workspace; raises what `open_transcript` does."""
    reader = open_transcript(path)
    for _ in reader:
        if reader.header.cwd:
            break
    return [*filter(None, [reader.header.cwd]), *reader.header.more_folders]


def is_gone(folder: str) -> bool:
    """Whether a folder that a conversation names is there no more, so that nobody can tell whose it was."""
    return os.path.isabs(folder) and "\0" not in folder and not os.path.lexists(folder)  # noqa: PTH117


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

    def tell(error: OSError) -> None:
        troubles.setdefault(str(error.filename or "OpenCode"), error)

    try:
        pointed = pointers(home, environment, tell)
        kept += [(pointed, 0, "ses")] if pointed else []
    except OSError as error:
        tell(error)
    for root, depth, beginning in kept:
        found = HostFolder(root)
        _list(found, str(root), depth, beginning)
        newer = {file.path for file in found.files}  # of `.json` and `.jsonl` the latter
        found.files = [file for file in found.files if file.path + "l" not in newer]
        if found.files or found.troubles or root.is_dir():
            yield found
    if troubles:
        yield HostFolder(home, troubles=troubles)


def _list(found: HostFolder, folder: str, depth: int, beginning: str) -> None:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                _take(found, entry, depth, beginning)
    except (FileNotFoundError, NotADirectoryError):  # gone meanwhile, or never there
        return
    except OSError as error:
        found.troubles[folder] = error


def _take(found: HostFolder, entry: os.DirEntry[str], depth: int, beginning: str) -> None:
    """Take a session file, or those in a folder; one that cannot be looked at hides no other."""
    try:
        if depth and entry.is_dir():
            _list(found, entry.path, depth - 1, beginning)
        elif not depth and _is_session(entry.name, beginning):
            status = entry.stat()
            if stat.S_ISREG(status.st_mode):
                found.files.append(SessionFile(entry.path, status.st_size, status.st_mtime_ns))
    except FileNotFoundError:  # gone meanwhile, or a broken link
        return
    except OSError as error:
        found.troubles[entry.path] = error


def _is_session(name: str, beginning: str) -> bool:
    ends = (".json", ".jsonl") if beginning in ("session-", "ses") else (".jsonl", ".jsonl.zst")
    return name.endswith(ends) and name.startswith(beginning) and not name.startswith("agent-")
