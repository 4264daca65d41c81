"""Goal, progress and blockers by a reader take the place of what rules say, as far as its quotes prove them."""

from __future__ import annotations

import json

import pytest

from tests.support import Vault, wrap
from tests.tracks.kit import Talk, hot, snapshot

GOAL = {"quote": "the importer has to survive a restart", "text": "importer survives a restart"}
ROWS = [
    {"part": "the queue", "state": "done", "note": "", "quote": "The queue is written to disk now"},
    {"part": "the retries", "state": "half done", "note": "no backoff yet", "quote": "The retries have no backoff yet"},
]
BLOCKER = {"quote": "we wait for the key of the staging bucket", "text": "key of the staging bucket"}


@pytest.fixture
def place(tmp_path):
    built = Vault(tmp_path / "vault")
    folder = tmp_path / "p"
    folder.mkdir()
    talk = Talk("s1", str(folder)).user("hello there").assistant("Hi. Blocked by the old ticket.")
    talk.user("In the end the importer has to survive a restart.")
    talk.assistant("The queue is written to disk now. The retries have no backoff yet.")
    talk.assistant("For the upload we wait for the key of the staging bucket.").write("/work/a.py", "def f(): ...\n")
    file = talk.to(tmp_path / "t.jsonl")
    snapshot(folder, file)
    return built, folder, talk, file


def reviewed(place, tmp_path, **parts):
    built, _, _, file = place
    answer = tmp_path / "reviewed.json"
    answer.write_text(json.dumps(parts), "utf-8")
    return wrap("orphans", "--reviewed", answer, "--transcript", file, "--json", vault=built)


def test_what_is_proved_takes_the_place_of_rules(place, tmp_path):
    _, folder, _, file = place
    assert "### Goal\nhello there\n" in hot(folder)
    assert "Files written: /work/a.py" in hot(folder)
    assert "the old ticket" in hot(folder)
    result = reviewed(place, tmp_path, goal=GOAL, progress=ROWS, blockers=[BLOCKER])
    assert result.code == 0, result.err
    for _ in range(2):
        page = hot(folder)
        assert "### Goal\nimporter survives a restart\n" in page
        assert "| the queue | done |  |\n| the retries | half done | no backoff yet |\n" in page
        assert "- **Problem**: key of the staging bucket\n" in page
        assert "the old ticket" not in page
        assert "Files written" not in page
        snapshot(folder, file)  # the next one of the same session says the same


def test_what_was_said_later_counts_more(place, tmp_path):
    _, folder, talk, file = place
    reviewed(place, tmp_path, goal=GOAL, progress=ROWS, blockers=[BLOCKER])
    talk.user("goal: ship the importer").assistant("- [x] backoff\n- [ ] docs\n\nBlocked by the review.")
    snapshot(folder, talk.to(file))
    page = hot(folder)
    assert "### Goal\nship the importer\n" in page
    assert "| backoff | done |  |\n| docs | open |  |\n" in page
    assert "- **Problem**: Blocked by the review.\n- **Problem**: key of the staging bucket\n" in page


def test_what_is_not_proved_is_refused_by_name(place, tmp_path):
    _, folder, _, _ = place
    before = hot(folder)
    result = reviewed(
        place, tmp_path,
        goal={"quote": "rule the whole world", "text": "world"},
        progress=[{"part": "the queue", "quote": "The queue is written to disk now"}],
        blockers=[{"text": "no quote"}],
    )  # fmt: skip
    assert result.code == 1
    whats = [one["what"] for one in result.json["refused"]]
    assert whats == ["blockers 1", "world", "the queue"]
    assert hot(folder) == before


def test_another_session_does_not_change_what_the_next_context_starts_with(place, tmp_path):
    _, folder, _, _ = place
    snapshot(folder, Talk("s2", str(folder)).user("goal: another matter").to(tmp_path / "2.jsonl"))
    reviewed(place, tmp_path, goal=GOAL)
    assert "### Goal\nanother matter\n" in hot(folder)


def test_words_that_the_quote_does_not_back_give_way_to_it(place, tmp_path):
    _, folder, _, _ = place
    row = {"part": "moon base", "state": "done", "note": "all of Mars", "quote": "The queue is written to disk now"}
    reviewed(place, tmp_path, progress=[row])
    assert "| The queue is written to disk now | done |  |\n" in hot(folder)


def test_what_is_read_of_a_folder_that_is_gone_is_kept_in_the_vault(place, tmp_path):
    built, folder, _, _ = place
    folder.rename(tmp_path / "moved")
    result = reviewed(place, tmp_path, goal=GOAL)
    assert f"saved for {built.root}: the conversation's folder {folder} does not exist" in result.err
    assert "### Goal\nimporter survives a restart\n" in hot(built.root)
