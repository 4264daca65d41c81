"""`wrap orphans --review` and `--reviewed`: who has read a conversation judges what was found, and proves it."""

from __future__ import annotations

import io
import json
import os
import sys

import pytest

from tests.followups import talks
from tests.followups.talks import RETRY, ROTATE
from tests.support import TODAY, wrap

LAMP = "The cellar lamp flickers, somebody should see to it."
MEND = "mend the cellar lamp"
TURNS = [
    ("user", "Please fix the login form."),
    ("assistant", f"It works again. Next session: {RETRY}.\nThe cellar\n  lamp   flickers, somebody should see to it."),
    ("user", f"Thanks. Next session: {ROTATE}."),
]
TOKEN = "ghp_" + "Ab1" * 12


@pytest.fixture
def session(talk):
    return talk(talks.neutral(TURNS))


@pytest.fixture
def reviewed(tmp_path, session):
    """Answers a review: `reviewed(vault, follow_ups=[...], drop=[...])`."""

    def run(vault, *options, path=session, today=TODAY, **parts):
        file = tmp_path / "reviewed.json"
        file.write_text(json.dumps(parts), "utf-8")
        words = ["--transcript", path] if path else []
        return wrap("orphans", "--reviewed", file, *words, *(options or ["--json"]), vault=vault, today=today)

    return run


def review(vault, path=None):
    result = wrap("orphans", "--review", *(["--transcript", path] if path else []), vault=vault)
    assert result.code == 0, result.err
    return result.json


def number_of(document, text):
    return next(one["n"] for one in document["candidates"] if one["text"] == text)


def find(quote=LAMP, text=MEND, **more):
    return {"quote": quote, "text": text, **more}


def texts(result):
    return [one["text"] for one in result.json["orphans"]]


def reasons(result):
    return {one["text"]: one["reason"] for one in result.json["dismissed"]}


class TestReview:
    def test_it_shows_what_was_found_and_lets_it_wait(self, vault, session, waiting):
        built = vault()
        waiting(built, "polish the door handles")
        document = review(built, session)
        assert document["schema"] == "wrapgen.review/1"
        assert document["transcript"] == str(session)
        assert set(document) == {"schema", "transcript", "session_id", "instructions", "candidates", "waiting"}
        assert document["candidates"] == [
            {"n": 1, "by": "cue", "text": RETRY, "quote": f"Next session: {RETRY}.", "turn": 1},
            {"n": 2, "by": "cue", "text": ROTATE, "quote": f"Next session: {ROTATE}.", "turn": 2},
        ]
        (other,) = document["waiting"]
        assert (other["text"], other["said_on"]) == ("polish the door handles", TODAY)
        assert talks.pending(built) == ["polish the door handles", RETRY, ROTATE]
        assert talks.state(built, "pending.jsonl")[0]["orphan"]["id"].startswith(other["handle"])

    def test_its_instructions_name_every_part_of_an_answer(self, vault, session):
        said = review(vault(), session)["instructions"]
        assert all(f'"{part}"' in said for part in ("follow_ups", "drop", "dead_ends", "decisions"))

    def test_what_the_hosts_list_holds_is_shown_as_such(self, vault, talk):
        todos = [{"content": RETRY, "status": "pending", "activeForm": "x"}]
        call = {"type": "tool_use", "id": "c", "name": "TodoWrite", "input": {"todos": todos}}
        data = talks.claude(TURNS[:1]) + talks.json_lines([talks.claude_line("assistant", [call], 2)])
        (one,) = review(vault(), talk(data, name="t.jsonl"))["candidates"]
        assert (one["by"], one["text"], one["quote"]) == ("state", RETRY, RETRY)

    def test_numbers_stay_when_the_conversation_grows(self, vault, talk):
        built = vault()
        first = review(built, talk(talks.neutral(TURNS)))
        more = ("assistant", "Noted. Next session: sort the shelves.")
        second = review(built, talk(talks.neutral([("user", "Next session: buy bread."), *TURNS, more])))
        numbers = {one["text"]: one["n"] for one in second["candidates"]}
        assert numbers[RETRY] == number_of(first, RETRY)
        assert numbers[ROTATE] == number_of(first, ROTATE)
        assert sorted(numbers.values()) == [1, 2, 3, 4]

    def test_a_conversation_that_is_not_there(self, vault, tmp_path):
        result = wrap("orphans", "--review", "--transcript", tmp_path / "gone.jsonl", vault=vault())
        assert result.code == 1
        assert "gone.jsonl" in result.err

    @pytest.mark.parametrize("options", [("--review",), ("--reviewed", "x"), ("--read",)])
    def test_two_ways_at_a_time_are_refused(self, vault, session, options):
        built = vault()
        before = built.snapshot()
        other = ("--review",) if options != ("--review",) else ("--reviewed", "x")
        for also in (other, ("--dry-run",)):
            result = wrap("orphans", "--transcript", session, *options, *also, vault=built)
            assert result.code == 2
        assert built.snapshot() == before

    def test_one_conversation_at_a_time(self, vault, talk):
        paths = [word for name in ("a", "b") for word in ("--transcript", talk(RETRY, name=f"{name}.json"))]
        assert wrap("orphans", "--review", *paths, vault=vault()).code == 2


