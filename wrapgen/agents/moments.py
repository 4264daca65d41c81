"""What happens when a sub-agent starts or stops, and when a tool has answered.

A host's hook reads its event, calls one of these and passes on the reply. The store may be locked, damaged or missing:
then the reply is what it can be without, and says so in `trouble`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from wrapgen.agents.context import Asking, compose
from wrapgen.agents.contract import parse
from wrapgen.agents.events import Reply
from wrapgen.agents.message import LastWords, last_words
from wrapgen.agents.operations import AddFileChange, KeepOutput, Start, Stop
from wrapgen.agents.rows import COMPLETED, NEEDS_REVIEW
from wrapgen.agents.shrink import AGENT_TOOLS, digest, text_of, with_text
from wrapgen.agents.stopping import Verdict, decide
from wrapgen.agents.who import Who
from wrapgen.errors import ExitCode, WrapgenError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from wrapgen.agents.events import AgentEvent, ToolEvent
    from wrapgen.agents.store import Store
    from wrapgen.agents.team import TeamStore
    from wrapgen.agents.who import Place
    from wrapgen.config import Agents

_CHANGES = {"Write": "create", "Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit"}


@dataclass(frozen=True, slots=True)
class Setting:
    """Where an event happens.

    Attributes:
        open_store: opens the vault's store; it may raise any `WrapgenError`.
        agents: `[agents]` of the configuration.
        place: the project of the working folder, None when nothing is known.
        now: the moment.
    """

    open_store: Callable[[], Store | TeamStore]
    agents: Agents
    place: Place | None
    now: datetime


def on_start(event: AgentEvent, setting: Setting) -> Reply:
    """A sub-agent starts: note it, let it take on a task, and give it what others found.

    Args:
        event: without a session nothing is known that it could be given.
        setting: where.
    """
    if event.session is None:
        return Reply()
    try:
        with setting.open_store() as store:
            if event.agent:
                store.do(Start(_who(event.session, event.agent, event), setting.place, setting.now))
            asking = Asking(event.session, event.name, event.type, event.parent, event.agent)
            chosen = compose(asking, store.find(asking), setting.agents.context_budget)
            return Reply(context=chosen.text, trouble=store.trouble, behind=store.behind)
    except WrapgenError as error:
        return Reply(trouble=str(error))


def on_stop(event: AgentEvent, setting: Setting) -> Reply:
    """A sub-agent wants to stop: judge its answer, and keep it whatever it is.

    Args:
        event: without a session or an agent nothing is kept; what the host asked for itself is nobody's answer.
        setting: where.
    """
    if event.hosts_own:
        return Reply()
    said = last_words(Path(event.transcript)) if event.transcript else LastWords()
    text = event.message or said.text
    decision = decide(text, active=event.active, agent_type=event.type, contract=setting.agents.contract)
    trouble, behind = "", False
    if event.session and event.agent:
        try:
            with setting.open_store() as store:
                stop = Stop(
                    who=_who(event.session, event.agent, event),
                    text=text,
                    place=setting.place,
                    usage=said.usage,
                    accepted=decision.verdict is not Verdict.BLOCK,
                    finished=NEEDS_REVIEW if _names_blockers(text, event.type) else COMPLETED,
                    now=setting.now,
                )
                store.do(stop)
                trouble, behind = store.trouble, store.behind
        except WrapgenError as error:
            trouble = str(error)
    if decision.verdict is Verdict.BLOCK:
        return Reply(exit_code=ExitCode.USAGE, stderr=decision.message, trouble=trouble, behind=behind)
    return Reply(warning=decision.message, trouble=trouble, behind=behind)


def on_tool(event: ToolEvent, setting: Setting) -> Reply:
    """A tool has answered: note the file that it wrote, or shorten what a sub-agent returned when it is too long.

    A text is only taken from its reader when it stands in the store.
    """
    if event.session is None:
        return Reply()
    try:
        if event.tool in _CHANGES:
            path = next(
                (event.input[key] for key in ("file_path", "notebook_path", "path") if event.input.get(key)), ""
            )
            if isinstance(path, str) and path:
                # To load what talks to a server takes longer than all else, and a session writes many files.
                with setting.open_store() as store:
                    store.keep(AddFileChange(event.session, event.agent, path, _CHANGES[event.tool], setting.now))
        elif event.tool in AGENT_TOOLS:
            return _shortened(event, event.session, setting)
    except WrapgenError as error:
        return Reply(trouble=str(error))
    return Reply()


def _shortened(event: ToolEvent, session: str, setting: Setting) -> Reply:
    text = text_of(event.response)
    most = setting.agents.shrink_over
    if not most or len(text) <= most:
        return Reply()
    response = event.response if isinstance(event.response, dict) else {}
    named = response.get("agentId")
    agent = named if isinstance(named, str) and named else event.call
    if not agent:
        return Reply()
    pointer = f"(shortened from {len(text)} characters; the whole text: wrap agent list outputs --agent {quote(agent)})"
    short = digest(text, pointer)
    if len(short) >= len(text):
        return Reply()
    with setting.open_store() as store:
        store.do(KeepOutput(session, agent, text, setting.place, setting.now))
        return Reply(output=with_text(event.response, short), trouble=store.trouble, behind=store.behind)


def _who(session: str, agent: str, event: AgentEvent) -> Who:
    return Who(agent, session, event.name, event.type, event.parent)


def _names_blockers(text: str | None, agent_type: str | None) -> bool:
    """Whether an answer names blockers: then somebody has to look at its task."""
    return bool(parse(text or "", agent_type)[0].text("blockers"))
