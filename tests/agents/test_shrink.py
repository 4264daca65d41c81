"""Answers that would flood their reader."""

from tests.support import each
from wrapgen.agents.moments import digest, text_of, with_text

LONG = "\n".join(["[COMPRESSED] agent_type: w", "Changed files: a.ts", "Result: done", *["noise"] * 300])


@each(
    [
        "words",
        {"content": "words"},
        {"content": [{"type": "text", "text": "words"}]},
        [{"type": "text", "text": "words"}],
    ]
)
def test_the_forms_of_an_answer(response):
    assert text_of(response) == "words"
    changed = with_text(response, "short")
    assert type(changed) is type(response)
    assert text_of(changed) == "short"


def test_what_is_no_text_stays():
    response = {"agentId": "a", "content": [{"type": "image"}, {"type": "text", "text": "x"}], "totalTokens": 3}
    changed = with_text(response, "y")
    assert changed == {"agentId": "a", "content": [{"type": "text", "text": "y"}, {"type": "image"}], "totalTokens": 3}


@each([None, 3, {}, {"content": None}, {"content": [None, {"type": "text"}]}])
def test_answers_without_words(response):
    assert text_of(response) == ""


def test_the_answers_own_summary_is_shown():
    assert digest(LONG, "(whole)").splitlines()[:3] == LONG.splitlines()[:3]
    assert len(digest(LONG, "(whole)").splitlines()) == 11


def test_any_other_answer_shows_how_it_begins_and_ends():
    lines = digest("\n\n".join(f"line {number}" for number in range(99)), "(whole)").splitlines()
    assert lines == [*(f"line {number}" for number in range(7)), "...", "line 97", "line 98", "(whole)"]


def test_long_lines_are_cut():
    assert len(digest("x" * 9_000, "(whole)")) < 300
