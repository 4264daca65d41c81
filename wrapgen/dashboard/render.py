"""View to text: the only room that knows Jinja."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from wrapgen.errors import PublishError
from wrapgen.resources import resource

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.dashboard.view import View

TEMPLATE = "ACTIVE-STATUS.md.j2"
USER_TEMPLATES = ".wrapgen/templates"


def render(view: View, root: Path) -> str:
    """Render the dashboard.

    Args:
        view: what to show.
        root: the vault, whose own templates come first. They may have come with somebody's repository, so they
            always run in Jinja's sandbox.

    Raises:
        PublishError: the template is broken.
    """
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([root / USER_TEMPLATES, resource("templates")]),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    try:
        return environment.get_template(TEMPLATE).render(view=view)
    except (
        TemplateError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ) as error:
        line = f":{error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
        raise PublishError(
            f"the template cannot be rendered ({error})",
            where=f"{root / USER_TEMPLATES / TEMPLATE}{line}",
            next_step="Mend the template, or remove it to use the built-in one. The dashboard was left as it is.",
        ) from error
