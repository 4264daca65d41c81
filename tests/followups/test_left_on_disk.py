"""What the host keeps on its disk: approved plans that nothing carried out, open tasks of sessions that ended."""

from __future__ import annotations

import json

import pytest

from tests.followups import talks
from tests.support import TODAY, wrap

TITLE = "Retry failed webhooks"
STEPS = "- [{}] Add a queue in src/queue.ts\n- [{}] Use it in src/hooks.ts\n- [{}] Test it in tests/queue.test.ts\n"
PLAN = (
    f"# Plan: {TITLE}\n\n1. Add a queue in src/queue.ts\n2. Use it in src/hooks.ts\n3. Test it in tests/queue.test.ts\n"
)


class Session:
    """A conversation of Claude Code, line by line; the digit at the end of its name is its hour after ten."""

    def __init__(self, name: str, folder, day: str = TODAY):
        self.name, self.folder, self.day, self.lines = name, folder, day, []

    def line(self, role, content, above=None, **fields):
        number = len(self.lines) + 1
        above = above or (self.lines[-1]["uuid"] if self.lines else None)
        uuid = f"{self.name}-{number}"
        stamp = f"{self.day}T1{self.name[-1]}:{number:02}:00.000Z"
        more = {"uuid": uuid, "parentUuid": above, "sessionId": self.name, "cwd": str(self.folder), "timestamp": stamp}
        self.lines.append(talks.claude_line(role, content, number, **more | fields))
        return self

    def user(self, text, above=None):
        return self.line("user", text, above)

    def agent(self, text="Fine."):
        return self.line("assistant", [{"type": "text", "text": text}])

    def call(self, name, **given):
        return self.line("assistant", [{"type": "tool_use", "id": "t", "name": name, "input": given}])

    def approves(self, path, plan=PLAN, *, refused=False):
        self.call("ExitPlanMode", plan=plan)
        result = [{"type": "tool_result", "tool_use_id": "t", "content": "Approved.", "is_error": refused}]
        return self.line("user", result, toolUseResult={"plan": plan, "isAgent": False, "filePath": str(path)})

    def write(self, tmp_path):
        file = tmp_path / f"{self.name}.jsonl"
        file.write_bytes(talks.json_lines(self.lines))
        return file


@pytest.fixture
def code(tmp_path):
    folder = tmp_path / "code"
    folder.mkdir()
    return folder


@pytest.fixture
def built(vault, code):
    return vault({"projects/web/todos.md": "# web\n"}, config=f"[projects.web]\npaths = ['{code}']\n", trusted=True)


@pytest.fixture
def plan(home):
    """Where a plan lies; writes it there."""
    file = home / ".claude" / "plans" / "brave-otter.md"
    file.parent.mkdir(parents=True)
    file.write_text(PLAN)
    return file


def first(code, plan, **more):
    return Session("s1", code).user("Plan the retries.").agent().approves(plan, **more)


def found(built, tmp_path, *sessions, **options):
    words = [word for one in sessions for word in ("--transcript", one.write(tmp_path))]
    result = wrap("orphans", "--json", *words, vault=built, **options)
    assert result.code == 0, result.err
    return [(one["text"], one["by"], one["sure"]) for one in result.json["orphans"]]


