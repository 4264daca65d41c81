"""View to text: the only room that knows Jinja."""

from __future__ import annotations

import os
import traceback
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.errors import PublishError
from wrapgen.resources import resource
from wrapgen.vault.files import read

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
    environment.filters["digest"] = _digest
    return environment


def _digest(text: str) -> str:
    """A script or style as a Content-Security-Policy names it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


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
