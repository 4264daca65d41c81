"""`wrap orphans --ask` and the result of the question as it comes back."""

from __future__ import annotations

import json

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, THREE
from tests.support import TODAY, wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
MANY = (
    "polish the windows", "mend three lamps", "count all chairs", "paint a door", "hang up mirrors",
    "sort silver spoons", "dry winter boots", "oil every bicycle", "bend these handles", "frame old photographs",
    "sweep stone stairs", "boil water in kettles", "tune both pianos", "buy new helmets", "practise on trumpets",
    "lay tables for twelve", "start cold engines", "weigh foreign coins", "wash dinner plates",
)  # fmt: skip


PLACES = ("journal", "project", "active", "skip", "skip the rest")


def ask(vault, *paths):
    words = [word for path in paths for word in ("--transcript", path)]
    result = wrap("orphans", "--ask", *words, vault=vault)
    assert result.code == 0, result.err
    return result


def tell(vault, file, payload, told, **more):
    """The tool's result: the questions, and the answers by question text."""
    result = {"questions": payload["questions"], "answers": told, **more}
    file.write_text(json.dumps(result), "utf-8")
    return wrap("route", "--answers", file, vault=vault)


def about(payload, words):
    """The question whose options speak of these words."""
    (one,) = [one for one in payload["questions"] if all(words in option["description"] for option in one["options"])]
    return one


def numbers(payload):
    """The number of each follow-up of the questions about several, by its words."""
    return {
        option["description"].partition(" → ")[0]: (one["question"], option["label"])
        for one in payload["questions"]
        for option in one["options"]
        if option["label"].isdigit()
    }


@pytest.mark.parametrize("number", [0, 1, 3, 4, 5, 9, 16, 19])
def test_the_payload_obeys_the_limits_of_the_tool(projects, talk, number):
    tasks = [f"({('web', 'infra')[index % 2]}) {task}" if index % 3 else task for index, task in enumerate(MANY)]
    payload = ask(projects, talk(*tasks[:number])).json
    assert set(payload) == {"questions"}
    questions = payload["questions"]
    assert len(questions) <= 4
    assert bool(questions) == bool(number)
    assert len({one["question"] for one in questions}) == len(questions)
    for one in questions:
        assert set(one) == {"question", "header", "options", "multiSelect"}
        assert 0 < len(one["header"]) <= 12
        assert 2 <= len(one["options"]) <= 4
        labels = [option["label"] for option in one["options"]]
        assert len(set(labels)) == len(labels)
        assert all(label.isdigit() or label in PLACES for label in labels)
        assert all(option["description"] for option in one["options"])
        assert isinstance(one["multiSelect"], bool)


def test_up_to_four_get_one_question_each(projects, talk):
    payload = ask(projects, talk(*MANY[:4])).json
    assert len(payload["questions"]) == 4
    assert not any(one["multiSelect"] for one in payload["questions"])
    for task in MANY[:4]:
        assert "skip" in [option["label"] for option in about(payload, task)["options"]]


def test_more_are_grouped_by_destination(projects, talk):
    payload = ask(projects, talk(*(f"(web) {task}" for task in MANY[:3]), *(f"(infra) {t}" for t in MANY[3:6]))).json
    assert [one["multiSelect"] for one in payload["questions"]] == [True, True]
    for one, project in zip(payload["questions"], ("web", "infra"), strict=True):
        *items, rest = one["options"]
        assert all(f"projects/{project}/todos.md" in option["description"] for option in items)
        assert rest["label"] == "skip the rest"


def test_what_does_not_fit_stays_pending_and_is_said_so(projects, talk):
    result = ask(projects, talk(*MANY))
    assert len(MANY) - 12 == 7
    assert "7 follow-ups" in result.err
    assert sorted(talks.pending(projects)) == sorted(MANY)


