"""`wrap orphans`: which conversations are read, and what is said about them."""

from __future__ import annotations

import hashlib
import json
import os
import stat

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, THREE, orphans, said
from tests.support import TODAY, wrap

FORMS = {
    "neutral": talks.neutral,
    "claude": talks.claude,
    "codex": talks.codex,
    "specstory": talks.specstory,
}


def texts(result):
    return [one["text"] for one in result.json["orphans"]]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_follow_ups_and_the_same_ids(vault, talk, form):
    built = vault()
    found = orphans(built, talk(FORMS[form](said(*THREE)), name=f"talk.{form}")).json["orphans"]
    plain = orphans(built, talk(*THREE)).json["orphans"]
    assert [(one["id"], one["text"], one["turn"]) for one in found] == [
        (one["id"], one["text"], one["turn"]) for one in plain
    ]
    assert [one["text"] for one in found] == list(THREE)
    assert [one["turn"] for one in found] == [1, 3, 5]


def test_the_quote_stands_word_for_word_in_its_turn(vault, talk):
    turns = said(*THREE)
    for one in orphans(vault(), talk(talks.neutral(turns))).json["orphans"]:
        assert one["quote"] in turns[one["turn"]][1]


def test_what_is_not_said_on_the_main_chain_is_not_read(vault, talk):
    records = [
        talks.claude_line("user", "Please fix the login form.", 1),
        talks.claude_line("assistant", [{"type": "text", "text": f"Next session: {RETRY}."}], 2, isSidechain=True),
        talks.claude_line("user", f"Next session: {ROTATE}.", 3, isMeta=True),
        talks.claude_line("user", f"Next session: {GUIDE}.", 4, isCompactSummary=True),
        talks.claude_line("assistant", [{"type": "thinking", "thinking": "Next session: buy bread."}], 5),
        talks.claude_line("user", [{"type": "tool_result", "content": "TODO: buy milk"}], 6),
        talks.claude_line("user", "<command-name>/wrap</command-name> TODO: buy cheese", 7),
        talks.claude_line("user", "<task-notification>TODO: buy butter</task-notification>", 8),
        {"type": "progress", "data": {"text": "TODO: buy eggs"}},
        {"type": "a later invention", "message": {"content": "TODO: buy apples"}},
        talks.claude_line("assistant", [{"type": "text", "text": "Next session: polish the door handles."}], 9),
    ]
    document = orphans(vault(), talk(talks.json_lines(records), name="talk.jsonl")).json
    assert [one["text"] for one in document["orphans"]] == ["polish the door handles"]
    assert document["orphans"][0]["turn"] == 1
    assert document["orphans"][0]["line"] == 11
    assert document["orphans"][0]["uuid"] == records[-1]["uuid"]
    assert document["transcripts"][0] == {
        "path": document["transcripts"][0]["path"], "session_id": "5e551011", "turns": 2, "bad_lines": 0,
    }  # fmt: skip


def test_the_schema(projects, talk):
    """Golden: keys may be added, never renamed or dropped."""
    path = talk(talks.claude(said(f"(web) {RETRY}")), name="talk.jsonl")
    document = orphans(projects, path).json
    assert document["schema"] == "wrapgen.orphans/1"
    assert document["transcripts"] == [{"path": str(path), "session_id": "5e551011", "turns": 3, "bad_lines": 0}]
    assert document["dismissed"] == []
    (one,) = document["orphans"]
    assert one["id"].startswith(one["handle"])
    assert {key: one[key] for key in one if key not in ("id", "handle", "confidence", "cue")} | {"also": []} == {
        "text": RETRY, "quote": f"Next session: (web) {RETRY}.", "role": "assistant", "transcript": str(path),
        "turn": 1, "line": 2, "uuid": "00000000-0000-4000-8000-000000000002", "lang": "en", "project": "web",
        "suggested": {"route": "project", "project": "web", "task": None}, "said_on": TODAY, "due": None,
        "reason": None, "skipped": None, "also": [], "by": "cue", "sure": True,
    }  # fmt: skip
    assert one["cue"].casefold() == "next session"
    assert 0.5 <= one["confidence"] <= 1
    assert len(one["id"]) == 12
    assert int(one["id"], 16) >= 0


