import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.ledger import Handles
from wrapgen.session import ask
from wrapgen.session.answers import decode_answers
from wrapgen.session.ask import Asked
from wrapgen.session.follow_up import Answer, FollowUp, Places, Route, Suggestion, suggest, validate

PLACES = Places(("web", "infra"), {"web": ("uploader",)}, "journals/2026/04/2026-04-24.md")


def orphan(number, text, project=None, places=PLACES):
    """One of an id whose handle is short: real ids differ from their first digit on."""
    where = suggest(project, places, text)
    return FollowUp(
        f"{number:012x}", text, text, "user", project, "en", "next", 0.9, "t", number, number, None, None, where
    )


def ask_payload(orphans, places):
    return ask.ask_payload(orphans, places, Handles(one.id for one in orphans))


def held(payload):
    """The limits that the host puts on a call."""
    questions = payload["questions"]
    assert len(questions) <= 4
    assert len({question["question"] for question in questions}) == len(questions)
    for question in questions:
        assert set(question) == {"question", "header", "options", "multiSelect"}
        assert 1 <= len(question["header"].encode("utf-16-le")) // 2 <= 12
        assert 2 <= len(question["options"]) <= 4
        labels = [option["label"] for option in question["options"]]
        assert len(set(labels)) == len(labels)
        assert all(label in list(Route) or label.isdigit() or label == "skip the rest" for label in labels)
        assert ("skip the rest" in labels) is question["multiSelect"]
        assert all(set(option) == {"label", "description"} and option["description"] for option in question["options"])
    return questions


def test_nothing_to_ask():
    assert ask_payload([], PLACES) == ({"questions": []}, (), ())


def test_up_to_four_get_a_question_each():
    texts = ["add retry to the uploader", "rotate the keys", "빌드 스크립트 정리", "fix the layout"]
    orphans = [
        orphan(n, text, project)
        for n, (text, project) in enumerate(zip(texts, ["web", None, "infra", "web"], strict=True))
    ]
    payload, asked, left_over = ask_payload(orphans, PLACES)
    questions = held(payload)
    assert left_over == ()
    assert [question["multiSelect"] for question in questions] == [False] * 4
    assert [[option["label"] for option in question["options"]] for question in questions] == [
        ["active", "project", "journal", "skip"],
        ["journal", "skip"],
        ["project", "journal", "skip"],
        ["project", "active", "journal", "skip"],
    ]
    for question, text in zip(questions, texts, strict=True):
        assert text not in question["question"]
        assert all(text in option["description"] for option in question["options"])
    assert (
        questions[0]["options"][0]["description"]
        == "add retry to the uploader → projects/web/actives/uploader/todos.md"
    )
    assert [known.question for known in asked] == [question["question"] for question in questions]
    # Each begins with the handle of its follow-up, the shortest with a letter.
    assert questions[0]["question"].startswith(f"{Handles(one.id for one in orphans)[orphans[0].id]}: ")


def test_more_are_grouped_by_destination():
    orphans = [orphan(n, f"task {n}", "web" if n % 2 else None) for n in range(7)]
    payload, asked, left_over = ask_payload(orphans, PLACES)
    questions = held(payload)
    assert left_over == ()
    assert [question["multiSelect"] for question in questions] == [True, True, False]
    assert [[option.answer.id[-1] for option in known.options] for known in asked[:2]] == [
        ["0", "2", "4"],
        ["1", "3", "5"],
    ]
    assert [option["label"] for option in questions[1]["options"]] == ["4", "5", "6", "skip the rest"]
    assert "projects/web/todos.md" in questions[1]["question"]
    named = Handles(one.id for one in orphans)
    assert questions[1]["question"].startswith(", ".join(named[orphans[n].id] for n in (1, 3, 5)) + ": ")
    assert asked[2].options[0].answer.id == orphans[6].id


