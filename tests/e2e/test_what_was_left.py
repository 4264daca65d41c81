"""What the real Claude Code leaves on its disk, and what its next session hears of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.client import CLIENT, Person, wait_until
from tests.e2e.messages_api import Reply, Request, Rule, Text, ToolUse, when
from tests.terminal import CTRL_U, ENTER, UP

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.xdist_group("wheel"),
    pytest.mark.skipif(CLIENT is None, reason="no Claude Code: install @anthropic-ai/claude-code, set $WRAPGEN_CLAUDE"),
]


@pytest.fixture
def person(person: Person) -> Person:
    """A newcomer whose client is connected to the vault."""
    person.wrap("install", "claude")
    return person


def waiting(person: Person) -> list[str]:
    file = person.vault / ".wrapgen" / "state" / "pending.jsonl"
    records = map(json.loads, file.read_text(encoding="utf-8").splitlines() if file.exists() else [])
    return [record["orphan"]["text"] for record in records if "orphan" in record]


def waits(person: Person, *texts: str) -> None:
    """What is found in the background waits in the end, and nothing else."""
    wait_until(lambda: waiting(person) == list(texts), f"{texts} in place of {waiting(person)}")


def told(person: Person) -> str:
    """What the next session hears at its start."""
    person.api.rules = []
    first, *_ = person.session("Good morning").requests
    return first.everything


def heard(words: str, reply: Callable[[Request], Reply]) -> Rule:
    return Rule(lambda request: any(words in text for text in request.messages), reply)


def calls(*tools: ToolUse, before: int = 0) -> Callable[[Request], Reply]:
    """A model that calls one tool after the other; so many were called before."""

    def reply(request: Request) -> Reply:
        return (Text("That is all for now."), *tools[request.calls - before :][:1])[-1:]

    return reply


def test_what_was_taken_back_with_rewind_is_not_asked_about(person: Person) -> None:
    person.api.rules = [
        when("Look at the uploader", Text("It gives up. Next session: add retry to the uploader.")),
        when("Look at the downloader", Text("It shows nothing. Next session: add a progress bar to it.")),
        when("Thanks", Text("You are welcome.")),
    ]
    with person.terminal() as chat:
        chat.say("Look at the uploader").see("add retry")
        waits(person, "add retry to the uploader")
        chat.say("Look at the downloader").see("add a progress bar")
        waits(person, "add retry to the uploader", "add a progress bar to it")
        chat.say("/rewind").see("Restore the code and/or").press(UP).see("❯ Look at the downloader").press(ENTER)
        chat.see("1. Restore conversation").press(ENTER).lose("Restore conversation").press(CTRL_U)
        chat.lose("Look at the downloader").say("Thanks").see("You are welcome")
        waits(person, "add retry to the uploader")
        chat.leave()
    start = told(person)
    assert "add retry to the uploader" in start
    assert "progress bar" not in start


def test_a_list_that_is_left_open_is_told_and_what_the_session_closes_later_is_not(person: Person) -> None:
    person.more = {"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"}
    tasks = ["write the retry loop", "test the retry loop", "document the retry loop"]
    made = [ToolUse("TaskCreate", {"subject": task, "description": task}) for task in tasks]
    person.api.rules = [heard("Make a list", calls(*made))]
    session = person.session("Make a list")
    waits(person, *tasks)
    (folder,) = (person.home / ".claude" / "tasks").iterdir()
    assert folder.name == session.init["session_id"]
    assert all(task in told(person) for task in tasks)

    closed = [ToolUse("TaskUpdate", {"taskId": "1", "status": "completed"})]
    closed += [ToolUse("TaskUpdate", {"taskId": "2", "status": "deleted"})]
    person.api.rules = [heard("Go on", calls(*closed, before=3))]
    person.session("Go on", options=("--resume", folder.name))
    waits(person, tasks[2])


PLAN = """# Retry failed uploads

## Context

Uploads give up at the first error.

1. Add a queue in src/queue.py
2. Use it in src/upload.py
3. Test it in tests/test_queue.py
"""


def plans(request: Request) -> Reply:
    """A model in plan mode: it writes the file that it is told to write, and asks for approval."""
    (path,) = {one for text in request.messages for one in re.findall(r"your plan at (/\S+?\.md)", text)}
    ask = ToolUse("ToolSearch", {"query": "select:ExitPlanMode", "max_results": 1})
    return calls(ToolUse("Write", {"file_path": path, "content": PLAN}), ask, ToolUse("ExitPlanMode", {}))(request)


def test_a_plan_that_was_approved_is_told_until_it_is_carried_out_and_how_far_it_is(person: Person) -> None:
    person.api.rules = [heard("Plan the retries", plans)]
    with person.terminal("--permission-mode", "plan") as chat:
        chat.say("Plan the retries").see("Would you like to proceed?").pick("manually approve edits")
        chat.see("That is all for now").leave()
    (file,) = (person.home / ".claude" / "plans").glob("*.md")
    waits(person, f"Retry failed uploads (plan: {file})")
    assert f"Retry failed uploads (plan: {file})" in told(person)

    def carry_on(*paths: str) -> None:
        writes = [ToolUse("Write", {"file_path": str(person.code / path), "content": "x"}) for path in paths]
        person.api.rules = [heard("Carry on", calls(*writes))]
        person.session("Carry on", options=("--permission-mode", "acceptEdits"))

    carry_on("src/queue.py")
    waits(person, f"Retry failed uploads (plan: {file}, 1 of 3 files edited: queue.py)")
    carry_on("src/upload.py", "tests/test_queue.py")
    waits(person)
