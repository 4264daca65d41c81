"""An item's words without its marks."""

import pytest

from wrapgen.vault.markdown.safe import Span, spans

SOURCE = "journals/2026/a b.md"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix the login", [Span("Fix the login")]),
        ("snake_case * 3 < 4", [Span("snake_case * 3 < 4")]),
        ("**a *b*** c", [Span("a ", ("strong",)), Span("b", ("strong", "em")), Span(" c")]),
        ("~~no~~ `x_y`", [Span("no", ("s",)), Span(" "), Span("x_y", ("code",))]),
        ("[a `b`](https://x.org)", [Span("a ", (), "https://x.org"), Span("b", ("code",), "https://x.org")]),
        ("at https://x.org/a, or", [Span("at "), Span("https://x.org/a", (), "https://x.org/a"), Span(", or")]),
        ("<https://x.org>", [Span("https://x.org", (), "https://x.org")]),
        ("[design](../../design.md#x)", [Span("design", (), "design.md#x")]),
        ("[here](#below)", [Span("here", (), "journals/2026/a%20b.md#below")]),
        ("![a picture](p.png)", [Span("a picture", (), "journals/2026/p.png")]),
        ("![](p.png)", [Span("image", (), "journals/2026/p.png")]),
        ("[x](/etc/passwd) [y](//host/z)", [Span("x"), Span(" "), Span("y")]),
        ("<b>bold</b> &lt; &#10;", [Span("<b>"), Span("bold"), Span("</b>"), Span(" < \\x0a")]),
        ("mail a@b.org", [Span("mail a@b.org")]),
        ("[[wiki|page]]", [Span("[[wiki|page]]")]),
        ("", []),
    ],
)
def test_spans(text, expected):
    assert [span for span in spans(text, SOURCE) if span.text] == expected
