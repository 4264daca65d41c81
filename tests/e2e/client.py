"""The real Claude Code client, run against the scripted Messages API in a home folder of its own.

What the client does, measured with 2.1.330 (2.1.197 differs where said) in print mode:

* It is a native program: npm is needed to fetch it, node to run it is not.
* `claude -p` fires SessionStart, UserPromptSubmit, Stop and SessionEnd (reason `other`), also on SIGTERM and SIGINT.
  After SIGKILL nothing fires: that session is only found by a sweep.
* `additionalContext` of SessionStart reaches the model as a message of role `system` after the first prompt, in
  front of the client's own notes (`SessionStart hook additional context: ...`); that of SubagentStart likewise in the
  sub-agent's first request. It stays in the conversation: `--continue` repeats it and fires SessionStart with the
  source `resume` beside it.
* `/compact` works as a prompt, in `--input-format stream-json` and after `--continue` (2.1.197: only from a few turns
  on). Order: PreCompact, the request for the summary, SubagentStop of a ghost (`agent_type` is empty, its transcript
  is never written, `last_assistant_message` is the summary; a block is ignored), SessionStart with the source
  `compact`, PostCompact. The context given there is in the next request; that of the former SessionStart is gone.
* A sub-agent stop blocked with exit 2 sends `Stop hook feedback:` and the line on stderr to the sub-agent, whose
  second stop has `stop_hook_active` true. `Agent` runs in the background unless `run_in_background` is false; then
  PostToolUse (`async_launched`) fires before SubagentStart, and the result comes as a prompt (`<task-notification>`).
* Turns sent together by stream-json may be joined into one prompt.
* Every hook sees `CLAUDE_CODE_CHILD_SESSION=1`, also in a session that no other session started.
* SessionEnd: a hook of settings with `timeout` 10 may take 3 s, one of a plugin is cancelled after 1.5 s, and with it
  the processes that it started, even in sessions of their own, as long as it is their parent.
* The same hook in settings and in a plugin runs twice.
* What a skill's `allowed-tools` lets run is refused all the same when the command looks odd: a here-document with JSON
  objects is ("Contains brace with quote character"), the same JSON in a here-string or behind `echo ... |` is not.
* In a terminal: /rewind leaves no trace until the next prompt, which goes on with the line before what was taken back;
  taken back to the first prompt, it goes on with the last line all the same, with `turnPosition.turnIndex` 1. Behind it
  stands a `last-prompt` whose `leafUuid` is all zeros. `--resume` brings back what was taken back to the first prompt.
  *Summarize from here* and *up to here* are compactions (`compactMetadata.preservedSegment`).
* A plan is approved by the result of `ExitPlanMode` (`toolUseResult.plan`, `filePath`). With *clear context* the result
  is a refusal, and the next session begins with the plan (`planContent`, origin `auto-continuation`, the same `slug`).
* `~/.claude/tasks/<session>/<n>.json` as the list; what is deleted has no file, `.highwatermark` keeps the number.
* The transcript also holds lines of type `api-request-blob` with whole messages in them, and `attachment` with what
  hooks gave.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from tests.e2e.messages_api import MessagesApi, Reply, Request, Rule, Text, ToolUse, when
from tests.terminal import DOWN, ENTER, Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

CLIENT = os.environ.get("WRAPGEN_CLAUDE") or shutil.which("claude")
TIMEOUT = 120
"""Seconds after which a client that answers no more is a failure."""


@dataclass(frozen=True)
class Session:
    """What one run of the client printed, and what it sent."""

    events: list[dict[str, Any]]
    requests: list[Request]

    @property
    def result(self) -> dict[str, Any]:
        return next(event for event in reversed(self.events) if event["type"] == "result")

    @property
    def init(self) -> dict[str, Any]:
        return next(event for event in self.events if event.get("subtype") == "init")

    def hooks(self, event: str) -> list[dict[str, Any]]:
        """The answers of the hooks of one event, in order; SessionEnd comes too late for the client to print."""
        return [each for each in self.events if each.get("subtype") == "hook_response" and each["hook_event"] == event]

    def asked(self, prompt: str) -> list[Request]:
        """The requests whose newest message of the user holds the words of a prompt."""
        return [request for request in self.requests if prompt in request.last]


class Chat(Terminal):
    """The client in a terminal."""

    def say(self, words: str) -> Self:
        """Type a prompt or a command, and send it when it stands in the field."""
        return self.see("❯").press(words).see(words).press(ENTER)

    def pick(self, label: str) -> Self:
        """Point to a row of a menu and take it; keys that come before the menu listens are lost."""
        deadline = time.monotonic() + TIMEOUT
        while not any(line.lstrip().startswith("❯") and label in line for line in self.lines):
            assert time.monotonic() < deadline, f"no row {label}\n{self.text}"
            self.press(DOWN)
            for _ in range(5):
                self._read()
        return self.press(ENTER)

    def leave(self) -> None:
        assert self.say("/exit").finish() == 0, self.text


@dataclass
class Person:
    """Somebody with a home folder, a folder with code, a vault elsewhere, the client and the installed `wrap`."""

    base: Path
    wrap_program: Path
    api: MessagesApi
    code: Path = field(init=False)
    """The folder that sessions run in."""
    path: str = os.defpath
    """The folders in which programs are found by name: that of `wrap` is not among them, unless a test says so."""
    more: dict[str, str] = field(default_factory=dict)
    """What a test adds to the environment."""

    def __post_init__(self) -> None:
        self.code = self.home / "code" / "uploader"
        for folder in (self.home, self.code, self.base / "tmp"):
            folder.mkdir(parents=True)

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def vault(self) -> Path:
        return self.home / "notes"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": self.path,
            "TMPDIR": str(self.base / "tmp"),
            "CLAUDE_CODE_TMPDIR": str(self.base / "tmp"),
            "ANTHROPIC_BASE_URL": self.api.url,
            "ANTHROPIC_API_KEY": "dummy",
            "HTTPS_PROXY": self.api.url,  # whatever goes elsewhere is refused and noted there
            "HTTP_PROXY": self.api.url,
            "NO_PROXY": "127.0.0.1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            **self.more,
        }

    def wrap(self, *words: str | Path, stdin: str = "", cwd: Path | None = None, codes: tuple[int, ...] = (0,)) -> str:
        """Run the installed `wrap`, which must end with one of these exit codes; what it prints."""
        done = subprocess.run(
            [self.wrap_program, *words],
            cwd=cwd or self.code,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
        assert done.returncode in codes, f"wrap {words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def claude(self, *words: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run the client with these words alone."""
        assert CLIENT
        return subprocess.run(
            [CLIENT, *words],
            cwd=self.code,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=check,
        )

    def session(self, *prompts: str, options: Sequence[str | Path] = ()) -> Session:
        """A session in print mode, from its start to its end; each prompt is sent when the one before is answered."""
        assert CLIENT
        before = len(self.api.requests)
        words = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8") as complaints,
            subprocess.Popen(
                [CLIENT, *words, "--include-hook-events", *options],
                cwd=self.code,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                encoding="utf-8",
            ) as child,
        ):
            deadline = threading.Timer(TIMEOUT, child.kill)
            deadline.start()
            events = list(_talk(child, prompts))
            deadline.cancel()
            complaints.seek(0)
            assert child.returncode == 0, f"{prompts}: {child.returncode}\n{events[-3:]}\n{complaints.read()}"
        session = Session(events, self.api.requests[before:])
        assert not session.result["is_error"], session.result
        return session

    def terminal(self, *words: str) -> Chat:
        """The client as its users see it, in a pseudo-terminal; nothing is left to be asked at its first start."""
        settled = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        known = {"hasCompletedOnboarding": True, "theme": "dark", "projects": {str(self.code): settled}}
        known["customApiKeyResponses"] = {"approved": [self.environment["ANTHROPIC_API_KEY"]], "rejected": []}
        (self.home / ".claude.json").write_text(json.dumps(known), encoding="utf-8")
        env = {**self.environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        return Chat(words, program=CLIENT, cwd=self.code, env=env, columns=120, lines=50)

    def killed(self, said: str) -> None:
        """A session that dies with SIGKILL: its model has said something, called a tool, and thinks again."""
        assert CLIENT
        thinking, gone = threading.Event(), threading.Event()

        def think(_: Request) -> Reply:
            thinking.set()
            gone.wait(TIMEOUT)
            return (Text("ok"),)

        self.api.rules = [
            when("Have a look", Text(said), ToolUse("Bash", {"command": "true", "description": "wait"})),
            Rule(lambda _: True, think),
        ]
        child = subprocess.Popen(
            [CLIENT, "-p", "Have a look"],
            cwd=self.code,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert thinking.wait(TIMEOUT), "the client did not ask again"
        wait_until(lambda: any(said in _read(file) for file in self.transcripts), "the transcript holds what was said")
        child.kill()
        child.wait(TIMEOUT)
        gone.set()

    @property
    def transcripts(self) -> list[Path]:
        return list((self.home / ".claude" / "projects").glob("*/*.jsonl"))


def _talk(child: subprocess.Popen[str], prompts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Send the prompts one after the other; the events that the client prints."""
    assert child.stdin
    assert child.stdout
    for prompt in prompts:
        json.dump({"type": "user", "message": {"role": "user", "content": prompt}}, child.stdin)
        child.stdin.write("\n")
        child.stdin.flush()
        for line in child.stdout:
            event = json.loads(line)
            yield event
            if event["type"] == "result":
                break
    child.stdin.close()
    yield from map(json.loads, child.stdout)
    child.wait(TIMEOUT)


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait for what another process does in its own time."""
    end = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < end, f"waited for: {what}"
        time.sleep(0.05)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
