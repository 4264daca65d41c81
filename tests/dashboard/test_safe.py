"""Somebody's words on another page: they show what they showed, and do nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.support import each
from wrapgen.vault.markdown import safe
from wrapgen.vault.markdown.safe import link_target, safe_inline

RENDER = MarkdownIt("commonmark", {"html": True}).enable("strikethrough")


def children(text):
    (token,) = [token for token in RENDER.parse(f"- (web) {text} · [source](a.md)") if token.type == "inline"]
    return token.children


def plain(text):
    return "".join(child.content for child in children(text) if child.type in ("text", "code_inline"))


@each(
    [
        "Fix the login",
        "**bold** and *soft*",
        "`code`",
        "[a page](https://example.org)",
        "snake_case_name",
        "~~gone~~",
        "2 < 3",
        "a & b",
        "[[wiki page]]",
        "C:\\temp",
        "3 * 4 = 12",
        "x > y",
        "#hashtag",
        "50 %",
        "한글 (괄호)",
    ]
)
def test_harmless_words_show_what_they_showed(text):
    shown = "".join(
        child.content for child in RENDER.parseInline(text)[0].children if child.type in ("text", "code_inline")
    )
    assert plain(safe_inline(text, "a.md")) == f"(web) {shown} · source"


@each(
    [
        "<b>bold</b>",
        "<script>alert(1)</script>",
        "<!-- open",
        "<img src=x onerror=alert(1)>",
        "<https://example.org",
        "</ul>",
        "<a\nb>",
        "<?php",
        "<![CDATA[",
    ]
)
def test_html_stays_words(text):
    kinds = {child.type for child in children(safe_inline(text.replace("\n", " "), "a.md"))}
    assert "html_inline" not in kinds
    assert "alert(1)" not in text or "alert(1)" in plain(safe_inline(text, "a.md"))


@each(
    [
        "`",
        "``",
        "[",
        "[[",
        "](",
        "**",
        "*",
        "_a",
        "~~",
        "\\",
        "![",
        "<",
        "[x",
        "`a",
        "[a](b",
        "[a]: b",
        "&",
        "***",
        "a\\",
    ]
)
def test_unfinished_marks_do_not_reach_the_link_behind(text):
    links = [child.attrs["href"] for child in children(safe_inline(text, "a.md")) if child.type == "link_open"]
    assert links == ["a.md"]
    assert plain(safe_inline(text, "a.md")) == f"(web) {text} · source"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("![logo](x.png) first", "[logo](projects/web/x.png) first"),
        ("![](x.png)", "[image](projects/web/x.png)"),
        ("[![logo](x.png)](https://example.org) first", "[logo](https://example.org) first"),
        ("[![](x.png)](b.md)", "[image](projects/web/b.md)"),
        ("[](b.md)", "[projects/web/b.md](projects/web/b.md)"),
        ("[here](b.md)", "[here: projects/web/b.md](projects/web/b.md)"),
        ("[nowhere]()", "nowhere"),
    ],
)
def test_images_and_links_say_where_they_lead(text, written):
    assert safe_inline(text, "projects/web/todos.md") == written


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("see https://example.org/a.", "https://example.org/a"),
        ("(https://example.org/a)", "https://example.org/a"),
        ("https://example.org/a_b_c", "https://example.org/a_b_c"),
        ("http://localhost:8000/x?y=1&z=2", "http://localhost:8000/x?y=1&z=2"),
    ],
)
def test_bare_addresses_are_links(text, target):
    assert target in [child.attrs["href"] for child in children(safe_inline(text, "a.md")) if child.type == "link_open"]
    assert f"<{target}>" in safe_inline(text, "a.md")


@each(
    [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,a)",
        "<javascript:alert(1)>",
        "![x](javascript:alert(1))",
        "[x](vbscript:a)",
    ]
)
def test_addresses_that_run_something_are_no_links(text):
    for child in children(safe_inline(text, "a.md")):
        assert child.type not in ("link_open", "image") or ":" not in (
            child.attrs.get("href") or child.attrs.get("src")
        )


@each(["\x00", "\x07", "\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u2028", "\ufeff"])
def test_characters_that_a_screen_obeys_are_shown(char):
    assert char not in safe_inline(f"a{char}b", "a.md")
    assert "\\x" in safe_inline(f"a{char}b", "a.md") or "\\u" in safe_inline(f"a{char}b", "a.md") or char == "\x00"


def test_joiners_of_emoji_and_letters_stay():
    for text in ("👩‍💻", "नमस्‍ते", "✔️"):
        assert safe_inline(text, "a.md") == text


@pytest.mark.parametrize(
    ("href", "seen"),
    [
        ("b.md", "journals/b.md"), ("../b.md", "b.md"), ("#part", "journals/a.md#part"), ("b.md#part",
        "journals/b.md#part"),
        ("https://example.org", "https://example.org"), ("/b.md", "/b.md"), ("mailto:a@example.org",
        "mailto:a@example.org"),
    ],
)  # fmt: skip
def test_relative_links_are_written_as_seen_from_the_page(href, seen):
    assert safe_inline(f"[the plan]({href})", "journals/a.md") == f"[the plan]({seen})"


@each(
    [
        "a b.md",
        "a(b).md",
        "a#b.md",
        "a?b.md",
        "a%20b.md",
        "a|b.md",
        "a<b>.md",
        "a]b[.md",
        "한글.md",
        "a`b.md",
        "a\\b.md",
        'a"b.md',
    ]
)
def test_paths_as_targets_come_back(path):
    from urllib.parse import unquote

    (link,) = [
        child for child in RENDER.parseInline(f"[x]({link_target(path)})")[0].children if child.type == "link_open"
    ]
    assert unquote(link.attrs["href"]) == path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# heading", "\\# heading"),
        ("#", "\\#"),
        ("#tag", "#tag"),
        ("1. number", "1\\. number"),
        ("1.5 litres", "1.5 litres"),
        ("> quote", "\\> quote"),
        ("- dash", "\\- dash"),
        ("-5 degrees", "-5 degrees"),
        ("---", "\\---"),
    ],
)
def test_words_at_the_start_of_a_line_open_no_block(text, expected):
    assert safe_inline(text, "") == expected


BARE = st.text(alphabet="abAB01 é한修,;()'%+/=-._*`[]<>&\\$~#!:@\u200b", max_size=12)


@given(BARE)
def test_bare_words_need_no_parser(text):
    assert safe_inline(text, "") == safe._parsed(text, "", "")


@each(["a&#10;## b", "a&#13;b", "[a&#10;b](x)", "`a`&#27;[31m", "a&#x202e;b", "a&NewLine;b"])
def test_character_references_are_no_way_to_control_characters(text):
    assert safe_inline(text, "a.md").isprintable()