def test_a_batch_of_24_asks_about_the_session_that_just_ended_first(projects, talk, answered):
    """Round by round nothing is written that was not chosen, until all are answered."""
    old = [*MANY[:15], "knead dough for bread", "patch wool socks", "rake fallen leaves", "ring church bells", GUIDE]
    new = list(MANY[15:19])
    stamps = ("2026-04-20T09:00:00Z", "2026-04-24T09:00:00Z")
    paths = [
        talk(talks.neutral(talks.said(*tasks), stamp), name=f"{name}.json")
        for name, tasks, stamp in zip(("new", "old"), (new, old), reversed(stamps), strict=True)
    ]
    assert talks.orphans(projects, *paths).code == 0
    assert len(talks.pending(projects)) == 24
    rounds = []
    while (payload := ask(projects).json)["questions"]:
        asked = numbers(payload)
        rounds.append(set(asked) or {"single"})
        told = {one["question"]: "skip" for one in payload["questions"]}
        if len(rounds) == 1:
            first, second, *_ = asked
            told = {asked[first][0]: f"{asked[first][1]}: skip, {asked[second][1]}: journal, skip the rest"}
            told |= {one["question"]: "skip the rest" for one in payload["questions"][1:]}
        assert tell(projects, answered, payload, told).code == 0
    assert set(new) <= rounds[0]
    assert len(rounds) == 2
    assert talks.pending(projects) == []
    text = projects.path(JOURNAL).read_text("utf-8")
    assert text.count("- [ ] ") == 1
    assert "skip" not in text
    assert len(talks.state(projects, "skipped.jsonl")) == 23


def test_two_sessions_that_ask_at_once_keep_their_own_answers(projects, talk, answered):
    """What the second asks takes nothing away from what the first has asked, whoever answers first."""
    one = ask(projects, talk(RETRY, ROTATE, name="one.json")).json
    other = ask(projects, talk(GUIDE, name="other.json")).json
    (question,) = other["questions"]
    result = tell(
        projects, answered, one, {about(one, RETRY)["question"]: "journal", about(one, ROTATE)["header"]: "skip"}
    )
    assert result.code == 0, result.err
    assert talks.pending(projects) == [GUIDE]
    assert tell(projects, answered, other, {question["question"]: "write a guide for newcomers"}).code == 0
    text = projects.path(JOURNAL).read_text("utf-8")
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        f"- [ ] {RETRY}",
        "- [ ] write a guide for newcomers",
    ]


def test_questions_begin_with_the_handles_that_orphans_shows(projects, talk, answered):
    path = talk(RETRY, ROTATE)
    handles = {one["text"]: one["handle"] for one in talks.orphans(projects, path).json["orphans"]}
    payload = ask(projects, path).json
    for task in (RETRY, ROTATE):
        assert about(payload, task)["question"].startswith(f"{handles[task]}: ")
        assert f"{handles[task]}  " in wrap("orphans", vault=projects).out
    result = talks.route(projects, answered, talks.answer(handles[RETRY], "journal"))
    assert result.code == 0, result.err
    assert talks.pending(projects) == [ROTATE]
    assert "already routed" in talks.route(projects, answered, talks.answer(handles[RETRY], "journal")).out


def test_a_place_that_is_typed_is_no_rewording_and_one_that_is_not_known_is_named(projects, talk, answered):
    payload = ask(projects, talk(*THREE)).json
    told = {about(payload, RETRY)["question"]: "web", about(payload, ROTATE)["question"]: "project"}
    told |= {about(payload, GUIDE)["question"]: "web/search"}
    result = tell(projects, answered, payload, told)
    assert result.code == 1
    assert "route `project` needs a project" in result.err
    assert talks.pending(projects) == [ROTATE]
    assert f"- [ ] {RETRY}\n" in projects.path("projects/web/todos.md").read_text("utf-8")
    assert f"- [ ] {GUIDE}\n" in projects.path("projects/web/actives/search/todos.md").read_text("utf-8")


def test_nothing_to_ask_asks_nothing(projects, talk):
    assert ask(projects, talk(talks.neutral([("user", "Hello."), ("assistant", "Hello.")]))).json == {"questions": []}


def test_the_suggestion_comes_first(vault, talk):
    built = vault({"projects/web/todos.md": "# web\n", "projects/web/actives/search/todos.md": ""})
    payload = ask(built, talk(RETRY, f"(web) {ROTATE}", f"(web) mend the search for {GUIDE}")).json
    firsts = [one["options"][0]["label"] for one in payload["questions"]]
    assert firsts == ["journal", "project", "active"]


def test_chosen_labels_are_routed(projects, talk, answered):
    payload = ask(projects, talk(RETRY, f"(web) {ROTATE}", GUIDE)).json
    told = {
        about(payload, RETRY)["question"]: "journal",
        about(payload, ROTATE)["question"]: "project",
        about(payload, GUIDE)["question"]: "skip",
    }
    result = tell(projects, answered, payload, told, annotations={})
    assert result.code == 0, result.err
    assert f"- [ ] {RETRY}\n" in projects.path(JOURNAL).read_text("utf-8")
    assert f"- [ ] {ROTATE}\n" in projects.path("projects/web/todos.md").read_text("utf-8")
    assert talks.pending(projects) == []
    assert [skip["orphan"]["text"] for skip in talks.state(projects, "skipped.jsonl")] == [GUIDE]


