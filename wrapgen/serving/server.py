"""`wrap serve`: the page in the browser, which loads itself again when the vault changes.

Each browser, which may be slow, has a thread of the standard library's server.
"""

import errno
import html
import os
import re
import secrets
import socketserver
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import click
import msgspec

from wrapgen.errors import WrapgenError, remedy
from wrapgen.resources import resource
from wrapgen.serving.gate import METHODS, NAMES, Gate, Granted, RefusedRequest, Wish, decode_action
from wrapgen.serving.shelf import POLICY, VaultShelf, live, trouble
from wrapgen.terminal.verb import verb
from wrapgen.workflows.app import App

_PATIENCE = 10  # seconds that a browser may take for a piece of its request, or to take a piece of the answer
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"
_JSON = "application/json"
_LARGEST = 20_000  # bytes of an action
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Server(ThreadingHTTPServer):
    """Listens on this machine alone."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    # Elsewhere than on POSIX it would let two servers have one port.
    allow_reuse_address = os.name == "posix"

    def __init__(self, port: int, token: str, shelf: VaultShelf, note: Callable[[str], None]) -> None:
        self.shelf = shelf
        self.note = note
        self.script = resource("templates").joinpath("serve.js").read_text(encoding="utf-8")
        super().__init__((NAMES[0], port), Handler)
        self.gate = Gate(self.server_port, token)

    def server_bind(self) -> None:
        """Take the port, without asking the network for this machine's name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = NAMES[0], self.socket.getsockname()[1]

    def handle_error(self, request: object, client_address: object) -> None:
        del request, client_address
        self.note(f"{type(sys.exception()).__name__} while a request was answered")


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    timeout = _PATIENCE

    def answer(self) -> None:
        match self.server.gate.judge(self.command, self.path, self.headers):
            case RefusedRequest(status, reason):
                self._send(status, _TEXT, f"{reason}\n".encode())
            case Granted(Wish.PAGE):
                self._page()
            case Granted(Wish.VERSION):
                self._send(HTTPStatus.OK, _TEXT, self.server.shelf.version().encode())
            case Granted(Wish.ACTION):
                self._act()
            case Granted(Wish.SOURCE, path=path):
                text = self.server.shelf.source(path)
                if text is None:
                    self._send(HTTPStatus.NOT_FOUND, _TEXT, b"the page links to no such note\n")
                else:
                    self._send(HTTPStatus.OK, _TEXT, text)

    # The names are those of the standard library.
    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer  # noqa: N815

    def _page(self) -> None:
        version = self.server.shelf.version()  # before rendering: changes made meanwhile are shown next
        status = HTTPStatus.OK
        try:
            html = self.server.shelf.page()
        except Exception as error:
            status, html = HTTPStatus.INTERNAL_SERVER_ERROR, trouble(str(error) or type(error).__name__)
        html, policy = live(html, version, self.server.script)
        self._send(status, _HTML, html.encode("utf-8", "replace"), policy)

    def _act(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,5}", length) or int(length) > _LARGEST:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TEXT, b"no action is so long\n")
            return
        action = decode_action(self.rfile.read(int(length)))
        if isinstance(action, str):
            self._send(HTTPStatus.BAD_REQUEST, _TEXT, f"{action}\n".encode())
        else:
            self._send(HTTPStatus.OK, _JSON, msgspec.json.encode(self.server.shelf.act(action)))

    def _send(self, status: HTTPStatus, kind: str, body: bytes, policy: str = POLICY) -> None:
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Security-Policy": policy, "Content-Length": str(len(body))}
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            headers["Allow"] = ", ".join(METHODS)
        for name, value in (headers | _HEADERS).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def version_string(self) -> str:
        return "wrapgen"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        self.server.note((format % args).replace(self.server.gate.token, "..."))


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
def serve(app: App, *, port: int, show: bool) -> None:
    """Show the page in the browser, act on it, and see changes at once.

    Add, tick, snooze, un-merge or file with a click: each is the command of that name, with a receipt to undo it. It
    listens on this machine only, at the printed address. Stop it with Ctrl-C.
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
