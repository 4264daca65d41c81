"""Who is answered: a table, and whatever else somebody may send."""

from email.message import Message

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.serving.gate import Gate, Granted, RefusedRequest, Wish

TOKEN = "s3cret-Token_of-24-bytes"
GATE = Gate(8123, TOKEN)
HOST = "127.0.0.1:8123"
PAGE = f"/{TOKEN}/"


def headers(*lines, host=HOST):
    message = Message()
    for name, value in ([("Host", host)] if host is not None else []) + list(lines):
        message[name] = value
    return message


def judge(*lines, method="GET", target=PAGE, host=HOST):
    return GATE.judge(method, target, headers(*lines, host=host))


def status(judged):
    assert isinstance(judged, RefusedRequest), judged
    return judged.status


def test_the_address():
    assert GATE.address == f"http://127.0.0.1:8123/{TOKEN}/"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("host", [HOST, "localhost:8123"])
def test_the_page_is_for_who_knows_the_token(method, host):
    assert judge(method=method, host=host) == Granted(Wish.PAGE)


@pytest.mark.parametrize(
    ("target", "granted"),
    [
        (PAGE, Granted(Wish.PAGE)),
        (f"{PAGE}?version", Granted(Wish.VERSION)),
        (f"{PAGE}?version=1", Granted(Wish.PAGE)),
        (f"{PAGE}?other=1", Granted(Wish.PAGE)),
        (f"{PAGE}journals/2026-04-24.md", Granted(Wish.SOURCE, path="journals/2026-04-24.md")),
        (f"{PAGE}projects/%EA%B2%B0%EC%A0%9C/todos.md", Granted(Wish.SOURCE, path="projects/결제/todos.md")),
        (f"{PAGE}a%20b%3F.md?seen=1", Granted(Wish.SOURCE, path="a b?.md")),
    ],
)
def test_what_is_asked_for(target, granted):
    assert judge(target=target) == granted


@each(
    [
        "/",
        "",
        "*",
        "/favicon.ico",
        f"/{TOKEN}",
        f"/{TOKEN[:-1]}/",
        f"/{TOKEN}x/",
        f"/{TOKEN.upper()}/",
        f"//{TOKEN}/",
        f"/?{TOKEN}/",
        f"/x/{TOKEN}/",
        "/%73" + TOKEN[1:] + "/",
        "/가/",
        f"http://{HOST}/{TOKEN}/",
    ]
)
def test_without_the_token_nothing_is_answered(target):
    assert status(judge(target=target)) == 403


@each(
    [
        None,
        "",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:80",
        "127.0.0.1:81234",
        "evil.example",
        "evil.example:8123",
        "127.0.0.1.evil.example:8123",
        "evil.example@127.0.0.1:8123",
        "[::1]:8123",
        "0.0.0.0:8123",
        "LOCALHOST:8123 ",
    ]
)
def test_another_host_is_misdirected(host):
    assert status(judge(host=host)) == 421


def test_two_hosts_are_misdirected():
    assert status(judge(("Host", "localhost:8123"))) == 421


@pytest.mark.parametrize(
    "line",
    [
        ("Origin", "http://evil.example"), ("Origin", "null"), ("Origin", "http://127.0.0.1:9999"),
        ("Origin", "https://127.0.0.1:8123"), ("Referer", "http://evil.example/"), ("Referer", "http://127.0.0.1:81234/"),
        ("Referer", "http://127.0.0.1:8123.evil.example/"), ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ],
)  # fmt: skip
def test_what_comes_from_another_page_is_refused(line):
    assert status(judge(line)) == 403


@pytest.mark.parametrize(
    "line",
    [
        ("Origin", "http://127.0.0.1:8123"), ("Origin", "http://localhost:8123"),
        ("Referer", f"http://127.0.0.1:8123/{TOKEN}/"), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "none"),
    ],
)  # fmt: skip
def test_what_comes_from_the_page_itself_is_answered(line):
    assert judge(line) == Granted(Wish.PAGE)


def test_a_visit_may_come_from_anywhere_what_a_page_loads_may_not():
    site, mode = ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")
    assert judge(site, mode, ("Sec-Fetch-Dest", "document")) == Granted(Wish.PAGE)
    for other in ("iframe", "empty", "image", "embed"):
        assert status(judge(site, mode, ("Sec-Fetch-Dest", other))) == 403
    assert status(judge(site, ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "document"))) == 403


OWN = ("Origin", f"http://{HOST}")
JSON = ("Content-Type", "application/json")


@each(["PUT", "DELETE", "PATCH", "OPTIONS", "get", "CONNECT"])
def test_only_looking_and_acting_are_answered(method):
    assert status(judge(method=method)) == 405


def test_the_pages_own_script_may_act():
    assert judge(OWN, JSON, method="POST", target=f"{PAGE}act") == Granted(Wish.ACTION)


@pytest.mark.parametrize(
    ("lines", "target", "code"),
    [
        ((JSON,), f"{PAGE}act", 403),
        ((OWN,), f"{PAGE}act", 403),
        ((OWN, ("Content-Type", "text/plain")), f"{PAGE}act", 403),
        ((OWN, ("Content-Type", "application/x-www-form-urlencoded")), f"{PAGE}act", 403),
        ((("Origin", "http://evil.example"), JSON), f"{PAGE}act", 403),
        ((("Origin", "null"), JSON), f"{PAGE}act", 403),
        ((OWN, JSON, ("Sec-Fetch-Site", "cross-site")), f"{PAGE}act", 403),
        ((OWN, JSON, ("Sec-Fetch-Site", "same-site")), f"{PAGE}act", 403),
        ((OWN, JSON), "/act", 403),
        ((OWN, JSON), f"/{TOKEN[:-1]}x/act", 403),
        ((OWN, JSON), PAGE, 405),
        ((OWN, JSON), f"{PAGE}journals/2026-04-24.md", 405),
    ],
)
def test_nobody_else_may(lines, target, code):
    assert status(judge(*lines, method="POST", target=target)) == code


@pytest.mark.slow
@given(st.sampled_from(("GET", "HEAD", "POST")), st.text(max_size=60), st.text(max_size=30), st.text(max_size=30))
def test_nobody_gets_in_by_chance(method, target, host, origin):
    message = Message()
    message["Host"], message["Origin"] = (value.replace("\n", "").replace("\r", "") for value in (host, origin))
    assert isinstance(GATE.judge(method, target, message), RefusedRequest)
    assert isinstance(judge(target=target), RefusedRequest)


@given(st.text(max_size=60))
def test_a_path_is_only_ever_a_path(below):
    judged = judge(target=f"{PAGE}{below}")
    assert isinstance(judged, Granted)
    assert judged.wish is not Wish.ACTION
    assert judged.wish is Wish.SOURCE or not judged.path
