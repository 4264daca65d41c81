"""The to-do lists that agents keep, and the summaries that hosts make, as the readers of transcripts give them."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wrapgen.session.lexicon import load_cues
from wrapgen.session.outcome import HostState, summarised
from wrapgen.session.readers import open_transcript
from wrapgen.session.readers.claude import worth_decoding
from wrapgen.session.readers.claude_tools import ToolNotes
from wrapgen.session.readers.standing import tool_at
from wrapgen.session.transcript import Header, ListChange, ListEntry, Summary, Turn

CUES = load_cues()
RETRY, DOCS, SHELVES = "Add a retry", "Write the guide", "Sort the shelves"


@pytest.fixture
def write(tmp_path):
    def write(*records, name="t.jsonl") -> Path:
        path = tmp_path / name
        lines = [one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False).encode() for one in records]
        path.write_bytes(b"\n".join(lines) + b"\n")
        return path

    return write


def line(role, content, **more):
    return {"type": role, "sessionId": "s-1", "timestamp": "2026-04-24T10:00:00Z",
            "message": {"role": role, "content": content}, **more}  # fmt: skip


def call(name, given, key="c1", **more):
    return line("assistant", [{"type": "tool_use", "id": key, "name": name, "input": given}], **more)


def result(key, told, **more):
    content = [{"type": "tool_result", "tool_use_id": key, "content": "ok"}]
    return line("user", content, toolUseResult=told, **more)


def todos(*entries, **more):
    listed = [{"content": text, "status": status, "activeForm": f"Doing: {text}"} for text, status in entries]
    return call("TodoWrite", {"todos": listed}, **more)


def create(subject, key="c1", **more):
    return call("TaskCreate", {"subject": subject, "description": "more", "activeForm": "Doing"}, key, **more)


def update(task, key="u1", **given):
    return call("TaskUpdate", {"taskId": task, **given}, key)


def changes(path):
    return [event for event in open_transcript(path).with_kept() if isinstance(event, ListChange)]


def left(path):
    """What is open at the end, with its turn and line."""
    state = HostState()
    for event in open_transcript(path).with_kept():
        state.feed(event)
    return [(one.text, one.turn, one.line) for one in state.open()]


HELLO, REPLY = line("user", "Please mend the form."), line("assistant", [{"type": "text", "text": "It works again."}])


class TestClaudeCode:
    def test_the_last_call_is_the_whole_list(self, write):
        path = write(HELLO, todos((RETRY, "pending"), (DOCS, "pending")), todos((DOCS, "in_progress")), REPLY)
        assert left(path) == [(DOCS, 0, 3)]

    def test_a_change_belongs_to_the_turn_that_was_said_last(self, write):
        path = write(
            todos((RETRY, "pending")), HELLO, REPLY, todos((RETRY, "pending"), (DOCS, "pending")), line("user", "Good.")
        )
        assert [(one.turn, one.line) for one in changes(path)] == [(0, 1), (1, 4)]
        assert changes(path)[0].timestamp == "2026-04-24T10:00:00Z"

    def test_a_call_beside_words_belongs_to_those_words(self, write):
        spoken = todos((RETRY, "pending"))
        spoken["message"]["content"].insert(0, {"type": "text", "text": "First a list."})
        assert left(write(HELLO, REPLY, line("user", "Go on."), spoken)) == [(RETRY, 3, 4)]

    def test_an_entry_is_known_by_the_id_that_its_result_names(self, write):
        path = write(
            HELLO,
            create(RETRY, "c1"), result("c1", {"task": {"id": "7", "subject": RETRY}}),
            create(DOCS, "c2"), result("c2", {"task": {"id": "8", "subject": DOCS}}),
            update("7", status="completed"),
        )  # fmt: skip
        assert [text for text, *_ in left(path)] == [DOCS]

    def test_without_its_result_an_entry_is_known_by_its_running_number(self, write):
        path = write(HELLO, create(RETRY, "c1"), create(DOCS, "c2"), update("2", status="completed"))
        assert [text for text, *_ in left(path)] == [RETRY]
        path = write(HELLO, create(RETRY, "c1"), create(DOCS, "c2"), update(1, status="completed"))
        assert [text for text, *_ in left(path)] == [DOCS]

    def test_numbers_run_on_from_an_id_that_was_named(self, write):
        path = write(
            HELLO, create(RETRY, "c1"), result("c1", {"task": {"id": "7"}}), create(DOCS, "c2"),
            update("8", status="completed"),
        )  # fmt: skip
        assert [text for text, *_ in left(path)] == [RETRY]

    def test_results_that_come_out_of_order_name_their_own_call(self, write):
        path = write(
            HELLO, create(RETRY, "c1"), create(DOCS, "c2"),
            result("c2", {"task": {"id": "2"}}), result("c1", {"task": {"id": "1"}}), update("1", status="deleted"),
        )  # fmt: skip
        assert [text for text, *_ in left(path)] == [DOCS]

    def test_an_entry_is_reworded_deleted_and_taken_up(self, write):
        path = write(
            HELLO, create(RETRY, "c1"), create(DOCS, "c2"), create(SHELVES, "c3"), REPLY,
            update("1", subject="Add two retries"), update("2", status="deleted"), update("3", status="in_progress"),
        )  # fmt: skip
        assert left(path) == [("Add two retries", 1, 6), (SHELVES, 1, 8)]

    @pytest.mark.parametrize(
        "given", [{"status": "completed"}, {"taskId": "99", "status": "completed"}, {"taskId": []}]
    )
    def test_an_update_of_nothing_does_no_harm(self, write, given):
        path = write(HELLO, create(RETRY), call("TaskUpdate", given, "u1"))
        assert [text for text, *_ in left(path)] == [RETRY]

    def test_the_list_of_a_side_chain_is_not_the_agents(self, write):
        path = write(
            HELLO, todos((RETRY, "pending")), todos((DOCS, "pending"), isSidechain=True),
            create(SHELVES, isSidechain=True), result("c1", {"task": {"id": "5"}}, isSidechain=True),
        )  # fmt: skip
        assert [text for text, *_ in left(path)] == [RETRY]

    @pytest.mark.parametrize(
        "given",
        [
            None, [], "x", {}, {"todos": "x"}, {"todos": None},
            {"todos": [None, 3, "x", {}, {"content": 5, "status": []}]},
        ],
    )  # fmt: skip
    def test_a_call_of_another_shape_does_no_harm(self, write, given):
        path = write(HELLO, create(RETRY), call("TodoWrite", given), call("TaskCreate", given, "c2"), REPLY)
        assert [turn.text for turn in open_transcript(path)] == ["Please mend the form.", "It works again."]

    @pytest.mark.parametrize("told", [None, "done", [1], 3, True, {"task": None}, {"task": {"id": []}}, {"task": "7"}])
    def test_a_result_of_another_shape_leaves_the_running_number(self, write, told):
        path = write(HELLO, create(RETRY, "c1"), result("c1", told), create(DOCS, "c2"), update("1", status="deleted"))
        assert [text for text, *_ in left(path)] == [DOCS]

    @pytest.mark.parametrize("text", ["배포 스크립트 정리", "整理部署脚本", "デプロイの手順を整理", "a \ud800 b"])
    def test_any_words(self, write, text):
        record = json.dumps(todos((text, "pending"))).encode()
        assert [words for words, *_ in left(write(HELLO, record))] == [text.replace("\ud800", "\ufffd")]

    def test_other_tools_are_not_even_decoded(self):
        def is_decoded(record) -> bool:
            raw = json.dumps(record).encode() + b"\n"
            return worth_decoding(ToolNotes(Header(Path(), "claude-code")), raw, tool_at(raw))

        for one in (
            call("Bash", {"command": "echo TodoWrite"}),
            call("Write", {"content": "x" * 9_000 + '"TodoWrite"'}),
            result("c1", {"stdout": "x" * 9_000}),
            result("c1", {"stdout": "words"}),
        ):
            assert not is_decoded(one)
        for one in (
            todos((RETRY, "pending")),
            create(RETRY),
            update("1", status="deleted"),
            result("c1", {"task": {}}),
        ):
            assert is_decoded(one)

    @pytest.mark.slow
    def test_a_huge_or_broken_tool_line_does_no_harm(self, write):
        huge = json.dumps(todos(("x" * (9 << 20), "pending"))).encode()
        broken = json.dumps(todos((DOCS, "pending"))).encode()[:-20]
        deep = (
            b'{"type":"assistant","message":{"content":[{"type":"tool_use","name":"TodoWrite","input":' + b"[" * 50_000
        )
        reader = open_transcript(write(HELLO, todos((RETRY, "pending")), huge, broken, deep, REPLY))
        kept = [event for event in reader.with_kept() if isinstance(event, ListChange)]
        assert [[entry.text for entry in change.entries] for change in kept] == [[RETRY]]
        assert (reader.header.turns, reader.header.bad_lines) == (2, 3)

    def test_a_summary_of_a_compaction_is_no_turn(self, write):
        words = "This session is continued.\n\n7. Pending Tasks:\n   - Write the guide"
        path = write(
            HELLO, REPLY, line("user", words, isCompactSummary=True, uuid="u-3"), line("user", "Go on."),
            line("user", [{"type": "text", "text": words}], isCompactSummary=True),
        )  # fmt: skip
        events = list(open_transcript(path).with_kept())
        assert [event.text for event in events if isinstance(event, Turn)] == [
            "Please mend the form.", "It works again.", "Go on.",
        ]  # fmt: skip
        summaries = [event for event in events if isinstance(event, Summary)]
        assert [(one.text, one.turn, one.line) for one in summaries] == [(words, 1, 3), (words, 2, 5)]
        assert (summaries[0].uuid, summaries[0].timestamp) == ("u-3", "2026-04-24T10:00:00Z")


SUMMARIES = st.lists(
    st.sampled_from(["Summary:", "7. Pending Tasks:", "   - Write the guide", "9. Optional Next Step:", "Add it.", ""])
    | st.text(max_size=20),
    max_size=8,
).map("\n".join)


@given(SUMMARIES)
@example("A summary without any section.")
@example("")
def test_a_summary_of_any_shape_names_only_what_stands_in_it(text):
    for one in summarised(Summary(text, 1, 2), CUES):
        assert text[one.start : one.end].strip()


class TestCodex:
    @staticmethod
    def plan(arguments):
        payload = {"type": "function_call", "name": "update_plan", "arguments": arguments, "call_id": "c"}
        return {"timestamp": "2026-04-24T10:00:00Z", "type": "response_item", "payload": payload}

    @staticmethod
    def message(role, words):
        content = [{"type": "input_text" if role == "user" else "output_text", "text": words}]
        payload = {"type": "message", "role": role, "content": content}
        return {"timestamp": "2026-04-24T10:00:00Z", "type": "response_item", "payload": payload}

    @classmethod
    def steps(cls, *steps):
        return cls.plan(json.dumps({"plan": [{"step": text, "status": status} for text, status in steps]}))

    META = {"type": "session_meta", "payload": {"id": "c-1"}}  # noqa: RUF012 - a constant

    def test_the_last_plan_is_the_whole_list(self, write):
        path = write(
            self.META, self.message("user", "Mend the form."), self.steps((RETRY, "pending"), (DOCS, "in_progress")),
            self.message("assistant", "Done."), self.steps((RETRY, "pending"), (DOCS, "completed")),
        )  # fmt: skip
        assert left(path) == [(RETRY, 0, 3)]
        assert [(one.whole, one.turn, one.line) for one in changes(path)] == [(True, 0, 3), (True, 1, 5)]

    @pytest.mark.parametrize(
        "arguments",
        [
            "",
            "{",
            "[]",
            "null",
            '{"plan": 3}',
            '{"plan": [null, 3, {"step": []}]}',
            None,
            [],
            {"plan": {}},
            "[" * 50_000,
        ],
    )
    def test_a_plan_of_another_shape_does_no_harm(self, write, arguments):
        path = write(self.META, self.message("user", "Hello."), self.plan(arguments))
        assert left(path) == []
        assert [turn.text for turn in open_transcript(path)] == ["Hello."]

    def test_a_plan_that_is_no_string(self, write):
        path = write(
            self.META, self.message("user", "Hello."), self.plan({"plan": [{"step": RETRY, "status": "pending"}]})
        )
        assert left(path) == [(RETRY, 0, 3)]


SPECSTORY = f"""\
<!-- Generated by SpecStory, Markdown v2.1.0 -->

_**User (2026-02-23 21:34:27Z)**_

Mend the form.

_**Agent (claude 2026-02-23 21:34:38Z)**_

<tool-use data-tool-type="task" data-tool-name="TodoWrite"><details>
<summary>Tool use: **TodoWrite**</summary>

- [x] {RETRY}
- [⚡] {DOCS}
- [ ] 🔥 {SHELVES}
</details></tool-use>

Done.

_**Agent - sidechain (2026-02-23 21:34:38Z)**_

<tool-use data-tool-type="task" data-tool-name="TodoWrite"><details>
- [ ] A side chain's own
</details></tool-use>

<tool-use data-tool-type="read"><details>
- [ ] A line of a file that was read
</details></tool-use>
"""


def test_specstory(write):
    path = write(SPECSTORY.encode(), name="t.md")
    (change,) = changes(path)
    assert change.entries == (
        ListEntry("0", RETRY, "completed"), ListEntry("1", DOCS, "in_progress"), ListEntry("2", SHELVES, "pending"),
    )  # fmt: skip
    assert (change.whole, change.turn) == (True, 1)
    assert [text for text, *_ in left(path)] == [DOCS, SHELVES]
