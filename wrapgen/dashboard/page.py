"""Renders a vault's own templates in another process, which is killed when it takes too long.

Jinja's sandbox keeps a template from reaching the program and the disk, but not from multiplying: a text doubled forty
times fills the memory, two loops in each other never end. A process can be given bounds, and be ended.
"""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import wrapgen
from wrapgen.dashboard.render import NEXT_STEP, USER_TEMPLATES, render
from wrapgen.errors import PublishError

SECONDS = 10
_MEMORY = 1 << 30  # bytes of address space; Python with Jinja takes a tenth
_REFUSED = 3
# -I: do not import from the working folder, which may be the vault that the template came with.
_START = "import sys; sys.path[:] = sys.argv[1:]; from wrapgen.dashboard.page import child; child()"


def render_page(template: str, view: object, root: Path | None) -> str:
    """Render a view: with the templates of a vault (`root`), which may be somebody else's, apart from this process."""
    if root is not None and os.path.lexists(root / USER_TEMPLATES):
        return _apart(template, view, root)
    return render(template, view, None)


def _apart(template: str, view: object, root: Path) -> str:
    path = [str(Path(wrapgen.__file__).parents[1]), *filter(None, sys.path)]
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-X", "utf8", "-c", _START, *path],
            input=pickle.dumps((template, view, root)),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _refusal(root / USER_TEMPLATES / template, f"takes more than {SECONDS} seconds") from None
    if done.returncode == 0:
        return done.stdout.decode("utf-8")
    if done.returncode == _REFUSED:
        what, where = json.loads(done.stdout)
        raise PublishError(what, where=where, next_step=NEXT_STEP)
    raise _refusal(root / USER_TEMPLATES / template, f"ended the process that rendered it (exit {done.returncode})")


def _refusal(template: Path, why: str) -> PublishError:
    return PublishError(f"the template {why}", where=str(template), next_step=NEXT_STEP)


def child() -> None:
    """Render the request on stdin to stdout; an error is written there too, with its own exit code."""
    template, view, root = pickle.load(sys.stdin.buffer)
    _bound()
    try:
        page = render(template, view, root)
    except PublishError as error:
        sys.stdout.buffer.write(json.dumps((error.what, error.where)).encode())
        sys.stdout.flush()
        sys.exit(_REFUSED)
    sys.stdout.buffer.write(page.encode("utf-8", "surrogatepass"))


def _bound() -> None:
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    if sys.platform == "linux":  # elsewhere the address space of a small process may be larger than the memory
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
