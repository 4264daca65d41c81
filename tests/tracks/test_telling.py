"""`tell`: dead ends and decisions from elsewhere stand in the log and in both files at once, and nothing else goes."""

from __future__ import annotations

import os
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.followups.crashes import about, crashes
from tests.support import Vault, examples
from tests.tracks.kit import CONTEXT, Talk, cold, footer_is_true, hot, records, snapshot
from tests.tracks.test_log import dead_end
from wrapgen.errors import WrapgenError
from wrapgen.model import Decision
from wrapgen.tracks.record import LogContents, Quoted, Tombstone, news
from wrapgen.workflows.app import App
from wrapgen.workflows.track_files import tell

DAY = date(2026, 4, 2)
REDIS = Tombstone("Redis cluster", "cross-slot transactions fail", DAY, (Quoted(3, "it failed"),), "reader")
KEY = "sk-ant-" + "a" * 28


@pytest.fixture
def project(tmp_path):
    """Tracks with a goal, a blocker, progress, signatures, a decision, a dead end and words of somebody."""
    talk = dead_end(Talk("s1", str(tmp_path / "p"))).user("goal: move to SQLite").user("decision: keep SQLite")
    talk.assistant("- [x] load\n- [ ] save\n\nBlocked by the missing key.").write(
        "/work/a.py", "def calc(a: int): ...\n"
    )
    snapshot(tmp_path / "p", talk.to(tmp_path / "t.jsonl"))
    page = tmp_path / "p" / CONTEXT / "HOT_TRACK.md"
    page.write_text(
        hot(tmp_path / "p").replace("## 4.", "a word of mine\n\n## 4.") + "\n## mine\n\nkeep this\n", "utf-8"
    )
    return tmp_path / "p"


def rest(page):
    """What of a hot track has nothing to do with dead ends, decisions and the time."""
    return page[page.index("## 1.") : page.index("## 3.")]


def test_what_is_told_stands_everywhere_and_nothing_else_goes(project):
    before = hot(project)
    done = tell(App(), project, "s1", [REDIS], [Decision("use CI", DAY, "turn 4")])
    assert done == {"T02": True}
    page = hot(project)
    assert rest(page) == rest(before)
    for words in ("move to SQLite", "| save | open |", "Blocked by the missing key.", "def calc(a: int)"):
        assert words in page
    assert "| Redis cluster (T02) | cross-slot transactions fail | 2026-04-02 |" in page
    assert "(T01) |" in page
    assert "| use CI |" in page
    assert "| keep SQLite |" in page
    assert "a word of mine" in page
    assert "## mine\n\nkeep this" in page
    footer_is_true(page)
    assert "### T02: Redis cluster\n" in cold(project)
    assert "  Turn 3: it failed\n" in cold(project)
    (one,) = [record for record in records(project, "tombstone") if record["id"] == "T02"]
    assert (one["by"], one["turns"], one["session"]) == ("reader", [3], "s1")


def test_told_twice_it_is_one(project):
    first = tell(App(), project, "s1", [REDIS, REDIS], [Decision("use CI", DAY, "turn 4")])
    page = hot(project)
    again = tell(App(), project, "s2", [REDIS], [Decision("Use  CI", DAY, "turn 9")])
    assert (first, again) == ({"T02": True}, {"T02": False})
    assert [one["id"] for one in records(project, "tombstone")] == ["T01", "T02"]
    assert len(records(project, "decision")) == 2
    assert rest(hot(project)) == rest(page)
    assert hot(project).count("keep this") == 1


@pytest.mark.slow
def test_a_snapshot_of_the_same_session_keeps_what_was_told(project, tmp_path):
    tell(App(), project, "s1", [REDIS], [])
    again = snapshot(project, tmp_path / "t.jsonl")
    assert (again["tombstones"], again["new_tombstones"]) == (2, 0)
    assert "(T02) |" in hot(project)


def test_nothing_told_writes_nothing(project):
    before = hot(project)
    assert tell(App(), project, "s1", [Tombstone("  ", "no", None)], [Decision(" ", None, "turn 1")]) == {}
    assert hot(project) == before
    assert len(records(project, "snapshot")) == 1


def test_secrets_are_taken_out_and_what_is_too_long_is_cut(project):
    story = (Quoted(1, f"the key is {KEY}"),)
    tell(App(), project, f"s {KEY}", [Tombstone(f"cache {KEY}", "words " * 20, None, story)], [Decision(KEY, None, "")])
    for path in (project / CONTEXT).rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes(), path
    one = records(project, "tombstone")[-1]
    assert one["reason"] == "words " * 7 + "words"
    assert one["name"].startswith("cache [redacted: ")
    assert one["day"] == App().day.isoformat()