def test_the_id_depends_on_words_and_project_only(projects, talk):
    plain = orphans(projects, talk(RETRY, name="a.json")).json["orphans"][0]
    again = orphans(projects, talk(RETRY, name="b.json", changed="2026-04-01")).json["orphans"][0]
    loud = orphans(projects, talk(RETRY.upper(), name="c.json")).json["orphans"][0]
    tagged = orphans(projects, talk(f"(web) {RETRY}", name="d.json")).json["orphans"][0]
    assert plain["id"] == again["id"] == loud["id"] != tagged["id"]
    assert tagged["text"] == RETRY


def test_a_resumed_copy_has_the_same_ids_and_waits_once(vault, talk):
    built = vault()
    first = talk(talks.claude(said(*THREE)), name="first.jsonl")
    resumed = talk(talks.claude([*said(*THREE), ("user", "Good night.")], sessionId="0ther"), name="resumed.jsonl")
    one, other = orphans(built, first).json["orphans"], orphans(built, resumed).json["orphans"]
    assert [record["id"] for record in one] == [record["id"] for record in other]
    assert talks.pending(built) == list(THREE)


def test_several_transcripts_each_report_their_own(vault, talk):
    built = vault()
    first, second = talk(RETRY, ROTATE, name="a.json"), talk(ROTATE, GUIDE, name="b.json")
    document = orphans(built, first, second).json
    assert [one["path"] for one in document["transcripts"]] == [str(first), str(second)]
    assert [(one["transcript"], one["text"]) for one in document["orphans"]] == [
        (str(first), RETRY), (str(first), ROTATE), (str(second), ROTATE), (str(second), GUIDE),
    ]  # fmt: skip
    assert sorted(talks.pending(built)) == sorted(THREE)


def test_said_twice_is_one_orphan_and_the_other_mention_stands_in_also(vault, talk):
    (one,) = orphans(vault(), talk(talks.neutral(said(RETRY, RETRY)))).json["orphans"]
    assert [mention["turn"] for mention in one["also"]] + [one["turn"]] in ([1, 3], [3, 1])


@pytest.mark.parametrize(
    "tasks",
    [
        ["(web) polish the windows", "(web) polish the lamps", "(web) polish the chairs"],
        ["add tests for step 3", "add tests for step 5"],
        ["upgrade the client to 2.1", "upgrade the server to 2.1"],
    ],
)
def test_tasks_that_look_alike_are_not_one(projects, talk, tasks):
    in_turns = texts(orphans(projects, talk(*tasks)))
    lines = "\n".join(f"- {task}" for task in tasks)
    in_a_list = texts(orphans(projects, talk(talks.neutral([("assistant", f"Works.\n\nNext session:\n{lines}\n")]))))
    expected = [task.removeprefix("(web) ") for task in tasks]
    assert in_turns == expected
    assert in_a_list == expected


def test_what_an_open_item_holds_is_dismissed_with_its_place(vault, talk):
    built = vault({"journals/2026/04/2026-04-20.md": f"# Day\n\n## Next\n\n- buy bread\n- {RETRY}\n"})
    document = orphans(built, talk(RETRY, ROTATE)).json
    assert [one["text"] for one in document["orphans"]] == [ROTATE]
    (gone,) = document["dismissed"]
    assert gone["text"] == RETRY
    assert gone["reason"] == "already durable"
    assert gone["held_by"] == "journals/2026/04/2026-04-20.md:6"
    assert gone["line"] == 2


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("projects/web/todos.md", "# web\n\n## Next Session\n\n1. {}\n"),
        ("projects/web/PROGRESS.md", "# web\n\n## Next Session\n\n* {}\n"),
        ("projects/web/actives/search/todos.md", "# search\n\n- [ ] {}\n"),
        ("journals/2026/04/2026-04-24.md", "## Session: a\n\n### Next\n\n| Task | State |\n|---|---|\n| {} | ⏳ |\n"),
    ],
)
def test_every_source_is_durable(vault, talk, path, text):
    document = orphans(vault({path: text.format(RETRY)}), talk(RETRY)).json
    assert document["orphans"] == []
    assert document["dismissed"][0]["held_by"].startswith(f"{path}:")


