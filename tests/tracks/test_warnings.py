"""A follow-up that walks into a dead end again is told so once, with the reason and the day."""

import pytest

from tests.support import Vault, wrap
from tests.tracks.kit import Talk, snapshot
from tests.tracks.test_log import dead_end


@pytest.fixture
def place(tmp_path):
    """A vault with a project folder in it that has a buried idea, and a conversation that digs it up."""
    built = Vault(tmp_path / "vault")
    folder = built.root / "projects" / "web"
    folder.mkdir(parents=True)
    snapshot(folder, dead_end(Talk("old", str(folder))).to(tmp_path / "old.jsonl"))
    assert wrap("track", "tried", "--confirm", "T01", "--dir", folder).code == 0
    talk = Talk("new", str(folder / "src")).user("please go on")
    talk.assistant("Done.\n\n## Next steps\n\n- Add the in-memory cache to the loader again\n- Water the plants\n")
    return built, talk.to(tmp_path / "new.jsonl")


def test_orphans_say_so(place):
    built, file = place
    result = wrap("orphans", "--transcript", file, vault=built)
    (line,) = [line for line in result.out.splitlines() if line.startswith("tried before: ")]
    assert "Add the in-memory cache" in line
    assert "given up on 2026-04-02 (T01 " in line
    told = wrap("orphans", "--transcript", file, "--json", vault=built).json
    (warning,) = told["tried_before"]
    assert warning["orphan"] in {one["id"] for one in told["orphans"]}
    assert warning["day"] == "2026-04-02"
    assert warning["reason"] in line


def test_what_a_rule_asks_about_warns_nobody(place, tmp_path):
    built, _ = place
    talk = dead_end(Talk("other", str(built.root)), "worker pool")
    snapshot(built.root / "projects" / "web", talk.to(tmp_path / "o.jsonl"))
    again = Talk("later", str(built.root / "projects" / "web"))
    again.assistant("## Next steps\n\n- Add the worker pool to the loader again\n")
    told = wrap("orphans", "--transcript", again.to(tmp_path / "l.jsonl"), "--json", vault=built).json
    assert told["tried_before"] == []


@pytest.mark.slow
def test_wrap_says_so(place):
    built, file = place
    told = wrap("--transcript", file, "--no-prompt", "--json", vault=built).json
    assert [one["id"] for one in told["tried_before"]] == ["T01"]
    built2 = place[0]
    result = wrap("--transcript", file, "--no-prompt", vault=built2)
    assert result.out.count("tried before: ") == 1


def test_another_project_knows_nothing_of_it(place, tmp_path):
    built, _ = place
    other = built.root / "projects" / "infra"
    other.mkdir(parents=True)
    talk = Talk("new", str(other)).assistant("## Next steps\n\n- Add the in-memory cache to the loader again\n")
    told = wrap("orphans", "--transcript", talk.to(tmp_path / "other.jsonl"), "--json", vault=built).json
    assert told["tried_before"] == []


def test_a_log_that_cannot_be_read_costs_nothing_else(place):
    built, file = place
    log = built.root / "projects" / "web" / ".claude" / "context" / "cold.jsonl"
    log.write_bytes(b"\xff\n" + b"[" * 10_000)
    told = wrap("orphans", "--transcript", file, "--json", vault=built).json
    assert len(told["orphans"]) == 2
    assert told["tried_before"] == []