@pytest.mark.parametrize(
    "wrapping",
    [
        lambda result: {"tool_response": result},
        lambda result: {"toolUseResult": result, "type": "user"},
        lambda result: {"hook_event_name": "PostToolUse", "tool_response": result, "tool_input": {"questions": []}},
    ],
)
def test_the_result_in_its_hosts_wrapping(projects, talk, answered, wrapping):
    payload = ask(projects, talk(RETRY)).json
    (question,) = payload["questions"]
    result = {"questions": payload["questions"], "answers": {question["question"]: "journal"}}
    answered.write_text(json.dumps(wrapping(result)), "utf-8")
    assert wrap("route", "--answers", answered, vault=projects).code == 0
    assert talks.pending(projects) == []


@pytest.mark.parametrize("joined", [", ", ","])
def test_several_choices_come_joined_by_commas_and_the_rest_stays_pending(projects, talk, answered, joined):
    tasks = [f"(web) {task}" for task in MANY[:6]]
    payload = ask(projects, talk(*tasks)).json
    first = payload["questions"][0]
    chosen = [option["label"] for option in first["options"]][:2]
    result = tell(projects, answered, payload, {first["question"]: joined.join(chosen)})
    assert result.code == 0, result.err
    written = [task for task in MANY[:6] if task in projects.path("projects/web/todos.md").read_text("utf-8")]
    assert len(written) == 2
    assert sorted(talks.pending(projects)) == sorted(set(MANY[:6]) - set(written))
    assert talks.state(projects, "skipped.jsonl") == []


def test_an_unanswered_question_stays_pending(projects, talk, answered):
    payload = ask(projects, talk(RETRY, ROTATE)).json
    tell(projects, answered, payload, {about(payload, RETRY)["question"]: "journal"})
    assert talks.pending(projects) == [ROTATE]


def test_nothing_chosen_in_a_multiple_choice_skips_nothing(projects, talk, answered):
    payload = ask(projects, talk(*MANY[:6])).json
    result = tell(projects, answered, payload, {one["question"]: "" for one in payload["questions"]})
    assert len(talks.pending(projects)) == 6, result
    assert talks.state(projects, "skipped.jsonl") == []


def test_other_is_a_rewording_for_the_suggested_place(vault, talk, answered):
    """One project only: its list is offered as well, but today's journal is suggested."""
    built = vault({"projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Water the plants\n"})
    before = talks.notes(built)
    payload = ask(built, talk(RETRY)).json
    (question,) = payload["questions"]
    result = tell(built, answered, payload, {question["question"]: "retry uploads, three times"})
    assert result.code == 0, result.err
    assert f"  (your words for: {RETRY})" in result.out
    assert "- [ ] retry uploads, three times\n" in built.path(JOURNAL).read_text("utf-8")
    assert {path: data for path, data in talks.notes(built).items() if path != JOURNAL} == before


def test_an_unknown_question_is_an_error_for_that_answer_alone(projects, talk, answered):
    payload = ask(projects, talk(RETRY, ROTATE)).json
    told = {"What is your name?": "journal", about(payload, RETRY)["question"]: "journal"}
    result = tell(projects, answered, payload, told)
    assert result.code == 1
    assert "What is your name?" in result.err
    assert talks.pending(projects) == [ROTATE]


def test_a_result_without_a_question_on_record_says_what_to_do(projects, waiting, answered):
    waiting(projects, RETRY)
    answered.write_text(json.dumps({"questions": [], "answers": {"Which?": "journal"}}), "utf-8")
    result = wrap("route", "--answers", answered, vault=projects)
    assert result.code == 1
    assert "wrap orphans --ask" in result.err
    assert talks.pending(projects) == [RETRY]


def test_the_same_result_twice_writes_nothing_twice(projects, talk, answered):
    payload = ask(projects, talk(*THREE)).json
    told = {about(payload, task)["question"]: "journal" for task in THREE}
    assert tell(projects, answered, payload, told).code == 0
    before = talks.notes(projects)
    result = tell(projects, answered, payload, told)
    assert result.code == 0
    assert "already routed" in result.out
    assert talks.notes(projects) == before
