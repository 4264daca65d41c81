"""`wrap route --answers` with `wrapgen.answers/1`."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, THREE, answer, route
from tests.support import TODAY, wrap

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
WEB = "projects/web/todos.md"


def test_each_route_goes_where_the_table_says(projects, waiting, answered):
    ids = waiting(projects, *THREE, "mend the search")
    result = route(
        projects,
        answered,
        answer(ids[RETRY], "journal"),
        answer(ids[ROTATE], "project", project="web"),
        answer(ids["mend the search"], "active", project="web", task="search"),
        answer(ids[GUIDE], "skip"),
    )
    assert result.code == 0, result.err
    assert projects.path(JOURNAL).read_text("utf-8") == (
        f"# {TODAY}\n\n## Session: follow-ups\n\n### Next\n\n- [ ] {RETRY}\n"
    )
    assert projects.path(WEB).read_text("utf-8") == (
        f"# web\n\n## Next Session\n\n- [ ] Water the plants\n- [ ] {ROTATE}\n"
    )
    assert projects.path("projects/web/actives/search/todos.md").read_text("utf-8") == (
        "# search\n\n- [ ] Sort the shelves\n- [ ] mend the search\n"
    )
    assert talks.pending(projects) == []
    assert all(GUIDE.encode() not in data for data in talks.notes(projects).values())


def test_the_dashboard_is_rebuilt_and_says_how_many_wait(projects, waiting, answered):
    ids = waiting(projects, *THREE)
    assert route(projects, answered, answer(ids[RETRY], "journal")).code == 0
    assert RETRY in projects.page
    assert any("2 follow-ups" in line for line in projects.section("Needs attention"))


def test_answers_come_from_standard_input(projects, waiting, monkeypatch):
    ids = waiting(projects, RETRY)
    data = talks.answers(answer(ids[RETRY], "journal")).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert wrap("route", "--answers", "-", vault=projects).code == 0
    assert talks.pending(projects) == []


def test_the_document(projects, waiting, answered):
    """Golden: keys may be added, never renamed or dropped."""
    ids = waiting(projects, *THREE)
    given = [
        answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web", text="Rotate staging keys"),
        answer(ids[GUIDE], "skip"), answer("0123456789ab", "skip"),
    ]  # fmt: skip
    result = route(projects, answered, *given, options=["--json"])
    document = result.json
    assert result.code == 1
    receipts = talks.state(projects, "receipts.jsonl")
    assert document == {
        "schema": "wrapgen.route/1",
        "receipt": receipts[-1]["id"],
        "routed": [
            {"id": ids[RETRY], "text": RETRY, "route": "journal", "project": None, "task": None, "path": JOURNAL,
             "line": 7},
            {"id": ids[ROTATE], "text": "Rotate staging keys", "route": "project", "project": "web", "task": None,
             "path": WEB, "line": 6},
        ],
        "skipped": [{"id": ids[GUIDE], "text": GUIDE}],
        "already_routed": [],
        "refused": [{"about": "0123456789ab", "reason": document["refused"][0]["reason"]}],
        "pending": 0,
    }  # fmt: skip
    assert "0123456789ab" in document["refused"][0]["reason"]


def test_a_dry_run_writes_nothing_and_says_what_it_would(projects, waiting, answered):
    ids = waiting(projects, RETRY, GUIDE)
    before = projects.snapshot()
    result = route(projects, answered, answer(ids[RETRY], "project", project="web"), answer(ids[GUIDE], "skip"),
                   options=["--dry-run"])  # fmt: skip
    assert result.code == 0
    assert projects.snapshot() == before
    assert WEB in result.out
    assert RETRY in result.out


def test_a_dry_run_counts_what_would_still_wait_as_json(projects, waiting, answered):
    ids = waiting(projects, RETRY, GUIDE)
    before = projects.snapshot()
    result = route(projects, answered, answer(ids[RETRY], "journal"), options=["--dry-run", "--json"])
    assert [line["text"] for line in result.json["routed"]] == [RETRY]
    assert result.json["receipt"] is None
    assert projects.snapshot() == before


class TestTwice:
    def test_the_same_answers_write_nothing_and_say_so(self, projects, waiting, answered):
        ids = waiting(projects, RETRY, ROTATE)
        given = [answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web")]
        assert route(projects, answered, *given).code == 0
        before = talks.notes(projects)
        again = route(projects, answered, *given)
        assert again.code == 0
        assert again.out.count("already routed") == 2
        assert talks.notes(projects) == before

    def test_other_answers_for_the_same_follow_up_write_nothing(self, projects, waiting, answered):
        ids = waiting(projects, RETRY)
        route(projects, answered, answer(ids[RETRY], "journal"))
        before = talks.notes(projects)
        again = route(projects, answered, answer(ids[RETRY], "project", project="web", text="Other words"))
        assert again.code == 0
        assert "already routed" in again.out
        assert talks.notes(projects) == before

    def test_twice_in_one_document(self, projects, waiting, answered):
        ids = waiting(projects, RETRY)
        route(projects, answered, answer(ids[RETRY], "journal"), answer(ids[RETRY], "journal"))
        assert projects.path(JOURNAL).read_text("utf-8").count(RETRY) == 1

    def test_found_again_after_routing_it_is_durable(self, projects, talk, answered):
        path = talk(RETRY)
        (one,) = talks.orphans(projects, path).json["orphans"]
        route(projects, answered, answer(one["id"], "journal", text="Let uploads be tried thrice"))
        document = talks.orphans(projects, path).json
        assert document["orphans"] == []
        assert document["dismissed"][0]["held_by"].startswith(JOURNAL)

    def test_what_holds_a_routed_one_is_named_by_path_and_line(self, projects, talk, answered):
        path = talk(RETRY)
        (one,) = talks.orphans(projects, path).json["orphans"]
        route(projects, answered, answer(one["id"], "journal"))
        (gone,) = talks.orphans(projects, path).json["dismissed"]
        assert gone["held_by"] == f"{JOURNAL}:7"


class TestRefused:
    """An error for that answer alone: it stays pending, the others are done, exit 1."""

    def check(self, vault, ids, answered, bad, *words):
        result = route(vault, answered, bad, answer(ids[ROTATE], "journal"))
        assert result.code == 1
        assert "Traceback" not in result.err
        for word in words:
            assert word in result.err
        assert talks.pending(vault) == [RETRY]
        text = vault.path(JOURNAL).read_text("utf-8")
        assert ROTATE in text
        assert RETRY not in text

    @pytest.fixture
    def ids(self, projects, waiting):
        return waiting(projects, RETRY, ROTATE)

    def test_an_unknown_id_names_the_nearest(self, projects, ids, answered):
        near = ids[RETRY][:-1] + ("0" if ids[RETRY][-1] != "0" else "1")
        self.check(projects, ids, answered, answer(near, "journal"), near, ids[RETRY])

    def test_an_unknown_project_names_the_nearest(self, projects, ids, answered):
        self.check(projects, ids, answered, answer(ids[RETRY], "project", project="wbe"), "wbe", "`web`")

    def test_no_project_at_all(self, projects, ids, answered):
        self.check(projects, ids, answered, answer(ids[RETRY], "project"), "project", "web", "infra")

    def test_an_unknown_route_names_the_known_ones(self, projects, ids, answered):
        self.check(projects, ids, answered, answer(ids[RETRY], "jurnal"), "jurnal", "`journal`")

    def test_an_unknown_task_names_the_nearest(self, projects, ids, answered):
        bad = answer(ids[RETRY], "active", project="web", task="saerch")
        self.check(projects, ids, answered, bad, "saerch", "`search`")

    def test_an_active_task_of_a_project_that_has_none(self, projects, ids, answered):
        self.check(projects, ids, answered, answer(ids[RETRY], "active", project="infra", task="search"), "infra")

    @pytest.mark.parametrize("text", ["", "   ", "\t"])
    def test_empty_words(self, projects, ids, answered, text):
        self.check(projects, ids, answered, answer(ids[RETRY], "journal", text=text), ids[RETRY], "empty")

    @pytest.mark.parametrize("text", ["\x1b[2J", "a\x00b", "\u200b", "()", "(web)", "- [ ]"])
    def test_words_that_are_none_or_drive_terminals_never_pass_unseen(self, projects, ids, answered, text):
        """Either refused, or written so that exactly one open item with something to read came of it."""
        result = route(projects, answered, answer(ids[RETRY], "project", project="web", text=text))
        items = wrap("list", "--all", "--json", vault=projects).json["items"]
        new = [item for item in items if item["path"] == WEB and item["text"] != "Water the plants"]
        if result.code:
            assert talks.pending(projects) == [RETRY, ROTATE]
            assert new == []
        else:
            assert len(new) == 1
            assert new[0]["text"].strip()
        assert b"\x1b" not in projects.path(WEB).read_bytes()

    def test_a_name_that_climbs_out_of_the_vault(self, projects, ids, answered):
        bad = answer(ids[RETRY], "active", project="web", task="../../../../outside")
        self.check(projects, ids, answered, bad)
        assert not (projects.root.parent / "outside").exists()


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_a_line_break_in_the_words_makes_no_second_line(projects, waiting, answered, ending):
    """Refused, or joined: never two lines in a file."""
    ids = waiting(projects, RETRY)
    before = projects.path(WEB).read_text("utf-8")
    result = route(projects, answered, answer(ids[RETRY], "project", project="web", text=f"first{ending}# second"))
    after = projects.path(WEB).read_text("utf-8")
    if result.code:
        assert after == before
        assert talks.pending(projects) == [RETRY]
    else:
        added = after.removeprefix(before)
        assert len(added.splitlines()) == 1
        assert "first" in added
        assert "# second" in added


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe", b"[]", b"null", b'"text"', b"{}", b'{"answers": 3}', b'{"schema": "wrapgen.orphans/1"}',
     b'{"schema": "wrapgen.answers/2", "answers": []}'],
)  # fmt: skip
def test_a_document_that_holds_no_answers(projects, waiting, answered, data):
    waiting(projects, RETRY)
    answered.write_bytes(data)
    before = talks.notes(projects)
    result = wrap("route", "--answers", answered, vault=projects)
    assert result.code == 1
    assert "defect" not in result.err
    assert result.err.count("\n") == 1
    assert talks.notes(projects) == before
    assert talks.pending(projects) == [RETRY]


def test_answers_that_are_not_there(projects, tmp_path):
    result = wrap("route", "--answers", tmp_path / "nothing.json", vault=projects)
    assert result.code == 1
    assert "nothing.json" in result.err


def test_answers_of_every_wrong_shape_are_named_one_by_one(projects, waiting, answered):
    ids = waiting(projects, RETRY)
    given = [3, None, [], {}, {"id": 7}, {"id": "", "route": "skip"}, {"id": "x", "route": 5}, {"route": "skip"},
             answer(ids[RETRY], "journal")]  # fmt: skip
    answered.write_text(json.dumps({"schema": "wrapgen.answers/1", "answers": given}), "utf-8")
    result = wrap("route", "--answers", answered, "--json", vault=projects)
    assert result.code == 1
    assert len(result.json["refused"]) == len(given) - 1
    assert [line["text"] for line in result.json["routed"]] == [RETRY]


@pytest.mark.slow
def test_nothing_pending_and_nobody_there_is_no_error(projects):
    result = wrap("route", vault=projects)
    assert result.code == 0
    assert "Traceback" not in result.err


def test_something_pending_and_nobody_there_is_a_named_condition(projects, waiting):
    waiting(projects, RETRY)
    result = wrap("route", vault=projects)
    assert result.code == 1
    assert "terminal" in result.err
    assert "--answers" in result.err
    assert talks.pending(projects) == [RETRY]


def test_words_that_stand_outside_of_every_list_do_not_count_as_written(projects, waiting, answered):
    """A bullet below *Notes* is collected by nobody: the follow-up would be lost."""
    projects.write(JOURNAL, f"# Day\n\n## Notes\n\n- {RETRY}\n\n## Next\n\n- Sweep the floor\n")
    ids = waiting(projects, RETRY)
    assert route(projects, answered, answer(ids[RETRY], "journal")).code == 0
    items = wrap("list", "--json", vault=projects).json["items"]
    assert [item["text"] for item in items if item["path"] == JOURNAL] == ["Sweep the floor", RETRY]


def test_words_that_stand_in_a_projects_other_section_do_not_count_as_written(projects, waiting, answered):
    projects.write(WEB, f"# web\n\n## Ideas\n\n- {RETRY}\n\n## Next Session\n\n- [ ] Water the plants\n")
    ids = waiting(projects, RETRY)
    assert route(projects, answered, answer(ids[RETRY], "project", project="web")).code == 0
    assert RETRY in [item["text"] for item in wrap("list", "--json", vault=projects).json["items"]]


def test_what_somebody_wrote_down_by_hand_meanwhile_is_not_asked_any_more(projects, waiting):
    """An orphan is what no durable source holds, also one that has waited for some time."""
    waiting(projects, RETRY, ROTATE)
    projects.write(WEB, f"# web\n\n## Next Session\n\n- [ ] {RETRY}\n")
    document = wrap("orphans", "--json", vault=projects).json
    assert [one["text"] for one in document["orphans"]] == [ROTATE]


def test_a_dry_run_without_a_terminal_shows_what_the_question_would_begin_with(projects, waiting):
    waiting(projects, RETRY, "mend the lamp of the cellar")
    before = projects.snapshot()
    result = wrap("route", "--dry-run", vault=projects)
    assert result.code == 0, result.err
    assert result.out.count("would write") == 2
    assert result.out.endswith("2 follow-ups pending\n")
    assert projects.snapshot() == before


def test_a_day_that_a_user_names_becomes_the_due_day_of_the_line(projects, talk, answered):
    turns = [("user", "Fix it, and remind me to tell Dana before Friday."), ("assistant", "Fixed.")]
    path = talk(talks.neutral(turns, stamp="2026-04-21T10:00:00Z"))
    (one,) = talks.orphans(projects, path).json["orphans"]
    assert (one["text"], one["due"], one["sure"]) == ("tell Dana before Friday", "2026-04-24", False)
    talks.orphans(projects)
    result = route(projects, answered, answer(one["id"], "project", project="web"))
    assert result.code == 0, result.err
    assert "your words for" not in result.out
    assert "- [ ] tell Dana before Friday 📅 2026-04-24\n" in projects.path("projects/web/todos.md").read_text("utf-8")
    items = wrap("list", "--json", vault=projects).json["items"]
    assert ("tell Dana before Friday", "2026-04-24") in [(item["text"], item["due"]) for item in items]
    assert [each["text"] for each in talks.orphans(projects, path).json["orphans"]] == []
    assert wrap("undo", vault=projects).code == 0
    assert talks.pending(projects) == ["tell Dana before Friday"]
