"""What a transcript is once read: the turns, without what nobody typed, and the header about them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from wrapgen.errors import WrapgenError
from wrapgen.jsonl import Counts, clean
from wrapgen.late_pattern import late

Role = Literal["user", "assistant"]
Kind = Literal["claude-code", "codex", "gemini", "opencode", "specstory", "neutral", "empty"]


class NoSuchTranscriptError(WrapgenError):
    """The transcript does not exist, or cannot be opened."""


class NotATranscriptError(WrapgenError):
    """The file exists, but no reader knows its format."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said."""

    role: Role
    # the words as they are in the transcript, machinery (tool calls, reminders) left out; never holds a lone surrogate,
    # so that it can be written anywhere
    text: str
    line: int = 0  # line of the file (counted from 1) where the turn begins; for neutral JSON the number of the turn
    uuid: str | None = None  # the host's id of the line, when it has one
    timestamp: str | None = None  # the host's time stamp, unparsed (ISO 8601 in all known hosts); may be out of order
    message_id: str | None = None  # id of the model's reply; lines sharing it are one turn


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that was called."""

    id: str  # the host's id of the call, empty when it has none
    name: str
    arguments: Mapping[str, object]
    line: int
    cwd: str | None = None  # the working folder at that moment, None when nothing says so


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The outcome of a call."""

    id: str
    failed: bool = False  # it did not do what it should: an error, or somebody said no
    before: str | None = None  # what its file held before, as far as the host tells; None when it does not
    seen: str = ""  # the part of its file that the host shows as it is now; empty when it shows none


@dataclass(frozen=True, slots=True)
class ListEntry:
    """An entry of the agent's own to-do list."""

    key: str  # what the host tells entries apart by: its id, or its words where the host gives the whole list each time
    text: str = ""  # its words; empty when a change does not repeat them
    status: str = ""  # `pending`, `in_progress`, `completed` or `deleted`; empty when a change does not touch it


@dataclass(frozen=True, slots=True)
class ListChange:
    """The agent wrote or changed its own to-do list."""

    entries: tuple[ListEntry, ...]
    whole: bool  # its entries are the whole list; else each takes the place of the one with its key
    turn: int  # 0-based index of the turn in which it was changed
    line: int
    timestamp: str | None = None
    shared: bool = False  # a team of agents works on the list, each in a session of its own


@dataclass(frozen=True, slots=True)
class Summary:
    """The host's summary of a conversation that it compacted."""

    text: str
    turn: int  # 0-based index of the turn before it
    line: int
    uuid: str | None = None
    timestamp: str | None = None


Kept = ListChange | Summary  # the host's own data besides what is said
Event = Turn | Kept | Call | CallOutcome


@dataclass(frozen=True, slots=True)
class ApprovedPlan:
    """A plan that the user approved."""

    path: str
    text: str
    order: int  # larger than that of what came before it in the conversation
    timestamp: str | None = None


@dataclass(slots=True)
class Header(Counts):
    """Facts about a transcript, complete once its turns have been read to the end."""

    path: Path
    kind: Kind  # which reader knew its form
    session_id: str | None = None
    cwd: str | None = None  # working folder of the session (the first one named)
    git_branch: str | None = None
    turns: int = 0
    first_timestamp: str | None = None  # least time stamp of a turn, as a string
    last_timestamp: str | None = None
    more_folders: tuple[str, ...] = ()  # further roots of its workspace
    # the plans that were approved, by path; those that were approved again as they were last
    plans: dict[str, ApprovedPlan] = field(default_factory=dict)
    # the files that were edited, with the order of the last edit, see `ApprovedPlan`
    edited: dict[str, int] = field(default_factory=dict)

    def note(self, *, session_id: str | None, cwd: str | None, git_branch: str | None) -> None:
        """Keep the first value that is named for each; later lines may belong to a sub-folder or a resumed copy."""
        self.session_id = self.session_id or session_id
        self.cwd = self.cwd or cwd
        self.git_branch = self.git_branch or git_branch

    def count(self, turn: Turn) -> None:
        self.turns += 1
        stamp = turn.timestamp
        if stamp:
            self.first_timestamp = min(self.first_timestamp or stamp, stamp)
            self.last_timestamp = max(self.last_timestamp or stamp, stamp)


