"""Work that must not keep the host waiting: a request on disk, and a process of its own that takes requests.

The host waits until nobody holds the hook's output any more, and may end everything that belongs to the session: by its
process group, or by going down from parent to child. So the process gets none of the hook's streams, and a session of
its own and nobody for a parent (POSIX) or no console (Windows).
"""

import os
import sys
import time
from typing import Any, NamedTuple, Self

from wrapgen.vault.hookfiles import folder_of, put_json

GUARD = "WRAPGEN_HOOK"
"""Set for everything that a hook starts: hooks in it do nothing."""

_FOLDER = "requests"
# For a shell: it starts the rest of its words and ends at once, so that they are nobody's child. That takes it a
# millisecond, and a fork of this process would not be safe wherever there are threads.
_LET_GO = '"$@" &'
# Windows: no console, out of reach of Ctrl+C, and out of the host's job where that lets go.
_WINDOWS_FLAGS = (0x00000008 | 0x00000200 | 0x01000000, 0x00000008 | 0x00000200)


class Request(NamedTuple):
    """Work for the background.

    Attributes:
        session: whose end of a turn it is, "" for nobody's.
        transcript: the session's file, which the host may still write to.
        message: the last words of the turn.
        cwd: the folder of a session that goes on, whose sub-agents will need a brief; "" for none.
        search: whether conversations are to be looked through, and the dashboard to be rebuilt.
        hurry: whether somebody waits: nothing is waited for then.
        ended: whether the session says no more for now, so that its last words are read too.
    """

    session: str = ""
    transcript: str = ""
    message: str = ""
    cwd: str = ""
    search: bool = True
    hurry: bool = False
    ended: bool = False

    @classmethod
    def of(cls, fields: object) -> Self:
        """Read a request; what is missing or of another kind is as if nobody had said it."""
        given = fields if isinstance(fields, dict) else {}
        return cls(**{name: given[name] for name, kind in cls.__annotations__.items() if type(given.get(name)) is kind})


def hand_over(root: str, request: Request) -> str:
    """Hand work to a process of its own.

    Args:
        root: the vault.
        request: what there is to do.

    Returns:
        the request's file; it is gone when the work is done.

    Raises:
        OSError: the request cannot be written, or no process can be started.
        WrapgenError: the folder of requests cannot be made.
    """
    file = f"{requests_folder(root)}/{time.time_ns()}-{os.getpid()}.json"
    put_json(file, request._asdict())
    _start(root)
    return file


def requests_folder(root: str) -> str:
    """Where requests wait.

    Args:
        root: the vault.
    """
    return folder_of(root, _FOLDER)


def wait_for(file: str, seconds: float) -> bool:
    """Wait until a request is done.

    Args:
        file: the request's.
        seconds: how long at most.

    Returns:
        whether it is.
    """
    deadline = time.monotonic() + seconds
    while os.path.exists(file):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def _start(root: str) -> None:
    import subprocess

    # -P: no module is looked for in the working folder, which may be anybody's checkout.
    command = [sys.executable, "-P", "-m", "wrapgen.hooks.worker", root]
    environment = {**os.environ, GUARD: "1", "PYTHONPATH": _import_path()}
    options: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    options |= {"env": environment, "cwd": root, "close_fds": True}
    if sys.platform != "win32":
        if subprocess.call([_LET_GO, "wrapgen", *command], shell=True, start_new_session=True, **options) != 0:
            raise ChildProcessError("the shell could not start the background run")
        return
    for flags in _WINDOWS_FLAGS:
        try:
            subprocess.Popen(command, creationflags=flags, **options).returncode = 0
        except OSError:
            if flags == _WINDOWS_FLAGS[-1]:
                raise
        else:
            return


def _import_path() -> str:
    """Where the other process finds this very program: beside it, and where it was told to look."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
