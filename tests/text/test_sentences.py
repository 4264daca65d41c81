import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.text.blocks import sentences, statements, trimmed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See e.g. this. Then v1.2 came.", ["See e.g. this.", "Then v1.2 came."]),
        ("first line\nsecond line", ["first line", "second line"]),
        (
            "a line that an export has wrapped because it was longer than\nsixty characters. Next.",
            ["a line that an export has wrapped because it was longer than\nsixty characters.", "Next."],
        ),
        ("完成了。下次再说。", ["完成了。", "下次再说。"]),
    ],
)
def test_sentences(text, expected):
    assert [text[a:b] for a, b in sentences(text, 0, len(text))] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("it failed; we left it", ["it failed;", "we left it"]),
        ("one\ntwo...  three", ["one", "two...", "three"]),
        ("version 1.5 broke. e.g. here", ["version 1.5 broke.", "e.g.", "here"]),
        ("失败了；放弃吧。", ["失败了；", "放弃吧。"]),
        (" \n ", []),
    ],
)
def test_statements(said, expected):
    assert [said[a:b] for a, b in statements(said)] == expected


@given(st.text(alphabet=" \n\t.;!ab。"))
def test_nothing_but_white_space_is_left_out(text):
    for found in (list(statements(text)), list(sentences(text, 0, len(text)))):
        assert "".join("".join(text[a:b].split()) for a, b in found) == "".join(text.split())
        assert all(text[a:b] == text[a:b].strip() != "" for a, b in found)


@given(st.text(), st.integers(0, 9), st.integers(0, 9))
def test_a_span_is_trimmed_as_a_text_is(text, start, end):
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    a, b = trimmed(text, start, end)
    assert text[a:b] == text[start:end].strip()
