"""A sub-agent starts or stops, or a tool has answered: chapter 7, for hosts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.hooks.events import Answer

if TYPE_CHECKING:
    from wrapgen.agents.events import Reply
    from wrapgen.agents.moments import Setting
    from wrapgen.commands.app import App
    from wrapgen.hooks.events import Moment

# The tools that change files, and those that start a sub-agent; no other one concerns us.
_TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "Agent", "Task"})
_LEAST_BRIEF = 100  # tokens; the empty block takes some 70


def concerns(moment: Moment) -> bool:
    """Whether an answer of a tool is one that is kept or shortened.

    Args:
        moment: a `PostToolUse`.
    """
    return moment.text("tool_name") in _TOOLS


def on_subagent_start(moment: Moment) -> Answer:
    """Give a new sub-agent what others found, and a brief of the session.

    Args:
        moment: a `SubagentStart`.
    """
    from wrapgen.agents.events import AgentEvent
    from wrapgen.agents.moments import on_start

    app = _app(moment)
    reply = on_start(AgentEvent.of(moment.fields), _setting(app, moment))
    try:
        brief = _brief(app, moment, reply.context)
    except Exception as error:
        return _answer(reply)._replace(trouble="; ".join(filter(None, (reply.trouble, f"brief: {error}"))))
    return _answer(reply)._replace(context="\n\n".join(filter(None, (reply.context, brief))))


def on_subagent_stop(moment: Moment) -> Answer:
    """Judge and keep what a sub-agent answers.

    Args:
        moment: a `SubagentStop`.
    """
    from wrapgen.agents.events import AgentEvent
    from wrapgen.agents.moments import on_stop

    app = _app(moment)
    return _answer(on_stop(AgentEvent.of(moment.fields), _setting(app, moment)))


def on_post_tool_use(moment: Moment) -> Answer:
    """Note a changed file, or shorten what a sub-agent returned.

    Args:
        moment: a `PostToolUse`.
    """
    from wrapgen.agents.events import ToolEvent
    from wrapgen.agents.moments import on_tool

    app = _app(moment)
    return _answer(on_tool(ToolEvent.of(moment.fields), _setting(app, moment)))


def _setting(app: App, moment: Moment) -> Setting:
    from wrapgen.agents.moments import Setting
    from wrapgen.commands.agent_store import open_store, place_of

    return Setting(lambda: open_store(app), app.config.agents, place_of(app, Path(moment.cwd)), app.now)


def _answer(reply: Reply) -> Answer:
    return Answer(reply.context, reply.warning, reply.output, reply.exit_code, reply.stderr, reply.trouble)


def _brief(app: App, moment: Moment, context: str) -> str:
    """The brief of the session, in what the agent's budget has left; "" when there is no room or nothing to say."""
    from wrapgen.agents.context import CHARACTERS
    from wrapgen.brief.prompt import SNAPSHOT_MAX_TOKENS, fitted
    from wrapgen.brief.snapshot import create_snapshot
    from wrapgen.commands.brief_ import language
    from wrapgen.commands.briefing import known_state
    from wrapgen.tokens import estimate_tokens, utf16_length

    room = app.config.agents.context_budget - estimate_tokens(context)
    if room < _LEAST_BRIEF:
        return ""
    snapshot = create_snapshot(known_state(app, Path(moment.cwd)))
    text = fitted(snapshot, lang=language(app), budget=min(SNAPSHOT_MAX_TOKENS, room)).text
    fits = utf16_length(context) + utf16_length(text) + 2 <= CHARACTERS
    return text if fits else ""


def _app(moment: Moment) -> App:
    from wrapgen.commands.app import App

    return App(vault=Path(moment.root), quiet=True)
