from dataclasses import replace

import pytest

from tests.support import each
from wrapgen.errors import AnswersError, Refusal
from wrapgen.session.answers import decode_answers
from wrapgen.session.ask import Asked, Option
from wrapgen.session.follow_up import Answer, Places, Route

ONE = Asked(
    "a0a0: where does this follow-up belong?",
    "a0a0",
    multi=False,
    options=(
        Option("project", Answer("a", Route.PROJECT, "web")),
        Option("journal", Answer("a", Route.JOURNAL)),
        Option("skip", Answer("a", Route.SKIP)),
    ),
)
MANY = Asked(
    "b0b0, c0c0, d0d0: which of these follow-ups go to projects/web/todos.md?",
    "b0b0 + 2",
    multi=True,
    options=tuple(
        Option(label, Answer(identity, Route.PROJECT, "web")) for label, identity in zip("234", "bcd", strict=True)
    ),
)
PLACES = Places(
    ("web", "infra"), {"web": ("uploader",)}, "journals/today.md", names={"frontend": "web", "servers": "infra"}
)
ASKED = (ONE, MANY)


def infra(identity):
    return Answer(identity, Route.PROJECT, "infra")


def web(identity, text=None):
    return Answer(identity, Route.PROJECT, "web", None, text)


def told(answer, asked=ONE):
    return decode_answers({"questions": [], "answers": {asked.question: answer}}, ASKED, PLACES)


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
        ({"id": "a", "route": "journal", "text": "a\x1b[2J"}, "a", r"the wording contains the control character \x1b"),
    ],
)  # fmt: skip
def test_one_bad_answer_is_named_and_the_others_are_kept(given, about, reason):
    found = direct(given, {"id": "z", "route": "skip"})
    assert found.refused == (Refusal(about, reason),)
    assert found.answers == (Answer("z", Route.SKIP),)


def test_a_misspelt_route_is_told_the_nearest():
    found = direct({"id": "a", "route": "jornal"})
    assert found.refused[0].why.endswith("; the nearest is `journal`")


def test_the_same_follow_up_answered_twice():
    skip = {"id": "a", "route": "skip"}
    assert direct(skip, skip).refused == ()
    found = direct(skip, {"id": "a", "route": "journal"})
    assert found.answers == (Answer("a", Route.SKIP),)
    assert found.refused == (Refusal("a", "answered twice; the first answer, skip, counts"),)


@each([None, 3, "text", [], {}, {"answers": None}, {"answers": "1, 2"}, {"schema": "wrapgen.orphans/1", "answers": []}])
def test_a_document_without_answers_says_what_is_allowed(document):
    with pytest.raises(AnswersError, match=r"wrapgen\.answers/1.*AskUserQuestion"):
        decode_answers(document, ASKED)


def test_answers_to_questions_that_are_not_on_record():
    with pytest.raises(AnswersError, match="wrap orphans --ask"):
        decode_answers({"questions": [], "answers": {"Which colour?": "red"}})


@each(["project", ["project"], "Project", " project ", "project (Recommended)", ["project", "later"]])
def test_a_label_of_a_question_about_one(answer):
    assert told(answer).answers == (web("a"),)
    assert told(answer).refused == ()


@each([None, "", [], "later", "Not now.", "나중에"])
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
        ("- add retry\n  to the uploader", "add retry to the uploader"),
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
        (["journal", "web"], "takes one place, not journal and web"),
        ("1: skip, 2: journal", "one follow-up is asked about; cannot tell what `1: skip, 2: journal` means"),
        ("2: skip", "one follow-up is asked about; cannot tell what `2: skip` means"),
        (True, "is answered by something else than words; labels are: project, journal, skip"),
        ([{}], "is answered by something else than words; labels are: project, journal, skip"),
        ("1: skip\n2: journal", "one follow-up is asked about; cannot tell what `1: skip 2: journal` means"),
        ("skip\njournal", "one follow-up is asked about; cannot tell what `skip journal` means"),
        ("1: skip 2: journal", "cannot tell what `1: skip 2: journal` means; write one answer a line"),
        ("4: 5: skip", "cannot tell what `4: 5: skip` means; write one answer a line"),
        ("1-3", "cannot tell what `1-3` means; write one answer a line"),
        ("a\x1bb", r"the wording contains the control character \x1b"),
    ],
)
def test_answers_that_a_question_about_one_refuses(answer, reason):
    assert told(answer).answers == ()
    assert told(answer).refused == (Refusal("a0a0", reason),)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("active", Answer("a", Route.ACTIVE)),
        ("Infra", Answer("a", Route.PROJECT, "infra")),
        ("servers", Answer("a", Route.PROJECT, "infra")),
        ("1: Servers", Answer("a", Route.PROJECT, "infra")),
        ("frontend/uploader", Answer("a", Route.ACTIVE, "web", "uploader")),
        ("1", Answer("a", Route.PROJECT, "web")),
        ("a0a0", Answer("a", Route.PROJECT, "web")),
        ("web/uploader", Answer("a", Route.ACTIVE, "web", "uploader")),
        ("1: skip", Answer("a", Route.SKIP)),
        ("a0a0: journal", Answer("a", Route.JOURNAL)),
        ("a0a0: add a retry", web("a", "add a retry")),
        ("1. add a retry", web("a", "1. add a retry")),
        (["project", "infra"], Answer("a", Route.PROJECT, "infra")),
    ],
)
def test_the_name_of_a_place_is_that_place_and_never_a_rewording(answer, expected):
    assert told(answer).answers == (expected,)
    assert told(answer).refused == ()


