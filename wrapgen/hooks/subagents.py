"""A sub-agent starts or stops, or a tool has answered: context in, the contract checked, the result stored."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.hooks.once import is_news
from wrapgen.hooks.place import app_of

if TYPE_CHECKING:
    from wrapgen.agents.context import Asking, StepRows
    from wrapgen.agents.moments import EventSetting
    from wrapgen.hooks.events import Moment
    from wrapgen.host_reply import HookReply
    from wrapgen.workflows.app import App


_BRIEF = "brief of this session"


def on_subagent_start(moment: Moment) -> HookReply:
    """Give a new sub-agent what others found, and a brief of the session."""
    from wrapgen.agents.events import AgentEvent
    from wrapgen.agents.moments import on_start

    app = app_of(moment)
    troubles: list[str] = []
    setting = replace(_setting(app, moment), frame=partial(_framed, app, moment, troubles))
    reply = on_start(AgentEvent.of(moment.fields), setting)
    _send_later(app, moment)
    return reply._replace(trouble="; ".join(filter(None, (reply.trouble, *troubles))))


def on_subagent_stop(moment: Moment) -> HookReply:
    """Judge and keep what a sub-agent answers."""
    from wrapgen.agents.events import AgentEvent
    from wrapgen.agents.moments import on_stop

    app = app_of(moment)
    reply = on_stop(AgentEvent.of(moment.fields), _setting(app, moment))
    _send_later(app, moment)
    return reply if is_news(moment.root, moment.session, reply.warning) else reply._replace(warning="")


def on_post_tool_use(moment: Moment) -> HookReply:
    """Note a changed file, or shorten what a sub-agent returned."""
    from wrapgen.agents.events import ToolEvent
    from wrapgen.agents.moments import on_tool

    app = app_of(moment)
    return on_tool(ToolEvent.of(moment.fields), _setting(app, moment))


def _setting(app: App, moment: Moment) -> EventSetting:
    from wrapgen.agents.moments import EventSetting
    from wrapgen.workflows.agent_store import look, place_of, spool_of

    place = place_of(app, Path(moment.cwd))

    def looked(asking: Asking) -> tuple[StepRows, str]:
        found, away = look(app, asking, place.id)
        return found, str(away) if away is not None and is_news(moment.root, moment.session, away.what) else ""

    return EventSetting(spool_of(app).append, looked, app.config.agents, place, app.now)


def _send_later(app: App, moment: Moment) -> None:
    from wrapgen.hooks.detach import Request, hand_over

    if app.store_address is not None:
        hand_over(moment.root, Request(search=False, hurry=True))


def _framed(app: App, moment: Moment, troubles: list[str], context: str, tokens: int, units: int) -> str:
    """What others found and the brief of the session, between lines with a marker that nobody can guess: it is data."""
    from wrapgen.hooks.injection import InjectedPart, framed
    from wrapgen.text.tokens import conservative_tokens, utf16_length

    marker = os.urandom(4).hex()
    parts = [InjectedPart("what other agents found", context)] if context else []
    try:
        used = framed([*parts, InjectedPart(_BRIEF, "")], marker)
        text = _brief(app, moment, tokens - conservative_tokens(used), units - utf16_length(used))
    except Exception as error:
        troubles.append(f"brief: {error}")
        text = ""
    return framed([*parts, InjectedPart(_BRIEF, text)] if text else parts, marker)


def _brief(app: App, moment: Moment, tokens: int, units: int) -> str:
    from wrapgen.hooks.brief import brief
    from wrapgen.hooks.detach import Request, hand_over

    made = brief(app, moment.cwd, tokens, units)
    if made is None:
        hand_over(moment.root, Request(cwd=moment.cwd, search=False, hurry=True))
    return made or ""
