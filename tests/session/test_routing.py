from dataclasses import replace
from datetime import date

import msgspec
import pytest

from tests.support import each
from wrapgen.session.follow_up import (
    Answer,
    FollowUp,
    Mention,
    Places,
    Route,
    Suggestion,
    alternatives,
    completed,
    suggest,
    unique,
    validate,
)

PLACES = Places(
    ("web", "infra", "docs"),
    {"web": ("uploader", "uploader-retry", "ci"), "docs": ("handbook",), "infra": ("업로더",)},
    "journals/2026/04/2026-04-24.md",
)


def orphan(suggested, project=None, identity="a1b2c3d4e5f6"):
    return FollowUp(
        identity, "add retry", "Next: add retry.", "user", project, "en", "next", 0.9, "t", 1, 2, None, None, suggested
    )


@pytest.mark.parametrize(
    ("project", "text", "expected"),
    [
        (None, "add retry to the uploader", Suggestion(Route.JOURNAL)),
        ("unknown", "add retry to the uploader", Suggestion(Route.JOURNAL)),
        ("web", "add dark mode", Suggestion(Route.PROJECT, "web")),
        ("web", "add retry to the Uploader", Suggestion(Route.ACTIVE, "web", "uploader")),
        ("web", "test the uploader retry", Suggestion(Route.ACTIVE, "web", "uploader-retry")),
        ("web", "run the uploader in CI", Suggestion(Route.PROJECT, "web")),
        ("web", "speed up the uploaders", Suggestion(Route.PROJECT, "web")),
        ("web", "", Suggestion(Route.PROJECT, "web")),
        ("infra", "업로더에 재시도 추가", Suggestion(Route.ACTIVE, "infra", "업로더")),
    ],
)
def test_suggests_the_nearest_list_that_exists(project, text, expected):
    assert suggest(project, PLACES, text) == expected


@pytest.mark.parametrize(
    ("where", "file"),
    [
        (Suggestion(Route.JOURNAL), "journals/2026/04/2026-04-24.md"),
        (Suggestion(Route.JOURNAL, "web"), "journals/2026/04/2026-04-24.md"),
        (Suggestion(Route.PROJECT, "web"), "projects/web/todos.md"),
        (Suggestion(Route.ACTIVE, "web", "uploader"), "projects/web/actives/uploader/todos.md"),
        (Suggestion(Route.SKIP), None),
    ],
)
def test_a_destination_names_its_file(where, file):
    assert PLACES.file(where) == file


def test_a_vault_with_another_layout_names_its_own_files():
    places = Places(("web",), files={("web", None): "work/web.md"})
    assert places.file(Suggestion(Route.PROJECT, "web")) == "work/web.md"


def test_alternatives_begin_with_the_suggestion_and_end_with_the_skip():
    task = Suggestion(Route.ACTIVE, "web", "uploader")
    routes = [where.route for where in alternatives(orphan(task, "web"), PLACES)]
    assert routes == [Route.ACTIVE, Route.PROJECT, Route.JOURNAL, Route.SKIP]
    assert alternatives(orphan(task, "web"), PLACES)[0] == task


def test_without_a_project_only_the_journal_is_offered():
    found = alternatives(orphan(Suggestion(Route.JOURNAL)), PLACES)
    assert [where.route for where in found] == [Route.JOURNAL, Route.SKIP]


def test_the_only_project_and_task_are_offered_unasked():
    places = Places(("docs",), {"docs": ("handbook",)})
    found = alternatives(orphan(Suggestion(Route.JOURNAL)), places)
    assert [where.route for where in found] == [Route.JOURNAL, Route.PROJECT, Route.ACTIVE, Route.SKIP]


