"""`wrap serve`: a real process, asked over real connections."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.serving.kit import NOTE, NOTES
from tests.support import finish, next_list, spawn, wrap

looking = pytest.mark.xdist_group("looked at")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and links of POSIX")


@pytest.mark.slow
@looking
def test_the_page_is_shown(looked_at):
    assert "Fix the login" in looked_at.page()
    assert "로그인 오류 수정" in looked_at.page()


@pytest.mark.slow
@looking
def test_every_answer_keeps_others_out(looked_at):
    for target, status in (
        (looked_at.home, 200),
        (f"{looked_at.home}{NOTE}", 200),
        (f"{looked_at.home}none", 404),
        ("/", 403),
    ):
        code, headers, _ = looked_at.ask(target)
        assert code == status
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "Access-Control-Allow-Origin" not in headers
        assert "Python" not in headers["Server"]


@pytest.mark.slow
@looking
def test_the_links_of_the_page_lead_to_the_notes(looked_at):
    links = set(re.findall(r'href="(\./[^"#]+)#L\d+"', looked_at.page()))
    assert links == {f"./{NOTE}", "./projects/web/todos.md"}
    for link in links:
        status, headers, body = looked_at.ask(looked_at.home + link.removeprefix("./"))
        assert (status, headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
        assert body == NOTES[link.removeprefix("./")]


ELSEWHERE = (
    "notes/private.md", "wrapgen.toml", "../vault/notes/private.md", "journals/../notes/private.md", "%2e%2e/secret",
    "..%2fsecret", "%2fetc%2fpasswd", "/etc/passwd", "//etc/passwd", ".wrapgen/cache/files-00", "journals", "%00",
    "%ff%fe", f"{NOTE}%00", f"./{NOTE}", f"{NOTE}/", "%C0%AE%C0%AE/secret",
)  # fmt: skip


@pytest.mark.slow
@looking
def test_only_the_notes_that_the_page_shows_are_given(looked_at):
    found = {path: looked_at.ask(looked_at.home + path) for path in ELSEWHERE}
    assert {path: status for path, (status, _, _) in found.items()} == dict.fromkeys(ELSEWHERE, 404)
    assert not [path for path, (_, _, body) in found.items() if "mine alone" in body or "root:" in body]


@pytest.mark.slow
@posix
def test_a_note_that_becomes_a_link_out_of_the_vault_is_not_given(served, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the secret", "utf-8")
    assert served.ask(f"{served.home}{NOTE}")[0] == 200
    served.vault.path(NOTE).unlink()
    served.vault.path(NOTE).symlink_to(secret)
    assert served.ask(f"{served.home}{NOTE}")[0] == 404


@pytest.mark.slow
@looking
def test_a_foreign_host_is_refused(looked_at):
    for host in ("evil.example", f"evil.example:{looked_at.port}", "127.0.0.1", ""):
        status, _, body = looked_at.ask(Host=host)
        assert status == 421
        assert "login" not in body


@pytest.mark.slow
@looking
def test_a_wrong_token_is_refused(looked_at):
    for target in ("/", f"/{'x' * 32}/", looked_at.home[:-1], f"/{'x' * 32}/{NOTE}"):
        status, _, body = looked_at.ask(target)
        assert status == 403
        assert "login" not in body


@pytest.mark.slow
@looking
def test_another_origin_is_refused(looked_at):
    for header in (
        {"Origin": "http://evil.example"},
        {"Referer": "http://evil.example/"},
        {"Sec_Fetch_Site": "cross-site"},
    ):
        assert looked_at.ask(**header)[0] == 403
        assert looked_at.ask(f"{looked_at.home}?version", **header)[0] == 403


@pytest.mark.slow
@looking
def test_nothing_but_looking_is_answered(looked_at):
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        status, headers, _ = looked_at.ask(method=method)
        assert (status, headers["Allow"]) == (405, "GET, HEAD, POST")
    status, headers, body = looked_at.ask(method="HEAD")
    assert (status, body) == (200, "")
    assert int(headers["Content-Length"]) > 1000
    assert looked_at.ask(f"{looked_at.home}?version", method="HEAD")[0] == 200


@pytest.mark.slow
@looking
def test_only_this_machine_is_listened_to(looked_at):
    addresses = {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        if not address.startswith("127."):
            with pytest.raises(OSError), socket.create_connection((address, looked_at.port), timeout=5):  # noqa: PT011
                pass


@pytest.mark.slow
def test_a_change_of_a_note_is_told_and_shown(served):
    before = served.version()
    served.vault.write(NOTE, next_list("(web) Paint the door"))
    served.changed(before)
    assert "Paint the door" in served.page()
    assert "Fix the login" not in served.page()


@pytest.mark.slow
def test_what_the_program_writes_for_itself_is_no_change(served):
    assert wrap("regen", vault=served.vault).code == 0  # also adds to the history, which the page shows
    time.sleep(1)
    before = served.version()
    wrap("regen", vault=served.vault)
    wrap("list", vault=served.vault)
    time.sleep(1)
    assert served.version() == before


@pytest.mark.slow
def test_nothing_is_ever_written(served):
    files = set(served.vault.root.rglob("*"))
    served.page()
    before = served.version()
    served.vault.write(NOTE, next_list("(web) Paint the door"))
    served.changed(before)
    served.page()
    assert set(served.vault.root.rglob("*")) == files


@pytest.mark.slow
def test_slow_browsers_stop_nobody_else(served):
    with ExitStack() as stack:
        for _ in range(40):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
            slow.sendall(b"GET / HTTP/1.1\r\nHost:")
        served.vault.write(NOTE, next_list("(web) Paint the door"))
        assert "Paint the door" in served.page()


@pytest.mark.slow
def test_what_is_wrong_is_shown_and_goes_away_when_it_is_mended(served):
    before = served.version()
    served.vault.write("wrapgen.toml", "nonsense = <b>\n")
    served.changed(before)
    status, headers, body = served.ask()
    assert status == 500
    assert "wrapgen.toml:1" in body
    assert "<b>" not in body
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    before = served.version()
    served.vault.write("wrapgen.toml", "cap = 3\n")
    served.changed(before)
    assert "Fix the login" in served.page()
    served.child.kill()
    assert b"wrapgen.toml:1" in served.child.stderr.read()


@pytest.mark.slow
def test_each_start_has_a_token_of_its_own(serve):
    tokens = {serve().home for _ in range(2)}
    assert len(tokens) == 2
    assert all(len(token) >= 32 for token in tokens)


@pytest.mark.slow
def test_a_port_of_ones_choice(serve):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert serve("--port", str(port)).port == port


@pytest.mark.slow
def test_a_port_that_is_taken_is_an_error_that_says_what_to_do(served):
    result = finish(spawn("--vault", served.vault.root, "serve", "--port", str(served.port)))
    assert (result.code, result.out) == (1, "")
    assert f"port {served.port} is taken" in result.err
    assert "--port" in result.err


@pytest.mark.slow
@posix
def test_it_is_ended_by_ctrl_c_whoever_is_connected(served):
    with socket.create_connection(("127.0.0.1", served.port)):
        served.child.send_signal(signal.SIGINT)
        result = finish(served.child)
    assert (result.code, result.out, result.err) == (0, "ended\n", "")


@pytest.mark.slow
@posix
def test_the_token_is_in_no_argument_of_the_browser(serve, tmp_path, monkeypatch):
    browser, said = tmp_path / "browser", tmp_path / "said"
    browser.write_text(f'#!/bin/sh\nprintf %s "$*" > "{said}.new" && mv "{said}.new" "{said}"\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    served = serve("--open")
    for _ in range(600):
        if said.exists():
            break
        time.sleep(0.05)
    arguments = said.read_text("utf-8")
    token = served.home.strip("/")
    assert token not in arguments
    file = Path(arguments.removeprefix("file://"))
    assert token in file.read_text("utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert served.ask(Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")[0] == 200
    served.child.send_signal(signal.SIGINT)
    finish(served.child)
    assert not file.exists()


@pytest.mark.slow
@pytest.mark.parametrize("config", ["nonsense = 1\n", None])
def test_a_vault_that_cannot_be_served_is_an_error(vault, config):
    built = vault(config=config or "")
    if config is None:
        built.path("wrapgen.toml").unlink()
    result = finish(spawn("--vault", built.root, "serve"))
    assert result.code == 1
    assert "wrapgen.toml" in result.err


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_what_is_no_port_is_a_usage_error(vault, port):
    assert wrap("serve", "--port", port, vault=vault()).code == 2
