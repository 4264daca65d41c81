import pytest

from wrapgen.errors import AnswersError
from wrapgen.session.answers import Asked, Option, Refused, decode_answers
from wrapgen.session.routing import Answer, Route

ONE = Asked(
    "Follow-up 1: where does it belong?",
    "Follow-up 1",
    multi=False,
    options=(
        Option("project", Answer("a", Route.PROJECT, "web")),
        Option("journal", Answer("a", Route.JOURNAL)),
        Option("skip", Answer("a", Route.SKIP)),
    ),
)
MANY = Asked(
    "Follow-ups 2 to 4: which of them go to projects/web/todos.md?",
    "Nos. 2-4",
    multi=True,
    options=tuple(
        Option(label, Answer(identity, Route.PROJECT, "web")) for label, identity in zip("234", "bcd", strict=True)
    ),
)
ASKED = (ONE, MANY)


def web(identity, text=None):
    return Answer(identity, Route.PROJECT, "web", None, text)


def told(answer, asked=ONE):
    return decode_answers({"questions": [], "answers": {asked.question: answer}}, ASKED)


def direct(*answers):
    return decode_answers({"schema": "wrapgen.answers/1", "answers": list(answers)})


def test_answers_of_the_own_schema():
    found = direct(
        {"id": "a", "route": "journal"},
        {"id": "b", "route": "project", "project": "web", "text": "new\n words "},
        {"id": "c", "route": "ACTIVE", "project": "web", "task": "uploader", "note": "of no concern"},
        {"id": "d", "route": "skip", "project": None, "task": None, "text": None},
    )
    assert found.refused == ()
    assert found.answers == (
        Answer("a", Route.JOURNAL),
        web("b", "new words"),
        Answer("c", Route.ACTIVE, "web", "uploader"),
        Answer("d", Route.SKIP),
    )


@pytest.mark.parametrize(
    ("given", "about", "reason"),
    [
        (7, "answer 1", "is a number; an object with id, route, project, task, text is needed"),
        ({"route": "skip"}, "answer 1", "names no `id`"),
        ({"id": 3, "route": "skip"}, "answer 1", "names no `id`"),
        ({"id": "a"}, "a", "route `` is not one of journal, project, active, skip"),
        ({"id": "a", "route": "x"}, "a", "route `x` is not one of journal, project, active, skip"),
        ({"id": "a", "route": ["skip"]}, "a", "`route` is a list; a string is needed"),
        ({"id": "a", "route": "project", "project": {}}, "a", "`project` is an object; a string is needed"),
        ({"id": "a", "route": "journal", "txt": "new words"}, "a", "unknown key `txt`; the nearest is `text`"),
        ({"id": "a", "route": "journal", "text": " \n"}, "a", "the wording is empty"),
        ({"id": "a", "route": "journal", "text": "a\x1b[2J"}, "a", r"the wording holds the control character \x1b"),
    ],
)  # fmt: skip
def test_one_bad_answer_is_named_and_the_others_are_kept(given, about, reason):
    found = direct(given, {"id": "z", "route": "skip"})
    assert found.refused == (Refused(about, reason),)
    assert found.answers == (Answer("z", Route.SKIP),)


def test_a_misspelt_route_is_told_the_nearest():
    found = direct({"id": "a", "route": "jornal"})
    assert found.refused[0].reason.endswith("; the nearest is `journal`")


def test_the_same_follow_up_answered_twice():
    skip = {"id": "a", "route": "skip"}
    assert direct(skip, skip).refused == ()
    found = direct(skip, {"id": "a", "route": "journal"})
    assert found.answers == (Answer("a", Route.SKIP),)
    assert found.refused == (Refused("a", "answered twice; the first answer, skip, counts"),)


@pytest.mark.parametrize(
    "document",
    [None, 3, "text", [], {}, {"answers": None}, {"answers": "1, 2"}, {"schema": "wrapgen.orphans/1", "answers": []}],
)
def test_a_document_without_answers_says_what_is_allowed(document):
    with pytest.raises(AnswersError, match=r"wrapgen\.answers/1.*AskUserQuestion"):
        decode_answers(document, ASKED)


def test_answers_to_questions_that_are_not_on_record():
    with pytest.raises(AnswersError, match="wrap orphans --ask"):
        decode_answers({"questions": [], "answers": {"Which colour?": "red"}})


