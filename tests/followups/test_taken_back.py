"""What waits from a conversation that goes on: taken back with /rewind, or closed on the agent's own list.

The lines have the shape that Claude Code 2.1.330 writes.
"""

from __future__ import annotations

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, orphans

NIL = "00000000-0000-0000-0000-000000000000"


class Talk:
    """A transcript that grows; each line goes on with the one before unless told otherwise."""

    def __init__(self, tmp_path):
        self.file, self.lines, self.last = tmp_path / "t.jsonl", [], None

    def line(self, role, content, parent=None, **fields):
        number = len(self.lines) + 1
        ids = {"uuid": f"u{number}", "parentUuid": parent or self.last}
        self.lines.append(talks.claude_line(role, content, number, **ids, **fields))
        self.last = ids["uuid"]
        return self.last

    def user(self, text, turn, parent=None):
        return self.line("user", text, parent, origin={"kind": "human"}, turnPosition={"turnIndex": turn})

    def agent(self, text):
        return self.line("assistant", [{"type": "text", "text": text}])

    def call(self, name, given, **result):
        call = {"type": "tool_use", "id": f"c{len(self.lines)}", "name": name, "input": given}
        self.line("assistant", [call])
        self.line(
            "user", [{"type": "tool_result", "tool_use_id": call["id"], "content": "Done."}], toolUseResult=result
        )

    def rewound(self, text, turn, parent):
        """A prompt after /rewind, and what the host notes behind it."""
        self.user(text, turn, parent)
        self.lines.append({"type": "last-prompt", "leafUuid": NIL, "explicit": True, "sessionId": "5e551011"})

    def waiting(self, root):
        """What waits when the conversation is read as it is now."""
        self.file.write_bytes(talks.json_lines(self.lines))
        orphans(root, self.file)
        return talks.pending(root)


@pytest.fixture
def talk(tmp_path):
    return Talk(tmp_path)


class TestRewind:
    @pytest.fixture
    def root(self, vault, talk):
        """Two things were put off, in a turn each, and wait."""
        root = vault()
        talk.user("Look at the uploader.", 1)
        talk.agent(f"It gives up. Next session: {RETRY}.")
        talk.user("Look at the keys.", 2)
        talk.agent(f"They are old. Next session: {ROTATE}.")
        assert talk.waiting(root) == [RETRY, ROTATE]
        return root

    def test_what_was_taken_back_waits_no_longer(self, root, talk):
        talk.rewound("Fine.", 2, "u2")
        talk.agent("You are welcome.")
        assert talk.waiting(root) == [RETRY]

    def test_what_was_said_again_after_it_waits(self, root, talk):
        talk.rewound("And the keys?", 2, "u2")
        talk.agent(f"Next session: {ROTATE}.")
        assert talk.waiting(root) == [RETRY, ROTATE]

    def test_taken_back_to_the_first_prompt(self, root, talk):
        """The host lets the new prompt go on with the last line all the same; its number and the note tell."""
        talk.rewound("Look at the guide.", 1, "u4")
        talk.agent(f"Next session: {GUIDE}.")
        assert talk.waiting(root) == [GUIDE]

    @pytest.mark.parametrize("rewound", [True, False])
    def test_what_a_summary_takes_the_place_of_was_not_taken_back(self, root, talk, rewound):
        """Of /rewind's menu: summarize from here, summarize up to here. Then a later turn is taken back."""
        boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
        talk.lines.append({**boundary, "logicalParentUuid": "u2", "sessionId": "5e551011"})
        talk.line("user", "This session is being continued.", "b", isCompactSummary=True)
        if rewound:
            talk.user("Go on.", 3)
            talk.agent(f"Next session: {GUIDE}.")
            talk.rewound("Otherwise.", 3, "u6")
        talk.agent("Fine.")
        assert talk.waiting(root) == [RETRY, ROTATE]

    def test_what_waits_from_another_conversation_stays(self, root, talk, tmp_path):
        other = Talk(tmp_path / "..")
        other.file = tmp_path / "other.jsonl"
        other.user("Thanks.", 1)
        assert other.waiting(root) == [RETRY, ROTATE]


class TestTheAgentsList:
    @pytest.fixture
    def root(self, vault, talk):
        """A list of three is open."""
        root = vault()
        talk.user("Make a list.", 1)
        for number, task in enumerate((RETRY, ROTATE, GUIDE), 1):
            talk.call("TaskCreate", {"subject": task}, task={"id": str(number), "subject": task})
        talk.agent("The list stands.")
        assert talk.waiting(root) == [RETRY, ROTATE, GUIDE]
        return root

    def test_what_its_own_session_closes_waits_no_longer(self, root, talk):
        talk.user("Go on.", 2)
        talk.call("TaskUpdate", {"taskId": "1", "status": "completed"})
        talk.call("TaskUpdate", {"taskId": "2", "status": "deleted"})
        talk.agent("Two of them are off the list.")
        assert talk.waiting(root) == [GUIDE]

    def test_what_stays_open_and_what_is_said_besides_waits(self, root, talk):
        talk.user("Go on.", 2)
        talk.call("TaskUpdate", {"taskId": "1", "status": "in_progress"})
        talk.agent("Next session: paint the gate green.")
        assert talk.waiting(root) == [RETRY, ROTATE, GUIDE, "paint the gate green"]
