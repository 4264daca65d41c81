"""What may get lost although somebody decided about it: lines that vanished, and what was skipped."""

from __future__ import annotations

import errno
import os
import re

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, THREE, answer, route
from tests.support import TODAY, wrap
from wrapgen.vault.index import Glance

JOURNAL = f"journals/{TODAY[:4]}/{TODAY[5:7]}/{TODAY}.md"
WEB = "projects/web/todos.md"
VANISHED = "line vanished after routing"


def lost(vault, today=TODAY):
    document = wrap("audit", "--json", vault=vault, today=today).json
    return [(one["text"], one["reason"]) for one in document["potentially_lost"]]


def skips(vault, today=TODAY):
    return [one["text"] for one in wrap("audit", "--json", vault=vault, today=today).json["skipped"]]


@pytest.fixture
def overwritten(projects, waiting, answered):
    """A follow-up was routed, and an editor saved its stale copy over it."""
    before = projects.path(WEB).read_bytes()
    ids = waiting(projects, RETRY)
    assert route(projects, answered, answer(ids[RETRY], "project", project="web")).code == 0
    projects.write(WEB, before)
    return ids[RETRY]


@pytest.mark.parametrize("command", [["orphans", "--json"], ["--no-prompt"], ["route", "--answers", "{nothing}"]])
def test_each_run_notices_and_lets_it_wait_again(projects, overwritten, tmp_path, command):
    nothing = tmp_path / "nothing.json"
    nothing.write_text(talks.answers(), "utf-8")
    result = wrap(*(word.format(nothing=nothing) for word in command), vault=projects)
    assert result.code == 0, result.err
    (record,) = talks.state(projects, "pending.jsonl")
    assert record["orphan"]["text"] == RETRY
    assert record["orphan"]["reason"] == VANISHED
    assert lost(projects) == [(RETRY, VANISHED)]


def test_the_reason_stands_in_the_orphans_document(projects, overwritten):
    (one,) = wrap("orphans", "--json", vault=projects).json["orphans"]
    assert (one["id"], one["reason"]) == (overwritten, VANISHED)


@pytest.mark.slow
def test_it_can_be_routed_again_and_is_then_neither_lost_nor_pending(projects, overwritten, answered):
    wrap("orphans", vault=projects)
    assert route(projects, answered, answer(overwritten, "project", project="web")).code == 0
    assert projects.path(WEB).read_text("utf-8").count(RETRY) == 1
    assert talks.pending(projects) == []
    assert lost(projects) == []
    wrap("orphans", vault=projects)
    assert talks.pending(projects) == []


def test_the_answers_that_wrote_it_write_it_again(projects, overwritten, answered):
    """The receipt's line does not stand any more, so the follow-up is not `already routed`."""
    assert wrap("route", "--answers", answered, vault=projects).code == 0
    assert projects.path(WEB).read_text("utf-8").count(RETRY) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (WEB, "# web\n\n## Next Session\n\n- [x] (web) {}\n"),
        ("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n- {}\n"),
        (JOURNAL, "# Day\n\n## Done\n\n- {}\n"),
        (WEB, "# web\n\n## Later\n\nWords.\n\n## Next Session\n\n4. {} 📅 2026-05-01\n"),
    ],
)
def test_a_line_that_moved_or_was_done_has_not_vanished(projects, overwritten, path, text):
    projects.write(path, text.format(RETRY))
    wrap("orphans", vault=projects)
    assert talks.pending(projects) == []
    assert lost(projects) == []


def test_what_was_done_before_it_was_routed_is_no_excuse(projects, overwritten):
    projects.write("journals/2026/03/2026-03-10.md", f"# Day\n\n## Done\n\n- {RETRY}\n")
    wrap("orphans", vault=projects)
    assert talks.pending(projects) == [RETRY]


def test_receipts_older_than_the_look_back_are_let_go(projects, overwritten):
    wrap("orphans", vault=projects, today="2026-07-24")
    assert talks.pending(projects) == []


@pytest.mark.parametrize("damage", ["unlink", "empty"])
def test_a_file_that_is_gone_or_emptied(projects, overwritten, damage):
    projects.path(WEB).unlink() if damage == "unlink" else projects.write(WEB, b"")
    wrap("orphans", vault=projects)
    assert talks.pending(projects) == [RETRY]


def test_a_line_that_vanished_when_the_follow_up_was_reworded(projects, waiting, answered):
    before = projects.path(WEB).read_bytes()
    ids = waiting(projects, RETRY)
    route(projects, answered, answer(ids[RETRY], "project", project="web", text="Let uploads be tried thrice"))
    wrap("orphans", vault=projects)
    assert talks.pending(projects) == []
    projects.write(WEB, before)
    wrap("orphans", vault=projects)
    assert [record["orphan"]["id"] for record in talks.state(projects, "pending.jsonl")] == [ids[RETRY]]


