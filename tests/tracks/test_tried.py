"""`wrap track tried`: said on purpose, word for word, in any folder."""

from __future__ import annotations

import pytest

from tests.support import wrap
from tests.tracks.kit import CONTEXT, Talk, cold, hot, records, snapshot
from tests.tracks.test_log import dead_end

SAID = ("track", "tried", "Redis cluster for sessions", "--because", "cross-slot transactions fail")


def test_in_a_folder_without_a_vault(tmp_path):
    result = wrap(*SAID, "--dir", tmp_path)
    assert result.code == 0, result.err
    assert result.out == f"dead end T01 written to {tmp_path / CONTEXT / 'HOT_TRACK.md'}\n"
    assert "| Redis cluster for sessions (T01) | cross-slot transactions fail | " in hot(tmp_path)
    assert "### T01: Redis cluster for sessions\n" in cold(tmp_path)
    (one,) = records(tmp_path, "tombstone")
    assert (one["by"], one["reason"], one["turns"]) == ("said", "cross-slot transactions fail", [])
    assert (tmp_path / CONTEXT / "cold.jsonl").stat().st_mode & 0o077 == 0


def test_twice_the_same(tmp_path):
    wrap(*SAID, "--dir", tmp_path)
    result = wrap("track", "tried", "redis  CLUSTER for sessions", *SAID[3:], "--dir", tmp_path)
    assert result.out.startswith("dead end T01 was already in ")
    told = wrap(*SAID, "--dir", tmp_path, "--json").json
    assert told == {
        "schema": "wrapgen.track-tried/1", "id": "T01", "new": False,
        "hot_track": str(tmp_path / CONTEXT / "HOT_TRACK.md"), "cold_track": str(tmp_path / CONTEXT / "COLD_TRACK.md"),
    }  # fmt: skip
    assert len(records(tmp_path, "tombstone")) == 1
    assert hot(tmp_path).count("(T01)") == 1


def test_a_hot_file_that_somebody_wrote_is_kept(tmp_path):
    page = tmp_path / CONTEXT / "HOT_TRACK.md"
    page.parent.mkdir(parents=True)
    page.write_text("# My notes\n\nthe plan is to ship\n\n| a | b |\n|---|---|\n| c | d |\n", "utf-8")
    for reason in ("it fails", "it fails badly"):
        assert wrap("track", "tried", "redis", "--because", reason, "--dir", tmp_path).code == 0
        for line in ("# My notes", "the plan is to ship", "| c | d |", f"| redis (T01) | {reason} |"):
            assert hot(tmp_path).count(line) == 1, line


@pytest.mark.parametrize(
    ("lang", "words"), [("zh", "| 死胡同 | 失败原因 | 日期 |"), ("ko", "| 막다른 길 | 실패 원인 | 날짜 |")]
)
def test_it_is_a_row_in_every_language(vault, lang, words):
    built = vault({}, config=f'lang = "{lang}"\n')
    assert wrap("track", "tried", "a | b", "--because", "`x` | y", "--dir", built.root, vault=built).code == 0
    assert words in hot(built.root)
    assert "| a \\| b (T01) | `x` \\| y | " in hot(built.root)


