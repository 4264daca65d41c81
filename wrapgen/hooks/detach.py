"""Work that must not keep the host waiting: a request on disk, and a background process that takes requests.

The host waits until no process holds the hook's output, and may kill everything that belongs to the session: by its
process group, or by going down from parent to child. So the process gets none of the hook's streams, and a session of
its own and nobody for a parent (POSIX) or no console (Windows).
"""

import os
import sys
import time
from typing import Any, NamedTuple, Self

from wrapgen.regular_files import take
from wrapgen.vault.keyed_files import KeyedFiles, put_json

GUARD = "WRAPGEN_HOOK"  # set for everything that a hook starts, so that hooks in it do nothing

_REQUESTS = KeyedFiles("requests")
# A shell starts the command, behind the session's own work, and exits at once, so that the command has no parent in
# the session. That takes it a millisecond, and a fork of this process would not be safe wherever there are threads.
_LET_GO = 'nice "$@" &'
# Windows: no console, out of reach of Ctrl+C, and out of the host's job where that lets go.
_WINDOWS_FLAGS = (0x00000008 | 0x00000200 | 0x01000000, 0x00000008 | 0x00000200)


class Request(NamedTuple):
    """Work for the background."""

    session: str = ""  # the session whose turn ended; "" for none
    transcript: str = ""  # the session's file, which the host may still write to
    message: str = ""  # the last words of the turn
    cwd: str = ""  # the folder of a session that goes on, whose sub-agents will need a brief; "" for none
    search: bool = True  # whether conversations are to be searched, and the dashboard to be rebuilt
    hurry: bool = False  # whether the host is waiting: the worker then waits for nothing
    ended: bool = False  # whether the session is over for now, so that its last words are read too
    sweep: bool = False  # whether to search if any other session's conversation was not searched yet

    @classmethod
    def of(cls, fields: object) -> Self:
        """Read a request; fields that are missing or of the wrong type get their defaults."""
        given = fields if isinstance(fields, dict) else {}
        return cls(**{name: given[name] for name, kind in cls.__annotations__.items() if type(given.get(name)) is kind})


def hand_over(root: str, request: Request) -> str:
    """Hand work to the process that waits for its turn, or a new one; returns its file, gone when it is done.

    Raises `OSError` and `WrapgenError` when it cannot be written down, or no process can be started.
    """
    file = f"{requests_folder(root)}/{time.time_ns()}-{os.getpid()}.json"
    put_json(file, request._asdict())
    # One waits for its turn, and takes up every request until then. Whoever gets its place hands it to the process that
    # it starts, without ever letting go.
    if sys.platform == "win32":  # where descriptors are not handed on: each process looks for itself
        _start(root)
    elif (place := take(requests_folder(root))) is not None:
        try:
            _start(root, place)
        finally:
            os.close(place)
    return file


def requests_folder(root: str) -> str:
    """Where requests wait."""
    return _REQUESTS.folder(root)


def wait_for(file: str, seconds: float) -> bool:
    """Wait until a request is done; whether it is."""
    deadline = time.monotonic() + seconds
    while os.path.exists(file):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def _start(root: str, *place: int) -> None:
    import subprocess

    # -P: do not import from the working folder, which may be anyone's checkout.
    command = [sys.executable, "-P", "-m", "wrapgen.hooks.worker", root, *map(str, place)]
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, GUARD: "1", "PYTHONPATH": path}
    options: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    options |= {"env": environment, "cwd": root, "close_fds": True}
    if sys.platform != "win32":
        shell = [_LET_GO, "wrapgen", *command]
        if subprocess.call(shell, shell=True, start_new_session=True, pass_fds=place, **options) != 0:
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