@pytest.mark.parametrize("day", [TODAY, "2026-04-25"])
def test_what_is_done_on_its_day_or_later_is_dismissed(vault, talk, day):
    built = vault({f"journals/2026/04/{day}.md": f"# Day\n\n## Done\n\n- {RETRY}\n"})
    document = orphans(built, talk(RETRY), today="2026-04-26").json
    assert document["orphans"] == []
    assert document["dismissed"][0]["held_by"] == f"journals/2026/04/{day}.md:5"


def test_what_was_done_in_march_and_is_said_again_is_asked_again(vault, talk):
    built = vault({"journals/2026/03/2026-03-10.md": f"# Day\n\n## Done\n\n- {RETRY}\n"})
    document = orphans(built, talk(RETRY)).json
    assert [one["text"] for one in document["orphans"]] == [RETRY]
    assert document["dismissed"] == []


def test_a_tick_in_a_list_that_was_last_changed_before_the_turn_holds_nothing(vault, talk):
    path = "projects/web/todos.md"
    built = vault({path: f"# web\n\n## Next Session\n\n- [x] {RETRY}\n"}, changed={path: "2026-03-10"})
    assert texts(orphans(built, talk(RETRY))) == [RETRY]


def test_another_projects_item_holds_nothing(projects, talk):
    projects.write("projects/infra/todos.md", f"# infra\n\n## Next Session\n\n- {RETRY}\n")
    assert texts(orphans(projects, talk(f"(web) {RETRY}"))) == [RETRY]


def test_what_is_done_later_in_the_session_is_dismissed_with_that_reason(vault, talk):
    turns = [*said(RETRY), ("user", f"Please {RETRY} now."), ("assistant", "Done: I added retry to the uploader. ✅")]
    document = orphans(vault(), talk(talks.neutral(turns))).json
    assert document["orphans"] == []
    assert [(one["text"], one["line"]) for one in document["dismissed"]] == [(RETRY, 2)]
    assert "session" in document["dismissed"][0]["reason"]


def test_what_rules_are_not_sure_of_is_offered_and_does_not_wait(vault, talk):
    root = vault()
    path = talk(talks.neutral([("assistant", "We'll come back to the retry of the uploader."), ("user", "Thanks.")]))
    (one,) = orphans(root, path).json["orphans"]
    assert (one["by"], one["sure"], one["text"]) == ("cue", False, "the retry of the uploader")
    assert talks.pending(root) == []


def test_each_waits_once(vault, talk):
    built = vault()
    path = talk(*THREE)
    for _ in range(3):
        orphans(built, path)
    assert talks.pending(built) == list(THREE)


@pytest.mark.parametrize("words", [["--json"], [], ["--ask"], ["--all"]])
def test_a_dry_run_writes_nothing_at_all(projects, talk, words):
    path = talk(*THREE)
    before = projects.snapshot()
    result = wrap("orphans", "--dry-run", *words, "--transcript", path, vault=projects)
    assert result.code == 0, result.err
    assert projects.snapshot() == before


def test_only_what_waits_is_written(projects, talk):
    before = talks.notes(projects)
    orphans(projects, talk(*THREE))
    assert talks.notes(projects) == before
    assert not projects.dashboard.exists()


