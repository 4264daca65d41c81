"""`wrap mcp`: a server of the Model Context Protocol for other programs."""

import os
import sys

from msgspec.structs import replace

from wrapgen.errors import WrapgenError
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App
from wrapgen.workflows.rebuild import page_of


@verb("mcp", "wrap mcp", "claude mcp add wrapgen -- wrap mcp")
def command(app: App) -> None:
    """Serve list, next, add, done, orphans, route, triage, audit and the page to other programs.

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
    quiet = replace(app, quiet=True)
    serve(options, lambda: page_of(quiet, quiet.root)[1].decode("utf-8"))