def test_what_was_taken_back_has_not_vanished(projects, waiting, answered):
    ids = waiting(projects, RETRY)
    route(projects, answered, answer(ids[RETRY], "project", project="web"))
    wrap("undo", vault=projects)
    wrap("orphans", vault=projects)
    assert [record["orphan"]["reason"] for record in talks.state(projects, "pending.jsonl")] == [None]


class TestCameBack:
    """A file was seen while it was half written, or an editor put back a copy that held the line after all."""

    @pytest.fixture
    def routed(self, projects, waiting, answered):
        """Routes the follow-up, has its line vanish and come back; gives its id and the file without and with it."""

        def route_it(**fields):
            without = projects.path(WEB).read_bytes()
            (key,) = waiting(projects, RETRY).values()
            assert route(projects, answered, answer(key, "project", project="web", **fields)).code == 0
            with_it = projects.path(WEB).read_bytes()
            projects.write(WEB, without)
            wrap("orphans", vault=projects)
            assert lost(projects) == [(RETRY, VANISHED)]
            projects.write(WEB, with_it)
            wrap("orphans", vault=projects)
            return key, without, with_it

        return route_it

    @pytest.mark.parametrize("fields", [{}, {"text": "Let uploads be tried thrice"}])
    def test_it_waits_no_more(self, projects, routed, fields):
        routed(**fields)
        assert talks.pending(projects) == []
        assert lost(projects) == []

    @pytest.mark.slow
    def test_the_same_answer_once_more_is_known(self, projects, routed, answered):
        _, _, with_it = routed()
        result = wrap("route", "--answers", answered, vault=projects)
        assert result.code == 0, result.err
        assert "already routed" in result.out
        assert projects.path(WEB).read_bytes() == with_it

    @pytest.mark.slow
    @pytest.mark.parametrize("fields", [{}, {"text": "Let uploads be tried thrice"}])
    def test_it_is_noticed_when_it_vanishes_once_more(self, projects, routed, fields):
        _, without, _ = routed(**fields)
        projects.write(WEB, without)
        wrap("orphans", vault=projects)
        assert lost(projects) == [(RETRY, VANISHED)]

    @pytest.mark.slow
    def test_it_can_be_taken_back(self, projects, routed):
        _, without, _ = routed()
        assert wrap("undo", vault=projects).code == 0
        assert projects.path(WEB).read_bytes() == without
        assert talks.pending(projects) == [RETRY]

    @pytest.mark.slow
    def test_routed_anew_and_vanished_once_more_it_waits_once(self, projects, overwritten, answered):
        without = projects.path(WEB).read_bytes()
        for _ in range(2):
            wrap("orphans", vault=projects)
            assert talks.pending(projects) == [RETRY]
            assert route(projects, answered, answer(overwritten, "project", project="web")).code == 0
            assert talks.pending(projects) == []
            projects.write(WEB, without)
        wrap("orphans", vault=projects)
        assert lost(projects) == [(RETRY, VANISHED)]


def test_a_note_that_was_read_while_an_editor_saved_it_has_lost_nothing(projects, waiting, answered, monkeypatch):
    """The whole note stands there a moment later, before anything is said about it."""
    half = projects.path(WEB).read_bytes()
    (key,) = waiting(projects, RETRY).values()
    assert route(projects, answered, answer(key, "project", project="web")).code == 0
    whole = projects.path(WEB).read_bytes()
    projects.write(WEB, half)
    read = Glance.documents

    def read_then_saved(*given):
        reading = list(read(*given))
        projects.write(WEB, whole)
        return reading

    monkeypatch.setattr(Glance, "documents", read_then_saved)
    assert wrap("orphans", vault=projects).code == 0
    assert talks.pending(projects) == []
    assert [record["vanished"] for record in talks.state(projects, "receipts.jsonl")] == [[], []]


@pytest.mark.slow
def test_what_vanished_and_was_then_skipped_does_not_wait_again(projects, overwritten, answered):
    wrap("orphans", vault=projects)
    assert route(projects, answered, answer(overwritten, "skip")).code == 0
    wrap("orphans", vault=projects)
    assert talks.pending(projects) == []
    assert lost(projects) == []
    assert skips(projects) == [RETRY]


