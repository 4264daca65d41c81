"""`wrap serve`: the page in the browser, which loads itself again when the vault changes."""

import errno
import html
import os
import secrets
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Thread

import click

from wrapgen.errors import WrapgenError, remedy
from wrapgen.serving.server import Server
from wrapgen.serving.shelf import VaultShelf
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App

_TOKEN_BYTES = 24
_SENDING = """<!doctype html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={0}">
<title>wrapgen</title><a href="{0}">Open the page</a>
"""


@verb("serve", "wrap serve --open", "wrap serve --port 8123")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on; by default, any free port.",
)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
def command(app: App, *, port: int, show: bool) -> None:
    """Show the page in the browser, act on it, and see changes at once.

    Tick, snooze, un-merge or file with a click: each is the command of that name, with a receipt to undo it. It listens
    on this machine only, at the printed address. Stop it with Ctrl-C.
    """
    app.config  # noqa: B018 - a missing vault or a broken configuration is reported here
    server = _listening(app, port)
    try:
        app.say(f"{server.gate.address}  (Ctrl-C to stop)")
        sys.stdout.flush()
        with _shown(app, server.gate.address) if show else nullcontext():
            server.serve_forever()
    except KeyboardInterrupt:
        app.say("ended")
    finally:
        server.server_close()


def _listening(app: App, port: int) -> Server:
    try:
        options = ["--vault", str(app.root), *(["--today", app.today.isoformat()] if app.today else [])]
        return Server(port, secrets.token_urlsafe(_TOKEN_BYTES), VaultShelf(app, options), app.note)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        raise WrapgenError(
            f"port {port} is taken by another program" if taken else f"port {port} cannot be opened ({error.strerror})",
            next_step="Choose another with --port, or leave it out." if taken or port else remedy(error),
        ) from error


@contextmanager
def _shown(app: App, address: str) -> Iterator[None]:
    """Send a browser to the page by a file for its owner alone: everybody can read a program's arguments."""
    descriptor, name = tempfile.mkstemp(prefix="wrapgen-", suffix=".html")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(_SENDING.format(html.escape(address)))

    def opened() -> None:
        if not webbrowser.open(Path(name).as_uri()):
            app.warn("no browser could be started; open the address yourself")

    Thread(target=opened, daemon=True).start()  # some browsers return when they are closed
    try:
        yield
    finally:
        Path(name).unlink(missing_ok=True)
