"""What a later conversation shows as done settles what waits; what rules are not sure of does not wait."""

from __future__ import annotations

import json

import pytest

from tests.followups import talks
from tests.followups.talks import RETRY, ROTATE, orphans
from tests.support import wrap

TOMORROW = "2026-04-25"


@pytest.fixture
def listed(talk):
    """A conversation of a day in whose to-do list a piece of work has a status."""

    def write(text, status, day=TOMORROW, name="later.jsonl"):
        todos = {"todos": [{"content": text, "status": status, "activeForm": "Doing it"}]}
        call = [{"type": "tool_use", "id": "c1", "name": "TodoWrite", "input": todos}]
        records = [
            talks.claude_line("user", "Go on with the uploader.", 1, timestamp=f"{day}T09:00:00Z"),
            talks.claude_line("assistant", call, 2, timestamp=f"{day}T09:01:00Z"),
            talks.claude_line("assistant", [{"type": "text", "text": "It is in."}], 3, timestamp=f"{day}T09:02:00Z"),
        ]
        return talk(talks.json_lines(records), name=name, changed=day)

    return write


def test_an_entry_completed_later_settles_it_with_its_reason_and_undo_brings_it_back(vault, talk, listed):
    root = vault()
    orphans(root, talk(RETRY, ROTATE))
    result = orphans(root, listed(f"{RETRY.capitalize()}.", "completed"), today=TOMORROW)
    assert talks.pending(root) == [ROTATE]
    assert "done since: add retry to the uploader (completed on a later to-do list" in result.err
    audit = wrap("--no-prompt", "--json", vault=root, today=TOMORROW).json
    assert [(one["text"], one["reason"].partition(" (")[0]) for one in audit["dropped"]] == [
        (RETRY, "completed on a later to-do list")
    ]
    assert wrap("undo", vault=root, today=TOMORROW).code == 0
    assert sorted(talks.pending(root)) == sorted([RETRY, ROTATE])


@pytest.mark.parametrize(
    ("text", "status", "day"),
    [
        (RETRY, "pending", TOMORROW),
        ("add retry to the downloader", "completed", TOMORROW),
        (RETRY, "completed", "2026-04-23"),
    ],
    ids=["open", "other words", "before it was said"],
)
def test_nothing_else_settles_it(vault, talk, listed, text, status, day):
    root = vault()
    orphans(root, talk(RETRY))
    orphans(root, listed(text, status, day), today=TOMORROW)
    assert RETRY in talks.pending(root)


def test_a_box_of_the_same_words_becomes_probably_done_until_that_is_undone(vault, listed):
    root = vault({"projects/web/todos.md": f"# web\n\n## Next Session\n\n- [ ] {RETRY}\n"})
    later = listed(RETRY, "completed")
    text = later.read_text("utf-8").replace("/nowhere", str(root.path("projects/web")))
    later.write_text(text, "utf-8")
    orphans(root, later, today=TOMORROW)

    def doubted():
        audit = wrap("audit", "--json", vault=root, today=TOMORROW).json
        return [one["text"] for one in audit["probably_done"]]

    assert doubted() == [RETRY]
    orphans(root, later, today=TOMORROW)
    assert wrap("undo", vault=root, today=TOMORROW).code == 0
    assert doubted() == []


def test_a_later_reader_drops_what_waits_by_its_handle_with_later_words(vault, talk, tmp_path):
    root = vault()
    orphans(root, talk(RETRY, ROTATE))
    later = talk(
        talks.neutral(
            [("user", "And the uploader?"), ("assistant", "The retry of the uploader is in and tested.")],
            f"{TOMORROW}T10:00:00Z",
        ),
        name="later.json",
        changed=TOMORROW,
    )
    shown = wrap("orphans", "--review", "--transcript", later, vault=root, today=TOMORROW).json
    handle = next(one["handle"] for one in shown["waiting"] if one["text"] == RETRY)
    other = next(one["handle"] for one in shown["waiting"] if one["text"] == ROTATE)
    drop = [
        {"handle": handle, "why": "done", "quote": "The retry of the uploader is in and tested."},
        {"handle": other, "why": "done", "quote": "The keys were rotated."},
        {"handle": "ffff", "why": "done", "quote": "The retry of the uploader is in and tested."},
    ]
    file = tmp_path / "reviewed.json"
    file.write_text(json.dumps({"follow_ups": [], "drop": drop}), "utf-8")
    result = wrap("orphans", "--reviewed", file, "--transcript", later, "--json", vault=root, today=TOMORROW)
    assert result.code == 1
    assert [one["what"] for one in result.json["refused"]] == [f"drop {other}", "drop ffff"]
    assert talks.pending(root) == [ROTATE]
    assert [(one["text"], one["reason"]) for one in result.json["dismissed"]] == [
        (RETRY, "done in a later conversation")
    ]
    assert wrap("undo", vault=root, today=TOMORROW).code == 0
    assert RETRY in talks.pending(root)


class TestUnsure:
    MAYBE = "We'll come back to the retry of the uploader."

    @pytest.fixture
    def root(self, vault, talk):
        root = vault()
        path = talk(talks.neutral([("assistant", self.MAYBE), ("user", f"Thanks. Next session: {ROTATE}.")]))
        audit = wrap("--no-prompt", "--json", "--transcript", path, vault=root).json
        assert audit["follow_ups"]["unsure"] == 1
        return root

    def test_it_does_not_wait_and_is_counted(self, root):
        assert talks.pending(root) == [ROTATE]
        assert [one["orphan"]["text"] for one in talks.state(root, "unsure.jsonl")] == ["the retry of the uploader"]

    def test_it_is_filed_by_its_handle_and_undone_like_any_other(self, root, answered):
        found = {one["text"]: one["id"] for one in orphans(root).json["orphans"]}
        result = talks.route(root, answered, talks.answer(found["the retry of the uploader"], "journal"))
        assert result.code == 0, result.err
        assert talks.state(root, "unsure.jsonl") == []
        assert any(b"the retry of the uploader" in data for data in talks.notes(root).values())
        assert wrap("undo", vault=root).code == 0
        assert "the retry of the uploader" in talks.pending(root)

    def test_it_is_forgotten_after_the_look_back(self, root):
        wrap("--no-prompt", vault=root, today="2026-09-01")
        orphans(root, today="2026-09-01")
        assert talks.state(root, "unsure.jsonl") == []

    def test_it_is_asked_about_behind_what_waits_and_its_answer_is_carried_out(self, root, answered):
        payload = wrap("orphans", "--ask", vault=root).json
        labels = [[option["description"] for option in one["options"]] for one in payload["questions"]]
        assert len(labels) == 2
        assert all("(not sure) the retry of the uploader" in one for one in labels[1])
        given = {"answers": {payload["questions"][1]["question"]: "journal"}}
        answered.write_text(json.dumps(given), "utf-8")
        assert wrap("route", "--answers", answered, vault=root).code == 0
        assert talks.state(root, "unsure.jsonl") == []
        assert talks.pending(root) == [ROTATE]
