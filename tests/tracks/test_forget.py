"""`wrap track forget`: what is kept is named, a dead end that is none is taken back, everything can be deleted."""

from __future__ import annotations

import pytest

from tests.support import wrap
from tests.tracks.kit import CONTEXT, Talk, cold, hot, snapshot
from tests.tracks.test_log import dead_end


@pytest.fixture
def project(tmp_path):
    snapshot(tmp_path / "p", dead_end(Talk()).to(tmp_path / "t.jsonl"))
    return tmp_path / "p"


def forget(project, *words):
    return wrap("track", "forget", *words, "--dir", project)


def test_what_is_kept_is_said_and_nothing_goes(project):
    result = forget(project)
    assert result.code == 0
    for name in ("HOT_TRACK.md", "COLD_TRACK.md", "cold.jsonl"):
        assert f"{project / CONTEXT / name}  " in result.out
    assert "wrap track forget --all" in result.out
    assert hot(project)


def test_a_dead_end_that_is_none_stays_away(project, tmp_path):
    assert forget(project, "t01").out == "dead end T01 is taken back\n"
    for _ in range(2):
        assert "T01" not in hot(project)
        assert "### T01: ~~in-memory cache~~" in cold(project)
        told = snapshot(project, tmp_path / "t.jsonl")  # the same words are read again
        assert told["tombstones"] == 0
    said = wrap("track", "tried", "in-memory cache", "--because", "it forgets", "--dir", project)
    assert said.code == 0
    assert "| in-memory cache (T01) | it forgets |" in hot(project)


def test_an_unknown_one_is_refused_and_none_is_taken_back(project):
    result = forget(project, "T01", "T09")
    assert (result.code, "no dead end T09" in result.err) == (1, True)
    assert "(T01)" in hot(project)


def test_everything_goes_but_what_somebody_wrote(project):
    path = project / CONTEXT / "HOT_TRACK.md"
    path.write_text(hot(project) + "\n## mine\n\nwords of somebody\n", "utf-8")
    assert forget(project, "--all").code == 1, "nobody is there to say yes"
    assert path.exists()
    told = forget(project, "--all", "--yes", "--json").json
    assert [one.rpartition("/")[2] for one in told["deleted"]] == ["HOT_TRACK.md", "COLD_TRACK.md", "cold.jsonl"]
    left = {one.name for one in (project / CONTEXT).iterdir() if one.is_file()}
    assert left == {".gitignore", "HOT_TRACK.by-hand.md"}
    assert "words of somebody" in (project / CONTEXT / "HOT_TRACK.by-hand.md").read_text("utf-8")
    assert forget(project, "--all", "T01").code == 2


def test_where_nothing_is_kept(tmp_path):
    result = forget(tmp_path)
    assert result.code == 1
    assert "nothing is kept" in result.err
    assert list(tmp_path.iterdir()) == []
