"""What happens when a sub-agent starts or stops, and when a tool has answered.

A host's hook reads its event, calls one of these and passes on the reply. If the store is locked, damaged or missing,
the reply does without it, and what it was to keep waits in the spool; `trouble` says so unless it was only locked.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from wrapgen.agents.context import CHARACTERS, CONTEXT_BUDGET, Asking, compose
from wrapgen.agents.contract import parse
from wrapgen.agents.message import LastWords, last_words
from wrapgen.agents.operations import AddFileChange, KeepOutput, Start, Stop, Who
from wrapgen.agents.rows import COMPLETED, NEEDS_REVIEW
from wrapgen.agents.shrink import AGENT_TOOLS, digest, text_of, with_text
from wrapgen.agents.stopping import StopVerdict, decide, stated
from wrapgen.errors import ExitCode, UnavailableError, WrapgenError
from wrapgen.host_reply import HookReply
from wrapgen.text.tokens import conservative_tokens, utf16_length

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from wrapgen.agents.events import AgentEvent, ToolEvent
    from wrapgen.agents.operations import Operation, WorkFolder
    from wrapgen.agents.spool import Spool
    from wrapgen.agents.store import Store
    from wrapgen.agents.team import TeamStore
    from wrapgen.config import Agents

_SHRINK_OVER = 12_000  # characters, some 3,000 tokens; the contract's ten or twenty lines are far less
_CHANGES = {"Write": "create", "Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit"}


@dataclass(frozen=True, slots=True)
class EventSetting:
    """Where an event happens."""

    open_store: Callable[[], Store | TeamStore]  # opens the vault's store; it may raise any `WrapgenError`
    agents: Agents  # `[agents]` of the configuration
    place: WorkFolder | None  # the project of the working folder, None when nothing is known
    now: datetime  # the moment
    spool: Spool | None = None  # keeps what cannot be stored now; None where that is only reported


def on_start(event: AgentEvent, setting: EventSetting) -> HookReply:
    """A sub-agent starts: note it, let it take on a task, state its contract, and give it what others found.

    Args:
        event: without a session nothing is known of what others found.
    """
    if event.hosts_own:
        return HookReply()
    contract = stated(event.type, setting.agents.contract)
    if event.session is None:
        return HookReply(context=contract)
    asking = Asking(event.session, event.name, event.type, event.parent, event.agent)
    start = Start(_who(event.session, event.agent, event), setting.place, setting.now) if event.agent else None
    tokens = CONTEXT_BUDGET - conservative_tokens(contract)
    room = CHARACTERS - utf16_length(contract)
    reply = _recorded(start, setting, lambda store: compose(asking, store.find(asking), tokens, room).text)
    return reply._replace(context="\n\n".join(filter(None, (contract, reply.context))))


def on_stop(event: AgentEvent, setting: EventSetting) -> HookReply:
    """A sub-agent wants to stop: judge its answer, and keep it whatever it is.

    Args:
        event: without a session or an agent nothing is kept; what the host asked for itself is nobody's answer.
    """
    if event.hosts_own:
        return HookReply()
    said = last_words(Path(event.transcript)) if event.transcript else LastWords()
    text = event.message or said.text
    decision = decide(text, active=event.active, agent_type=event.type, contract=setting.agents.contract)
    reply = HookReply()
    if event.session and event.agent:
        stop = Stop(
            who=_who(event.session, event.agent, event),
            text=text,
            place=setting.place,
            usage=said.usage,
            accepted=decision.verdict is not StopVerdict.BLOCK,
            finished=NEEDS_REVIEW if _names_blockers(text, event.type) else COMPLETED,
            now=setting.now,
        )
        reply = _recorded(stop, setting)
    if decision.verdict is StopVerdict.BLOCK:
        return reply._replace(exit_code=ExitCode.USAGE, stderr=decision.message)
    return reply._replace(warning=decision.message)


def on_tool(event: ToolEvent, setting: EventSetting) -> HookReply:
    """A tool has answered: note the file that it wrote, or shorten what a sub-agent returned when it is too long.

    A text is only shortened once it is in the store.
    """
    if event.session is None:
        return HookReply()
    if event.tool in _CHANGES:
        path = next((event.input[key] for key in ("file_path", "notebook_path", "path") if event.input.get(key)), "")
        if isinstance(path, str) and path:
            change = AddFileChange(event.session, event.agent, path, _CHANGES[event.tool], setting.now)
            # Loading the server client takes longer than everything else, and a session writes many files.
            return _recorded(change, setting, send=False)
    elif event.tool in AGENT_TOOLS:
        return _shortened(event, event.session, setting)
    return HookReply()


def _shortened(event: ToolEvent, session: str, setting: EventSetting) -> HookReply:
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
    reply = _recorded(KeepOutput(session, agent, text, setting.place, setting.now), setting)
    return reply if reply.lost else reply._replace(output=with_text(event.response, short))


def _recorded(
    operation: Operation | None,
    setting: EventSetting,
    answer: Callable[[Store | TeamStore], str] = lambda _: "",
    *,
    send: bool = True,
) -> HookReply:
    """Store what happened, or keep it in the spool.

    Args:
        operation: what happened; None for nothing that is to be kept.
        answer: what the host is told, from the store.
        send: whether a team's server is told now and not with the next change.

    Returns:
        the reply, with the answer as its context.
    """
    reply, late = HookReply(), operation
    error: WrapgenError | None = None
    try:
        with setting.open_store() as store:
            # What came before it waits on: it must not be overtaken.
            if late is not None and not (setting.spool and setting.spool.waiting()):
                try:
                    store.do(late) if send else store.keep(late)
                    late = None
                except UnavailableError as busy:
                    error = busy
            reply = HookReply(context=answer(store), trouble=store.trouble, behind=send and store.behind)
    except WrapgenError as failed:
        error = failed
    if late is not None:
        return _put_off(late, setting.spool, error, reply)
    return reply if error is None else reply._replace(trouble=str(error))


def _put_off(late: Operation, spool: Spool | None, error: WrapgenError | None, reply: HookReply) -> HookReply:
    """Keep what could not be stored; a background run, or whoever opens the store next, takes it up."""
    trouble = "" if error is None or (spool and isinstance(error, UnavailableError)) else str(error)
    if spool is None:
        return reply._replace(trouble=trouble, lost=True)
    try:
        spool.put(late)
    except (WrapgenError, OSError) as why:
        return reply._replace(trouble="; ".join(filter(None, (str(error or ""), str(why)))), lost=True)
    return reply._replace(trouble=trouble or reply.trouble, behind=True)


def _who(session: str, agent: str, event: AgentEvent) -> Who:
    return Who(agent, session, event.name, event.type, event.parent)


def _names_blockers(text: str | None, agent_type: str | None) -> bool:
    """Whether an answer names blockers, so that its task needs attention."""
    return bool(parse(text or "", agent_type)[0].text("blockers"))
