"""`wrap mcp`: a server of the Model Context Protocol for other programs."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.errors import WrapgenError
from wrapgen.terminal.verb import verb

if TYPE_CHECKING:
    from wrapgen.workflows.app import App


@verb("mcp", "wrap mcp", "claude mcp add wrapgen -- wrap mcp")
def command(app: App) -> None:
    """Serve list, add, done, orphans, route, triage, audit and the page to other programs.

    Speaks the Model Context Protocol on stdin and stdout, for programs that start it themselves. Every tool is a
    command and does nothing that the command does not do. Needs the extra `wrapgen[mcp]`.
    """
    try:
        from wrapgen.mcp.server import serve
    except ImportError as error:
        raise WrapgenError(
            f"the MCP server needs the official SDK, version 2 or later ({error})",
            next_step='In your checkout of wrapgen: uv tool install ".[mcp]", pipx install --force ".[mcp]" '
            'or pip install ".[mcp]"',
        ) from error
    if sys.stdin.isatty():
        app.warn("waiting for a client on stdin; programs start `wrap mcp` themselves. Ctrl-C ends it")
    options = [*(("--vault", os.path.abspath(app.vault)) if app.vault else ())]
    options += [*(("--today", app.today.isoformat()) if app.today else ())]
    serve(options, lambda: _page(replace(app, quiet=True)))


def _page(app: App) -> str:
    from wrapgen.workflows.html_page import page_of

    return page_of(app, app.root)[1].decode("utf-8")
