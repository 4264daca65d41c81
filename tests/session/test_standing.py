"""Who said it, and whether it stands: branches that were taken back, words of machines, sub-agents."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import spoken, without_machinery


def line(role, text, uuid, parent, **more):
    content = text if role == "user" else [{"type": "text", "text": text}]
    message = {"role": role, "content": content} | ({"id": f"m-{uuid}"} if role == "assistant" else {})
    return {"parentUuid": parent, "isSidechain": False, "type": role, "message": message, "uuid": uuid,
            "timestamp": "2026-04-24T09:00:00Z", "cwd": "/code", "sessionId": "s1", **more}  # fmt: skip


def texts(tmp_path, *lines, name="t.jsonl"):
    file = tmp_path / name
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    read = open_transcript(file)
    called = [turn.text for turn in read.with_calls() if hasattr(turn, "role")]
    said = [turn.text for turn in read]
    assert called == said  # both ways of reading agree
    return said


START = [line("user", "Tidy.", "a", None), line("assistant", "Tidy now.", "b", "a")]
LEFT = [line("user", "The parser.", "c", "b"), line("assistant", "Later: the parser.", "d", "c")]
KEPT = [line("user", "The printer.", "e", "b"), line("assistant", "Printed.", "f", "e")]


def test_a_branch_that_was_taken_back_was_not_said(tmp_path):
    assert texts(tmp_path, *START, *LEFT, *KEPT) == ["Tidy.", "Tidy now.", "The printer.", "Printed."]


def test_of_two_that_were_taken_back_one_after_the_other_the_last_stands(tmp_path):
    third = [line("user", "The roof.", "g", "b"), line("assistant", "Mended.", "h", "g")]
    assert texts(tmp_path, *START, *LEFT, *KEPT, *third)[2:] == ["The roof.", "Mended."]


def test_taken_back_to_the_first_prompt(tmp_path):
    again = [line("user", "Begin anew.", "x", None), line("assistant", "Begun.", "y", "x")]
    assert texts(tmp_path, *START, *again) == ["Begin anew.", "Begun."]


def test_a_list_that_was_changed_on_a_branch_that_does_not_stand(tmp_path):
    todo = {
        "type": "tool_use",
        "id": "t",
        "name": "TodoWrite",
        "input": {"todos": [{"content": "x", "status": "pending"}]},
    }
    changed = line("assistant", "", "d2", "d")
    changed["message"]["content"] = [todo]
    file = tmp_path / "t.jsonl"
    file.write_text("\n".join(map(json.dumps, [*START, *LEFT, changed, *KEPT])))
    assert [one for one in open_transcript(file).with_kept() if hasattr(one, "entries")] == []


@pytest.mark.parametrize("parent", ["gone", "d"])
def test_a_chain_that_breaks_is_read_in_the_order_of_the_file(tmp_path, parent):
    """A parent that is in no line; and branches that nobody's prompt begins."""
    last = line("assistant", "And more.", "z", parent)
    assert texts(tmp_path, *START, *LEFT, last) == [
        "Tidy.",
        "Tidy now.",
        "The parser.",
        "Later: the parser.",
        "And more.",
    ]


def test_a_compaction_goes_on_with_what_came_before(tmp_path):
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "s",
        "parentUuid": None,
        "logicalParentUuid": "f",
    }
    after = line("user", "Go on.", "g", "s")
    assert texts(tmp_path, *START, *LEFT, *KEPT, boundary, after)[2:] == ["The printer.", "Printed.", "Go on."]
    del boundary["logicalParentUuid"]  # older hosts do not say
    assert texts(tmp_path, *START, boundary, after) == ["Tidy.", "Tidy now.", "Go on."]


def test_calls_that_run_beside_each_other_take_nothing_back(tmp_path):
    other = line("assistant", "Read one.", "p", "c")
    result = line("user", "", "q", "p")
    result["message"]["content"] = [{"type": "tool_result", "tool_use_id": "t", "content": "words"}]
    assert "Read one." in texts(tmp_path, *START, LEFT[0], other, result, LEFT[1])


def test_progress_between_a_prompt_and_its_parent(tmp_path):
    progress = {"type": "progress", "uuid": "p", "parentUuid": "b", "data": {"type": "hook_progress"}}
    assert texts(tmp_path, *START, *LEFT, progress, line("user", "The printer.", "e", "p")) == [
        "Tidy.", "Tidy now.", "The printer.",
    ]  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=9))
