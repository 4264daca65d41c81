"""The hosts: which of their events call wrapgen, and how an entry of each looks.

Sources: Claude Code, docs/hooks.md (2026-08-22); Codex, codex-rs/config/src/hook_config.rs, whose commands are shell
strings; Gemini CLI, docs/hooks/reference.md, whose timeouts are milliseconds; Cursor, cursor.com/docs/agent/hooks (as
of 2026-09), whose entries are in no groups; for the plugin of Claude Code, docs/plugins-reference.md and
docs/plugin-marketplaces.md (2026-08-22). PURE.
"""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import dropwhile
from typing import Any

_MILLISECONDS = 1000
_OWN_WORDS = ("hook", "statusline")
# One command of a shell: nothing joins another program to it, while its output may go to a file.
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|[<>]&|&>|\\.|[^\s"';&|()`\\])+""")
_ONE_COMMAND = re.compile(rf"[^\S\n]*{_WORD.pattern}(?:[^\S\n]+{_WORD.pattern})*\s*")
_ASSIGNMENT = re.compile(r"\A[A-Za-z_]\w*=")
_PYTHON = re.compile(r"(?:py|python|pypy)w?[\d.]*t?", re.IGNORECASE)


class Scope(Enum):
    """Whose settings: for every session of a user, for everybody in a project, or for one user in it."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Event:
    """A moment at which the host calls wrapgen."""

    name: str  # as the host says it
    word: str  # as `wrap hook` is told it
    seconds: int  # after which the host gives up
    matcher: str | None = None  # for which cases, None for all
    on_request: bool = False  # whether it is left out unless asked for
    extra: Mapping[str, Any] = field(default_factory=dict)  # what else is in the entry


@dataclass(frozen=True, slots=True)
class Host:
    """A coding agent that can call programs."""

    name: str  # as the command line says it
    title: str  # as people say it
    events: tuple[Event, ...]  # the moments that are used
    scopes: tuple[Scope, ...]  # whose settings it has
    with_words: bool = False  # whether an entry may give a program its words one by one, without a shell
    milliseconds: bool = False  # whether its timeouts are in milliseconds
    named: bool = False  # whether its entries bear names
    grouped: bool = True  # whether its entries are in groups with a matcher
    version: int | None = None  # the number that its settings must begin with, None for none
    comments: bool = False  # whether its settings may hold comments
    status_line: bool = False  # whether it shows a line that a program prints
    afterwards: str = ""  # what its user has to do before the hooks run; empty for nothing

    def timeout(self, event: Event) -> int:
        return event.seconds * _MILLISECONDS if self.milliseconds else event.seconds

    def group(self, event: Event, program: tuple[str, ...]) -> dict[str, Any]:
        named = [] if self is CLAUDE else ["--host", self.name]
        words = [*program, "hook", event.word, *named]
        handler: dict[str, Any] = {"name": f"wrapgen-{event.word}"} if self.named else {}
        if not self.grouped:
            return {"command": shlex.join(words), "timeout": self.timeout(event)}
        if self.with_words:
            handler |= {"type": "command", "command": words[0], "args": words[1:]}
        else:
            handler |= {"type": "command", "command": shlex.join(words)}
        handler |= {"timeout": self.timeout(event), **event.extra}
        matcher = {} if event.matcher is None else {"matcher": event.matcher}
        return {**matcher, "hooks": [handler]}


def command_of(handler: object) -> str:
    """What an entry runs, in one line; empty for anything else."""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return ""
    words = handler.get("args")
    return " ".join([handler["command"], *map(str, words if isinstance(words, list) else [])])


def is_own(handler: object) -> bool:
    """Whether an entry does nothing but call wrapgen's hooks or its status line, whichever version or hand wrote it."""
    match _words(handler):
        case [program, word, *_] if word in _OWN_WORDS:
            return _name(program) in ("wrap", "wrapgen")
        case [program, "-m", "wrapgen", word, *_] if word in _OWN_WORDS:
            return _PYTHON.fullmatch(_name(program)) is not None
    return False


def _words(handler: object) -> list[str]:
    """The program that an entry starts, and its words; none when a shell runs more than one program."""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return []
    command, words = handler["command"], handler.get("args")
    if isinstance(words, list):
        return [command, *map(str, words)]
    if not _ONE_COMMAND.fullmatch(command):
        return []
    plain = (word.translate({ord(quote): None for quote in "\"'"}) for word in _WORD.findall(command))
    return list(dropwhile(_ASSIGNMENT.match, plain))


def _name(program: str) -> str:
    return re.split(r"[/\\]", program)[-1].removesuffix(".exe")


