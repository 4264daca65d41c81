"""Files that an earlier run as root left owned by root in another user's vault."""

from __future__ import annotations

import os
import shlex
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.config import VAULT_FILE
from wrapgen.text.display import count
from wrapgen.vault.disk import below
from wrapgen.vault.held import held
from wrapgen.workflows.doctor.finding import wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.workflows.doctor.finding import Finding, Visit

_OWN = (".wrapgen", ".agents")
# What `wrap init` makes; what is in it is the user's.
_MADE = (VAULT_FILE, "projects")
_FIX = "wrap doctor --fix"


def owners(visit: Visit) -> Iterator[Finding]:
    """The program's folders and files that belong to root where the vault does not; only root can give them away."""
    root = visit.app.root
    vault = root.stat()
    if os.name != "posix" or vault.st_uid == 0:
        return
    found = [path for path in _all(root, visit.app.config.output) if path.lstat().st_uid == 0 and not path.is_symlink()]
    if found:
        name = found[0].relative_to(root).as_posix()
        more = f", and {count(len(found) - 1, 'other')}" if found[1:] else ""
        is_root = os.geteuid() == 0
        mend = _FIX if is_root else f"sudo wrap --vault {shlex.quote(str(root))} doctor --fix"
        what = f"belongs to root, so that you cannot use it{more}"
        yield wrong(what, name, mend, partial(_give, found, root, vault) if is_root else None)


def _all(root: Path, output: str) -> Iterator[Path]:
    yield from (root / name for name in (*_MADE, output) if os.path.lexists(root / name))
    for folder in _OWN:
        if os.path.lexists(root / folder):
            yield root / folder
            yield from (Path(one.path) for one in below(root / folder))


def _give(found: list[Path], root: Path, vault: os.stat_result) -> Iterator[str]:
    for path in found:
        with held(path, root) as file:
            there = file.stat()
            if there.st_uid == 0 and (stat.S_ISDIR(there.st_mode) or there.st_nlink == 1):  # not what is elsewhere, too
                os.chown(file.at, vault.st_uid, vault.st_gid, dir_fd=file.folder, follow_symlinks=False)
                yield f"gave {path.relative_to(root).as_posix()} to the vault's owner"
