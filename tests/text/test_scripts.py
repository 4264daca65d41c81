import pytest

from wrapgen.text.words import has_cjk, language_of


@pytest.mark.parametrize(
    ("text", "found"), [("", False), ("naïve Ω я", False), ("a 漢", True), ("か", True), ("가", True)]
)
def test_cjk(text, found):
    assert has_cjk(text) is found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("plain words", "en"),
        ("나중에 하자", "ko"),
        ("后来再做", "zh"),
        ("後でやります", "ja"),
        ("x" * 200 + "漢字", "en"),
    ],
)
def test_the_language_is_told_by_the_script(text, language):
    assert language_of(text) == language