def test_each_orphan_is_kept_once_at_its_first_place():
    first, second = orphan(Suggestion(Route.JOURNAL)), orphan(Suggestion(Route.SKIP))
    assert unique([first, second]) == [first]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer("x", Route.PROJECT), Answer("x", Route.PROJECT, "web")),
        (Answer("x", Route.PROJECT, "docs"), Answer("x", Route.PROJECT, "docs")),
        (Answer("x", Route.ACTIVE), Answer("x", Route.ACTIVE, "web", "uploader")),
        (Answer("x", Route.ACTIVE, "docs"), Answer("x", Route.ACTIVE, "docs", "handbook")),
        (Answer("x", Route.JOURNAL), Answer("x", Route.JOURNAL)),
        (Answer("x", Route.SKIP), Answer("x", Route.SKIP)),
    ],
)
def test_what_an_answer_leaves_out_is_filled_in_where_one_reading_is_left(answer, expected):
    assert completed(answer, orphan(Suggestion(Route.ACTIVE, "web", "uploader"), "web"), PLACES) == expected


def test_a_task_that_several_could_be_is_not_guessed():
    answer = completed(Answer("x", Route.ACTIVE, "web"), orphan(Suggestion(Route.PROJECT, "web"), "web"), PLACES)
    assert answer.task is None


@each(
    [
        Answer("x", Route.JOURNAL),
        Answer("x", Route.JOURNAL, "web"),
        Answer("x", Route.PROJECT, "web", text="new words"),
        Answer("x", Route.ACTIVE, "web", "uploader"),
        Answer("x", Route.SKIP),
        Answer("x", Route.SKIP, "nowhere"),
    ]
)
def test_answers_that_can_be_carried_out(answer):
    assert validate(answer, {"x"}, PLACES) is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer("a1b2c3", Route.SKIP), "no pending follow-up `a1b2c3`; known: x"),
        (Answer("x", Route.PROJECT), "route `project` needs a project; known: web, infra, docs"),
        (Answer("x", Route.PROJECT, "wbe"), "no project `wbe`; the nearest is `web`; known: web, infra, docs"),
        (Answer("x", Route.JOURNAL, "wbe"), "no project `wbe`; the nearest is `web`; known: web, infra, docs"),
        (Answer("x", Route.ACTIVE, "web"), "route `active` needs a task; known: uploader, uploader-retry, ci"),
        (
            Answer("x", Route.ACTIVE, "docs", "handbok"),
            "no active task `handbok` in project docs; the nearest is `handbook`; known: handbook",
        ),
        (Answer("x", Route.SKIP, text=" "), "the wording is empty"),
        (Answer("x", Route.JOURNAL, text="a\nb"), "the wording contains a line break"),
        (Answer("x", Route.JOURNAL, text="a\x1b[2Jb"), r"the wording contains the control character \x1b"),
        (Answer("x", Route.JOURNAL, text="a\ud800b"), r"the wording contains the control character \ud800"),
    ],
)
def test_answers_that_cannot_be_carried_out_say_why(answer, reason):
    assert validate(answer, {"x"}, PLACES) == reason


def test_of_many_names_the_nearest_is_enough():
    places = Places(tuple(f"project-{number}" for number in range(40)))
    assert validate(Answer("x", Route.PROJECT, "project-4x"), {"x"}, places).endswith("`project-4`")
    assert validate(Answer("x", Route.PROJECT, "zzz"), {"x"}, places) == "no project `zzz`; 40 are known"
    assert validate(Answer("x", Route.PROJECT, "web"), {"x"}, Places()) == "no project `web`"
    assert validate(Answer("x", Route.PROJECT), {"x"}, Places()) == "route `project` needs a project; there is none"
    assert validate(Answer("ca12", Route.SKIP), set(), Places()) == "no pending follow-up `ca12`"


def test_orphans_survive_being_stored():
    given = replace(
        orphan(Suggestion(Route.PROJECT, "web"), "web"), said_on=date(2026, 4, 24), also=(Mention("t", 3, 9),)
    )
    assert msgspec.json.decode(msgspec.json.encode(given), type=FollowUp) == given
