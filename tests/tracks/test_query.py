"""Searching the cold track: two characters are enough, what fits best comes first."""

import os

import pytest

from tests.support import wrap
from tests.tracks.kit import Talk, snapshot
from tests.tracks.test_log import dead_end
from wrapgen.tracks.cold_file import excerpt, search
from wrapgen.tracks.log import Log
from wrapgen.tracks.record import Tombstone, TurnRecord, WithdrawnRecord


def turn(number, text):
    return TurnRecord(f"k{number}", f"d{text}", "s1", number, "user", text, at="2026-04-02T10:00:00Z")


@pytest.fixture
def log(tmp_path):
    return Log(tmp_path / "cold.jsonl", tmp_path)


def found(log, words, kind=None, limit=10):
    return [hit.record.turn for hit in search(log, words, kind, limit)]


TEXTS = {
    1: "배포를 자동화하고 캐시를 비운다", 2: "先清理缓存，再试试数据库连接", 3: "The CI pipeline is red",
    4: "キャッシュを消してからデプロイする", 5: "circle of friends", 6: "Ｒｅｄｉｓ and ﾃｽﾄ", 7: "café in user_name.py",
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "turns"),
    [
        ("배포", [1]), ("캐시", [1]), ("비운다", [1]), ("缓存", [2]), ("清理缓存", [2]), ("数据库", [2]), ("存", [2]),
        ("CI", [3]), ("ci", [3]), ("デプロイ", [4]), ("消", [4]), ("redis", [6]), ("テスト", [6]), ("cafe", [7]),
        ("user_name", [7]), ("name.py", [7]), ("pipe", [3]), ("缓数", []), ("zebra", []), ("", []), ("...", []),
        ("red OR", [3]), ('"', []), ("x* NEAR(y", []), ("배포 캐시", [1]), ("CI zebra", [3]),
    ],
)  # fmt: skip
def test_words_of_every_language(log, words, turns):
    log.append(turn(number, text) for number, text in TEXTS.items())
    assert found(log, words) == turns


def test_what_fits_best_comes_first(log):
    log.append([turn(1, "queue " + "other words " * 50), turn(2, "queue queue queue"), turn(3, "nothing")])
    assert found(log, "queue") == [2, 1]


def test_the_words_of_the_record_itself_are_not_what_was_said(log):
    log.append([turn(1, "alpha"), TurnRecord("k2", "d2", "s1", 2, "user", tools=("Bash",), files=("src/load.py",))])
    for words in ("role", "session", "text", "line", "bash", "kind", "user"):
        assert found(log, words) == [], words
    assert found(log, "load") == [2]


def test_words_behind_a_line_break_begin_there(log):
    log.append([turn(1, "one\nredis two"), turn(2, 'say "redis"\tand\\more')])
    assert sorted(found(log, "redis")) == [1, 2]
    assert found(log, "two") == [1]


def test_a_turn_that_has_grown_is_found_once_by_its_last_words(log):
    log.append([turn(1, "first words")])
    assert found(log, "first") == [1]
    log.append([turn(1, "second words")])
    assert (found(log, "second"), found(log, "first")) == ([1], [])


def test_a_log_that_grew_is_taken_in(log):
    log.append([turn(1, "alpha")])
    assert found(log, "alpha") == [1]
    log.append([turn(2, "alpha beta")])
    assert found(log, "beta") == [2]
    assert sorted(found(log, "alpha")) == [1, 2]


def test_a_torn_line_is_taken_in_when_it_is_whole(log):
    log.append([turn(1, "alpha"), turn(2, "beta")])
    whole = log.path.read_bytes()
    log.path.write_bytes(whole[:-9])
    assert found(log, "beta") == []
    log.path.write_bytes(whole)
    assert found(log, "beta") == [2]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_searched_all_the_same(log):
    log.append([turn(1, "alpha")])
    log.root.chmod(0o500)
    try:
        assert found(log, "alpha") == [1]
    finally:
        log.root.chmod(0o700)


def test_any_two_characters_of_a_run_are_better_than_none(log):
    log.append([turn(1, "清理缓存"), turn(2, "连接数据库")])
    assert found(log, "缓存失效") == [1]


def test_a_withdrawn_dead_end_is_not_found(log):
    log.append([Tombstone("redis", "slow", id="T01"), WithdrawnRecord("T01")])
    assert search(log, "redis", None, 5) == []
    log.append([WithdrawnRecord("T01", back=True)])
    assert [hit.record.id for hit in search(log, "redis", None, 5)] == ["T01"]


def test_an_excerpt_shows_the_word():
    text = "before " * 100 + "배포 파이프라인 " + "after " * 100
    assert "배포" in excerpt(text, "배포", 60)
    assert len(excerpt(text, "배포", 60)) <= 62
    assert excerpt("ẞ" * 10 + "x" * 500, "x", 30)


class TestCommand:
    @pytest.fixture
    def project(self, tmp_path):
        talk = dead_end(Talk()).user("decision: keep SQLite in the file")
        snapshot(tmp_path / "p", talk.to(tmp_path / "t.jsonl"))
        return tmp_path / "p"

    def test_rows_for_people(self, project):
        result = wrap("track", "query", "in-memory", "cache", "--dir", project)
        assert result.code == 0
        assert "2026-04-02  dead end" in result.out
        assert "T01 " in result.out
        assert "records found" in result.out

    def test_kinds_and_json(self, project):
        told = wrap("track", "query", "sqlite", "--kind", "decision", "--dir", project, "--json").json
        assert told["schema"] == "wrapgen.track-query/1"
        assert [(hit["kind"], f"turn {hit['turn']}") for hit in told["hits"]] == [
            ("decision", told["hits"][0]["place"])
        ]
        told = wrap("track", "query", "T01", "--dir", project, "--json").json
        assert told["hits"][0]["id"] == "T01"
        assert [one["turn"] for one in told["hits"][0]["story"]] == [1, 2, 3, 4]

    def test_from_a_folder_below(self, project, monkeypatch):
        (project / "src").mkdir()
        monkeypatch.chdir(project / "src")
        assert "T01" in wrap("track", "query", "restart").out
        assert wrap("track", "query", "zebra").out == "nothing found\n"

    def test_without_a_track(self, tmp_path):
        result = wrap("track", "query", "x", "--dir", tmp_path)
        assert result.code == 1
        assert "wrap track snapshot" in result.err