def test_the_nearest_project_above_that_has_tracks(tmp_path, monkeypatch):
    project = tmp_path / "p"
    snapshot(project, Talk().user("goal: ship it").to(tmp_path / "t.jsonl"))
    (project / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(project / "src" / "deep")
    assert wrap(*SAID).code == 0
    assert "(T01) |" in hot(project)
    assert "ship it" in hot(project)
    assert wrap(*SAID, "--dir", project / "src").code == 0
    assert "(T01) |" in hot(project / "src"), "a folder that is named is the project"


def test_the_quote_stands_in_the_story_and_is_found(tmp_path):
    wrap(*SAID, "--dir", tmp_path, "--quote", "MULTI answers CROSSSLOT")
    assert "  MULTI answers CROSSSLOT\n" in cold(tmp_path)
    (hit,) = wrap("track", "query", "crossslot", "--dir", tmp_path, "--json").json["hits"]
    assert (hit["id"], hit["by"], hit["turn"], hit["turns"]) == ("T01", "said", None, [])
    assert "Redis cluster for sessions: cross-slot" in wrap("track", "query", "redis", "--dir", tmp_path).out


def test_the_words_that_count_are_found_once(tmp_path):
    for reason in ("too slow", "too expensive"):
        wrap("track", "tried", "redis", "--because", reason, "--dir", tmp_path)
        assert len(wrap("track", "query", "redis", "--dir", tmp_path, "--json").json["hits"]) == 1
    (hit,) = wrap("track", "query", "redis", "--dir", tmp_path, "--json").json["hits"]
    assert hit["reason"] == "too expensive"


def test_secrets_are_nowhere(tmp_path):
    key = "sk-ant-" + "a" * 28
    assert wrap("track", "tried", f"key {key}", "--because", "no", "--quote", key, "--dir", tmp_path).code == 0
    for path in (tmp_path / CONTEXT).rglob("*"):
        assert path.is_dir() or key.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    ("name", "reason", "said"),
    [
        ("redis", "x" * 51, "the reason has 51 characters; the limit is 50"),
        ("x" * 121, "no", "the name has 121 characters; the limit is 120"),
        ("redis", "  ", "the reason is empty"),
        ("\n", "no", "the name is empty"),
    ],
)
def test_words_that_are_refused(tmp_path, name, reason, said):
    result = wrap("track", "tried", name, "--because", reason, "--dir", tmp_path)
    assert result.code == 1
    assert said in result.err
    assert list(tmp_path.iterdir()) == []


def test_as_many_words_as_may_be_are_kept_word_for_word(tmp_path):
    name, reason = "이" * 120, "失" * 50
    assert wrap("track", "tried", name, "--because", reason, "--dir", tmp_path).code == 0
    assert f"| {name} (T01) | {reason} |" in hot(tmp_path)


def test_a_warning_on_return_knows_it(tmp_path):
    from wrapgen.hooks.tracks import dead_ends_in

    wrap(*SAID, "--dir", tmp_path)
    (line,) = dead_ends_in(tmp_path, "Put the sessions into a Redis cluster")
    assert "(T01): cross-slot transactions fail" in line
    assert dead_ends_in(tmp_path, "Paint the shed") == []


class TestConfirm:
    @pytest.fixture
    def project(self, tmp_path):
        snapshot(tmp_path / "p", dead_end(Talk()).to(tmp_path / "t.jsonl"))
        return tmp_path / "p"

    def test_a_question_becomes_a_dead_end(self, project):
        assert "| ? in-memory cache (T01) | " in hot(project)
        assert "### T01: ? in-memory cache\n" in cold(project)
        result = wrap("track", "tried", "--confirm", "t01", "--dir", project)
        assert result.out == f"dead end T01 confirmed in {project / CONTEXT / 'HOT_TRACK.md'}\n"
        assert "| in-memory cache (T01) | " in hot(project)
        assert "### T01: in-memory cache\n" in cold(project)
        assert [one["by"] for one in records(project, "tombstone")] == ["cue", "said"]
        assert records(project, "tombstone")[1]["turns"] == [1, 2, 3, 4]

    def test_another_snapshot_of_the_session_keeps_it(self, project, tmp_path):
        wrap("track", "tried", "--confirm", "T01", "--because", "it forgets", "--dir", project)
        snapshot(project, tmp_path / "t.jsonl")
        assert "| in-memory cache (T01) | it forgets | " in hot(project)

    def test_an_unknown_one_is_refused_and_the_questions_are_named(self, project):
        result = wrap("track", "tried", "--confirm", "T09", "--dir", project)
        assert result.code == 1
        assert "T01 in-memory cache" in result.err

    @pytest.mark.parametrize("words", [["--confirm", "T01", "name"], ["name"], ["--because", "x"], []])
    def test_what_is_missing_or_too_much_is_a_usage_error(self, project, words):
        assert wrap("track", "tried", *words, "--dir", project).code == 2