@pytest.mark.parametrize(
    "answer", ["project", ["project"], "Project", " project ", "project (Recommended)", ["project", "later"]]
)
def test_a_label_of_a_question_about_one(answer):
    assert told(answer).answers == (web("a"),)
    assert told(answer).refused == ()


@pytest.mark.parametrize("answer", [None, "", [], "later", "Not now.", "나중에"])
def test_what_nobody_chose_stays_pending(answer):
    for asked in ASKED:
        found = told(answer, asked)
        assert (found.answers, found.refused) == ((), ())


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("add retry, then backoff", "add retry, then backoff"),
        ("skip, it is done", "skip, it is done"),
        (["add  retry\n"], "add retry"),
    ],
)
def test_free_text_rewords_the_suggestion(answer, text):
    assert told(answer).answers == (web("a", text),)


def test_free_text_beside_a_label_rewords_that_choice():
    assert told(["journal", "add retry"]).answers == (Answer("a", Route.JOURNAL, text="add retry"),)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("project, skip", "takes one of project, journal, skip, not project, skip"),
        ("active", "`active` was not offered; offered: project, journal, skip"),
        (True, "is answered by a truth value; labels are strings: project, journal, skip"),
        ([{}], "is answered by an object; labels are strings: project, journal, skip"),
        ("a\x1bb", r"the wording holds the control character \x1b"),
    ],
)
def test_answers_that_a_question_about_one_refuses(answer, reason):
    assert told(answer).answers == ()
    assert told(answer).refused == (Refused(ONE.question, reason),)


@pytest.mark.parametrize(
    ("answer", "identities"),
    [("2", "b"), ("2, 4", "bd"), ("2,4", "bd"), (["4", "2"], "db"), (["2, 3", "4"], "bcd"), (3, "c"), ("2, 2", "b")],
)
def test_several_choices_come_joined_or_as_a_list(answer, identities):
    found = told(answer, MANY)
    assert [given.id for given in found.answers] == list(identities)
    assert found.refused == ()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("3: order paint for rooms 7, 8", [web("c", "order paint for rooms 7, 8")]),
        ("2, 4: order paint, red", [web("b"), web("d", "order paint, red")]),
        ("#2 - order paint", [web("b", "order paint")]),
        (["2", "3", "3: order paint"], [web("b"), web("c", "order paint")]),
    ],
)
def test_among_several_a_rewording_begins_with_its_number(answer, expected):
    found = told(answer, MANY)
    assert list(found.answers) == expected
    assert found.refused == ()


@pytest.mark.parametrize("words", ["order paint", "order 2, 3, 4 boxes", "9: order paint", "2: order paint, 3", "skip"])
def test_words_that_cannot_be_told_apart_write_nothing(words):
    found = told(words, MANY)
    assert found.answers == ()
    assert len(found.refused) == 1


def test_choices_stand_although_the_typed_words_are_refused():
    found = told("2, 4, order paint", MANY)
    assert [given.id for given in found.answers] == ["b", "d"]
    assert "begin with its number, as `2: new words`" in found.refused[0].reason


@pytest.mark.parametrize("wrapping", ["tool_response", "toolUseResult", "tool_input", "input"])
def test_the_result_may_come_wrapped_by_its_host(wrapping):
    result = {"questions": [], "answers": {ONE.question: "skip"}}
    for document in ({wrapping: result}, {"hookSpecificOutput": {wrapping: result}}):
        assert decode_answers(document, ASKED).answers == (Answer("a", Route.SKIP),)


def test_what_the_tool_gave_wins_over_what_it_was_given():
    document = {
        "tool_input": {"questions": [], "answers": {ONE.question: "journal"}},
        "tool_response": {"questions": [], "answers": {ONE.question: "skip"}},
    }
    assert decode_answers(document, ASKED).answers == (Answer("a", Route.SKIP),)


@pytest.mark.parametrize(
    "key", ["follow-up 1:  where does it\nbelong?", "Follow-up 1", "follow-up 1: WHERE does it belong?"]
)
def test_a_question_is_known_by_its_text_or_header(key):
    assert decode_answers({"answers": {key: "skip"}}, ASKED).answers == (Answer("a", Route.SKIP),)


def test_a_question_that_was_not_asked():
    found = decode_answers({"answers": {"Which colour?": "red", ONE.question: "skip"}}, ASKED)
    assert found.answers == (Answer("a", Route.SKIP),)
    reason = "was not asked; asked: Follow-up 1; Nos. 2-4; for new questions run `wrap orphans --ask` again"
    assert found.refused == (Refused("Which colour?", reason),)
