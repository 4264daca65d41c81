"""A page that loads itself again may do what it said before, and that; nothing else."""

from base64 import b64encode
from hashlib import sha256

import pytest

from wrapgen.serving.shelf import live, trouble

PAGE = (
    "<!doctype html>\n<html><head>"
    '<meta http-equiv="Content-Security-Policy" content="{}">'
    "<title>x</title></head><body><p>words</p></body></html>\n"
)
SCRIPT = 'const VERSION = "@version";'
STRICT = "default-src 'none'; style-src 'sha256-abc='; script-src 'sha256-def='; base-uri 'none'"


def script_of(html):
    return html.partition("<script>")[2].partition("</script>")[0]


def digest(script):
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def directives(policy):
    return {name: values for name, _, values in (one.strip().partition(" ") for one in policy.split(";"))}


def test_its_own_policy_moves_into_the_header_and_is_widened_by_the_one_script():
    html, policy = live(PAGE.format(STRICT), "v7", SCRIPT)
    assert "Content-Security-Policy" not in html
    assert directives(policy) == {
        "default-src": "'none'",
        "style-src": "'sha256-abc='",
        "script-src": f"'sha256-def=' {digest(script_of(html))}",
        "base-uri": "'none'",
        "connect-src": "'self'",
        "frame-ancestors": "'none'",
    }


def test_it_compares_with_the_version_that_it_shows():
    assert 'const VERSION = "v7";' in script_of(live(PAGE.format(STRICT), "v7", SCRIPT)[0])


def test_all_else_stays():
    made, _ = live(PAGE.format(STRICT), "v7", SCRIPT)
    added = f"<script>{script_of(made)}</script>\n"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{STRICT}">'
    assert made.replace(added, "") == PAGE.format(STRICT).replace(meta, "")


@pytest.mark.parametrize("page", ["<p>mine</p></body>", "<p>mine</p>", ""])
def test_a_page_without_a_policy_runs_no_script_but_this(page):
    """A template of one's own may say nothing about it."""
    html, policy = live(page, "v0", SCRIPT)
    assert directives(policy)["script-src"] == digest(script_of(html))
    assert directives(policy)["default-src"] == "'none'"
    assert html.startswith(page.removesuffix("</body>"))


def test_a_policy_that_is_quoted_in_html():
    _, policy = live(PAGE.format(STRICT.replace("'", "&#39;")), "v0", SCRIPT)
    assert directives(policy)["style-src"] == "'sha256-abc='"


def test_trouble_is_said_in_safe_words():
    page = trouble('wrapgen.toml:3: <script>alert("x")</script> & more')
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