def test_the_age_of_what_was_drawn_stays(project):
    before = records(project, "snapshot")[-1]
    tell(App(), project, "s2", [REDIS], [])
    after = records(project, "snapshot")[-1]
    assert (after["at"], after["session"], after["version"]) == (before["at"], "s1", before["version"] + 1)


@pytest.mark.slow
def test_a_long_hot_track_makes_room(tmp_path):
    talk = Talk().user("goal: ship")
    for number in range(60):
        source = "".join(f"def work_{at}(first: int, second: str) -> str: ...\n" for at in range(12))
        talk.write(f"/work/module_{number}.py", source)
    snapshot(tmp_path / "p", talk.to(tmp_path / "t.jsonl"))
    many = [Tombstone(f"approach number {number} of them all", "it failed", DAY, (), "reader") for number in range(40)]
    tell(App(), tmp_path / "p", "s1", many, [])
    page = hot(tmp_path / "p")
    assert footer_is_true(page) < 6_000
    assert "approach number 39 of them all (T40)" in page
    assert "module_59.py" in page
    again = snapshot(tmp_path / "p", tmp_path / "t.jsonl")
    assert rest(hot(tmp_path / "p")) == rest(page), "made from the conversation it is the same"
    assert again["tombstones"] == 40


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(WrapgenError, match="no such folder"):
        tell(App(), tmp_path / "nowhere", "s1", [REDIS], [])


class TestWhoIsTrusted:
    def by(self, who, reason, name="Redis cluster"):
        return Tombstone(name, reason, DAY, (), who)

    def test_whoever_said_it_on_purpose_has_the_last_word(self):
        known = LogContents()
        for who, reason in (("cue", "a"), ("reader", "b"), ("said", "c"), ("reader", "d"), ("cue", "e")):
            list(news("s1", known, [self.by(who, reason)], []))
        (one,) = known.standing
        assert (one.id, one.by, one.reason) == ("T01", "said", "c")

    def test_the_latest_words_of_the_same_teller_count_and_the_story_stays(self):
        known = LogContents()
        list(news("s1", known, [Tombstone("redis", "a", DAY, (Quoted(2, "words"),), "said")], []))
        list(news("s2", known, [self.by("said", "b", "Redis")], []))
        (one,) = known.standing
        assert (one.reason, one.turns, one.story[0].text) == ("b", (2,), "words")

    def test_what_a_rule_withdrew_comes_back_for_good(self):
        from wrapgen.tracks.record import news, turn_record

        known = LogContents()
        steps = [turn_record("s1", 1, "user", "words", line=1, uuid="u1")]
        list(news("s1", known, [Tombstone("redis", "a", DAY, (Quoted(1, "words"),))], [], steps))
        list(news("s1", known, [], [], steps))
        assert known.standing == []
        list(news("", known, [self.by("said", "b", "redis")], []))
        list(news("s1", known, [], [], steps))
        assert [(one.id, one.by) for one in known.standing] == [("T01", "said")]


NAMES = st.sampled_from(["redis", "Redis ", "kafka", "`kafka`", "웹소켓", "缓存", "a b", "x"])
TOMBSTONES = st.lists(
    st.builds(
        Tombstone, NAMES, st.sampled_from(["a", "b"]), st.just(DAY), by=st.sampled_from(["said", "reader", "cue"])
    )
)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(TOMBSTONES, max_size=4))
def test_in_whatever_order_it_is_told(tellings):
    known = LogContents()
    for one in tellings:
        list(news("s", known, one, []))
    names = [one.name.strip().strip("`").casefold() for one in known.standing]
    assert len(names) == len(set(names))
    assert set(names) == {one.name.strip().strip("`").casefold() for telling in tellings for one in telling}
    assert [one.id for one in known.standing] == [f"T{number:02d}" for number in range(1, len(names) + 1)]
    for telling in tellings[-1:]:
        assert list(news("s", known, telling[-1:], [])) == list(news("s", known, telling[-1:], [])) == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_killed_at_every_step_nothing_is_lost_and_the_next_call_says_it(project, tmp_path):
    before = (project / CONTEXT / "cold.jsonl").read_bytes().decode("latin-1")
    words = ["track", "tried", "Redis cluster", "--because", "too slow", "--dir", "{vault}"]
    for one in crashes(Vault(project), words):
        crashed, after = one["crashed"], one["after"]
        assert crashed[f"{CONTEXT}/cold.jsonl"].startswith(before), about(one)
        assert one["second"] == 0, about(one)
        for files in (crashed, after):
            page = files[f"{CONTEXT}/HOT_TRACK.md"].encode("latin-1").decode()
            for words_kept in ("keep this", "a word of mine", "move to SQLite", "def calc(a: int)"):
                assert words_kept in page, about(one)
        footer_is_true(page)
        assert "Redis cluster (T0" in page, about(one)
        assert page.count("Redis cluster") == 1, about(one)
        assert "Redis cluster\n" in after[f"{CONTEXT}/COLD_TRACK.md"], about(one)
