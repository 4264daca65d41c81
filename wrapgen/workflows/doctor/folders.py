"""Are the program's own folders private, intact, and free of leftovers from killed runs."""

from __future__ import annotations

import os
import shlex
import stat
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.regular_files import whole
from wrapgen.text.display import count
from wrapgen.vault import cache
from wrapgen.vault.disk import below
from wrapgen.vault.held import inside
from wrapgen.vault.lock import LOCK_FILE, OTHER_LOCKS
from wrapgen.vault.state import STATE_FOLDER, append_lines
from wrapgen.vault.swap_recovery import finish, left_over
from wrapgen.workflows.doctor.finding import ok, warning, wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.workflows.doctor.finding import Finding, Visit

_LOCKS = os.path.dirname(LOCK_FILE)  # noqa: PTH120 - relative to the vault, with forward slashes
_PRIVATE = (STATE_FOLDER, cache.CACHE_FOLDER, OTHER_LOCKS, _LOCKS)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_FIX = "wrap doctor --fix"
# A running process has temporary files for a few milliseconds.
_SECOND_LOOK = 0.3
_GIT_SECONDS = 5.0


def cached(visit: Visit) -> Iterator[Finding]:
    """Damaged cache files: they only cost time, and can be deleted at any time."""
    inside(visit.app.root / cache.CACHE_FOLDER, visit.app.root)
    for file in cache.damaged(visit.app.root):
        name = f"{cache.CACHE_FOLDER}/{file.name}"
        yield wrong("damaged", name, _FIX, partial(_delete, file, name))


def left_behind(visit: Visit) -> Iterator[Finding]:
    """Leftovers of killed runs; user text in them is restored to its file."""
    root = visit.app.root
    for file in _still_there(left_over(root)):
        name = file.relative_to(root).as_posix()
        yield wrong("left behind by an interrupted run", name, _FIX, partial(_put_in_order, file, root, name))
    inside(root / cache.CACHE_FOLDER, root)
    for file in _still_there(cache.left_over(root)):
        name = f"{cache.CACHE_FOLDER}/{file.name}"
        yield wrong("left behind by an interrupted run", name, _FIX, partial(_delete, file, name))


def _still_there(files: list[Path]) -> list[Path]:
    if files:
        time.sleep(_SECOND_LOOK)
    return [file for file in files if file.exists()]


def _delete(file: Path, name: str) -> Iterator[str]:
    file.unlink(missing_ok=True)
    yield f"deleted {name}"


def _put_in_order(file: Path, root: Path, name: str) -> Iterator[str]:
    if not file.exists():  # two files of one run are cleaned up together
        return
    rescued = finish(file, root)
    yield f"cleaned up after an interrupted run: {name}"
    for kept in rescued:
        yield f"text that could not be restored is kept in {kept.relative_to(root)}"


def private(visit: Visit) -> Iterator[Finding]:
    """Folders and files with conversation text that other users of this computer may read."""
    root = visit.app.root
    if os.name != "posix":
        yield ok("left to the system")
        return
    for name in _PRIVATE:
        inside(root / name, root)
    opened: dict[Path, int] = {}
    for path in _own(root):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_symlink():
            where = path.relative_to(root).as_posix()
            yield warning("is a link, and its target may be readable by others", where)
        elif mode & _OTHERS:
            opened[path] = mode
    if opened:
        # A copied folder is readable with everything in it: report that once.
        (first, mode), *rest = opened.items()
        name = first.relative_to(root).as_posix()
        more = f", and {count(len(rest), 'other')}" if rest else ""
        yield wrong(f"readable by others ({mode:o}){more}", name, _FIX, partial(_close, opened, root))


def _own(root: Path) -> Iterator[Path]:
    """The private folders, and all files with conversation text."""
    for folder in _PRIVATE:
        if os.path.lexists(root / folder):
            yield root / folder
    yield from (Path(one.path) for one in below(root / STATE_FOLDER) if one.name != ".gitignore")


def _close(opened: dict[Path, int], root: Path) -> Iterator[str]:
    for path, mode in opened.items():
        name = path.relative_to(root).as_posix()
        try:
            path.chmod(mode & ~_OTHERS)
        except OSError as error:
            yield f"could not make {name} private: {error.strerror or error}"
        else:
            yield f"made {name} private"


def ignored(visit: Visit) -> Iterator[Finding]:
    """Private folders that `git add` would include."""
    root = visit.app.root
    for name in _PRIVATE:
        folder = root / name
        if folder.is_dir() and not any(map(_ignores_all, _up_to(folder, root))):
            yield wrong("not ignored by git", f"{name}/.gitignore", _FIX, partial(_ignore, folder, name, root))


def _up_to(folder: Path, root: Path) -> Iterator[Path]:
    while folder != root:
        yield folder
        folder = folder.parent


def _ignores_all(folder: Path) -> bool:
    """Whether git ignores all of a folder: the last matching pattern counts."""
    try:
        lines = whole(folder / ".gitignore").decode("utf-8", "replace").splitlines()
    except OSError:
        return False
    patterns = [line.strip() for line in lines if line.startswith("!") or line.strip() == "*"]
    return patterns[-1:] == ["*"]


def _ignore(folder: Path, name: str, root: Path) -> Iterator[str]:
    append_lines(folder / ".gitignore", b"*\n", root=root)
    yield f"told git to ignore {name}"


def tracked(visit: Visit) -> Iterator[Finding]:
    """Private files that git already tracks: only the user can decide what to do with them."""
    from wrapgen.vault.git import Git

    root = visit.app.root
    listed = Git(root, timeout=_GIT_SECONDS).ask("ls-files", "-z", "--", *_PRIVATE)
    files = [os.fsdecode(name) for name in (listed or b"").split(b"\0") if name]
    folders = [folder for folder in _PRIVATE if any(name.startswith(f"{folder}/") for name in files)]
    if folders:
        mend = f"git -C {shlex.quote(str(root))} rm -r --cached --quiet {' '.join(folders)}"
        yield warning(f"{count(len(files), 'file')} of wrapgen's own are tracked by git", files[0], mend)