CLAUDE = Host(
    "claude",
    "Claude Code",
    (
        Event("SessionStart", "session-start", 10, "startup|resume|clear|compact|fork"),
        Event("UserPromptSubmit", "user-prompt-submit", 5, on_request=True),
        Event("PostToolUse", "post-tool-use", 10, "Write|Edit|MultiEdit|NotebookEdit|Agent|Task"),
        Event("SubagentStart", "subagent-start", 10),
        Event("SubagentStop", "subagent-stop", 10),
        Event("Stop", "stop", 10),
        Event("PreCompact", "pre-compact", 30),
        Event("PostCompact", "post-compact", 10),
        # All hooks of a session's end share 1.5 s unless a settings file asks for more.
        Event("SessionEnd", "session-end", 5),
    ),
    tuple(Scope),
    with_words=True,
    status_line=True,
)

# A handler's context above 2,500 tokens goes to a file unless it says 0; ours is cut to its own budget already.
_WHOLE = {"additionalContextLimit": 0}

CODEX = Host(
    "codex",
    "Codex",
    (
        Event("SessionStart", "session-start", 10, "startup|resume|clear|compact", extra=_WHOLE),
        Event("UserPromptSubmit", "user-prompt-submit", 5, on_request=True),
        Event("SubagentStart", "subagent-start", 10, extra=_WHOLE),
        Event("SubagentStop", "subagent-stop", 10),
        Event("Stop", "stop", 10),
        Event("PreCompact", "pre-compact", 30),
        Event("PostCompact", "post-compact", 10),
        Event("SessionEnd", "session-end", 3),  # the host allows no more (openai/codex-plugin-cc issue 582)
    ),
    (Scope.USER, Scope.PROJECT),
    afterwards="In Codex, trust the hooks with /hooks; older versions need `codex_hooks = true` below [features].",
)

# Its conversations are searched by the next run, so there is nothing to save when it stops or compresses.
GEMINI = Host(
    "gemini",
    "Gemini CLI",
    (
        # Gemini CLI compares the matcher of a start letter by letter (0.61): one for several causes fits none.
        Event("SessionStart", "session-start", 10),
        Event("BeforeAgent", "user-prompt-submit", 5, on_request=True),
        Event("SessionEnd", "session-end", 10),
    ),
    (Scope.USER, Scope.PROJECT),
    milliseconds=True,
    named=True,
    comments=True,
    afterwards='Versions before 0.26 run hooks only with "tools": {"enableHooks": true} in the same file.',
)

# It takes context at a start alone and tells of no compaction that is over. Its transcripts are not read: what
# its agent says is kept from its answers.
CURSOR = Host(
    "cursor",
    "Cursor",
    (
        Event("sessionStart", "session-start", 10),
        Event("afterAgentResponse", "stop", 10),
        Event("sessionEnd", "session-end", 10),
    ),
    (Scope.USER, Scope.PROJECT),
    grouped=False,
    version=1,
    afterwards="Versions of Cursor before 2026 run these hooks, but do not pass on what they say at a session's start.",
)

HOSTS = {host.name: host for host in (CLAUDE, CODEX, GEMINI, CURSOR)}


NAME = "wrapgen"
MARKETPLACE = ".claude-plugin/marketplace.json"
_DESCRIPTION = "Keeps the follow-ups of coding sessions in plain Markdown notes, with every item accounted for."
_OWNER = {"name": "The wrapgen founders"}


def plugin_files(program: tuple[str, ...], skills: Mapping[str, str], version: str) -> dict[str, str]:
    """The texts of a marketplace's files by path; the host looks for a new one by its version."""
    plugin = {
        "name": NAME,
        "version": version,
        "description": _DESCRIPTION,
        "author": _OWNER,
        "license": "MIT",
        "keywords": ["markdown", "notes", "follow-ups", "dashboard"],
    }
    marketplace = {
        "name": NAME,
        "owner": _OWNER,
        "metadata": {"description": _DESCRIPTION, "version": version},
        "plugins": [{"name": NAME, "source": f"./{NAME}", "description": _DESCRIPTION, "version": version}],
    }
    events = [event for event in CLAUDE.events if not event.on_request]
    hooks = {
        "description": "Saves the follow-ups of a session, and shows them at the next start.",
        "hooks": {event.name: [CLAUDE.group(event, program)] for event in events},
    }
    return {
        MARKETPLACE: _json(marketplace),
        f"{NAME}/.claude-plugin/plugin.json": _json(plugin),
        f"{NAME}/hooks/hooks.json": _json(hooks),
        **{f"{NAME}/skills/{name}/SKILL.md": text for name, text in skills.items()},
    }


def is_ours(marketplace: bytes) -> bool:
    """Whether a marketplace file is one of ours."""
    try:
        said = json.loads(marketplace)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("name") == NAME


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
