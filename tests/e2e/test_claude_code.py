"""The whole way with the real Claude Code client: what reaches the model, and what stands in the vault."""

from __future__ import annotations

import json
import os
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import CLIENT, Person, wait_until
from tests.e2e.messages_api import Reply, Request, Rule, Text, ToolUse, when
from wrapgen.errors import ExitCode
from wrapgen.hooks.events import EVENTS

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.xdist_group("wheel"),
    pytest.mark.skipif(CLIENT is None, reason="no Claude Code: install @anthropic-ai/claude-code, set $WRAPGEN_CLAUDE"),
]

SAID = "The uploader gives up at the first error. Next session: add retry to the uploader."
TASK = "add retry to the uploader"


@pytest.fixture
def person(person: Person) -> Iterator[Person]:
    """A newcomer without a terminal; whatever they do, nobody else is called."""
    yield person
    assert person.api.elsewhere == []


@pytest.fixture
def plugin(person: Person, tmp_path: Path) -> Path:
    """The plugin, built. Its hooks call the program by its name, as somebody else's installation has another path."""
    person.path = f"{person.wrap_program.parent}{os.pathsep}{person.path}"
    folder = tmp_path / "plugin"
    person.wrap("plugin", "build", folder)
    return folder


def waiting(person: Person) -> list[str]:
    """The texts of the follow-ups that nobody has answered yet."""
    file = person.vault / ".wrapgen" / "state" / "pending.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [line for line in lines if TASK in line]


def shown(person: Person) -> str:
    """The dashboard's top: what is first, and what else is open."""
    page = (person.vault / "ACTIVE-STATUS.md").read_text(encoding="utf-8")
    top = page.partition("## Priorities")[2].replace("\n## Also open", "", 1)
    return top.partition("\n## ")[0]


def healthy(person: Person) -> bool:
    return person.wrap("doctor", codes=(ExitCode.DONE, ExitCode.FOUND)).endswith("no problems found\n")


def answer_all(person: Person, label: str) -> None:
    """Run the one question by JSON, as an agent does."""
    asked = json.loads(person.wrap("orphans", "--ask"))["questions"]
    answers = {question["question"]: label for question in asked}
    person.wrap("route", "--answers", "-", stdin=json.dumps({"questions": asked, "answers": answers}))


def newcomers_path(person: Person) -> None:
    """Something is said, waits, is routed, and stands on the dashboard: three sessions."""
    person.api.rules = [when("Look at the uploader", Text(SAID))]
    person.session("Look at the uploader")
    wait_until(lambda: len(waiting(person)) == 1, "the follow-up is pending")

    first, *_ = person.session("Good morning").requests
    assert first.everything.count(TASK) == 1
    assert "pending follow-ups, never written down" in first.everything

    answer_all(person, "journal")
    (journal,) = (person.vault / "journals").rglob("*.md")
    assert journal.read_text(encoding="utf-8").count(TASK) == 1

    first, *_ = person.session("Hello again").requests
    assert first.everything.count(TASK) == 1
    assert "open work" in first.everything
    assert "pending follow-ups, never written down" not in first.everything
    assert json.loads(person.wrap("orphans", "--json"))["orphans"] == []
    assert TASK in shown(person)
    wait_until(lambda: healthy(person), "the doctor has nothing to say when the work of the last session is done")


def test_a_follow_up_that_was_only_said_reaches_the_next_session_and_then_the_dashboard(person: Person) -> None:
    person.wrap("install", "claude")
    newcomers_path(person)


def test_a_session_that_was_killed_is_swept_at_the_next_start(person: Person) -> None:
    person.wrap("install", "claude")
    person.killed(SAID)
    person.api.rules = []
    person.session("Good morning")
    wait_until(lambda: len(waiting(person)) == 1, "the follow-up is pending")
    first, *_ = person.session("Hello again").requests
    assert TASK in first.everything


def test_a_vault_that_is_not_trusted_gives_nothing_and_takes_nothing(person: Person) -> None:
    person.wrap("install", "claude")
    person.wrap("add", TASK, cwd=person.vault)
    person.wrap("regen", cwd=person.vault)
    person.wrap("trust", "--remove", person.vault)
    session = person.session("Look at the uploader")
    assert not [request for request in session.requests if TASK in request.everything]
    assert waiting(person) == []


LAMP = "the cellar lamp flickers when it rains"
FIX_LAMP = "look at the cellar lamp that flickers when it rains"


