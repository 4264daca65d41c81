"""What happens when a sub-agent starts or stops, and when a tool has answered; what hosts and transcripts say of it.

What happened is noted in the spool, and no database is opened to write. A new agent is given what the store knows; one
that is locked, damaged or away is done without.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Self

import msgspec

from wrapgen.agents.context import CHARACTERS, CONTEXT_BUDGET, compose
from wrapgen.agents.contract import check, decide, stated
from wrapgen.agents.operations import NO_USAGE, AddFileChange, KeepOutput, Start, Stop, Usage
from wrapgen.agents.rows import COMPLETED, NEEDS_REVIEW, ProjectRow, Who
from wrapgen.errors import WrapgenError
from wrapgen.host_reply import HookReply
from wrapgen.jsonl import Counts, clean, decode, lines
from wrapgen.text.display import shorten
from wrapgen.text.tokens import conservative_tokens, utf16_length
from wrapgen.vault import disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from wrapgen.agents.context import StepRows
    from wrapgen.agents.operations import Operation
    from wrapgen.config import Agents


_AGENT_FILE = re.compile(r"agent-([\w-]{1,255})\.jsonl\Z")
_NO_TYPE = "unknown"


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """A sub-agent starts or stops, or a tool has answered; what a host does not say of that is None or empty."""

    session: str | None  # the leader's session
    agent: str | None  # the agent's id; of a tool that of who called it, None for the leader
    type: str | None  # its type
    name: str  # what it is called: its type, where the host has no name for it
    parent: str | None  # the agent that started it; the session stands for the leader
    active: bool  # at a stop: whether the agent was sent back once already
    message: str | None  # at a stop: the last thing that it said
    transcript: str | None  # at a stop: its own transcript
    # whether it is a request of the host itself and no sub-agent: Claude Code gives such ones, among them the one that
    # sums up a conversation for `/compact`, an empty type (measured with 2.1.330)
    hosts_own: bool
    tool: str  # the name of a tool that has answered
    call: str | None  # the call's id
    input: dict[str, Any]  # what the tool was given
    response: object  # what it answered

    @classmethod
    def of(cls, payload: object) -> Self:
        """Read a host's JSON, decoded; anything but an object says nothing."""
        fields = payload if isinstance(payload, dict) else {}
        transcript = _field(fields, "agent_transcript_path")
        named = _AGENT_FILE.search(transcript or "")
        kind = _field(fields, "agent_type")
        session, given = _field(fields, "session_id"), fields.get("tool_input")
        return cls(
            session=session,
            agent=_field(fields, "agent_id") or (named[1] if named else None),
            type=kind,
            name=_field(fields, "agent_name") or kind or _NO_TYPE,
            parent=_field(fields, "parent_agent_id") or session,
            active=fields.get("stop_hook_active") in (True, "true"),
            message=_field(fields, "last_assistant_message"),
            transcript=transcript,
            hosts_own=fields.get("agent_type") == "",
            tool=_field(fields, "tool_name") or "",
            call=_field(fields, "tool_use_id"),
            input=given if isinstance(given, dict) else {},
            response=fields.get("tool_response"),
        )

    def who(self, session: str) -> Who:
        return Who(self.agent or "", session, self.name, self.type, self.parent)


