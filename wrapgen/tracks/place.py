"""Where the tracks of a project are: `.claude/context/`, private to the user and ignored by git."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.user_lines import MOVED_FILE
from wrapgen.vault import disk
from wrapgen.vault.files import make_private_folder
from wrapgen.vault.git import Git

if TYPE_CHECKING:
    from pathlib import Path

CONTEXT_FOLDER = ".claude/context"
HOT_FILE = "HOT_TRACK.md"
LOG_FILE = "cold.jsonl"
OWN_FOLDER = ".wrapgen"
LOCK_FILE = f"{OWN_FOLDER}/track.lock"
_IGNORE = ".gitignore"
_GIT_SECONDS = 2.0
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def context_folder(project: Path) -> Path:
    """The folder of a project's tracks."""
    return project / CONTEXT_FOLDER


def nearest_project(folder: Path) -> Path | None:
    """The project whose tracks a folder belongs to: the folder itself or the nearest one above that has a log."""
    with suppress(OSError, ValueError):  # a name too long, or with a null character: a transcript can say anything
        return next((one for one in (folder, *folder.parents) if (context_folder(one) / LOG_FILE).is_file()), None)
    return None


def make_context_folder(project: Path) -> Path:
    """Make the folder of a project's tracks, private and inside the project; raises `PublishError`."""
    folder = context_folder(project)
    make_private_folder(folder, project, ignored=folder)
    try:
        ignore = folder / _IGNORE
        if not ignore.exists() or ignore.stat().st_size == 0:
            ignore.write_text("".join(f"{pattern}\n" for pattern in _patterns(project)), encoding="utf-8")
        with suppress(FileNotFoundError):
            (folder / OWN_FOLDER / "cold.sqlite").unlink()  # the index of former versions: words of conversations
        if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & _OTHERS:
            folder.chmod(0o700)
    except OSError as error:
        raise disk.cannot("the folder cannot be made private; nothing was written", folder, error) from error
    return folder


def _patterns(project: Path) -> list[str]:
    """What git should ignore: everything, or, if files of the folder are tracked, only our untracked ones."""
    listed = Git(project, timeout=_GIT_SECONDS).ask("ls-files", "-z", "--", CONTEXT_FOLDER)
    tracked = {os.path.basename(os.fsdecode(name)) for name in (listed or b"").split(b"\0") if name}  # noqa: PTH119
    if not tracked:
        return ["*"]
    own = (HOT_FILE, COLD_FILE, "*.former-*.md", MOVED_FILE, LOG_FILE, f"{OWN_FOLDER}/", ".*")
    return [name for name in own if name not in tracked]
