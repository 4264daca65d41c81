"""Which requests are answered: those of this machine's own browser that know the token. PURE.

A foreign page in the same browser can send requests here too, under a name that it points to this machine (DNS
rebinding);
 so the name in `Host` must be the server's own, and nothing may come from elsewhere.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from email.message import Message

NAMES = ("127.0.0.1", "localhost")
METHODS = ("GET", "HEAD")
_SEEN = re.compile(r"seen=([0-9]{1,18})")


class Wish(StrEnum):
    """What is asked for."""

    PAGE = "page"
    CHANGES = "changes"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Granted:
    """A request that is answered."""

    wish: Wish
    path: str = ""  # of the source, relative to the vault; not known yet to be one
    seen: int = 0  # how many changes the page that waits for more has seen


@dataclass(frozen=True, slots=True)
class RefusedRequest:
    """A request that is not answered, and why."""

    status: HTTPStatus
    reason: str


@dataclass(frozen=True, slots=True)
class Gate:
    """The server's address."""

    port: int  # where it listens
    token: str  # what every address begins with

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{NAMES[0]}:{self.port}/{self.token}/"

    def judge(self, method: str, target: str, headers: Message) -> Granted | RefusedRequest:
        """Whether a request is answered.

        Args:
            target: its path with its query, as it was sent.
        """
        if method not in METHODS:
            return RefusedRequest(HTTPStatus.METHOD_NOT_ALLOWED, f"only {' and '.join(METHODS)} are supported")
        if headers.get_all("Host", []) not in self._hosts():
            return RefusedRequest(HTTPStatus.MISDIRECTED_REQUEST, "this server answers only under its own name")
        if not self._from_here(headers):
            return RefusedRequest(HTTPStatus.FORBIDDEN, "requests of other pages are not answered")
        return self._found(target)

    def _hosts(self) -> list[list[str]]:
        return [[f"{name}:{self.port}"] for name in NAMES]

    def _from_here(self, headers: Message) -> bool:
        own = [f"http://{host}" for (host,) in self._hosts()]
        origins, referers = headers.get_all("Origin", []), headers.get_all("Referer", [])
        sites = headers.get_all("Sec-Fetch-Site", [])
        # Somebody who goes to the page itself may come from anywhere, such as the file of `serve --open`.
        visit = headers.get_all("Sec-Fetch-Mode"), headers.get_all("Sec-Fetch-Dest")
        known = ("same-origin", "none", *(("cross-site",) if visit == (["navigate"], ["document"]) else ()))
        return (
            all(one in own for one in origins)
            and all(one.startswith(tuple(f"{origin}/" for origin in own)) for one in referers)
            and all(one in known for one in sites)
        )

    def _found(self, target: str) -> Granted | RefusedRequest:
        path, _, query = target.partition("?")
        _, _, below = path.partition("/")
        token, slash, rest = below.partition("/")
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()) or not slash:
            return RefusedRequest(HTTPStatus.FORBIDDEN, "the address is not the one that `wrap serve` printed")
        if rest:
            return Granted(Wish.SOURCE, path=unquote(rest, errors="surrogateescape"))
        if seen := _SEEN.fullmatch(query):
            return Granted(Wish.CHANGES, seen=int(seen[1]))
        return Granted(Wish.PAGE)