class TestPlans:
    def test_one_that_nothing_carried_out_is_told_once_with_its_place(self, built, code, plan, tmp_path):
        told = [(f"{TITLE} (plan: {plan})", "state", True)]
        assert found(built, tmp_path, first(code, plan).user("Bye.")) == told
        assert found(built, tmp_path, first(code, plan).user("Bye."), Session("s2", code).user("Hi.").agent()) == told

    def test_one_that_was_refused_is_none(self, built, code, plan, tmp_path):
        assert found(built, tmp_path, first(code, plan, refused=True)) == []

    @pytest.mark.parametrize("tool", ["Edit", "Write"])
    def test_one_whose_files_were_edited_since(self, built, code, plan, tmp_path, tool):
        session = first(code, plan).call(tool, file_path=f"{code}/src/queue.ts").call(tool, file_path="src/hooks.ts")
        assert found(built, tmp_path, session.agent("Done.")) == []

    def test_edits_before_it_was_approved_do_not_count(self, built, code, plan, tmp_path):
        session = (
            Session("s1", code).user("x").call("Edit", file_path="src/queue.ts").call("Edit", file_path="src/hooks.ts")
        )
        assert len(found(built, tmp_path, session.approves(plan))) == 1

    @pytest.mark.parametrize("begins", [True, False])
    def test_one_that_the_next_session_carries_out_is_never_told(self, built, code, plan, tmp_path, begins):
        opening = f"Implement the following plan:\n\n{PLAN}" if begins else "Go on."
        later = Session("s2", code).user(opening)
        if not begins:
            later.call("Write", file_path=f"{code}/src/queue.ts").call("Edit", file_path=f"{code}/src/hooks.ts")
        assert found(built, tmp_path, first(code, plan), later.agent("Done.")) == []

    def test_half_carried_out_it_is_told_as_half_done_and_whole_never(self, built, code, plan, tmp_path):
        plan.write_text(f"# {TITLE}\n\n" + STEPS.format("x", "x", " "))
        session = first(code, plan).call("Edit", file_path="src/queue.ts").call("Edit", file_path="src/hooks.ts")
        assert found(built, tmp_path, session) == [(f"{TITLE} (plan: {plan}, 2 of 3 steps done)", "state", True)]
        plan.write_text(f"# {TITLE}\n\n" + STEPS.format("x", "x", "x"))
        assert found(built, tmp_path, session) == []

    def test_approved_again_changed_it_is_told_once(self, built, code, plan, tmp_path):
        again = PLAN.replace("Retry", "Repeat")
        session = first(code, plan).user("Otherwise.").approves(plan, plan=again)
        plan.write_text(again)
        assert [text for text, *_ in found(built, tmp_path, session)] == [f"Repeat failed webhooks (plan: {plan})"]
        later = Session("s2", code).user("Again.").approves(plan, plan=PLAN)
        assert [text for text, *_ in found(built, tmp_path, session, later)] == [f"{TITLE} (plan: {plan})"]

    def test_a_week_old_it_is_offered_unticked(self, built, code, plan, tmp_path):
        old = Session("s1", code, day="2026-04-10").user("x").approves(plan)
        assert [sure for *_, sure in found(built, tmp_path, old)] == [False]

    def test_what_waits_is_settled_by_the_session_that_carries_it_out(self, built, code, plan, tmp_path):
        assert len(found(built, tmp_path, first(code, plan))) == 1
        found(built, tmp_path, Session("s2", code).user(f"Implement this plan:\n\n{PLAN}").agent())
        assert wrap("orphans", "--json", vault=built).json["orphans"] == []

    def test_what_waits_says_how_far_it_is_until_it_is_done(self, built, code, plan, tmp_path):
        found(built, tmp_path, first(code, plan))
        found(built, tmp_path, Session("s2", code).user("Begin.").call("Write", file_path=f"{code}/src/queue.ts"))
        assert talks.pending(built) == [f"{TITLE} (plan: {plan}, 1 of 3 files edited: queue.ts)"]
        found(built, tmp_path, Session("s3", code).user("Hi.").agent())
        assert talks.pending(built) == [f"{TITLE} (plan: {plan}, 1 of 3 files edited: queue.ts)"]
        found(built, tmp_path, Session("s4", code).user("More.").call("Edit", file_path=f"{code}/src/hooks.ts"))
        assert talks.pending(built) == []

    def test_what_waits_says_how_many_boxes_are_ticked(self, built, code, plan, tmp_path):
        plan.write_text(f"# {TITLE}\n\n" + STEPS.format(" ", " ", " "))
        found(built, tmp_path, first(code, plan))
        plan.write_text(f"# {TITLE}\n\n" + STEPS.format("x", "x", " "))
        found(built, tmp_path, Session("s2", code).user("Hi.").agent())
        assert talks.pending(built) == [f"{TITLE} (plan: {plan}, 2 of 3 steps done)"]

    def test_carried_out_later_in_its_own_session_it_waits_no_longer(self, built, code, plan, tmp_path):
        session = first(code, plan).agent("Tomorrow.")
        assert len(found(built, tmp_path, session)) == 1
        session.user("Now.").call("Edit", file_path="src/queue.ts").call("Edit", file_path="src/hooks.ts")
        found(built, tmp_path, session.agent())
        assert talks.pending(built) == []

    def test_what_waits_has_the_words_that_were_approved_last(self, built, code, plan, tmp_path):
        found(built, tmp_path, session := first(code, plan))
        found(built, tmp_path, Session("s2", code).user("Begin.").call("Write", file_path=f"{code}/src/queue.ts"))
        plan.write_text(again := PLAN.replace("Retry", "Repeat"))
        found(built, tmp_path, session.user("Otherwise.").approves(plan, plan=again))
        assert talks.pending(built) == [f"Repeat failed webhooks (plan: {plan})"]

    @pytest.mark.parametrize("together", [True, False])
    def test_planned_anew_in_another_session_it_is_told_once(self, built, code, plan, tmp_path, together):
        other = plan.with_name("calm-heron.md")
        other.write_text(PLAN)
        later = Session("s2", code).user("Plan again.").approves(other)
        for sessions in [(first(code, plan), later)] if together else [(first(code, plan),), (later,)]:
            found(built, tmp_path, *sessions)
        assert talks.pending(built) == [f"{TITLE} (plan: {other})"]

    def test_a_session_before_it_carries_nothing_out(self, built, code, plan, tmp_path):
        session = first(code, plan)
        found(built, tmp_path, session)
        before = Session("s0", code).user("Look.").call("Edit", file_path="src/queue.ts")
        found(built, tmp_path, before.call("Edit", file_path="src/hooks.ts"))
        assert talks.pending(built) == [f"{TITLE} (plan: {plan})"]

    def test_one_whose_approval_was_taken_back_is_none(self, built, code, plan, tmp_path):
        session = Session("s1", code).user("Hello.").agent().user("Plan the retries.").approves(plan)
        assert len(found(built, tmp_path, session)) == 1
        assert found(built, tmp_path, session.user("Never mind.", above="s1-2").agent()) == []
        assert talks.pending(built) == []

    def test_one_approved_with_a_new_context_stands_at_the_beginning_of_the_next_session(self, built, code, plan, home):
        """Claude Code 2.1.330 says in the former session that it was refused."""
        folder = home / ".claude" / "projects" / "-code"
        folder.mkdir(parents=True)
        former = first(code, plan, refused=True)
        fields = {"origin": {"kind": "auto-continuation"}, "planContent": PLAN, "slug": "brave-otter"}
        later = Session("s2", code).line("user", f"Implement the following plan:\n\n{PLAN}", **fields)
        later.agent("Tomorrow.")
        assert found(built, folder, former, later) == [(f"{TITLE} (plan: {plan})", "state", True)]
        later.user("Now.").call("Edit", file_path="src/queue.ts")
        found(built, folder, later)
        assert talks.pending(built) == [f"{TITLE} (plan: {plan}, 1 of 3 files edited: queue.ts)"]
        later.call("Edit", file_path="src/hooks.ts")
        found(built, folder, later)
        assert talks.pending(built) == []

    def test_what_waits_from_before_it_is_settled_where_that_session_carries_it_out(self, built, code, plan, home):
        folder = home / ".claude" / "projects" / "-code"
        folder.mkdir(parents=True)
        assert len(found(built, folder, first(code, plan))) == 1
        fields = {"origin": {"kind": "auto-continuation"}, "planContent": PLAN, "slug": "brave-otter"}
        later = Session("s2", code).line("user", f"Implement the following plan:\n\n{PLAN}", **fields)
        found(built, folder, later.call("Edit", file_path="src/queue.ts").call("Edit", file_path="src/hooks.ts"))
        assert talks.pending(built) == []

    def test_a_heading_that_says_nothing_is_no_title(self, built, code, plan, tmp_path):
        words = "## Context\n\nWebhooks fail silently.\n\n## Steps\n\n1. Mend src/hooks.ts\n"
        session = Session("s1", code).user("Plan it.").agent().approves(plan, plan=words)
        assert [text for text, *_ in found(built, tmp_path, session)] == [f"Webhooks fail silently. (plan: {plan})"]

    def test_where_its_file_is_gone_its_words_count(self, built, code, plan, tmp_path):
        plan.unlink()
        assert len(found(built, tmp_path, first(code, plan))) == 1


