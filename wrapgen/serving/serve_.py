"""`wrap serve`: the page in the browser, which loads itself again when the vault changes."""

from __future__ import annotations

import errno
import secrets
import sys
from dataclasses import replace
from threading import Lock, Thread
from typing import TYPE_CHECKING

import click

from wrapgen.errors import WrapgenError, remedy
from wrapgen.terminal.help import examples

if TYPE_CHECKING:
    from datetime import date

    from wrapgen.serving.changes import Changes
    from wrapgen.serving.server import Server
    from wrapgen.workflows.app import App

_TOKEN_BYTES = 24
_OPENING = 60.0  # seconds that a browser may take to start
_LEAVING = 2.0  # seconds until the file that sends it is taken away at the end


class VaultShelf:
    """The page of a vault, rendered on request, and the notes that it links to. Nothing is written.

    Args:
        changes: how often it has changed; until it does so again, a page is made once.
    """

    def __init__(self, app: App, changes: Changes) -> None:
        self._app = app
        self._changes = changes
        self._busy = Lock()
        self._made: tuple[tuple[int, date], str] | None = None

    def page(self) -> str:
        """The page of the vault's current state."""
        from wrapgen.workflows.html_page import page_of

        with self._busy:
            app = self._fresh()
            key = (self._changes.number, app.day)
            if self._made is None or self._made[0] != key:
                self._made = None
                try:
                    _, data = page_of(app, app.root)
                except Exception as error:
                    app.warn(str(error) or type(error).__name__)
                    raise
                self._made = (key, data.decode("utf-8"))
            return self._made[1]

    def source(self, path: str) -> bytes | None:
        """The text of a note, as long as it is a source of the vault."""
        from wrapgen.vault.files import LARGEST_FILE, read

        app = self._fresh()
        found = next((one for one in app.glance().listing.found if one.path == path), None)
        try:
            return read(found.file, LARGEST_FILE).text.encode("utf-8", "replace") if found else None
        except OSError as error:
            app.note(f"{path}: {error.strerror or error}")
            return None

    def _fresh(self) -> App:
        """The vault with its configuration as that is now."""
        return replace(self._app, vault=self._app.root)


@click.command("serve", epilog=examples("wrap serve --open", "wrap serve --port 8123"))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on; by default, any free port.",
)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.pass_obj
def command(app: App, *, port: int, show: bool) -> None:
    """Show the page in the browser and reload it whenever the vault changes.

    It listens on this machine only, at the printed address. Nothing is written. Stop it with Ctrl-C.
    """
    from wrapgen.serving.changes import Changes
    from wrapgen.serving.watch import Watcher

    output = app.config.output  # a missing vault or a broken configuration is reported here
    changes = Changes()
    shelf = VaultShelf(app, changes)
    server = _listening(app, port, shelf, changes)
    watcher = Watcher(app.root, output, changes.add, app.warn)
    watcher.start()
    app.say(f"{server.gate.address}  (Ctrl-C to stop)")
    sys.stdout.flush()
    shower = Thread(target=_show, args=(app, server), daemon=True)
    if show:
        shower.start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        app.say("ended")
    finally:
        changes.close()
        watcher.stop()
        server.server_close()
        server.visited.set()
        if show:
            shower.join(_LEAVING)


def _listening(app: App, port: int, shelf: VaultShelf, changes: Changes) -> Server:
    from wrapgen.serving.server import Server

    try:
        return Server(port, secrets.token_urlsafe(_TOKEN_BYTES), shelf, changes, app.note)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        raise WrapgenError(
            f"port {port} is taken by another program" if taken else f"port {port} cannot be opened ({error.strerror})",
            next_step="Choose another with --port, or omit it to use any free port."
            if taken or port
            else remedy(error),
        ) from error


def _show(app: App, server: Server) -> None:
    import webbrowser

    from wrapgen.serving.redirect import redirect_file

    try:
        with redirect_file(server.gate.address) as file:
            shown = webbrowser.open(file) and server.visited.wait(_OPENING)
    except OSError as error:
        app.note(f"no file to send the browser with: {error.strerror or error}")
        shown = False
    if not shown:
        app.warn("no browser has come; open the address yourself")
