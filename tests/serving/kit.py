"""A running server, and what asks it."""

from __future__ import annotations

import http.client
import json
import re
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.support import TODAY, journal, next_list

NOTE = f"journals/2026/04/{TODAY}.md"
NOTES = {
    **journal(TODAY, next_list("(web) Fix the login")),
    "projects/web/todos.md": "## Next Session\n- [ ] 로그인 오류 수정\n",
    "notes/private.md": "- mine alone\n",
}
PATIENCE = 60


class Served:
    """A running server."""

    def __init__(self, child, vault, address):
        self.child = child
        self.vault = vault
        self.address = address
        self.port = urlsplit(address).port
        self.home = urlsplit(address).path

    @contextmanager
    def asked(self, target=None, method="GET", body=b"", **headers):
        """Ask for something; gives the answer before it is read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, self.home if target is None else target, skip_host=True)
            for name, value in ({"Host": f"127.0.0.1:{self.port}"} | headers).items():
                connection.putheader(name.replace("_", "-"), value)
            if body:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body or None)
            yield connection.getresponse()
        finally:
            connection.close()

    def ask(self, target=None, method="GET", body=b"", **headers):
        """Status, headers and body."""
        with self.asked(target, method, body, **headers) as answer:
            return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8")

    def page(self):
        status, _, body = self.ask()
        assert status == 200, body
        return body

    def act(self, **action):
        """What the page's script does at a click."""
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        status, _, body = self.ask(f"{self.home}act", "POST", json.dumps(action).encode(), **headers)
        assert status == 200, body
        return json.loads(body)

    def ids(self):
        """The item of each row, by its words."""
        rows = re.findall(r'data-id="([0-9a-f]+)".*?<p class="words"[^>]*>\n?(.*?)</p>', self.page(), re.DOTALL)
        return {words.strip(): item for item, words in rows}

    def version(self):
        status, _, body = self.ask(f"{self.home}?version")
        assert status == 200, body
        return body

    def changed(self, before):
        """Ask as the page does, until the vault has another version."""
        until = time.monotonic() + PATIENCE
        while (now := self.version()) == before:
            assert time.monotonic() < until
            time.sleep(0.1)
        return now
