"""Which requests are answered: those of this machine's own browser that know the token. PURE.

A foreign page in the same browser can send requests here too, under a name that it points to this machine (DNS
rebinding); so the name in `Host` must be the server's own, and nothing may come from elsewhere.
"""

import hmac
import json
from dataclasses import dataclass
from email.message import Message
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Literal, NamedTuple
from urllib.parse import unquote

import msgspec
from msgspec import Meta

NAMES = ("127.0.0.1", "localhost")
METHODS = ("GET", "HEAD", "POST")
ACT = "act"
"""The one path that takes a POST."""


class Wish(StrEnum):
    """What is asked for."""

    PAGE = "page"
    VERSION = "version"
    SOURCE = "source"
    ACTION = "action"


@dataclass(frozen=True, slots=True)
class Granted:
    """A request that is answered."""

    wish: Wish
    path: str = ""  # of the source, relative to the vault; not known yet to be one


@dataclass(frozen=True, slots=True)
class RefusedRequest:
    """A request that is not answered, and why."""

    status: HTTPStatus
    reason: str


@dataclass(frozen=True, slots=True)
class Gate:
    """The server's address: `token` is what every path begins with."""

    port: int
    token: str

    @property
    def address(self) -> str:
        return f"http://{NAMES[0]}:{self.port}/{self.token}/"

    def judge(self, method: str, target: str, headers: Message) -> Granted | RefusedRequest:
        """Whether a request is answered; `target` is its path with its query, as it was sent."""
        if method not in METHODS:
            return RefusedRequest(HTTPStatus.METHOD_NOT_ALLOWED, f"only {', '.join(METHODS)} are supported")
        if headers.get_all("Host", []) not in [[host] for host in self._hosts]:
            return RefusedRequest(HTTPStatus.MISDIRECTED_REQUEST, "this server answers only under its own name")
        if not self._from_here(headers):
            return RefusedRequest(HTTPStatus.FORBIDDEN, "requests of other pages are not answered")
        path, _, query = target.partition("?")
        token, slash, rest = path.removeprefix("/").partition("/")
        if not path.startswith("/") or not slash or not hmac.compare_digest(_bytes(token), _bytes(self.token)):
            return RefusedRequest(HTTPStatus.FORBIDDEN, "the address is not the one that `wrap serve` printed")
        if method == "POST":
            return self._action(rest, headers)
        if rest:
            return Granted(Wish.SOURCE, path=unquote(rest, errors="surrogateescape"))
        return Granted(Wish.VERSION if query == "version" else Wish.PAGE)

    def _action(self, path: str, headers: Message) -> Granted | RefusedRequest:
        """What writes must say where it comes from: no form and no page but this one can send it."""
        if path != ACT:
            return RefusedRequest(HTTPStatus.METHOD_NOT_ALLOWED, "only the page's own actions are sent")
        if not headers.get_all("Origin", []) or headers.get_all("Content-Type", []) != ["application/json"]:
            return RefusedRequest(HTTPStatus.FORBIDDEN, "only the page's own script may act")
        return Granted(Wish.ACTION)

    @property
    def _hosts(self) -> tuple[str, ...]:
        return tuple(f"{name}:{self.port}" for name in NAMES)

    def _from_here(self, headers: Message) -> bool:
        own = tuple(f"http://{host}" for host in self._hosts)
        # Somebody who goes to the page itself may come from anywhere, such as the file of `serve --open`.
        visit = headers.get_all("Sec-Fetch-Mode"), headers.get_all("Sec-Fetch-Dest")
        known = ("same-origin", "none", *(("cross-site",) if visit == (["navigate"], ["document"]) else ()))
        return (
            all(one in own for one in headers.get_all("Origin", []))
            and all(one.startswith(tuple(f"{origin}/" for origin in own)) for one in headers.get_all("Referer", []))
            and all(one in known for one in headers.get_all("Sec-Fetch-Site", []))
        )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


# Ids and handles; none begins with a dash, so none is an option.
Name = Annotated[str, Meta(pattern=r"\A[0-9a-f]{4,64}\Z")]
Project = Annotated[str, Meta(max_length=255)]


class TickAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="done"):
    """Finish an item."""

    item: Name


class AddAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="add"):
    """Write a new item down."""

    text: Annotated[str, Meta(min_length=1, max_length=5_000)]
    project: Project | None = None


class SnoozeAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="snooze"):
    """Hide an item until a day, as `wrap snooze` takes it."""

    item: Name
    until: Annotated[str, Meta(pattern=r"\A[0-9a-z][0-9a-z-]{0,11}\Z")]


class NextAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="next"):
    """Put an item first, behind others that are first with it, or take back what was said of it."""

    item: Name
    clear: bool = False
    behind: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()


class KeepAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="keep"):
    """Reopen or un-merge an item."""

    item: Name


class FileAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="file"):
    """File a pending follow-up, or skip it."""

    item: Name
    route: Literal["journal", "project", "active", "skip"]
    project: Project | None = None
    task: Project | None = None
    text: Annotated[str, Meta(min_length=1, max_length=5_000)] | None = None


class RestoreAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="restore"):
    """Ask again about a follow-up that was skipped or left out."""

    item: Name


class VerdictAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="verdict"):
    """What the owner says of an item; nobody asks them for a proof."""

    item: Name
    verdict: Literal["open", "not_work", "parked", "same_as"]
    other: Name | None = None  # for `same_as`: the item that stays


class UndoAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="undo"):
    """Take a receipt back."""

    receipt: Annotated[str, Meta(pattern=r"\A[0-9A-Za-z][0-9A-Za-z-]{3,63}\Z")]


Command = TickAction | AddAction | NextAction | SnoozeAction | KeepAction | FileAction | RestoreAction | UndoAction
Action = Command | VerdictAction


class ActionCall(NamedTuple):
    """A command to run."""

    words: tuple[str, ...]  # the words after `wrap`
    given: str = ""  # what it reads on standard input


def decode_action(body: bytes) -> Action | str:
    """An action, or why the request is none."""
    try:
        action: Action = msgspec.json.decode(body, type=Action)
    except msgspec.DecodeError as error:
        return str(error)
    return action


def call_of(action: Command) -> ActionCall:
    """The command that carries an action out."""
    match action:
        case TickAction(item):
            return ActionCall(("done", "--json", item))
        case AddAction(text, project):
            return ActionCall(("add", "--json", *((f"--project={project}",) if project else ()), "--", text))
        case NextAction(item, clear, behind):
            return ActionCall(("next", "--json", *(("--clear",) if clear else ()), *behind, item))
        case SnoozeAction(item, until):
            return ActionCall(("snooze", "--json", item, until))
        case KeepAction(item):
            return ActionCall(("keep", "--json", item))
        case RestoreAction(item):
            return ActionCall(("orphans", "--json", "--restore", item))
        case UndoAction(receipt):
            return ActionCall(("undo", "--json", receipt))
        case FileAction(item, route, project, task, text):
            answer = {"id": item, "route": route, "project": project, "task": task, "text": text}
            given = {"answers": [{name: value for name, value in answer.items() if value is not None}]}
            return ActionCall(("route", "--json", "--answers", "-"), json.dumps(given))