_WHOLE = late(
    r"\s*(?:<(?:command-(?:name|message|args|contents)|local-command-[a-z]+|task-(?:notification|reminder)"
    r"|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|environment_context|user_instructions|turn_aborted"
    r"|permissions instructions|skill|INSTRUCTIONS|user_shell_command|collaboration_mode|subagent_notification"
    r"|recommended_plugins|hook_prompt|realtime_delegation|codex_internal_context|in-app-browser-context"
    r"|teammate-message|agent-message|cross-session-message|channel|scheduled[-_]task|persisted-output|session_context"
    r"|<autonomous-loop|fork-boilerplate|new-diagnostics|mcp-[a-z-]+)\b"
    r"|\[Request interrupted\b|\[SYSTEM NOTIFICATION\b|\[(?:Image|Scheduled task)\b[^\]\n]*\]\s*\Z"
    r"|# AGENTS\.md instructions for "
    r"|Base directory for this skill:|The \"[\w:-]+\" skill is (?:running|loading)\b"
    r"|Caveat: The messages below were generated by the user while running local commands"
    r"|This session is being continued from a previous conversation that ran out of context"
    r"|Another (?:Claude|Codex|agent) session sent a message\b)"
)
"""Prefixes of texts that are entirely machine-made: Claude Code and Codex (the context it puts before the
first prompt)."""
# What Codex' editors and its app write above the words in one message, and the line that ends it.
_PREAMBLE = late(
    r"\s*##? (?:Context from my IDE setup|Files (?:mentioned|pasted) by the user|In app browser|Browser comments"
    r"|Referenced chats with Codex|Selected text):[^\S\n]*\n"
)
_REQUEST = late(r"^## My request(?: for Codex)?:[^\S\n]*\n?", re.MULTILINE)
_PICTURE = late(r"<image name=\[Image[^<>\n]*>|</image>")
# What Gemini CLI writes behind the words: the files that they name.
_REFERENCED = late(r"^--- Content from referenced files ---[^\S\n]*$", re.MULTILINE)
_REFERENCED_END = "--- End of content ---"
_COMMAND = late(r"\s*<command-(?:name|message|args)>")

_OPEN = late(r"<(system-reminder|hook_context|ide_opened_file|ide_selection|ide_diagnostics)>")


def without_machinery(text: str) -> str:
    """What a person typed of a user's text; empty when it is entirely machine-made.

    Of a slash command that are the words behind it. Reminders that the host put into a typed text are cut out; a
    reminder that is never closed runs to the end. Of a message that begins with what an editor shows, the request that
    follows is typed.
    """
    if _PREAMBLE.match(text):
        request = _REQUEST.search(text)
        return without_machinery(text[request.end() :]) if request else ""
    if _COMMAND.match(text):
        typed, closed, _ = text.partition("<command-args>")[2].partition("</command-args>")
        return typed if closed and not _WHOLE.match(typed) else ""
    if _WHOLE.match(text):
        return ""
    if _OPEN.search(text) is None:
        return text
    kept: list[str] = []
    at = 0
    while match := _OPEN.search(text, at):
        kept.append(text[at : match.start()])
        close = f"</{match[1]}>"
        end = text.find(close, match.end())
        at = len(text) if end < 0 else end + len(close)
    kept.append(text[at:])
    return "".join(kept)


def spoken(role: Role, texts: Iterable[object]) -> str:
    """What the texts of a message say together; what is no text, blank, or typed by no person is left out."""
    said = (text for text in texts if isinstance(text, str))
    typed = map(without_machinery, said) if role == "user" else said
    text = clean("\n".join(text for text in typed if text.strip())).strip()
    return _without_files(_PICTURE.sub("", text)).strip() if role == "user" else text


def _without_files(text: str) -> str:
    """The words without the contents of files that a host put behind them."""
    begin = _REFERENCED.search(text)
    if begin is None:
        return text
    _, closed, rest = text[begin.end() :].rpartition(_REFERENCED_END)
    return text[: begin.start()].rstrip() + (rest if closed else "")
