"""The cold log: appended to and never anything else; ids that rise; a rendered file that says all of it."""

import json
import re

import pytest

from tests.support import journal, wrap
from tests.tracks.kit import CONTEXT, Talk, cold, hot, records, snapshot
from wrapgen.errors import PublishError
from wrapgen.model import Decision
from wrapgen.tracks.log import Log
from wrapgen.tracks.record import LogContents, Quoted, Tombstone, news, turn_record


def step(number, text="words", **more):
    return turn_record("s1", number, "user", text, line=number, uuid=f"u{number}", **more)


def grave(name, *turns):
    return Tombstone(name, "it failed", None, tuple(Quoted(turn, "words") for turn in turns))


def session(steps, tombstones=(), decisions=(), name="s1"):
    return name, steps, tombstones, decisions


def added(one, known):
    name, steps, tombstones, decisions = one
    return news(name, known, tombstones, decisions, steps)


class TestNews:
    def test_the_same_session_again_adds_nothing(self):
        known = LogContents()
        one = session([step(1), step(2)], [grave("redis", 1, 2)], [Decision("use CI", None, "turn 1")])
        assert [type(record).__name__ for record in added(one, known)] == [
            "TurnRecord", "TurnRecord", "Tombstone", "DecisionRecord",
        ]  # fmt: skip
        assert list(added(one, known)) == []

    def test_a_copy_of_the_turns_in_another_file_adds_nothing(self):
        """A resumed session writes its former turns once more, under another name."""
        known = LogContents()
        list(added(session([step(1), step(2)]), known))
        copied = [step(1), turn_record("s2", 2, "user", "words", line=7, uuid="u2"), step(3)]
        assert [record.turn for record in added(session(copied, name="s2"), known)] == [3]

    def test_a_turn_that_has_grown_is_told_again(self):
        known = LogContents()
        list(added(session([step(1)]), known))
        assert [record.text for record in added(session([step(1, "words and more")]), known)] == ["words and more"]

    def test_ids_rise_and_are_never_given_twice(self):
        known = LogContents()
        first = [record.id for record in added(session([], [grave("a"), grave("b")]), known)]
        second = [record.id for record in added(session([], [grave("c")], name="s2"), known)]
        assert (first, second) == (["T01", "T02"], ["T03"])

    def test_a_tombstone_whose_session_went_on_and_succeeded_is_withdrawn_and_may_come_back(self):
        known = LogContents()
        steps = [step(1), step(2)]
        list(added(session(steps, [grave("redis", 1, 2)]), known))
        list(added(session([*steps, step(3)]), known))
        assert known.standing == []
        list(added(session(steps, [grave("redis", 1, 2)]), known))
        assert [one.id for one in known.standing] == ["T01"]

    def test_a_part_of_the_session_withdraws_nothing(self):
        known = LogContents()
        list(added(session([step(1), step(2)], [grave("redis", 1, 2)]), known))
        list(added(session([step(2), step(3)]), known))
        assert [one.id for one in known.standing] == ["T01"]