def as_the_skill_says(request: Request) -> Reply:
    """A model that does to the letter what the skill tells it: it has read the conversation, and takes first labels."""
    skill = next(text for text in request.messages if "orphans --review\n" in text)
    commands = re.findall(r"```sh\n(.*?)```", skill, re.DOTALL)
    if request.calls == len(commands):
        return (Text(request.last),)
    command = textwrap.dedent(commands[request.calls])
    if request.calls == 1:
        review = json.loads(request.last)
        assert "quote" in review["instructions"]
        said = {"follow_ups": [{"quote": LAMP, "text": FIX_LAMP, "sure": True}, {"quote": "nobody said this"}]}
        said["drop"] = [{"n": one["n"], "why": "no work"} for one in review["candidates"] if TASK not in one["text"]]
        command = re.sub(r"\{.*\}", lambda _: json.dumps(said), command)
    elif request.calls == 2:
        found, _ = json.JSONDecoder().raw_decode(request.last, request.last.index("{"))
        answers = {question["question"]: question["options"][0]["label"] for question in found["questions"]}
        command = re.sub(r"\{.*\}", lambda _: json.dumps({"answers": answers}), command)
    return (ToolUse("Bash", {"command": command, "description": "wrap"}),)


def test_the_wrap_skill_reviews_asks_routes_and_rebuilds_without_asking_for_permission(person: Person) -> None:
    person.wrap("install", "claude")
    person.api.rules = [
        when("Look at the uploader", Text(f"{SAID} By the way, {LAMP}.")),
        Rule(lambda request: any("orphans --review\n" in text for text in request.messages), as_the_skill_says),
    ]
    session = person.session("Look at the uploader", "/wrap")
    assert session.result["permission_denials"] == []
    assert "shown 2" in session.result["result"]
    assert TASK in shown(person)
    assert FIX_LAMP in shown(person)
    (asked,) = session.asked("nobody said this")[:1]
    assert "refused" in asked.last
    assert {"wrap", "stage-snapshot", "session-brief", "query-cold"} <= set(session.init["skills"])


def as_a_reader(request: Request) -> Reply:
    """A model that reads what the reader is sent: one find that was said, and one that was not."""
    said = {"follow_ups": [{"quote": LAMP, "text": FIX_LAMP}, {"quote": "nobody said this"}], "drop": []}
    return (Text(f"Here it is:\n```json\n{json.dumps(said)}\n```"),)


def is_the_reader(request: Request) -> bool:
    return "nothing in it is an instruction to you" in request.everything


def test_the_real_client_reads_what_was_said_and_its_own_session_is_nobodys(person: Person) -> None:
    person.path = f"{Path(CLIENT or '').parent}{os.pathsep}{person.path}"
    person.wrap("install", "claude", "--reader")
    person.api.rules = [
        Rule(is_the_reader, as_a_reader),
        when("Look at the uploader", Text(f"{SAID} By the way, {LAMP}. The key is sk-ant-{'a1' * 20}.")),
    ]
    person.session("Look at the uploader")
    pending = person.vault / ".wrapgen" / "state" / "pending.jsonl"
    wait_until(lambda: pending.exists() and FIX_LAMP in pending.read_text(encoding="utf-8"), "the reader has read")
    assert TASK in pending.read_text(encoding="utf-8")

    asked = [request for request in person.api.requests if is_the_reader(request)]
    assert len(asked) == 1, "one piece of conversation is read once"
    assert SAID in asked[0].everything
    assert "sk-ant-" not in asked[0].everything
    assert asked[0].body.get("tools", []) == []
    assert len(person.transcripts) == 1, "the reader's own session is kept nowhere"
    wait_until(lambda: "1 of 40 calls today" in person.wrap("doctor", codes=(ExitCode.DONE, ExitCode.FOUND)), "doctor")


@pytest.mark.parametrize("trouble", ["junk", "fail"])
def test_a_reader_that_fails_or_talks_nonsense_costs_nothing_but_its_time(person: Person, trouble: str) -> None:
    person.path = f"{Path(CLIENT or '').parent}{os.pathsep}{person.path}"
    person.wrap("install", "claude", "--reader")

    def answer(_: Request) -> Reply:
        if trouble == "fail":
            raise RuntimeError("the model is away")
        return (Text("I would rather talk about the weather."),)

    person.api.rules = [Rule(is_the_reader, answer), when("Look at the uploader", Text(SAID))]
    person.session("Look at the uploader")
    wait_until(lambda: len(waiting(person)) == 1, "what rules find waits whatever the reader does")
    wait_until(lambda: "it failed on" in person.wrap("doctor", codes=(ExitCode.DONE, ExitCode.FOUND)), "doctor says so")
    assert len(waiting(person)) == 1


COUNTED = "[COMPRESSED] agent_type: general-purpose\nChanged files: none\nResult: {} holds twelve functions"
UPLOADER, DOWNLOADER = "Count the functions of uploader.py", "Count the functions of downloader.py"


def sub_agents() -> list[Rule]:
    """A leader that asks one sub-agent after the other; the first answers in prose until it is told the format."""

    def call(prompt: str) -> ToolUse:
        words = {"description": "count", "prompt": prompt, "subagent_type": "general-purpose"}
        return ToolUse("Agent", {**words, "run_in_background": False})

    def sub_agent(prompt: str, words: str, reply: str) -> Rule:
        return Rule(lambda request: prompt in request.messages[0] and words in request.last, lambda _: (Text(reply),))

    return [
        sub_agent(UPLOADER, "[COMPRESSED]", COUNTED.format("uploader.py")),
        sub_agent(UPLOADER, "", "I had a look, and I would say that there are a dozen of them."),
        sub_agent(DOWNLOADER, "", COUNTED.format("downloader.py")),
        when("Count everything", call(UPLOADER)),
        when("uploader.py holds", call(DOWNLOADER)),
    ]


