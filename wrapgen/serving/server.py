"""The server: threads of the standard library's, each answering one browser that may be slow."""

from __future__ import annotations

import os
import socketserver
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Event
from typing import TYPE_CHECKING, Any, Protocol

from wrapgen.serving.gate import METHODS, NAMES, Gate, Granted, RefusedRequest, Wish
from wrapgen.serving.live import POLICY, live, trouble
from wrapgen.serving.unauthenticated import UnauthenticatedConnections

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from wrapgen.serving.changes import Changes

_ALIVE = 15.0  # seconds between signs of life, by which browsers that have left are noticed
_PATIENCE = 60  # seconds that a browser may take for a line of its request, or to take a piece of the answer
_WAITING = 64  # pages that may wait for changes at once
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Shelf(Protocol):
    """What can be served; called from several threads."""

    def page(self) -> str:
        """The page of the vault's current state.

        Raises:
            Exception: whatever keeps it from being made.
        """

    def source(self, path: str) -> bytes | None:
        """The text of a note; None when no source of the page is there.

        Args:
            path: relative to the vault, as somebody sent it.
        """


class Server(ThreadingHTTPServer):
    """Listens on this machine alone.

    Args:
        port: where; 0 for any that is free.
        token: what every address begins with.
        changes: how often the vault has changed.
        note: called with one line for every request.

    Attributes:
        unauthenticated: connections that have not shown the token yet.
        visited: set once somebody has asked for the page.

    Raises:
        OSError: the port cannot be had.
    """

    daemon_threads = True
    block_on_close = False
    # Elsewhere than on POSIX it would let two servers have one port.
    allow_reuse_address = os.name == "posix"

    def __init__(self, port: int, token: str, shelf: Shelf, changes: Changes, note: Callable[[str], None]) -> None:
        self.shelf = shelf
        self.changes = changes
        self.note = note
        self.waiting = BoundedSemaphore(_WAITING)
        self.unauthenticated = UnauthenticatedConnections()
        self.visited = Event()
        super().__init__((NAMES[0], port), Handler)
        self.gate = Gate(self.server_port, token)

    def server_bind(self) -> None:
        """Take the port, without asking the network for this machine's name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = NAMES[0], self.socket.getsockname()[1]

    def process_request(
        self,
        request: socket.socket | tuple[bytes, socket.socket],
        client_address: Any,  # noqa: ANN401 - as the standard library has it
    ) -> None:
        """Answer a connection in a thread of its own."""
        assert not isinstance(request, tuple)
        self.unauthenticated.add(request, client_address[0], time.monotonic())
        super().process_request(request, client_address)

    def service_actions(self) -> None:
        """Twice a second: those that ask for nothing are sent away."""
        self.unauthenticated.close_idle(time.monotonic())

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """End a connection."""
        assert not isinstance(request, tuple)
        self.unauthenticated.forget(request)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves in the middle is not an error."""
        del request, client_address
        import sys

        self.note(f"{type(sys.exception()).__name__} while a request was answered")


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    timeout = _PATIENCE

    def answer(self) -> None:
        """Answer it, or respond with the reason why not."""
        judged = self.server.gate.judge(self.command, self.path, self.headers)
        if isinstance(judged, Granted):
            self.server.unauthenticated.forget(self.connection)
        match judged:
            case RefusedRequest(status, reason):
                self._send(status, _TEXT, f"{reason}\n".encode())
            case Granted(Wish.PAGE):
                self.server.visited.set()
                self._page()
            case Granted(Wish.CHANGES, seen=seen):
                self._changes(seen)
            case Granted(Wish.SOURCE, path=path):
                text = self.server.shelf.source(path)
                if text is None:
                    self._send(HTTPStatus.NOT_FOUND, _TEXT, b"the page links to no such note\n")
                else:
                    self._send(HTTPStatus.OK, _TEXT, text)

    # The names are those of the standard library.
    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer  # noqa: N815

    def _page(self) -> None:
        seen = self.server.changes.number  # before rendering: changes made meanwhile are reported at once
        status = HTTPStatus.OK
        try:
            html = self.server.shelf.page()
        except Exception as error:
            status, html = HTTPStatus.INTERNAL_SERVER_ERROR, trouble(str(error) or type(error).__name__)
        shown = live(html, seen)
        self._send(status, _HTML, shown.html.encode("utf-8", "replace"), shown.policy)

    def _changes(self, seen: int) -> None:
        """Keep the line open until something changes, as Server-Sent Events."""
        if not self.server.waiting.acquire(blocking=False):
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, _TEXT, b"too many pages are waiting\n")
            return
        try:
            self._begin(HTTPStatus.OK, "text/event-stream", POLICY)
            self.end_headers()
            while self.command != "HEAD" and not self.server.changes.closed:
                told = self.server.changes.differ(seen, _ALIVE)
                self.wfile.write(b"event: change\ndata:\n\n" if told else b":\n\n")
                if told:
                    return
        finally:
            self.server.waiting.release()

    def _send(self, status: HTTPStatus, kind: str, body: bytes, policy: str = POLICY) -> None:
        self._begin(status, kind, policy)
        self.send_header("Content-Length", str(len(body)))
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", ", ".join(METHODS))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _begin(self, status: HTTPStatus, kind: str, policy: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", policy)
        for name, value in _HEADERS.items():
            self.send_header(name, value)

    def version_string(self) -> str:
        """Who answers."""
        return "wrapgen"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the standard library's name
        """Note the request, without the token."""
        self.server.note((format % args).replace(self.server.gate.token, "..."))