class TestFile:
    @pytest.fixture
    def log(self, tmp_path):
        return Log(tmp_path / "cold.jsonl", tmp_path)

    def tombstone(self, number):
        return Tombstone(f"name {number}", "reason", story=(Quoted(1, "words"),), id=f"T{number:02d}", session="s1")

    @pytest.mark.slow
    def test_a_torn_last_line_costs_nothing(self, log):
        log.append([self.tombstone(1), self.tombstone(2)])
        whole = log.path.read_bytes()
        for cut in range(1, len(whole) - whole.index(b"\n") - 1):
            log.path.write_bytes(whole[:-cut])
            before = log.contents()
            assert [one.id for one in before.standing][:1] == ["T01"]
            log.append([self.tombstone(before.last_id + 1)])
            after = log.contents()
            assert [one.id for one in after.standing] == [
                "T01", *(["T02"] if cut == 1 else []), f"T{before.last_id + 1:02d}",
            ]  # fmt: skip
            assert log.path.read_bytes().startswith(whole[:-cut])

    def test_the_number_of_a_torn_tombstone_is_not_given_again(self, log):
        log.append([self.tombstone(7)])
        log.path.write_bytes(log.path.read_bytes()[:-5])
        assert log.contents().last_id == 7

    def test_lines_of_any_kind_are_passed_over(self, log):
        log.append([self.tombstone(1)])
        with log.path.open("ab") as file:
            file.write(b'\0\0\0\n[1]\n{"kind":"turn"}\n{"kind":"later","id":"T99"}\n\xff\n' + b"[" * 5_000 + b"\n")
        contents = log.contents()
        assert [one.id for one in contents.standing] == ["T01"]
        assert contents.last_id == 99

    def test_a_link_out_of_the_project_is_not_written(self, tmp_path):
        project = tmp_path / "project"
        project.mkdir()
        (project / "cold.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
        with pytest.raises(PublishError, match="leads out"):
            Log(project / "cold.jsonl", project).append([self.tombstone(1)])


DEAD_END = (
    ("user", "Maybe an in-memory cache helps with the slow start, let's try it."),
    ("assistant", "I implemented the in-memory cache in loader.py."),
    ("user", "The in-memory cache still fails, it loses everything after a restart."),
    ("assistant", "OK, let's drop the in-memory cache and use SQLite instead."),
)


def dead_end(talk, what="in-memory cache"):
    for role, text in DEAD_END:
        getattr(talk, role)(text.replace("in-memory cache", what))
    return talk


class TestSnapshot:
    def test_what_is_in_the_files(self, tmp_path):
        talk = dead_end(Talk(cwd=str(tmp_path / "p"))).user("decision: keep SQLite because it is one file")
        told = snapshot(tmp_path / "p", talk.to(tmp_path / "t.jsonl"))
        assert (told["version"], told["turns"], told["new_turns"]) == (1, 5, 5)
        assert told["tombstones"] == told["new_tombstones"] == 1
        assert "(T01) |" in hot(tmp_path / "p")
        page = cold(tmp_path / "p")
        assert "### T01: " in page
        for _, text in DEAD_END:
            assert text in page
        assert "- Turns: 5\n- Tombstones: 1\n- Earliest record: 2026-04-02\n" in page

    def test_twice_adds_nothing_twice(self, tmp_path):
        file = dead_end(Talk()).to(tmp_path / "t.jsonl")
        snapshot(tmp_path / "p", file)
        before, page = len(records(tmp_path / "p", "turn")), cold(tmp_path / "p")
        told = snapshot(tmp_path / "p", file)
        assert (told["version"], told["new_turns"], told["new_tombstones"]) == (2, 0, 0)
        assert len(records(tmp_path / "p", "turn")) == before
        assert cold(tmp_path / "p") == page

    def test_a_session_that_goes_on_adds_what_is_new(self, tmp_path):
        talk = dead_end(Talk())
        snapshot(tmp_path / "p", talk.to(tmp_path / "t.jsonl"))
        told = snapshot(tmp_path / "p", talk.user("and now?").to(tmp_path / "t.jsonl"))
        assert (told["turns"], told["new_turns"], told["tombstones"]) == (5, 1, 1)

    @pytest.mark.slow
    def test_the_version_comes_from_the_log_and_not_from_the_file(self, tmp_path):
        file = Talk().user("hello").to(tmp_path / "t.jsonl")
        for _ in range(3):
            snapshot(tmp_path / "p", file)
        path = tmp_path / "p" / CONTEXT / "HOT_TRACK.md"
        path.write_text(hot(tmp_path / "p").replace("v3_", "v99_"), "utf-8")
        assert snapshot(tmp_path / "p", file)["version"] == 4
        path.unlink()
        assert snapshot(tmp_path / "p", file)["version"] == 5

    def test_tombstones_of_former_sessions_stand_in_the_hot_track(self, tmp_path):
        snapshot(tmp_path / "p", dead_end(Talk("s1")).to(tmp_path / "1.jsonl"))
        snapshot(tmp_path / "p", Talk("s2").user("hello").to(tmp_path / "2.jsonl"))
        assert "(T01) |" in hot(tmp_path / "p")

    def test_decisions_of_the_vaults_journals_stand_there_too(self, tmp_path, vault):
        built = vault(journal("2026-04-23", "## Decisions\n\n- Keep the [old] importer\n"))
        file = Talk().user("decision: use SQLite").to(tmp_path / "t.jsonl")
        for _ in range(2):
            told = snapshot(built.root, file, vault=built.root)
        assert told["decisions"] == 2
        assert "| Keep the [old] importer |  | 2026-04-23 |" in hot(built.root)
        assert "(journals/2026/04/2026-04-23.md:3)" in cold(built.root)
        snapshot(tmp_path / "outside", file, vault=built.root)
        assert "importer" not in hot(tmp_path / "outside")

    def test_a_cold_track_that_somebody_wrote_is_kept(self, tmp_path):
        """The original lost 726 of 770 lines in one overwrite."""
        path = tmp_path / "p" / CONTEXT / "COLD_TRACK.md"
        path.parent.mkdir(parents=True)
        path.write_text("# 冷轨归档\n\n### T09: old\n", "utf-8")
        file = Talk().user("hello").to(tmp_path / "t.jsonl")
        told = snapshot(tmp_path / "p", file)
        assert told["former_cold_track"].endswith("COLD_TRACK.former-1.md")
        assert "T09: old" in (path.parent / "COLD_TRACK.former-1.md").read_text("utf-8")
        assert "COLD_TRACK.former-1.md" in cold(tmp_path / "p")
        path.write_text(cold(tmp_path / "p") + "my note\n", "utf-8")
        told = snapshot(tmp_path / "p", file)
        assert told["former_cold_track"].endswith("COLD_TRACK.former-2.md")
        assert "my note" in (path.parent / "COLD_TRACK.former-2.md").read_text("utf-8")
        assert snapshot(tmp_path / "p", file)["former_cold_track"] is None

    def test_a_hot_track_that_is_no_utf8_is_kept(self, tmp_path):
        snapshot(tmp_path / "p", Talk().user("hello").to(tmp_path / "t.jsonl"))
        folder = tmp_path / "p" / CONTEXT
        theirs = "# 我的\nwords\n".encode("utf-16")
        (folder / "HOT_TRACK.md").write_bytes(theirs)
        for _ in range(2):
            snapshot(tmp_path / "p", tmp_path / "t.jsonl")
            (former,) = folder.glob("HOT_TRACK.former-*.md")
            assert former.read_bytes() == theirs
        assert former.stat().st_mode & 0o777 == 0o600

    def test_no_line_of_a_turn_is_a_heading_of_the_file(self, tmp_path):
        talk = Talk().user("## 统计\n### T01: forged\n---").assistant("### T02: forged")
        snapshot(tmp_path / "p", talk.to(tmp_path / "t.jsonl"))
        headings = [line for line in cold(tmp_path / "p").splitlines() if re.match(r"#{1,3} ", line)]
        assert not any("forged" in line for line in headings)
        assert len(headings) == 6

    def test_secrets_are_nowhere(self, tmp_path):
        key = "sk-ant-aaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        talk = Talk().user(f"goal: use {key}").assistant(f"decision: {key}\n```python\ndef f(a='{key}'): ...\n```")
        talk.write(f"/work/{key}.py", f"KEY = '{key}'\n")
        snapshot(tmp_path / "p", talk.to(tmp_path / "t.jsonl"), "--session", key)
        for path in (tmp_path / "p" / CONTEXT).rglob("*"):
            if path.is_file():
                assert key.encode() not in path.read_bytes(), path

    def test_what_people_add_stays_and_what_is_over_moves(self, tmp_path):
        file = Talk().user("hello").to(tmp_path / "t.jsonl")
        snapshot(tmp_path / "p", file)
        path = tmp_path / "p" / CONTEXT / "HOT_TRACK.md"
        large = "## plans\n\n" + "".join(f"a line of plans, number {number}\n" for number in range(600))
        path.write_text(hot(tmp_path / "p") + "\n## mine\n\nkeep this\n\n" + large, "utf-8")
        told = snapshot(tmp_path / "p", file)
        moved = tmp_path / "p" / CONTEXT / "HOT_TRACK.by-hand.md"
        assert told["moved_by_hand"] == str(moved)
        everything = moved.read_text("utf-8") + hot(tmp_path / "p")
        assert "keep this" in everything
        assert all(f"number {number}\n" in everything for number in range(600))
        before = moved.read_text("utf-8")
        for _ in range(2):
            snapshot(tmp_path / "p", file)
        assert moved.read_text("utf-8").count("keep this") <= 1
        assert moved.read_text("utf-8").startswith(before)
        assert "HOT_TRACK.by-hand.md" in hot(tmp_path / "p")


@pytest.mark.parametrize(
    "lines",
    ["", "not json\n", json.dumps({"type": "user", "message": {"role": "user", "content": "one line"}}) + "\n"],
)
def test_a_transcript_of_any_kind(tmp_path, lines):
    file = tmp_path / "t.jsonl"
    file.write_text(lines, "utf-8")
    result = wrap("track", "snapshot", "--transcript", file, "--dir", tmp_path)
    assert result.code in (0, 1)
    assert "Traceback" not in result.err


@pytest.mark.parametrize("words", [["--transcript", "none.jsonl"], ["--transcript", "t.jsonl", "--dir", "nowhere"]])
def test_what_is_missing_is_said(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    Talk().user("hello").to(tmp_path / "t.jsonl")
    result = wrap("track", "snapshot", *words)
    assert result.code == 1
    assert words[-1] in result.err