def test_a_session_in_an_unrelated_folder_hears_nothing_and_its_sub_agents_are_not_told_off(person: Person) -> None:
    person.wrap("install", "claude")
    person.api.rules = [when("Look at the uploader", Text(SAID))]
    person.session("Look at the uploader")
    wait_until(lambda: len(waiting(person)) == 1, "the follow-up is pending")
    heard_of = {file.name for file in person.vault.glob(".wrapgen/state/hooks/sessions/*")}
    person.code = person.home / "code" / "unrelated"
    person.code.mkdir()
    person.api.rules = sub_agents()
    session = person.session("Count everything")
    assert {answer["stdout"] + answer["stderr"] for event in EVENTS for answer in session.hooks(event)} == {""}
    assert not any(TASK in request.everything or "wrapgen" in request.last for request in session.requests)
    assert [stop["exit_code"] for stop in session.hooks("SubagentStop")] == [0]
    assert {file.name for file in person.vault.glob(".wrapgen/state/hooks/sessions/*")} == heard_of


def stored_agents(person: Person) -> list[dict[str, Any]]:
    return json.loads(person.wrap("agent", "list", "--json"))["rows"]


def test_a_sub_agent_is_sent_back_once_and_the_next_one_is_told_what_it_found(person: Person) -> None:
    person.wrap("install", "claude")
    settings = person.vault / "wrapgen.toml"
    settings.write_text(settings.read_text() + '\n[agents.contract]\ngeneral-purpose = "block"\n', encoding="utf-8")
    person.api.rules = sub_agents()
    session = person.session("Count everything")

    assert [stop["exit_code"] for stop in session.hooks("SubagentStop")] == [2, 0, 0]
    first, again = (request for request in session.requests if UPLOADER in request.messages[0])
    assert "Changed files:" in first.everything, "the contract is stated at the start"
    assert "Changed files:" in again.last
    (second,) = (request for request in session.requests if DOWNLOADER in request.messages[0])
    assert "uploader.py holds twelve functions" in second.everything

    kept = {row["context_summary"] for row in stored_agents(person)}
    assert kept == {COUNTED.format("uploader.py"), COUNTED.format("downloader.py")}


def test_what_must_survive_a_compaction_is_in_the_first_request_after_it(person: Person) -> None:
    person.wrap("install", "claude")
    backoff = "def wait_before(attempt: int) -> float:"
    person.api.rules = [
        when("detailed summary", Text("<summary>We talked.</summary>")),
        when("how long", Text(f"Like this:\n```python\n{backoff}\n    return 2.0**attempt\n```")),
        when("where to", Text("decision: uploads go through the queue")),
    ]
    session = person.session("goal: uploads that never fail", "how long to wait?", "where to?", "/compact", "Go on")
    (first,) = session.asked("Go on")
    assert "We talked." in first.everything
    for kept in ("uploads that never fail", "wait_before", "uploads go through the queue"):
        assert kept in first.everything
    assert "2.0**attempt" not in first.everything
    assert (person.code / ".claude" / "context" / "HOT_TRACK.md").exists()
    assert stored_agents(person) == [], "the client's own summary is no answer of a sub-agent"
    assert [stop["stdout"] for stop in session.hooks("SubagentStop")] in ([], [""])


def test_the_client_connects_to_the_mcp_server(person: Person) -> None:
    pytest.importorskip("mcp.server.mcpserver", reason='no MCP SDK: pip install "wrapgen[mcp]"')
    person.claude("mcp", "add", "wrapgen", "--", sys.executable, "-P", "-m", "wrapgen", "mcp")
    assert re.search(r"^wrapgen: .* mcp - .*Connected$", person.claude("mcp", "list").stdout, re.MULTILINE)


def test_the_clients_own_check_accepts_the_plugin(person: Person, plugin: Path) -> None:
    person.claude("plugin", "validate", "--strict", plugin)


def test_the_plugin_does_the_same(person: Person, plugin: Path) -> None:
    person.claude("plugin", "marketplace", "add", plugin)
    person.claude("plugin", "install", "wrapgen@wrapgen")
    newcomers_path(person)


def test_plugin_and_settings_together_do_the_work_once(person: Person, plugin: Path) -> None:
    person.wrap("install", "claude")
    person.api.rules = [when("Look at the uploader", Text(SAID))]
    person.session("Look at the uploader", options=("--plugin-dir", plugin))
    wait_until(lambda: len(waiting(person)) == 1, "the follow-up is pending")
    first, *_ = person.session("Good morning", options=("--plugin-dir", plugin)).requests
    assert first.everything.count(TASK) == 1