def _field(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return clean(value) if isinstance(value, str) and value.strip() else None


_ENDING = ".jsonl"  # a host's transcript; whatever else a path may lead to is not read


_DECODER = msgspec.json.Decoder(dict[str, Any])


@dataclass(frozen=True, slots=True)
class LastWords:
    """What a transcript says of its agent."""

    text: str | None = None  # the last reply that has words, None when there is none
    usage: Usage = NO_USAGE  # tokens of all its replies; a reply that is in several lines counts once


def last_words(transcript: Path) -> LastWords:
    """Read a sub-agent's transcript in Claude Code's form; what cannot be read is skipped."""
    if transcript.suffix != _ENDING:
        return LastWords()
    text, reply = None, None
    used: dict[str, Usage] = {}
    try:
        with disk.opened(transcript) as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
            counts = Counts()
            for number, line in lines(file, counts, lambda line: b'"assistant"' in line):
                record = decode(line, _DECODER, counts) or {}
                message = record.get("message")
                if record.get("type") != "assistant" or not isinstance(message, dict):
                    continue
                key = str(message.get("id") or record.get("requestId") or number)
                if isinstance(message.get("usage"), dict):
                    used[key] = _usage(message["usage"])
                if (words := clean(text_of(message))).strip():
                    text = f"{text}\n{words}" if text is not None and key == reply else words
                    reply = key
    except OSError:
        return LastWords()
    return LastWords(text, Usage(sum(one.input for one in used.values()), sum(one.output for one in used.values())))


def _usage(numbers: dict[str, Any]) -> Usage:
    def of(*names: str) -> int:
        return sum(max(0, number) for name in names if isinstance(number := numbers.get(name), int))

    return Usage(of("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"), of("output_tokens"))


_SHRINK_OVER = 12_000  # characters, some 3,000 tokens; the contract's ten or twenty lines are far less
_FRAME_TOKENS, _FRAME_UNITS = 150, 600  # what marks others' words as data
_CHANGES = {"Write": "create", "Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit"}


@dataclass(frozen=True, slots=True)
class EventSetting:
    """Where an event happens."""

    note: Callable[[Operation], object]  # keeps what happened; may raise any `WrapgenError` or `OSError`
    # what the store knows, and what to say of a server that is away; may raise any `WrapgenError` or `OSError`
    look: Callable[[Who], tuple[StepRows, str]]
    agents: Agents  # `[agents]` of the configuration
    place: ProjectRow | None  # the project of the working folder, None when nothing is known
    now: datetime
    # marks what others wrote as data, and adds what else a new agent is told, within so many tokens and UTF-16 units
    frame: Callable[[str, int, int], str] = lambda text, _tokens, _units: text


def on_start(event: AgentEvent, setting: EventSetting) -> HookReply:
    """A sub-agent starts: note it, let it take on a task, state its contract, and give it what others found."""
    if event.hosts_own:
        return HookReply()
    contract = stated(event.type, setting.agents.contract)
    if event.session is None:
        return HookReply(context=contract)
    who = event.who(event.session)
    lost, context = "", ""
    if event.agent:
        lost = _noted(Start(who, setting.place, setting.now), setting)
    tokens, units = CONTEXT_BUDGET - conservative_tokens(contract), CHARACTERS - utf16_length(contract)
    try:
        found, trouble = setting.look(who)
        context = compose(who, found, tokens - _FRAME_TOKENS, units - _FRAME_UNITS).text
    except (WrapgenError, OSError) as error:
        trouble = str(error)
    given = "\n\n".join(filter(None, (contract, setting.frame(context, tokens, units))))
    return HookReply(context=given, trouble="; ".join(filter(None, (lost, trouble))))


def on_stop(event: AgentEvent, setting: EventSetting) -> HookReply:
    """A sub-agent wants to stop: judge its answer, and keep it whatever it is."""
    if event.hosts_own:
        return HookReply()
    said = last_words(Path(event.transcript)) if event.transcript else LastWords()
    text = event.message or said.text
    reply = decide(text, active=event.active, agent_type=event.type, contract=setting.agents.contract)
    trouble = ""
    if event.session and event.agent:
        stop = Stop(
            who=event.who(event.session),
            text=text,
            place=setting.place,
            usage=said.usage,
            accepted=not reply.exit_code,
            finished=NEEDS_REVIEW if check(text or "", event.type).text("blockers") else COMPLETED,
            now=setting.now,
        )
        trouble = _noted(stop, setting)
    return reply._replace(trouble=trouble)


def on_tool(event: AgentEvent, setting: EventSetting) -> HookReply:
    """A tool has answered: note the file that it wrote, or shorten what a sub-agent returned when it is too long.

    A text is only shortened once it is kept.
    """
    if event.session is None:
        return HookReply()
    if event.tool in _CHANGES:
        path = next((event.input[key] for key in ("file_path", "notebook_path", "path") if event.input.get(key)), "")
        if isinstance(path, str) and path:
            change = AddFileChange(event.session, event.agent, path, _CHANGES[event.tool], setting.now)
            return HookReply(trouble=_noted(change, setting))
    elif event.tool in AGENT_TOOLS:
        return _shortened(event, event.session, setting)
    return HookReply()


def _shortened(event: AgentEvent, session: str, setting: EventSetting) -> HookReply:
    text = text_of(event.response)
    if len(text) <= _SHRINK_OVER or set(setting.agents.contract.values()) <= {"off"}:
        return HookReply()
    response = event.response if isinstance(event.response, dict) else {}
    named = response.get("agentId")
    agent = named if isinstance(named, str) and named else event.call
    if not agent:
        return HookReply()
    pointer = f"(shortened from {len(text)} characters; the whole text: wrap agent list outputs --agent {quote(agent)})"
    short = digest(text, pointer)
    if len(short) >= len(text):
        return HookReply()
    if trouble := _noted(KeepOutput(session, agent, text, setting.place, setting.now), setting):
        return HookReply(trouble=trouble)
    return HookReply(output=with_text(event.response, short))


def _noted(operation: Operation, setting: EventSetting) -> str:
    try:
        setting.note(operation)
    except (WrapgenError, OSError) as error:
        return f"what a sub-agent did was not kept: {error}"
    return ""


AGENT_TOOLS = frozenset({"Agent", "Task"})  # the tool that starts a sub-agent, under its new and its old name

_LINE = 200  # characters of a line of a digest
_MARGIN = 3


def text_of(response: object) -> str:
    """The words of an agent tool's answer: a text, or an object whose `content` is a text or blocks."""
    content = response.get("content") if isinstance(response, dict) else response
    if isinstance(content, list):
        return "\n".join(text for block in content if (text := _block_text(block)).strip())
    return content if isinstance(content, str) else ""


def with_text(response: object, text: str) -> object:
    """The same answer with another text: hosts refuse one that does not have the tool's own form."""
    if not isinstance(response, dict):
        return _with(response, text)
    return {**response, "content": _with(response.get("content"), text)}


def digest(text: str, pointer: str) -> str:
    """What is shown instead, with a pointer to the whole: how it begins, where its own summary is, and how it ends."""
    lines = [line for line in text.splitlines() if line.strip()]
    most = check(text).form.limit
    if len(lines) > most:
        lines = [*lines[: most - _MARGIN], "...", *lines[-_MARGIN + 1 :]]
    return "\n".join([*(shorten(line, _LINE) for line in lines), pointer])


def _block_text(block: object) -> str:
    text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else block
    return text if isinstance(text, str) else ""


def _with(content: object, text: str) -> Any:  # noqa: ANN401 - the host's form
    if not isinstance(content, list):
        return text
    others = [block for block in content if isinstance(block, dict) and block.get("type") != "text"]
    return [{"type": "text", "text": text}, *others]