def test_whatever_the_parents_are_the_last_turn_and_its_chain_stand(tmp_path_factory, moves):
    lines = [line("user", "0", "u0", None)]
    for number, (parent, asks) in enumerate(moves, 1):
        above = f"u{min(parent, number - 1)}"
        lines.append(line("user" if asks else "assistant", str(number), f"u{number}", above))
    said = texts(tmp_path_factory.mktemp("t"), *lines)
    at = lines[-1]
    parents = {one["uuid"]: one for one in lines}
    while at is not None:
        text = at["message"]["content"] if at["type"] == "user" else at["message"]["content"][0]["text"]
        assert text in said
        at = parents.get(at["parentUuid"])


def queued(words, uuid="q", parent="b", **fields):
    attachment = {"type": "queued_command", "commandMode": "prompt", "prompt": words, **fields}
    return {"type": "attachment", "attachment": attachment, "uuid": uuid, "parentUuid": parent, "sessionId": "s1"}


class TestTypedMeanwhile:
    @pytest.mark.parametrize("prompt", ["Later: the roof.", [{"type": "text", "text": "Later: the roof."}]])
    @pytest.mark.parametrize("origin", [{"origin": {"kind": "human"}}, {}])
    def test_words_typed_while_the_agent_works_are_a_turn(self, tmp_path, prompt, origin):
        assert "Later: the roof." in texts(
            tmp_path, *START, queued(prompt, **origin), line("assistant", "Noted.", "c", "q")
        )

    @pytest.mark.parametrize("fields", [
        {"commandMode": "task-notification"}, {"origin": {"kind": "task-notification"}}, {"origin": {"kind": "peer"}},
        {"type": "other"}, {"prompt": "<task-notification>Later: the roof.</task-notification>"}, {"prompt": 3},
    ])  # fmt: skip
    def test_what_a_machine_queued_is_none(self, tmp_path, fields):
        assert texts(tmp_path, *START, queued("Later: the roof.", **fields)) == ["Tidy.", "Tidy now."]

    def test_a_prompt_that_was_taken_back_takes_along_what_was_typed_behind_it(self, tmp_path):
        assert texts(tmp_path, *START, *LEFT, queued("Later: the roof.", "q", "d"), *KEPT)[2:] == [
            "The printer.",
            "Printed.",
        ]


@pytest.mark.parametrize("kind", ["task-notification", "channel", "peer", "scheduled", "coordinator"])
def test_a_user_line_that_says_that_a_machine_wrote_it(tmp_path, kind):
    assert texts(tmp_path, *START, line("user", "Later: the roof.", "c", "b", origin={"kind": kind})) == [
        "Tidy.",
        "Tidy now.",
    ]
    assert texts(tmp_path, line("user", "Later: the roof.", "c", None, origin={"kind": "human"})) == [
        "Later: the roof."
    ]


@each([
    "[SYSTEM NOTIFICATION - NOT USER INPUT]\nLater: x.", '<channel source="telegram">\nLater: x.\n</channel>',
    '<cross-session-message from="x">Later: x.</cross-session-message>',
    "Base directory for this skill: /x\n\nLater: x.",
    '<scheduled-task name="heartbeat">Later: x.</scheduled-task>', "<persisted-output>\nLater: x.\n</persisted-output>",
    "<<autonomous-loop>>\nLater: x.", "<agent-message from='b'>Later: x.</agent-message>",
    "This session is being continued from a previous conversation that ran out of context. Later: x.",
    "Another Claude session sent a message: Later: x.", "<session_context>\nLater: x.\n</session_context>",
    "Caveat: The messages below were generated by the user while running local commands. Later: x.",
])  # fmt: skip
def test_what_machines_write_for_a_user_is_nobodys(text):
    assert without_machinery(text) == ""
    assert without_machinery(f"Look at this: {text}")


@pytest.mark.parametrize(("text", "typed"), [
    ("<command-name>/fix</command-name>\n<command-args>Later: x.</command-args>", "Later: x."),
    ("<command-message>fix</command-message><command-args>a\nb</command-args>", "a\nb"),
    ("<command-name>/clear</command-name>\n<command-args></command-args>", ""),
    ("<command-name>/model</command-name>", ""),
    ("<command-name>/x</command-name><command-args><task-notification>y</task-notification></command-args>", ""),
])  # fmt: skip
def test_words_behind_a_slash_command_are_typed(text, typed):
    assert without_machinery(text) == typed


