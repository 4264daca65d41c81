"""The language of what is written for agents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wrapgen.errors import NoVaultError

if TYPE_CHECKING:
    from wrapgen.workflows.app import App

_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def language(app: App) -> str:
    """The vault's language, where there is a vault; else that of the system."""
    try:
        lang = app.config.lang
    except NoVaultError:
        lang = ""
    named = next((value for name in _LOCALE_VARIABLES if (value := os.environ.get(name))), "")
    return lang or named.replace("-", "_").partition("_")[0].partition(".")[0].lower()