class TestSkipped:
    @pytest.fixture
    def skipped(self, projects, waiting, answered):
        ids = waiting(projects, RETRY)
        assert route(projects, answered, answer(ids[RETRY], "skip")).code == 0

    @pytest.mark.usefixtures("skipped")
    def test_it_is_listed_until_it_ages_out_of_the_look_back(self, projects):
        assert skips(projects) == [RETRY]
        assert skips(projects, today="2026-05-24") == [RETRY]
        assert skips(projects, today="2026-05-25") == []

    @pytest.mark.usefixtures("skipped")
    def test_the_printed_audit_lists_it_too(self, projects):
        lines = wrap("audit", vault=projects).out.splitlines()
        assert lines[lines.index(f"  {RETRY} (skipped on {TODAY})") - 1].startswith("skipped: ")
        assert not any("lost" in line for line in lines)

    @pytest.mark.usefixtures("skipped")
    @pytest.mark.parametrize("strict", ["--strict", "--strict=lost"])
    def test_what_a_person_skipped_is_not_lost(self, projects, strict):
        projects.write("journals/2026/04/2026-04-23.md", "# Day\n")
        assert lost(projects) == []
        assert wrap("audit", strict, vault=projects).code == 0

    @pytest.mark.parametrize("strict", ["--strict", "--strict=lost"])
    def test_strict_finds_what_vanished(self, projects, overwritten, strict):
        assert overwritten
        wrap("orphans", vault=projects)
        result = wrap("audit", strict, vault=projects)
        assert result.code == 3
        assert "lost" in result.err

    def test_strict_finds_nothing_where_nothing_is_lost(self, projects):
        assert wrap("audit", "--strict=lost", vault=projects).code == 0

    @pytest.mark.usefixtures("skipped")
    def test_the_audit_itself_writes_nothing(self, projects):
        before = projects.snapshot()
        wrap("audit", "--strict", vault=projects)
        assert projects.snapshot() == before


BALANCE = re.compile(
    r"collected (\d+) = shown (\d+) \+ resolved (\d+) \+ duplicate (\d+) \+ overflow (\d+) \+ expired (\d+)"
    r" · follow-ups (\d+): durable (\d+), routed (\d+), skipped (\d+), pending (\d+)"
)


def balance(result):
    """durable, routed, skipped, pending of the last line, which must balance."""
    numbers = [int(number) for number in BALANCE.fullmatch(result.out.splitlines()[-1]).groups()]
    assert numbers[0] == sum(numbers[1:6])
    assert numbers[6] == sum(numbers[7:])
    return numbers[7:]


class TestArithmetic:
    def test_nothing_was_said(self, projects):
        assert balance(wrap("--no-prompt", vault=projects)) == [0, 0, 0, 0]

    def test_all_of_them(self, projects, talk, answered):
        """One is durable, one is routed, one is skipped, one waits."""
        path = talk(*THREE, "water the plants")
        ids = {one["text"]: one["id"] for one in talks.orphans(projects, path).json["orphans"]}
        assert list(ids) == list(THREE)
        answered.write_text(talks.answers(answer(ids[RETRY], "journal"), answer(ids[ROTATE], "skip")), "utf-8")
        result = wrap("--transcript", path, "--answers", answered, vault=projects)
        assert result.code == 0, result.err
        assert balance(result) == [1, 1, 1, 1]

    def test_the_document_says_the_same(self, projects, talk, answered):
        path = talk(*THREE, "water the plants")
        ids = {one["text"]: one["id"] for one in talks.orphans(projects, path).json["orphans"]}
        given = [answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web"),
                 answer(ids[GUIDE], "skip")]  # fmt: skip
        answered.write_text(talks.answers(*given), "utf-8")
        document = wrap("--transcript", path, "--answers", answered, "--json", vault=projects).json
        assert document["schema"] == "wrapgen.audit/1"
        assert document["follow_ups"] == {
            "found": 4, "already_durable": 1, "routed": {"journal": 1, "project": 1, "active": 0, "skip": 1},
            "pending": 0,
        } | {key: document["follow_ups"][key] for key in document["follow_ups"]
             if key not in ("found", "already_durable", "routed", "pending")}  # fmt: skip
        assert document["potentially_lost"] == []
        (skipped,) = document["skipped"]
        assert ids[GUIDE].startswith(skipped.pop("handle"))
        assert skipped == {"text": GUIDE, "skipped": TODAY, "reason": "skipped"}

    def test_a_later_audit_counts_what_waits(self, projects, waiting):
        waiting(projects, RETRY, ROTATE)
        assert balance(wrap("audit", vault=projects)) == [0, 0, 0, 2]


@pytest.mark.parametrize("call", ["open", "scandir"])
def test_a_line_whose_file_cannot_be_read_has_not_vanished(projects, waiting, answered, monkeypatch, call):
    ids = waiting(projects, RETRY)
    assert route(projects, answered, answer(ids[RETRY], "project", project="web")).code == 0
    refused = projects.path(WEB if call == "open" else "projects/web")
    real = getattr(os, call)

    def refuse(path, *rest, **named):
        if str(path) == str(refused):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return real(path, *rest, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        assert wrap("orphans", vault=projects).code == 0
        assert talks.pending(projects) == []
    assert lost(projects) == []
