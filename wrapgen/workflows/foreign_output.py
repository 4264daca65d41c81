"""Text in the dashboard's place that the program did not write: kept beside it before the first rebuild replaces it."""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from wrapgen.config import VAULT_FILE, Config
from wrapgen.dashboard.render import DASHBOARD, USER_TEMPLATES
from wrapgen.errors import PublishError
from wrapgen.regular_files import whole
from wrapgen.vault.files import publish
from wrapgen.vault.git import Git
from wrapgen.vault.held import inside
from wrapgen.vault.run_history import FILE as HISTORY

if TYPE_CHECKING:
    from wrapgen.workflows.app import App

# The front matter of the built-in template, also where git left both sides of it.
_OURS = re.compile(rb"---\r?\n(?:<<<<<<< [^\n]*\n)?date: \d{4}-\d{2}-\d{2}\r?\ncollected: \d+\r?\n")
_DEFAULT = Config().output
_GIT_SECONDS = 5.0


def keep_foreign_output(app: App) -> None:
    """Copy what stands in the dashboard's place to `NAME.before-wrapgen.md`, once, and say so; the lock is held.

    Raises:
        PublishError: the copy cannot be written, or `output` names a file that git keeps for somebody; nothing was
            replaced.
    """
    output = app.root / app.config.output
    try:
        data = whole(inside(output, app.root))
    except OSError:
        return  # there is none, or publishing says what is wrong with it
    if not data.strip() or _OURS.match(data) or _made_by_own_template(app):
        return
    if app.config.output != _DEFAULT and _is_tracked(app):
        raise PublishError(
            "is in git and was not written by wrapgen, so it is not replaced",
            where=str(output),
            next_step=f"Name another file as `output` in {VAULT_FILE}, or remove this one.",
        )
    name = PurePosixPath(app.config.output)
    copy = str(name.with_name(f"{name.stem}.before-wrapgen{name.suffix}"))
    if not os.path.lexists(app.root / copy):
        publish(app.root / copy, data, root=app.root)
        app.warn(f"{app.config.output} was not written by wrapgen; its former content is in {copy}")


def _is_tracked(app: App) -> bool:
    """Whether git keeps the file, so that a copy beside it would only be in the way of whoever looks after it."""
    named = f":(literal){app.config.output}"
    return bool(Git(app.root, timeout=_GIT_SECONDS).ask("ls-files", "-z", "--", named))


def _made_by_own_template(app: App) -> bool:
    """Whether the vault has been rebuilt before by a template of its own, which looks like nothing that is known."""
    own = app.root / USER_TEMPLATES / DASHBOARD
    return os.path.lexists(own) and os.path.lexists(app.root / HISTORY)
