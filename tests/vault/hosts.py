"""Other hosts for tests: processes that share nothing with this one but the folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tests.support import child_environment

if TYPE_CHECKING:
    from pathlib import Path

# A host name and a table of processes of its own; the process is the first one there, and ends with `unshare`.
_UNSHARE = ("unshare", "--pid", "--fork", "--uts", "--mount-proc", "--kill-child")
_NAMED = ("sh", "-c", 'hostname "$0" && exec "$@"')

# Holds the lock until it is told to let go, or until it is killed.
HOLD = """
import sys
from pathlib import Path
from wrapgen.config import Config, load
from wrapgen.vault.lock import vault_lock
root = Path(sys.argv[1])
with vault_lock(root, load(root / "wrapgen.toml", Config)):
    print("held", flush=True)
    sys.stdin.readline()
"""


@lru_cache(maxsize=1)
def _prefix() -> tuple[str, ...]:
    user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    return (_UNSHARE[0], *user, *_UNSHARE[1:])


@lru_cache(maxsize=1)
def why_none() -> str:
    """Why this machine gives no other hosts; empty when it does."""
    if not sys.platform.startswith("linux") or shutil.which("unshare") is None:
        return "no `unshare` here"
    tried = subprocess.run([*_prefix(), *_NAMED, "north", "true"], capture_output=True, check=False)
    return tried.stderr.decode().strip() if tried.returncode else ""


def start(host: str | None, *words: str | Path, **options: Any) -> subprocess.Popen[str]:
    """Start Python on another host, or on this one."""
    elsewhere = () if host is None else (*_prefix(), *_NAMED, host)
    return subprocess.Popen(
        [*elsewhere, sys.executable, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=child_environment(),
        **options,
    )


def hold(host: str | None, root: Path) -> subprocess.Popen[str]:
    """Hold the lock of a vault on another host, or on this one, until it is killed."""
    child = start(host, "-c", HOLD, root)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def kill(child: subprocess.Popen[str]) -> None:
    """Kill a holder; its pipe is left open until it is gone, for it lets go when that is closed."""
    assert child.stdout is not None
    child.kill()
    child.wait()
    if not child.stdout.closed:
        child.stdout.read()
    child.communicate()