IDE = "# Context from my IDE setup:\n\n## Active file: a.md\n\n## Open tabs:\n- a.md: notes/a.md\n\n"


@each([
    (f"{IDE}## My request for Codex:\nLater: x.", "Later: x."), (f"{IDE}## My request:\nLater: x.\n", "Later: x.\n"),
    ("# Files mentioned by the user:\n\n## s.png: /tmp/s.png\n\n## My request for Codex:\n\nLater: x.", "\nLater: x."),
    ("\n# Selected text:\n\n## Selection 1\nLater: y.\n## My request for Codex:\nLater: x.\n", "Later: x.\n"),
    (f"{IDE}## My request for Codex:\nA.\n## My request for Codex:\nB.", "A.\n## My request for Codex:\nB."),
    (f"{IDE}## My request for Codex:\n<system-reminder>y</system-reminder>Later: x.", "Later: x."), (IDE, ""),
])  # fmt: skip
def test_what_an_editor_puts_in_front_of_words_is_cut_off_and_they_stay(text, typed):
    assert without_machinery(text) == typed


@each([
    "Compare the section\n\n## My request:\nwith it.", "See # Context from my IDE setup: in the docs.",
    "# Context from my notes:\nLater: x.",
])  # fmt: skip
def test_words_that_only_look_like_an_editors_stay(text):
    assert without_machinery(text) == text


def test_files_that_a_host_puts_behind_the_words_are_nobodys():
    parts = [
        "Later: x of @a.md.",
        "--- Content from referenced files ---",
        "Later: y.",
        "--- End of content ---",
        "Now.",
    ]
    assert spoken("user", parts) == "Later: x of @a.md.\nNow."
    assert spoken("user", parts[:3]) == "Later: x of @a.md."
    assert spoken("user", ['<image name=[Image #1] path="/s.png">', "</image>", "Later: x."]) == "Later: x."
    assert "Later: y." in spoken("assistant", parts)


def codex(role, text):
    part = {"type": "input_text" if role == "user" else "output_text", "text": text}
    return {"type": "response_item", "payload": {"type": "message", "role": role, "content": [part]}}


def meta(**fields):
    return {
        "timestamp": "2026-04-24T09:00:00Z",
        "type": "session_meta",
        "payload": {"id": "s1", "cwd": "/code", **fields},
    }


def rolled_back(turns):
    return {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": turns}}


class TestCodex:
    TALK = (codex("user", "one"), codex("assistant", "1"), codex("user", "two"), codex("assistant", "2"))

    @pytest.mark.parametrize(("turns", "left"), [
        (0, ["one", "1", "two", "2", "end"]), (1, ["one", "1", "end"]), (2, ["end"]), (9, ["end"]),
    ])  # fmt: skip
    def test_what_was_rolled_back_was_not_said(self, tmp_path, turns, left):
        assert texts(tmp_path, meta(), *self.TALK, rolled_back(turns), codex("user", "end")) == left

    def test_rolled_back_twice(self, tmp_path):
        more = (codex("user", "three"), rolled_back(2))
        assert texts(tmp_path, meta(), *self.TALK, rolled_back(1), *more) == []

    def test_context_that_the_host_puts_in_is_no_turn_to_go_back(self, tmp_path):
        context = codex("user", "<environment_context>x</environment_context>")
        assert texts(tmp_path, meta(), context, *self.TALK, rolled_back(1)) == ["one", "1"]

    @pytest.mark.parametrize("fields", [
        {"thread_source": "subagent"}, {"source": {"subagent": {"other": "guardian"}}}, {"source": "subagent"},
        {"source": {"subagent": "review"}},
    ])  # fmt: skip
    def test_a_sub_agent_says_nothing_and_is_nowhere(self, tmp_path, fields):
        assert texts(tmp_path, meta(**fields), meta(), *self.TALK) == []
        read = open_transcript(tmp_path / "t.jsonl")
        assert (list(read), read.header.cwd) == ([], None)

    @pytest.mark.parametrize("fields", [{"source": "cli"}, {"source": "exec", "thread_source": "user"}, {}])
    def test_others_do(self, tmp_path, fields):
        assert texts(tmp_path, meta(**fields), meta(thread_source="subagent"), *self.TALK) == ["one", "1", "two", "2"]
