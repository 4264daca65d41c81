"""Connections without the token: few at a time, none for long, and the page is shown beside them."""

from __future__ import annotations

import os
import socket
import stat
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from wrapgen.serving.redirect import redirect_file
from wrapgen.serving.unauthenticated import UnauthenticatedConnections

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process, and its time")


def pair(stack):
    ours, theirs = socket.socketpair()
    stack.enter_context(ours)
    stack.enter_context(theirs)
    theirs.settimeout(0.05)
    return ours, theirs


def ended(theirs):
    try:
        return theirs.recv(1) == b""
    except TimeoutError:
        return False


def test_the_oldest_of_an_address_makes_room():
    with ExitStack() as stack:
        unauthenticated = UnauthenticatedConnections()
        one, other = pair(stack), pair(stack)
        unauthenticated.add(other[0], "127.0.0.2", 0.0)
        unauthenticated.add(one[0], "127.0.0.1", 1.0)
        for number in range(16):
            unauthenticated.add(pair(stack)[0], "127.0.0.1", 2.0 + number)
        assert ended(one[1])
        assert not ended(other[1])


def test_many_addresses_are_bounded_too():
    with ExitStack() as stack:
        unauthenticated = UnauthenticatedConnections()
        first = pair(stack)
        unauthenticated.add(first[0], "127.0.0.1", 0.0)
        for number in range(64):
            unauthenticated.add(pair(stack)[0], f"127.0.1.{number}", 1.0)
        assert ended(first[1])


def test_who_asks_for_nothing_is_sent_away_and_who_showed_the_token_stays():
    with ExitStack() as stack:
        unauthenticated = UnauthenticatedConnections()
        idle, known, fresh = pair(stack), pair(stack), pair(stack)
        for one, came in ((idle, 0.0), (known, 0.0), (fresh, 9.0)):
            unauthenticated.add(one[0], "127.0.0.1", came)
        unauthenticated.forget(known[0])
        unauthenticated.close_idle(11.0)
        assert [ended(one[1]) for one in (idle, known, fresh)] == [True, False, False]


@pytest.mark.slow
@linux
def test_slow_sockets_stop_no_page_and_burn_no_time(served):
    """Of forty that never finish their request most are sent away long before their time is over."""
    with ExitStack() as stack, served.waiting():
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", served.port), 5)) for _ in range(40)]
        for one in slow:
            one.settimeout(0.05)
        until = time.monotonic() + 8  # they would have ten seconds
        gone = set()
        while len(gone) < 24 and time.monotonic() < until:
            gone.update(number for number, one in enumerate(slow) if number not in gone and ended(one))
        assert len(gone) >= 24
        before, begun = spent(served.child.pid), time.monotonic()
        time.sleep(1)
        assert spent(served.child.pid) - before < 0.5 * (time.monotonic() - begun)
        assert "Fix the login" in served.page()


def spent(process):
    """Seconds of processor time so far."""
    words = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def test_the_file_that_sends_the_browser_is_for_its_owner_alone_and_goes():
    with redirect_file("http://127.0.0.1:1/a&b/") as address:
        file = Path(address.removeprefix("file://"))
        assert 'url=http://127.0.0.1:1/a&amp;b/"' in file.read_text("utf-8")
        assert "a&b" not in address
        if os.name == "posix":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a browser that is a script")
def test_the_token_is_in_no_argument_of_the_browser(serve, tmp_path, monkeypatch):
    browser, said = tmp_path / "browser", tmp_path / "said"
    browser.write_text(f'#!/bin/sh\nprintf %s "$*" >> "{said}"\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    served = serve("--open")
    for _ in range(200):
        if said.exists() and said.read_text("utf-8"):
            break
        time.sleep(0.05)
    arguments = said.read_text("utf-8")
    token = served.home.strip("/")
    assert token not in arguments
    file = Path(arguments.removeprefix("file://"))
    assert token in file.read_text("utf-8")
    assert served.ask(Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")[0] == 200
    for _ in range(200):
        if not file.exists():
            break
        time.sleep(0.05)
    assert not file.exists()