class TestSkipped:
    def skip(self, vault, talk, answered, turns):
        path = talk(talks.claude(turns), name="talk.jsonl")
        (one,) = orphans(vault, path).json["orphans"]
        assert talks.route(vault, answered, talks.answer(one["id"], "skip")).code == 0
        return path

    def test_it_is_not_asked_again(self, vault, talk, answered):
        built = vault()
        document = orphans(built, self.skip(built, talk, answered, said(RETRY))).json
        assert document["orphans"] == []
        assert [one["reason"] for one in document["dismissed"]] == ["skipped before"]
        assert talks.pending(built) == []

    def test_said_later_in_the_same_session_it_is_asked_again(self, vault, talk, answered):
        built = vault()
        self.skip(built, talk, answered, said(RETRY))
        longer = talk(talks.claude(said(RETRY, RETRY)), name="talk.jsonl")
        assert texts(orphans(built, longer)) == [RETRY]
        assert talks.pending(built) == [RETRY]

    def test_a_resumed_copy_of_the_same_words_is_not_said_again(self, vault, talk, answered):
        built = vault()
        self.skip(built, talk, answered, said(RETRY))
        copy = talk(talks.claude(said(RETRY)), name="copy.jsonl")
        assert texts(orphans(built, copy)) == []

    def test_said_on_a_later_day_it_is_asked_again(self, vault, talk, answered):
        built = vault()
        self.skip(built, talk, answered, said(RETRY))
        later = talk(talks.neutral(said(RETRY), stamp="2026-04-25T09:00:00Z"), name="later.json")
        assert texts(orphans(built, later, today="2026-04-25")) == [RETRY]

    def test_said_in_another_session_later_on_the_same_day_it_is_asked_again(self, vault, talk, answered):
        built = vault()
        self.skip(built, talk, answered, said(RETRY))
        later = talk(talks.neutral(said(RETRY), stamp=f"{TODAY}T11:30:00Z"), name="later.json")
        assert texts(orphans(built, later)) == [RETRY]

    def test_all_shows_it(self, vault, talk, answered):
        built = vault()
        path = self.skip(built, talk, answered, said(RETRY))
        found = orphans(built, path, options=["--all"])
        assert texts(found) == [RETRY]
        assert found.json["orphans"][0]["skipped"] == TODAY
        assert talks.pending(built) == []

    def test_all_shows_it_when_the_conversation_was_read_before(self, vault, talk, answered):
        built = vault()
        self.skip(built, talk, answered, said(RETRY))
        result = wrap("orphans", "--all", vault=built)
        assert RETRY in result.out
        assert f"skipped on {TODAY}" in result.out
        assert "0 follow-ups not written down, 1 left out or skipped" in result.out
        assert wrap("orphans", "--all", "--ask", vault=built).json["questions"] == []
        assert talks.pending(built) == []


class TestBadInput:
    def check(self, result, path):
        assert result.code == 1
        assert "Traceback" not in result.err
        assert str(path) in result.err

    def test_no_such_transcript(self, vault, tmp_path):
        path = tmp_path / "nothing.jsonl"
        self.check(wrap("orphans", "--transcript", path, vault=vault()), path)

    @pytest.mark.parametrize("data", [b"# Just notes\n\nTODO: buy bread\n", b"\x89PNG\r\n\x1a\n\x00\x00", b"[1, 2]\n"])
    def test_not_a_transcript(self, vault, talk, data):
        path = talk(data)
        self.check(wrap("orphans", "--transcript", path, vault=vault()), path)

    def test_a_folder(self, vault, tmp_path):
        self.check(wrap("orphans", "--transcript", tmp_path, vault=vault()), tmp_path)

    def test_no_bytes_is_a_talk_without_turns(self, vault, talk):
        result = orphans(vault(), talk(b""))
        assert result.code == 0
        assert result.json["orphans"] == []
        assert result.json["transcripts"][0]["turns"] == 0

    def test_half_a_last_line_is_counted_and_the_rest_is_read(self, vault, talk):
        data = talks.claude(said(*THREE))
        document = orphans(vault(), talk(data[:-40], name="talk.jsonl")).json
        assert [one["text"] for one in document["orphans"]] == list(THREE)
        assert document["transcripts"][0]["bad_lines"] == 1

    def test_lines_that_are_no_json_are_counted(self, vault, talk):
        data = b"\x00\xff garbage\n{broken\n" + talks.claude(said(RETRY))
        document = orphans(vault(), talk(data, name="talk.jsonl")).json
        assert [one["text"] for one in document["orphans"]] == [RETRY]
        assert document["transcripts"][0]["bad_lines"] == 2

    def test_lone_surrogates(self, vault, talk, answered):
        built = vault()
        data = talks.neutral(said(RETRY)).replace(b"uploader", b"uploader\\ud83d now")
        result = orphans(built, talk(data))
        assert result.code == 0, result.err
        (one,) = result.json["orphans"]
        assert talks.route(built, answered, talks.answer(one["id"], "journal")).code == 0
        built.path("journals/2026/04/2026-04-24.md").read_bytes().decode("utf-8")

    def test_one_bad_transcript_does_not_take_the_others_with_it(self, vault, talk, tmp_path):
        built = vault()
        result = orphans(built, tmp_path / "nothing.jsonl", talk(RETRY))
        assert result.code == 1
        assert texts(result) == [RETRY]
        assert talks.pending(built) == [RETRY]

    def test_a_pending_file_with_a_torn_line_keeps_it_and_the_rest(self, vault, talk, waiting):
        built = vault()
        waiting(built, RETRY)
        file = built.path(".wrapgen/state/pending.jsonl")
        file.write_bytes(file.read_bytes() + b'{"orphan": {"id": "12')
        result = orphans(built, talk(ROTATE))
        assert result.code == 0
        lines = file.read_text("utf-8").splitlines()
        assert '{"orphan": {"id": "12' in lines
        assert [json.loads(line)["orphan"]["text"] for line in lines if line.endswith("}")] == [RETRY, ROTATE]


