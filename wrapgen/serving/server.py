"""The server: threads of the standard library's, each answering one browser that may be slow."""

import os
import re
import socketserver
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec

from wrapgen.resources import resource
from wrapgen.serving.gate import METHODS, NAMES, Gate, Granted, RefusedRequest, Wish, decode_action
from wrapgen.serving.shelf import POLICY, VaultShelf, live, trouble

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
