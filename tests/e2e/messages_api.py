"""A scripted Messages API on loopback: what the real client talks to instead of a model.

It serves the streamed and the plain form of `POST /v1/messages`, `POST /v1/messages/count_tokens` and
`GET /v1/models`, and keeps every request, so that a test can look at what reached "the model". The form of the
events is that of the Messages API's documentation: message_start, content_block_start/_delta/_stop, message_delta,
message_stop.

The script is asked in order and the first rule that fits answers. A rule looks at content, never at a count of
requests: the client also sends requests of its own (titles, summaries of tools), in no order that it promises.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

MODEL = "claude-sonnet-4-5-20250929"


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    path: str
    body: dict[str, Any]

    @property
    def system(self) -> str:
        return _text(self.body.get("system", ""))

    @property
    def messages(self) -> list[str]:
        """The text of each message, tool results included."""
        return [_text(message["content"]) for message in self.body.get("messages", [])]

    @property
    def last(self) -> str:
        """The text of the newest message of the user's side: the prompt, or the results of tools."""
        said = [_text(each["content"]) for each in self.body.get("messages", []) if each["role"] == "user"]
        return said[-1] if said else ""

    @property
    def calls(self) -> int:
        """How many tools were called in this conversation so far."""
        replies = (each["content"] for each in self.body.get("messages", []) if each["role"] == "assistant")
        return sum(block["type"] == "tool_use" for content in replies if isinstance(content, list) for block in content)

    @property
    def everything(self) -> str:
        """All the text that the model would read, without the descriptions of tools."""
        return "\n".join([self.system, *self.messages])


@dataclass(frozen=True)
class Text:
    """The model says this and ends its turn."""

    text: str


@dataclass(frozen=True)
class ToolUse:
    """The model calls a tool."""

    name: str
    input: dict[str, Any]


Reply = tuple[Text | ToolUse, ...]
"""What the model says, then the tool that it calls, if it calls one."""


@dataclass(frozen=True)
class Rule:
    """If `fits` the request, `reply` to it."""

    fits: Callable[[Request], bool]
    reply: Callable[[Request], Reply]


def when(words: str, *reply: Text | ToolUse) -> Rule:
    """The rule for prompts and results of tools that hold these words."""
    return Rule(lambda request: words in request.last, lambda _: reply)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    found = []
    for block in content or []:
        if block.get("type") == "text":
            found.append(block["text"])
        elif block.get("type") == "tool_result":
            found.append(_text(block.get("content")))
        elif block.get("type") == "tool_use":
            found.append(json.dumps(block["input"], ensure_ascii=False))
    return "\n".join(found)


@dataclass
class MessagesApi:
    """The server; use as a context manager. `rules` may be changed between runs of the client."""

    rules: list[Rule] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    """What was asked of this server as a proxy: hosts that the client wanted to reach."""

    def __enter__(self) -> Self:
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def reply(self, request: Request) -> Reply:
        """The reply of the first rule that fits; a request that none knows is the client's own business."""
        return next((rule.reply(request) for rule in self.rules if rule.fits(request)), (Text("ok"),))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, api: MessagesApi) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.api = api

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed reads no more; anything else is a fault of the script and shows."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Nothing: the requests are kept, not printed."""

    def do_CONNECT(self) -> None:
        self.server.api.elsewhere.append(self.path)
        self.send_error(403)

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        model = {"type": "model", "id": MODEL, "display_name": "Scripted", "created_at": "2026-01-01T00:00:00Z"}
        self._json({"data": [model], "has_more": False, "first_id": MODEL, "last_id": MODEL})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        request = Request(self.path.partition("?")[0], body)
        self.server.api.requests.append(request)
        if request.path == "/v1/messages/count_tokens":
            self._json({"input_tokens": len(request.everything) // 4})
        elif request.path != "/v1/messages":
            self._json({})
        else:
            self._answer(request)

    def _answer(self, request: Request) -> None:
        number = len(self.server.api.requests)
        try:
            message = _message(request, self.server.api.reply(request), number)
        except (ValueError, LookupError) as err:
            trouble = f"the script fails with {err!r} at: {request.last}"
            self._json({"type": "error", "error": {"type": "invalid_request_error", "message": trouble}}, 400)
        else:
            self._stream(message) if request.body.get("stream") else self._json(message)

    def _json(self, answer: dict[str, Any], code: int = 200) -> None:
        data = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, message: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in _events(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.close_connection = True


def _message(request: Request, reply: Reply, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number:024d}",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model", MODEL),
        "content": [_block(each, f"toolu_{number:020d}{place:04d}") for place, each in enumerate(reply)],
        "stop_reason": "tool_use" if isinstance(reply[-1], ToolUse) else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": len(request.everything) // 4, "output_tokens": 10},
    }


def _block(each: Text | ToolUse, identity: str) -> dict[str, Any]:
    if isinstance(each, Text):
        return {"type": "text", "text": each.text}
    return {"type": "tool_use", "id": identity, "name": each.name, "input": each.input}


def _events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": message["usage"]}
    yield {"type": "message_stop"}