class TestTaken:
    def test_a_quote_that_stands_white_space_aside_is_taken_beside_what_rules_found(self, vault, reviewed):
        built = vault()
        result = reviewed(built, follow_ups=[find()])
        assert result.code == 0, result.err
        assert sorted(texts(result)) == sorted([RETRY, ROTATE, MEND])
        (lamp,) = [one for one in result.json["orphans"] if one["text"] == MEND]
        assert (lamp["turn"], lamp["role"], lamp["said_on"], lamp["by"], lamp["sure"]) == (
            1, "assistant", TODAY, "reader", True,
        )  # fmt: skip
        assert sorted(talks.pending(built)) == sorted([RETRY, ROTATE, MEND])

    def test_what_the_reader_did_not_write_down_is_no_longer_sure(self, vault, reviewed):
        found = reviewed(vault(), follow_ups=[find(ROTATE, ROTATE)]).json["orphans"]
        assert {one["text"]: one["sure"] for one in found} == {RETRY: False, ROTATE: True}

    def test_turns_that_a_compaction_took_away_are_not_doubted(self, vault, talk, reviewed):
        lines = talks.claude(TURNS).splitlines(keepends=True)
        summary = talks.json_lines([talks.claude_line("user", "A summary.", 9, isCompactSummary=True)])
        path = talk(b"".join([*lines[:2], summary, *lines[2:]]), name="t.jsonl")
        found = reviewed(vault(), path=path).json["orphans"]
        assert {one["text"]: one["sure"] for one in found} == {RETRY: True, ROTATE: False}

    def test_what_only_the_summary_of_a_compaction_holds_is_proved_by_its_words(self, vault, talk, reviewed):
        said = f"Summary:\n7. Pending Tasks:\n   - Rotate the staging keys before Friday\n8. Current Work:\n   {LAMP}"
        summary = talks.claude_line("user", said, 9, isCompactSummary=True)
        path = talk(talks.claude(TURNS) + talks.json_lines([summary]), name="t.jsonl")
        given = reviewed(
            vault(), path=path, follow_ups=[find("Rotate the staging keys before Friday", "rotate the staging keys")]
        )
        assert given.code == 0, given.err
        assert given.json["refused"] == []
        assert "Rotate the staging keys before Friday" in texts(given)

    def test_the_readers_words_take_the_place_of_a_rules_find(self, vault, session, reviewed):
        built = vault()
        review(built, session)
        result = reviewed(built, follow_ups=[find(f"Next session: {RETRY}", "retry in the uploader")])
        assert sorted(texts(result)) == sorted(["retry in the uploader", ROTATE])
        assert sorted(talks.pending(built)) == sorted(["retry in the uploader", ROTATE])
        assert texts(talks.orphans(built, session)) == texts(result), "and stay at the next scan"

    def test_an_entry_that_is_also_dropped_as_the_same_as_another_is_not_lost(self, vault, session, reviewed):
        built = vault()
        reviewed(built, follow_ups=[find(), find("The cellar lamp flickers", "the cellar lamp flickers")])
        shown = review(built, session)
        drop = [{"n": number_of(shown, MEND), "why": f"same as {number_of(shown, 'the cellar lamp flickers')}"}]
        assert reviewed(built, follow_ups=[find()], drop=drop).code == 0
        assert sorted(talks.pending(built)) == sorted([RETRY, ROTATE, MEND])

    def test_what_the_host_keeps_stays_in_the_hosts_words(self, vault, talk, reviewed):
        todos = [{"content": "Mend the lamp of the cellar", "status": "pending", "activeForm": "x"}]
        call = {"type": "tool_use", "id": "c", "name": "TodoWrite", "input": {"todos": todos}}
        lines = talks.claude(TURNS).splitlines(keepends=True)
        path = talk(b"".join([*lines, talks.json_lines([talks.claude_line("assistant", [call], 4)])]), name="t.jsonl")
        built = vault()
        review(built, path)
        found = reviewed(built, path=path, follow_ups=[find()]).json["orphans"]
        lamps = [one for one in found if "lamp" in one["text"]]
        assert [(one["text"], one["by"], one["sure"]) for one in lamps] == [
            ("Mend the lamp of the cellar", "state", True)
        ]

    def test_the_same_find_twice_is_one(self, vault, reviewed):
        built = vault()
        result = reviewed(built, follow_ups=[find(), find()])
        assert texts(result).count(MEND) == 1
        assert talks.pending(built).count(MEND) == 1

    @pytest.mark.parametrize("sure", [True, False])
    def test_what_the_reader_says_of_a_rules_find_holds_at_the_next_scan(self, vault, session, reviewed, sure):
        built = vault()
        reviewed(built, follow_ups=[find(RETRY, RETRY, sure=sure)])
        found = {one["text"]: (one["by"], one["sure"]) for one in talks.orphans(built, session).json["orphans"]}
        assert found == {RETRY: ("reader", sure), ROTATE: ("cue", False)}

    def test_two_finds_of_one_quote_are_two(self, vault, talk, reviewed):
        words = "Left: paint the north fence; paint the south gate."
        built = vault()
        path = talk(talks.neutral([("assistant", words)]))
        reviewed(
            built, path=path, follow_ups=[find(words, "paint the north fence"), find(words, "paint the south gate")]
        )
        assert {"paint the north fence", "paint the south gate"} <= set(talks.pending(built))

    def test_a_project_that_is_known_is_taken_and_an_unknown_one_says_nothing(self, projects, reviewed):
        found = reviewed(projects, follow_ups=[find(project="web")]).json["orphans"]
        assert [one["project"] for one in found if one["text"] == MEND] == ["web"]
        found = reviewed(projects, follow_ups=[find(project="nowhere")]).json["orphans"]
        assert None in [one["project"] for one in found if one["text"] == MEND]

    def test_what_a_durable_source_holds_is_dismissed(self, vault, reviewed):
        built = vault({"projects/web/todos.md": f"# web\n\n## Next Session\n\n- {MEND}\n"})
        result = reviewed(built, follow_ups=[find()])
        assert MEND not in texts(result)
        assert [one["held_by"] for one in result.json["dismissed"]] == ["projects/web/todos.md:5"]

    def test_what_a_durable_source_holds_in_the_rules_words_is_dismissed_though_worded_otherwise(self, vault, reviewed):
        built = vault({"projects/web/todos.md": f"# web\n\n## Next Session\n\n- {RETRY}\n"})
        result = reviewed(built, follow_ups=[find(f"Next session: {RETRY}.", "uploader: retry it")])
        assert texts(result) == [ROTATE]
        assert reasons(result)["uploader: retry it"] == "already durable"
        assert talks.pending(built) == [ROTATE]

    def test_from_standard_input(self, vault, session, monkeypatch):
        built = vault()
        data = json.dumps({"follow_ups": [find()]}).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert wrap("orphans", "--transcript", session, "--reviewed", "-", vault=built).code == 0
        assert MEND in talks.pending(built)

    def test_the_question_comes_with_it(self, vault, reviewed, answered):
        built = vault()
        payload = reviewed(built, "--ask", follow_ups=[find()]).json
        assert len(payload["questions"]) == 3
        asked = {one["question"]: "journal" for one in payload["questions"]}
        answered.write_text(json.dumps({"questions": payload["questions"], "answers": asked}), "utf-8")
        assert wrap("route", "--answers", answered, vault=built).code == 0
        assert talks.pending(built) == []

    def test_without_a_transcript_what_this_session_left_comes_first(self, vault, session, waiting, reviewed):
        built = vault()
        waiting(built, "polish the door handles")
        review(built, session)
        assert texts(reviewed(built, path=None, follow_ups=[find()])) == [
            RETRY,
            ROTATE,
            MEND,
            "polish the door handles",
        ]