class TestTasks:
    @pytest.fixture
    def tasks(self, home):
        def write(session, *entries):
            folder = home / ".claude" / "tasks" / session
            folder.mkdir(parents=True)
            for number, (subject, status) in enumerate(entries, 1):
                task = {"id": str(number), "subject": subject, "status": status, "blocks": [], "blockedBy": []}
                (folder / f"{number}.json").write_text(json.dumps(task))
            (folder / ".lock").touch()
            (folder / "99.json").write_text("{")

        return write

    def test_open_ones_of_a_session_that_ended(self, built, code, tasks, tmp_path):
        tasks("s1", ("Paint the roof", "pending"), ("Mend the gate", "in_progress"), ("Feed the cat", "completed"))
        session = Session("s1", code).user("Begin.").agent()
        assert found(built, tmp_path, session) == [("Paint the roof", "state", True), ("Mend the gate", "state", True)]

    def test_not_those_of_the_session_that_runs(self, built, code, tasks, tmp_path, monkeypatch):
        tasks("s1", ("Paint the roof", "pending"))
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")
        assert found(built, tmp_path, Session("s1", code).user("Begin.").agent()) == []

    def test_not_those_that_a_later_list_took_up(self, built, code, tasks, tmp_path):
        tasks("s1", ("Paint the roof", "pending"))
        done = {"todos": [{"content": "Paint the roof", "status": "completed", "activeForm": "x"}]}
        later = Session("s2", code).user("Go on.").call("TodoWrite", **done).agent()
        assert found(built, tmp_path, Session("s1", code).user("Begin.").agent(), later) == []

    @pytest.mark.parametrize("name", ["..", "../x", ""])
    def test_an_id_that_leads_elsewhere(self, built, code, home, tmp_path, name):
        (home / ".claude" / "tasks").mkdir(parents=True)
        (home / ".claude" / "x").mkdir()
        (home / ".claude" / "x" / "1.json").write_text('{"subject": "Paint", "status": "pending"}')
        session = Session("s1", code).user("Begin.")
        session.lines[0]["sessionId"] = name
        assert found(built, tmp_path, session) == []
