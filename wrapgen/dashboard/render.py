"""View to text: the only room that knows Jinja.

Jinja's sandbox keeps a template from reaching the program and the disk, but not from multiplying: a text doubled forty
times fills the memory, two loops in each other never end. So a vault's own templates are rendered in another process,
which is given bounds, and killed when it takes too long.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import traceback
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import wrapgen
from wrapgen.errors import PublishError
from wrapgen.resources import resource
from wrapgen.vault.disk import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2.sandbox import ImmutableSandboxedEnvironment

DASHBOARD = "ACTIVE-STATUS.md.j2"
PAGE = "page.html.j2"
USER_TEMPLATES = ".wrapgen/templates"
# Far beyond any readable page; the built-in template has 2,000 bytes.
_LONGEST_TEMPLATE = 1_000_000
_LONGEST_PAGE = 20_000_000
NEXT_STEP = "Fix the template, or remove it to use the built-in one. Nothing was written."


def render(template: str, view: object, root: Path | None) -> str:
    """Render a view in this process, however long that takes."""
    from jinja2 import TemplateError

    try:
        return _joined(_environment(template, root).get_template(template).generate(view=view))
    except (
        TemplateError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
        MemoryError,
    ) as error:
        what = f"the template cannot be rendered ({str(error) or type(error).__name__})"
        raise PublishError(what, where=_place(error, template, root), next_step=NEXT_STEP) from error


def _environment(template: str, root: Path | None) -> ImmutableSandboxedEnvironment:
    """What a template runs in; one for HTML escapes every text, and can take in files that are beside it."""
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=FunctionLoader(lambda name: _load(name, root)),
        undefined=StrictUndefined,
        autoescape=template.endswith(".html.j2"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["asset"] = lambda name: _load(name, root)[0]
    # A script or style as a Content-Security-Policy names it.
    environment.filters["digest"] = lambda text: f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
    return environment


def _joined(pieces: Iterable[str]) -> str:
    page: list[str] = []
    length = 0
    for piece in pieces:
        page.append(piece)
        length += len(piece)
        if length > _LONGEST_PAGE:
            raise ValueError(f"the page is longer than {_LONGEST_PAGE} characters")
    return "".join(page)


def _load(name: str, root: Path | None) -> tuple[str, str, None]:
    """A template's text and path: the vault's own, else the built-in one."""
    from jinja2 import TemplateNotFound
    from jinja2.loaders import split_template_path

    parts = split_template_path(name)
    if root is not None and os.path.lexists(own := root.joinpath(USER_TEMPLATES, *parts)):
        if not Path(os.path.realpath(own)).is_relative_to(os.path.realpath(root)):
            raise ValueError(f"{name} is behind a link that leads outside the vault")
        try:
            found = read(own, _LONGEST_TEMPLATE)
        except OSError as error:
            raise ValueError(f"{name} cannot be read: {error.strerror or error}") from error
        if found.trouble:
            raise ValueError(f"{name} is not UTF-8")
        return found.text, str(own), None
    built_in = resource("templates").joinpath(*parts)
    if not built_in.is_file():
        raise TemplateNotFound(name)
    return built_in.read_text(encoding="utf-8"), str(built_in), None


def _place(error: BaseException, template: str, root: Path | None) -> str:
    own = str((root / USER_TEMPLATES) if root else resource("templates"))
    if (file := getattr(error, "filename", None)) and (line := getattr(error, "lineno", None)):
        return f"{file}:{line}"
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(own)]
    return f"{lines[-1].filename}:{lines[-1].lineno}" if lines else os.path.join(own, template)  # noqa: PTH118


SECONDS = 10
_MEMORY = 1 << 30  # bytes of address space; Python with Jinja takes a tenth
_REFUSED = 3
# -I: do not import from the working folder, which may be the vault that the template came with.
_START = "import sys; sys.path[:] = sys.argv[1:]; from wrapgen.dashboard.render import child; child()"


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