class TestPrivacy:
    @pytest.fixture
    def no_umask(self):
        former = os.umask(0)
        yield
        os.umask(former)

    @pytest.mark.slow
    @pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
    @pytest.mark.usefixtures("no_umask")
    def test_only_the_owner_may_read_what_is_stored_even_without_a_umask(self, vault, talk, waiting, answered):
        built = vault()
        ids = waiting(built, *THREE)
        path = talk(*THREE)
        wrap("orphans", "--ask", "--transcript", path, vault=built)
        talks.route(built, answered, talks.answer(ids[RETRY], "journal"), talks.answer(ids[ROTATE], "skip"))
        wrap("--no-prompt", "--transcript", path, vault=built)
        assert stat.S_IMODE(built.path(talks.STATE).stat().st_mode) == 0o700
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in built.path(talks.STATE).iterdir()}
        modes.pop(".gitignore", None)
        assert {"pending.jsonl", "receipts.jsonl", "skipped.jsonl", "asked.jsonl"} <= modes.keys()
        assert set(modes.values()) == {0o600}, modes

    @pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
    @pytest.mark.usefixtures("no_umask")
    def test_nobody_else_can_put_another_folder_in_the_place_of_the_memory(self, vault, waiting):
        built = vault()
        waiting(built, RETRY)
        for name in (".wrapgen", ".agents"):
            assert not built.path(name).stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH), name

    def test_git_ignores_what_is_stored(self, vault, waiting):
        built = vault()
        waiting(built, RETRY)
        assert built.path(".wrapgen/.gitignore").read_text("utf-8").split() == ["*", "!/said.jsonl"]

    KEY = "ghp_" + hashlib.sha256(b"no real key").hexdigest()[:36]

    def test_secrets_are_redacted_where_they_are_stored_but_not_in_the_quote(self, vault, talk, answered):
        built = vault()
        turns = [("user", "Hello."), ("assistant", f"Next session: revoke the token {self.KEY} on the server.")]
        path = talk(talks.neutral(turns))
        (one,) = orphans(built, path).json["orphans"]
        assert self.KEY in one["quote"]
        assert talks.route(built, answered, talks.answer(one["id"], "journal")).code == 0
        assert wrap("orphans", "--ask", "--transcript", path, vault=built).code == 0
        for name, (data, _) in built.snapshot().items():
            assert self.KEY.encode() not in data, name
        assert b"revoke the token" in built.path("journals/2026/04/2026-04-24.md").read_bytes()

    def test_after_routing_a_redacted_one_is_durable(self, vault, talk, answered):
        built = vault()
        path = talk(talks.neutral([("assistant", f"Next session: revoke the token {self.KEY} on the server.")]))
        (one,) = orphans(built, path).json["orphans"]
        talks.route(built, answered, talks.answer(one["id"], "journal"))
        assert texts(orphans(built, path)) == []

    @pytest.mark.parametrize("command", ["add", "rewording"])
    def test_what_a_person_types_is_not_stored_with_its_secrets(self, vault, waiting, answered, command):
        """The note keeps the person's words, wrapgen's own files do not."""
        built = vault()
        words = f"Revoke {self.KEY} on the server"
        if command == "add":
            assert wrap("add", words, vault=built).code == 0
        else:
            ids = waiting(built, RETRY)
            assert talks.route(built, answered, talks.answer(ids[RETRY], "journal", text=words)).code == 0
        for file in built.path(".wrapgen").rglob("*.jsonl"):
            assert self.KEY not in file.read_text("utf-8"), file.name