class TestRefused:
    @pytest.mark.parametrize(
        "quote",
        ["The cellar lamp flickers, nobody should see to it.", "the attic lamp flickers", "", " ", "lamp " * 50],
    )
    def test_a_quote_that_nobody_said_and_the_rest_is_taken(self, vault, reviewed, quote):
        built = vault()
        result = reviewed(built, follow_ups=[find(quote, "paint the attic"), find()], drop=[{"n": 1, "why": "no work"}])
        assert result.code == 1
        assert sorted(texts(result)) == sorted([RETRY, ROTATE, MEND])
        assert [one["what"] for one in result.json["refused"]] == ["paint the attic", "drop 1"], "nobody was shown any"
        assert all(one["why"] for one in result.json["refused"])
        assert "refused: paint the attic: " in result.err
        assert sorted(talks.pending(built)) == sorted([RETRY, ROTATE, MEND])

    @pytest.mark.parametrize("text", ["", "a\nb", "\x1b[2J", "mend\x00 the cellar lamp"])
    def test_words_that_cannot_be_written_do_no_harm(self, vault, reviewed, text):
        built = vault()
        assert reviewed(built, follow_ups=[find(text=text)]).code == 0
        for words in talks.pending(built):
            assert words.strip()
            assert words.isprintable()

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema": "wrapgen.answers/1"}', b"\xff", b"[" * 99_999])
    def test_a_document_that_is_no_answer(self, vault, session, tmp_path, data):
        file = tmp_path / "reviewed.json"
        file.write_bytes(data)
        built = vault()
        result = wrap("orphans", "--transcript", session, "--reviewed", file, vault=built)
        assert result.code == 1
        assert str(file) in result.err
        assert "defect" not in result.err

    def test_an_answer_to_no_review(self, vault, reviewed):
        result = reviewed(vault(), path=None, follow_ups=[find()])
        assert result.code == 1
        assert "wrap orphans --review" in result.err

    def test_an_answer_for_a_session_that_nobody_was_shown(self, vault, session, reviewed):
        built = vault()
        review(built, session)
        assert reviewed(built, path=None, session_id="another", follow_ups=[find()]).code == 1


class TestDropped:
    def drop(self, built, session, reviewed, text=RETRY, **more):
        n = number_of(review(built, session), text)
        return reviewed(built, drop=[{"n": n, "why": "no work", **more}])

    def test_it_is_dismissed_with_its_reason_now_and_at_the_next_scan(self, vault, session, reviewed):
        built = vault()
        result = self.drop(built, session, reviewed)
        assert (result.code, texts(result)) == (0, [ROTATE])
        assert reasons(result)[RETRY] == "no work"
        assert talks.pending(built) == [ROTATE]
        again = talks.orphans(built, session)
        assert texts(again) == [ROTATE]
        assert "no work" in reasons(again)[RETRY]
        assert RETRY not in [one["text"] for one in review(built, session)["candidates"]]

    def test_each_audit_says_so_until_it_is_old_and_no_check_fails_for_it(self, vault, session, reviewed):
        built = vault()
        self.drop(built, session, reviewed)
        audit = wrap("audit", "--json", "--strict=lost", vault=built)
        assert audit.code == 0
        assert audit.json["dropped"] == [{"text": RETRY, "reason": "no work"}]
        assert audit.json["potentially_lost"] == []
        assert f"{RETRY} (no work)" in wrap("audit", vault=built).out
        assert wrap("audit", "--json", vault=built, today="2026-07-01").json["dropped"] == []

    def test_it_returns_under_all(self, vault, session, reviewed):
        built = vault()
        self.drop(built, session, reviewed)
        assert RETRY in texts(talks.orphans(built, session, options=["--all"]))

    def test_it_is_asked_again_when_it_is_said_again_later(self, vault, talk, session, reviewed):
        built = vault()
        self.drop(built, session, reviewed)
        grown = talk(talks.neutral([*TURNS, ("assistant", f"Well. Next session: {RETRY}.")]))
        assert RETRY in texts(talks.orphans(built, grown))

    def test_what_was_said_again_between_review_and_answer_is_not_dropped(self, vault, talk, session, reviewed):
        built = vault()
        n = number_of(review(built, session), RETRY)
        talk(talks.neutral([*TURNS, ("assistant", f"Well. Next session: {RETRY}.")]))
        result = reviewed(built, drop=[{"n": n, "why": "no work"}])
        assert result.code == 1
        assert RETRY in texts(result)
        assert RETRY in talks.pending(built)

    def test_done_needs_the_later_words(self, vault, talk, reviewed):
        built = vault()
        path = talk(talks.neutral([*TURNS, ("assistant", "By the way, uploads are tried three times now.")]))
        n = number_of(review(built, path), RETRY)
        for quote, code in (("It works again", 1), ("uploads are tried three times now", 0)):
            result = reviewed(built, path=path, drop=[{"n": n, "why": "done", "quote": quote}])
            assert (result.code, RETRY in texts(result)) == (code, bool(code))

    def test_what_the_host_keeps_needs_later_words_whatever_the_reason(self, vault, talk, reviewed):
        todos = [{"content": RETRY, "status": "pending", "activeForm": "x"}]
        call = {"type": "tool_use", "id": "c", "name": "TodoWrite", "input": {"todos": todos}}
        lines = [talks.claude_line("assistant", [call], 2), talks.claude_line("user", "Forget about that retry.", 3)]
        path = talk(talks.claude(TURNS[:1]) + talks.json_lines(lines), name="t.jsonl")
        built = vault()
        n = number_of(review(built, path), RETRY)
        assert reviewed(built, path=path, drop=[{"n": n, "why": "no work"}]).code == 1
        assert talks.pending(built) == [RETRY]
        result = reviewed(built, path=path, drop=[{"n": n, "why": "no work", "quote": "Forget about that retry"}])
        assert (result.code, talks.pending(built)) == (0, [])

    def test_an_audit_does_not_call_it_skipped(self, vault, session, reviewed):
        built = vault()
        self.drop(built, session, reviewed)
        audit = wrap("audit", "--json", vault=built).json
        assert RETRY not in [one["text"] for one in audit["potentially_lost"]]
        assert "skipped" not in [one["reason"] for one in audit["dropped"]]


class TestTwoReaders:
    @pytest.mark.slow
    def test_two_answers_to_two_reviews_of_a_growing_conversation(self, vault, talk, session, reviewed):
        built = vault()
        first = review(built, session)
        more = ("assistant", "Noted. Next session: sort the shelves.")
        talk(talks.neutral([*TURNS, more]))
        second = review(built, session)
        one = reviewed(
            built, follow_ups=[find(), find(ROTATE, "rotate keys of staging")],
            drop=[{"n": number_of(first, RETRY), "why": "no work"}],
        )  # fmt: skip
        finds = [find(text="cellar lamp flickers"), find(ROTATE, ROTATE), find("sort the shelves", "sort shelves")]
        other = reviewed(
            built,
            follow_ups=finds,
            drop=[{"n": number_of(second, RETRY), "why": "no work"}],
        )  # fmt: skip
        assert (one.code, other.code) == (0, 0), one.err + other.err
        assert sorted(talks.pending(built)) == sorted(
            ["cellar lamp flickers", "rotate keys of staging", "sort shelves"]
        )
        assert sorted(texts(talks.orphans(built, session))) == sorted(talks.pending(built))

    def test_a_second_answer_without_a_find_leaves_the_first_readers_alone(self, vault, session, reviewed):
        built = vault()
        review(built, session)
        reviewed(built, follow_ups=[find()])
        reviewed(built)
        assert MEND in talks.pending(built)
        assert MEND in [one["text"] for one in review(built, session)["candidates"]]

    def test_what_one_reader_found_another_may_drop(self, vault, session, reviewed):
        built = vault()
        reviewed(built, follow_ups=[find()])
        n = number_of(review(built, session), MEND)
        assert reviewed(built, drop=[{"n": n, "why": "no work"}]).code == 0
        assert MEND not in talks.pending(built)
        assert reviewed(built, follow_ups=[find()]).code == 0
        assert MEND not in talks.pending(built), "what was dropped is not asked again for the same words"


def test_secrets_are_kept_nowhere(vault, talk, reviewed):
    words = f"Next session: rotate {TOKEN} of the uploader."
    built = vault()
    path = talk(talks.neutral([("assistant", f"{words} The lamp of {TOKEN} flickers.")]))
    document = review(built, path)
    reviewed(built, path=path, follow_ups=[find(f"The lamp of {TOKEN} flickers", f"mend the lamp of {TOKEN}")])
    assert TOKEN not in json.dumps(document)
    assert len(talks.pending(built)) == 2
    kept = [file for file in built.root.rglob("*") if file.is_file() and TOKEN.encode() in file.read_bytes()]
    assert kept == []
    if os.name == "posix":
        assert built.path(f"{talks.STATE}/reviews.jsonl").stat().st_mode & 0o077 == 0


class TestWhichSession:
    @pytest.fixture
    def sessions(self, home, monkeypatch):
        """Writes sessions of Claude Code: `sessions(name, folder, task, age)`."""
        monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)

        def write(name, folder, task, age=0):
            file = home / ".claude" / "projects" / "p" / f"{name}.jsonl"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(talks.claude(talks.said(task), sessionId=name, cwd=str(folder)))
            os.utime(file, (1_750_000_000 - age,) * 2)
            return file

        return write

    @pytest.fixture
    def code(self, tmp_path, monkeypatch):
        folder = tmp_path / "code"
        (folder / "src").mkdir(parents=True)
        monkeypatch.chdir(folder / "src")
        return folder

    def test_the_newest_one_of_this_folder(self, vault, sessions, code, tmp_path):
        sessions("old", code, ROTATE, age=100)
        newest = sessions("new", code, RETRY, age=50)
        sessions("elsewhere", tmp_path / "other", "buy bread")
        sessions("agent-1", code, "buy milk")
        document = review(vault())
        assert (document["transcript"], document["session_id"]) == (str(newest), "new")

    def test_the_one_that_runs_here_as_far_as_the_host_says(self, vault, sessions, code, monkeypatch):
        running = sessions("running", code, ROTATE, age=100)
        sessions("new", code, RETRY)
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "running")
        assert review(vault())["transcript"] == str(running)
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "unknown")
        assert review(vault())["session_id"] == "new"

    def test_an_answer_belongs_to_what_was_reviewed_here(self, vault, sessions, code, reviewed, monkeypatch, tmp_path):
        built = vault()
        sessions("new", code, RETRY)
        review(built)
        sessions("newer", code, ROTATE)
        assert texts(reviewed(built, path=None)) == [RETRY]
        monkeypatch.chdir(tmp_path)
        assert reviewed(built, path=None).code == 1
        assert texts(reviewed(built, path=None, session_id="new")) == [RETRY]

    def test_a_readers_own_session_is_nobodys(self, vault, sessions, code, tmp_path, monkeypatch):
        folder = tmp_path / "wrapgen-reader-x1"
        folder.mkdir()
        sessions("reader", folder, RETRY)
        built = vault(config=f"[projects.web]\npaths = [{json.dumps(str(tmp_path))}]\n", trusted=True)
        assert texts(wrap("orphans", "--json", vault=built, today=None)) == []
        assert code

    def test_no_session_is_known(self, vault, code):
        result = wrap("orphans", "--review", vault=vault())
        assert result.code == 1
        assert str(code) in result.err
        assert "--transcript" in result.err
