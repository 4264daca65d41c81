"""The one place where hooks ask for the hot and cold track."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wrapgen.commands.app import App


def hot_track(app: App, session: str, room: int) -> str:
    """The hot track of a session, within a number of UTF-16 units; "" when there is none.

    Args:
        app: the vault.
        session: the session's id.
        room: UTF-16 units at most.
    """
    function = _function("hot_for_injection")
    return str(function(app, session, room)) if function else ""


def snapshot(app: App, session: str, transcript: str) -> None:
    """Keep what a compaction would forget, as `wrap track snapshot` does.

    Args:
        app: the vault.
        session: the session's id.
        transcript: its file.
    """
    if function := _function("snapshot"):
        function(app, session, transcript)


def dead_ends(app: App, session: str) -> list[str]:
    """What was tried, failed and was given up, a line each.

    Args:
        app: the vault.
        session: the session's id.
    """
    function = _function("dead_ends")
    return [str(one) for one in function(app, session)] if function else []


def named_dead_ends(app: App, session: str, words: str) -> list[str]:
    """The dead ends that words name.

    Args:
        app: the vault.
        session: the session's id.
        words: of a prompt.
    """
    function = _function("named_dead_ends")
    return [str(one) for one in function(app, session, words)] if function else []


def _function(name: str) -> Any:  # noqa: ANN401 - chapter 6 is being built
    try:
        return getattr(import_module("wrapgen.commands.tracking"), name, None)
    except ImportError:
        return None
