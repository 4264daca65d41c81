import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.text.phrases import Phrases, kept


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("next session", "in the next session we", "next session"),
        ("next session", "next-session", "next-session"),
        ("next session", "next sessions", None),
        ("defer", "deferred", None),
        ("future pr*", "in future prs", "future prs"),
        ("todo", "todo를 정리", "todo"),
        ("todo", "see todo.md", None),
        ("todo", "src/todo", None),
        ("^todo", "- todo fix", "- todo"),
        ("^todo", "a todo", None),
        ("leave … for later", "leave the css for later", "leave the css for later"),
        ("leave … for later", "leave it. for later", None),
        ("나중에", "이건나중에하자", "나중에"),
        ("下次", "我们下次再做", "下次"),
        ("i'll", "now i'll go", "i'll"),
    ],
)
def test_search(phrase, text, found):
    match = Phrases([phrase, "never there"]).search(text)
    assert (match[0] if match else None) == found


def test_the_longest_wins_and_gaps_are_content():
    phrases = Phrases(["later", "fix ~ later", "leave … for later", "=not … yet"])
    for text, inner in [
        ("we fix the bug later", "fix the bug"),
        ("leave the css for later", "the css"),
        ("not wired yet", "not wired yet"),
    ]:
        match = phrases.search(text)
        assert match is not None
        span = kept(match)
        assert span is not None
        assert text[span[0] : span[1]] == inner
    match = phrases.search("later")
    assert match is not None
    assert kept(match) is None


def test_blank_keeps_the_length():
    assert Phrases(["todo app"]).blank("my todo app!") == "my " + "\x00" * 8 + "!"


def test_an_empty_list_finds_nothing():
    assert Phrases([]).search("anything") is None
    assert not Phrases([]).found("anything")


@given(st.text(max_size=40))
def test_any_text_is_survived(text):
    phrases = Phrases(["a", "b c", "나", "下次", "# x", "…d"], bound=True)
    assert phrases.found(text) == (phrases.search(text) is not None)
