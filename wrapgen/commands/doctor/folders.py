"""Are the program's own folders private, whole, and free of what killed runs left."""

from __future__ import annotations

import os
import shlex
import stat
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.commands.doctor.finding import ok, warning, wrong
from wrapgen.text import count
from wrapgen.vault import cache
from wrapgen.vault.disk import below, inside
from wrapgen.vault.leftovers import left_over, put_in_order
from wrapgen.vault.lock import LOCK_FILE, OTHER_LOCKS
from wrapgen.vault.state import STATE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.commands.doctor.finding import Finding, Visit

_LOCKS = os.path.dirname(LOCK_FILE)  # noqa: PTH120 - relative to the vault, with forward slashes
_PRIVATE = (STATE_FOLDER, cache.CACHE_FOLDER, OTHER_LOCKS, _LOCKS)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_FIX = "wrap doctor --fix"
# A run that is under way has its temporary files for some thousandths of a second.
_SECOND_LOOK = 0.3


def cached(visit: Visit) -> Iterator[Finding]:
    """Files of the cache that are torn: they only cost time, and may be deleted whenever one likes."""
    inside(visit.app.root / cache.CACHE_FOLDER, visit.app.root)
    for file in cache.damaged(visit.app.root):
        name = f"{cache.CACHE_FOLDER}/{file.name}"
        yield wrong("damaged", name, _FIX, partial(_delete, file, name))


def left_behind(visit: Visit) -> Iterator[Finding]:
    """What killed runs left; what may hold somebody's words is given back to its file."""
    root = visit.app.root
    for file in _still_there(left_over(root)):
        name = file.relative_to(root).as_posix()
        yield wrong("left by a run that was killed", name, _FIX, partial(_put_in_order, file, root, name))
    inside(root / cache.CACHE_FOLDER, root)
    for file in _still_there(cache.left_over(root)):
        name = f"{cache.CACHE_FOLDER}/{file.name}"
        yield wrong("left by a run that was killed", name, _FIX, partial(_delete, file, name))


def _still_there(files: list[Path]) -> list[Path]:
    if files:
        time.sleep(_SECOND_LOOK)
    return [file for file in files if file.exists()]


def _delete(file: Path, name: str) -> Iterator[str]:
    file.unlink(missing_ok=True)
    yield f"deleted {name}"


def _put_in_order(file: Path, root: Path, name: str) -> Iterator[str]:
    if not file.exists():  # two files of one run are put in order together
        return
    rescued = put_in_order(file, root)
    yield f"put in order what a killed run left: {name}"
    for kept in rescued:
        yield f"words that could not be given back are kept in {kept.relative_to(root)}"


def private(visit: Visit) -> Iterator[Finding]:
    """Folders and files with words of conversations that others on this computer may read."""
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
            yield warning("is a link, and what it leads to may be open to others", where)
        elif mode & _OTHERS:
            opened[path] = mode
    if opened:
        # A folder that was copied is open with all that it holds: that is one thing to know, and to mend.
        (first, mode), *rest = opened.items()
        name = first.relative_to(root).as_posix()
        more = f", and {count(len(rest), 'other')} too" if rest else ""
        yield wrong(f"open to others ({mode:o}){more}", name, _FIX, partial(_close, opened, root))


def _own(root: Path) -> Iterator[Path]:
    """The private folders, and all that holds words of conversations."""
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
            yield f"could not close {name} to others: {error.strerror or error}"
        else:
            yield f"closed {name} to others"


def ignored(visit: Visit) -> Iterator[Finding]:
    """Private folders that `git add` would take along."""
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
    """Whether git is told to leave out all of a folder: the last pattern that fits counts."""
    try:
        lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    patterns = [line.strip() for line in lines if line.startswith("!") or line.strip() == "*"]
    return patterns[-1:] == ["*"]


def _ignore(folder: Path, name: str, root: Path) -> Iterator[str]:
    with inside(folder / ".gitignore", root).open("a", encoding="utf-8") as file:
        file.write("\n*\n" if file.tell() else "*\n")
    yield f"told git to leave out {name}"


def tracked(visit: Visit) -> Iterator[Finding]:
    """Private files that git has already taken along: only their owner can decide what becomes of them."""
    from wrapgen.vault.git import Git

    root = visit.app.root
    listed = Git(root).ask("ls-files", "-z", "--", *_PRIVATE)
    files = [os.fsdecode(name) for name in (listed or b"").split(b"\0") if name]
    folders = [folder for folder in _PRIVATE if any(name.startswith(f"{folder}/") for name in files)]
    if folders:
        mend = f"git -C {shlex.quote(str(root))} rm -r --cached --quiet {' '.join(folders)}"
        yield warning(f"{count(len(files), 'file')} of wrapgen's own tracked by git", files[0], mend)
