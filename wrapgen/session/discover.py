"""Which conversations belong to a vault: the hosts' session files whose working folder is one of its projects."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.errors import WrapgenError
from wrapgen.session.readers import open_transcript
from wrapgen.session.reading.run import FOLDER_PREFIX
from wrapgen.vault import disk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wrapgen.config import Project

# A linked worktree's mark names `<main>/.git/worktrees/<name>` in so many bytes at most.
_LONGEST_MARK = 16_384
_ABOVE_WORKTREE = 2


@dataclass(frozen=True, slots=True)
class Folders:
    """Working folders and the projects that they mean.

    Attributes:
        vault: the vault; a session that runs in it belongs to it.
        projects: real path of each configured working folder, with its project.
    """

    vault: Path
    projects: tuple[tuple[Path, str], ...]

    @classmethod
    def of(cls, vault: Path, configured: Mapping[str, Project]) -> Folders:
        """The folders of a vault and of its `[projects.*] paths`."""
        pairs = [
            (Path(os.path.realpath(Path(path).expanduser())), name)
            for name, project in configured.items()
            for path in project.paths
        ]
        # The longest path first: a project inside another one's folder is meant.
        pairs.sort(key=lambda pair: (-len(pair[0].parts), str(pair[0])))
        return cls(Path(os.path.realpath(vault)), tuple(pairs))

    def project_of(self, cwd: str) -> tuple[bool, str | None]:
        """Whether a session in this folder belongs to the vault, and to which project.

        Args:
            cwd: the session's working folder.

        Returns:
            whether it belongs here; the project, None when the folder says nothing about it.
        """
        try:
            folder = Path(os.path.realpath(cwd))
        except ValueError:  # a null character: a transcript can say anything
            return False, None
        if folder.name.startswith(FOLDER_PREFIX):
            return False, None  # a reader's own session
        for candidate in (folder, main_checkout(folder)):
            if candidate is None:
                continue
            for path, project in self.projects:
                if candidate == path or path in candidate.parents:
                    return True, project
        if folder == self.vault or self.vault in folder.parents:
            parts = folder.relative_to(self.vault).parts
            return True, parts[1] if len(parts) > 1 and parts[0] == "projects" else None
        return False, None


def main_checkout(folder: Path) -> Path | None:
    """The place in the main checkout that a folder of a linked git worktree stands for.

    A linked worktree has a file `.git` that names `<main>/.git/worktrees/<name>`.

    Args:
        folder: any folder.

    Returns:
        the corresponding folder of the main checkout; None outside of linked worktrees.
    """
    for top in (folder, *folder.parents):
        mark = top / ".git"
        if os.path.isdir(mark):  # noqa: PTH112 - a name too long for the system is no folder
            return None
        if os.path.isfile(mark):  # noqa: PTH113
            try:
                with disk.opened(mark) as descriptor:
                    said = disk.content(descriptor, _LONGEST_MARK).decode("utf-8", "replace")
            except OSError:
                return None
            named = said.partition("gitdir:")[2].strip().replace("\0", "\ufffd")
            git = Path(os.path.normpath(top / named))
            if git.parent.name != "worktrees" or len(git.parents) <= _ABOVE_WORKTREE:
                return None
            return Path(os.path.realpath(git.parents[_ABOVE_WORKTREE])) / folder.relative_to(top)
    return None


def host_sessions(since: float, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The session files of the known hosts that changed since a moment, oldest change first.

    Sub-agents' own files are left out: what they found is in the main conversation.

    Args:
        since: seconds since the epoch.
        home: the user's home folder.
        environment: for `CLAUDE_CONFIG_DIR` and `CODEX_HOME`.
    """
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    codex = Path(environment.get("CODEX_HOME") or home / ".codex") / "sessions"
    found: list[tuple[float, Path]] = []
    for path in (*_glob(claude, "*/*.jsonl"), *_glob(codex, "*/*/*/rollout-*.jsonl")):
        try:
            changed = path.stat().st_mtime
        except OSError:
            continue
        if changed >= since and not path.name.startswith("agent-"):
            found.append((changed, path))
    return (path for _, path in sorted(found))


def _glob(folder: Path, pattern: str) -> Iterable[Path]:
    try:
        return list(folder.glob(pattern))
    except OSError:
        return []


def working_folder(path: Path) -> str | None:
    """The folder that a session ran in, read from the first lines that name it; None when none does."""
    try:
        reader = open_transcript(path)
        for _ in reader:
            if reader.header.cwd:
                break
    except WrapgenError:
        return None
    return reader.header.cwd


def is_transcript(path: Path) -> bool:
    """Whether a file is a conversation in a form that can be read."""
    try:
        open_transcript(path)
    except WrapgenError:
        return False
    return True
