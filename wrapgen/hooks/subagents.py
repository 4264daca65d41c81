"""A sub-agent starts or stops, or a tool has answered: context in, the contract checked, the result stored."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from wrapgen.hooks.detach import Request, hand_over
from wrapgen.hooks.once import is_news
from wrapgen.hooks.place import app_of
from wrapgen.vault.keyed_files import KeyedFiles

if TYPE_CHECKING:
    from wrapgen.agents.context import StepRows
    from wrapgen.agents.moments import EventSetting
    from wrapgen.agents.rows import Who
    from wrapgen.hooks.events import Moment
    from wrapgen.host_reply import HookReply
    from wrapgen.workflows.app import App


_BRIEF = "brief of this session"


def on_subagent_start(moment: Moment) -> HookReply:
    """Give a new sub-agent what others found, and a brief of the session."""
    from wrapgen.agents.moments import AgentEvent, on_start

    app = app_of(moment)
    troubles: list[str] = []
    setting = replace(_setting(app, moment), frame=partial(_framed, app, moment, troubles))
    reply = on_start(AgentEvent.of(moment.fields), setting)
    _send_later(app, moment)
    return reply._replace(trouble="; ".join(filter(None, (reply.trouble, *troubles))))


def on_subagent_stop(moment: Moment) -> HookReply:
    """Judge and keep what a sub-agent answers."""
    from wrapgen.agents.moments import AgentEvent, on_stop

    app = app_of(moment)
    reply = on_stop(AgentEvent.of(moment.fields), _setting(app, moment))
    _send_later(app, moment)
    return reply if is_news(moment.root, moment.session, reply.warning) else reply._replace(warning="")


def on_post_tool_use(moment: Moment) -> HookReply:
    """Note a changed file, or shorten what a sub-agent returned."""
    from wrapgen.agents.moments import AgentEvent, on_tool

    app = app_of(moment)
    return on_tool(AgentEvent.of(moment.fields), _setting(app, moment))


def _setting(app: App, moment: Moment) -> EventSetting:
    from wrapgen.agents.moments import EventSetting
    from wrapgen.workflows.agent_store import look, place_of, spool_of

    place = place_of(app, Path(moment.cwd))

    def looked(asking: Who) -> tuple[StepRows, str]:
        found, away = look(app, asking, place.id)
        return found, str(away) if away is not None and is_news(moment.root, moment.session, away.what) else ""

    return EventSetting(spool_of(app).append, looked, app.config.agents, place, app.now)


def _send_later(app: App, moment: Moment) -> None:
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
        text = brief(app, moment.cwd, tokens - conservative_tokens(used), units - utf16_length(used))
        if text is None:
            hand_over(moment.root, Request(cwd=moment.cwd, search=False, hurry=True))
    except Exception as error:
        troubles.append(f"brief: {error}")
        text = ""
    return framed([*parts, InjectedPart(_BRIEF, text)] if text else parts, marker)


_BRIEFS = KeyedFiles("brief", kept_seconds=7 * 86_400)
_SEEN = "seen"
_LEAST = 100  # tokens; the empty block takes some 70


def remember_state(app: App, cwd: str) -> None:
    """Store what is known about the session in a folder; raises `OSError` and `WrapgenError`."""
    from wrapgen.workflows.session_brief import known_state

    state = known_state(app, Path(cwd))
    _BRIEFS.put(str(app.root), cwd, {**state, _SEEN: _seen(app.root)})
    _BRIEFS.forget_old(str(app.root))


def _seen(root: Path) -> str:
    """What tells whether a note has changed: which there are, and when each was written last."""
    newest, names = 0, 0
    folders = [os.fspath(root)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders += [] if entry.name.startswith(".") else [entry.path]
                elif entry.name.endswith((".md", ".txt", ".toml", ".org")):
                    newest = max(newest, entry.stat().st_mtime_ns)
                    names ^= crc32(entry.path.encode("utf-8", "surrogateescape"))
    return f"{newest}-{names}"


def brief(app: App, cwd: str, tokens: int, units: int) -> str | None:
    """What a sub-agent must know about the session; "" when there is no room, None when nothing was kept yet."""
    state = _BRIEFS.get(str(app.root), cwd)
    if state is None:
        return None
    if tokens < _LEAST:
        return ""
    if state.get(_SEEN) != _seen(app.root):
        remember_state(app, cwd)
        state = _BRIEFS.get(str(app.root), cwd) or state
    else:
        from wrapgen.vault.git import worktree

        git = worktree(Path(cwd))
        files = [{"path": path, "change_type": kind} for path, kind in git.changes]
        state = {**state, "files": files, "branch": git.branch}
    from wrapgen.brief import SNAPSHOT_MAX_TOKENS, create_snapshot, fitted
    from wrapgen.text.tokens import utf16_length

    text = fitted(create_snapshot(state), lang=app.language, budget=min(SNAPSHOT_MAX_TOKENS, tokens)).text
    return text if utf16_length(text) <= units else ""