@pytest.mark.parametrize("answer", ["1: later", "a0a0: Not now."])
def test_later_is_later_with_its_number_too(answer):
    assert (told(answer).answers, told(answer).refused) == ((), ())


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
        ("c0c0: order paint", [web("c", "order paint")]),
        ("2: order paint, 4: wash up, dry", [web("b", "order paint"), web("d", "wash up, dry")]),
        ("2: skip, 3: journal", [Answer("b", Route.SKIP), Answer("c", Route.JOURNAL)]),
        ("2: skip, 3", [Answer("b", Route.SKIP), web("c")]),
        ("2: infra; 3: web/uploader", [infra("b"), Answer("c", Route.ACTIVE, "web", "uploader")]),
        ("2, 3: later", [web("b")]),
        (["2", "2: later"], []),
        ("2: skip\n3: journal", [Answer("b", Route.SKIP), Answer("c", Route.JOURNAL)]),
        ("b0b0: skip\nc0c0: infra\nd0d0: later", [Answer("b", Route.SKIP), infra("c")]),
        ("2) skip\n3) journal", [Answer("b", Route.SKIP), Answer("c", Route.JOURNAL)]),
        (
            "- 2: skip\n\n- 3: order paint\n  for room 7\n- 4",
            [Answer("b", Route.SKIP), web("c", "order paint for room 7"), web("d")],
        ),
        ("2: servers", [infra("b")]),
    ],
)
def test_among_several_a_rewording_begins_with_its_number(answer, expected):
    found = told(answer, MANY)
    assert list(found.answers) == expected
    assert found.refused == ()


@pytest.mark.parametrize(
    "words",
    [
        "order paint", "order 2, 3, 4 boxes", "9: order paint", "9: skip", "2: order paint, 3", "2: skip, it is done",
        "1: skip", "2: skip 3: web 4: journal", "2: later c0c0: web", "2: 3: skip", "2-3", "2: skip 3) journal",
    ],
)  # fmt: skip
def test_words_that_cannot_be_told_apart_write_nothing(words):
    found = told(words, MANY)
    assert found.answers == ()
    assert len(found.refused) == 1


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("skip the rest", {"b": "skip", "c": "skip", "d": "skip"}),
        ("3, skip the rest", {"c": "project", "b": "skip", "d": "skip"}),
        (["Skip the rest", "3: later"], {"b": "skip", "d": "skip"}),
        ("2: order paint, skip the rest", {"b": "project", "c": "skip", "d": "skip"}),
        ("skip", {"b": "skip", "c": "skip", "d": "skip"}),
        ("2, journal", {"b": "project", "c": "journal", "d": "journal"}),
        ("infra", {"b": "project", "c": "project", "d": "project"}),
    ],
)
def test_what_is_said_of_the_rest(answer, expected):
    found = told(answer, MANY)
    assert {given.id: given.route for given in found.answers} == expected
    assert found.refused == ()


def test_nothing_is_skipped_while_it_is_unclear_what_the_rest_is():
    found = told(["3: order paint, 2", "skip the rest"], MANY)
    assert found.answers == ()
    assert len(found.refused) == 2
    found = told("2: skip, 2: journal", MANY)
    assert [given.route for given in found.answers] == ["skip"]
    assert "two things" in found.refused[0].why


def test_questions_of_several_conversations_keep_their_answers():
    """Each was asked with a first follow-up of its own, under a number that the other uses, too."""
    other = replace(
        MANY, question="e0e0, f0f0: which of these follow-ups go to projects/web/todos.md?", header="e0e0 + 1"
    )
    other = replace(
        other, options=tuple(replace(one, answer=web(key)) for one, key in zip(MANY.options[:2], "ef", strict=True))
    )
    found = decode_answers({"answers": {MANY.question: "2", other.question: "3: skip"}}, (*ASKED, other))
    assert found.answers == (web("b"), Answer("f", Route.SKIP))
    by_handles = decode_answers({"answers": {"E0E0, f0f0: in other words?": "2"}}, (*ASKED, other))
    assert by_handles.answers == (web("e"),)


def test_a_title_that_two_questions_have_tells_neither():
    other = Asked("Follow-up 1?", "Follow-up 1", multi=False, options=ONE.options)
    another = replace(other, options=(Option("skip", Answer("z", Route.SKIP)),))
    assert decode_answers({"answers": {"Follow-up 1": "skip"}}, (other,)).answers == (Answer("a", Route.SKIP),)
    found = decode_answers({"answers": {"follow-up 1": "skip"}}, (other, another))
    assert (found.answers, [one.what for one in found.refused]) == ((), ["follow-up 1"])


def test_choices_stand_although_the_typed_words_are_refused():
    found = told("2, 4, order paint", MANY)
    assert [given.id for given in found.answers] == ["b", "d"]
    assert "begin with its number, as `2: new words`, `2: journal`" in found.refused[0].why


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
    "key",
    ["a0a0:  where does this follow-up\nbelong?", "A0A0", "a0a0: WHERE?", "a0a0: where does this follow-up belong"],
)
def test_a_question_is_known_by_its_text_or_header(key):
    assert decode_answers({"answers": {key: "skip"}}, ASKED).answers == (Answer("a", Route.SKIP),)


def test_a_question_that_was_not_asked():
    found = decode_answers({"answers": {"Which colour?": "red", ONE.question: "skip"}}, ASKED)
    assert found.answers == (Answer("a", Route.SKIP),)
    assert [one.what for one in found.refused] == ["Which colour?"]
    found = decode_answers({"answers": {"ffff: where does this follow-up belong?": "skip"}}, ASKED)
    assert (found.answers, len(found.refused)) == ((), 1)