def test_the_first_ones_are_asked_about_and_what_does_not_fit_is_said():
    """A batch of 24 from three places: the newest come first, whatever place would fill its questions best."""
    orphans = [orphan(n, f"task {n}", (None, "web", "infra")[n % 3]) for n in range(6)]
    orphans += [orphan(n, f"task {n}", "web") for n in range(6, 24)]
    payload, asked, left_over = ask_payload(orphans, PLACES)
    questions = held(payload)
    put = [option.answer.id for known in asked if known.multi for option in known.options]
    assert {one.id for one in orphans[:6]} <= set(put)
    assert len(left_over) == 24 - len(put) == 14
    assert [one.id for one in left_over] == [one.id for one in orphans if one.id not in put]
    assert "14 more will be asked next time" in questions[-1]["question"]


def test_the_record_survives_being_stored_and_explains_the_result():
    orphans = [orphan(n, f"task {n}", "web" if n < 5 else None) for n in range(9)]
    payload, asked, _ = ask_payload(orphans, PLACES)
    stored = msgspec.json.decode(msgspec.json.encode(asked), type=tuple[Asked, ...])
    assert stored == asked
    keys = [question["question"] for question in payload["questions"]]
    found = decode_answers({**payload, "answers": {keys[0]: "1, 3", keys[1]: ["5"], keys[3]: "skip"}}, stored)
    assert found.refused == ()
    assert found.answers == (
        Answer(f"{0:012x}", Route.PROJECT, "web"),
        Answer(f"{2:012x}", Route.PROJECT, "web"),
        Answer(f"{4:012x}", Route.PROJECT, "web"),
        Answer(f"{8:012x}", Route.SKIP),
    )


TEXTS = [
    "add retry",
    "빌드 스크립트를 정리하고 " * 60,
    "漢字" * 500,
    "a\x1b[2J\r\nb\tc",
    "\u202egnp.exe\u2066",
    "half a pair \ud800",
    "👩‍💻 " * 100,
    '"quoted", 1, 2: `code`',
    "\x00",
    " ",
]
NAMES = st.one_of(
    st.text(alphabet="abc한漢-_ .\x1b😀", min_size=1, max_size=8), st.sampled_from(["x" * 300, "긴 이름 " * 50])
)


@st.composite
def waiting(draw):
    projects = draw(st.lists(NAMES, max_size=4, unique=True))
    tasks = {project: tuple(draw(st.lists(NAMES, max_size=2, unique=True))) for project in projects}
    places = Places(tuple(projects), tasks, draw(NAMES))
    said = st.tuples(
        st.integers(0, 30), st.sampled_from(TEXTS) | st.text(max_size=9), st.sampled_from([None, "unknown", *projects])
    )
    return [
        orphan(number, text, project, places) for number, text, project in draw(st.lists(said, max_size=25))
    ], places


@given(waiting())
def test_the_limits_hold_for_whatever_was_said(case):
    orphans, places = case
    payload, asked, left_over = ask_payload(orphans, places)
    questions = held(payload)
    json.dumps(payload, ensure_ascii=False).encode("utf-8")
    put = {option.answer.id for known in asked for option in known.options}
    left = {kept.id for kept in left_over}
    assert put | left == {each.id for each in orphans}
    assert not put & left
    for known, question in zip(asked, questions, strict=True):
        for option in known.options:
            assert validate(option.answer, put, places) is None
            found = decode_answers({**payload, "answers": {question["question"]: option.label}}, asked)
            assert found.answers == (option.answer,)
        words = f"{known.options[0].label}: other words" if known.multi else "other words"
        reworded = decode_answers({**payload, "answers": {question["question"]: words}}, asked)
        assert [answer.text for answer in reworded.answers] == ["other words"]


@pytest.mark.slow
@pytest.mark.parametrize("project", [None, "web"])
def test_a_thousand(project):
    orphans = [orphan(number, "긴 작업 " * 200, project) for number in range(1000)]
    payload, asked, left_over = ask_payload(orphans, PLACES)
    held(payload)
    assert len(left_over) == 988
    assert asked[0].options[0].answer.route == Suggestion(Route.PROJECT if project else Route.JOURNAL).route
    assert len(json.dumps(payload, ensure_ascii=False)) < 10_000
