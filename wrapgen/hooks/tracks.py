"""The hot and cold track of a session's project, for hooks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.hooks.place import started_in
from wrapgen.host_reply import NOTHING, HookReply

if TYPE_CHECKING:
    from wrapgen.hooks.events import Moment
    from wrapgen.tracks.log import Log
    from wrapgen.workflows.app import App


GIVEN_UP, DECIDED = KINDS = "given up", "decided"  # what a remembered line begins with

_GIT_SECONDS = 0.5


def project_folder(cwd: str) -> Path:
    """The project whose tracks a session uses: where the host was started, even after a `cd`."""
    return Path(started_in() or cwd)


def hot_track(app: App, cwd: str, room: int) -> str:
    """The hot track within so many UTF-16 units, "" when there is none; raises `WrapgenError` and `OSError`."""
    from wrapgen.vault.git import branch_of
    from wrapgen.workflows.hot_track import hot_for_injection

    project = project_folder(cwd)
    branch = branch_of(project, _GIT_SECONDS)
    return hot_for_injection(project, app.day, branch, room).rstrip("\n")


def snapshot(app: App, cwd: str, transcript: str, session: str) -> None:
    """Save what a compaction would lose, as `wrap track snapshot` does; an error is told by `wrap doctor`, too."""
    from wrapgen.workflows.compaction import fold_noted

    fold_noted(app, Path(transcript), project_folder(cwd), session or None)


def remembered(cwd: str) -> list[str]:
    """What a compaction must not forget: dead ends and decisions of the project, a line each, newest first."""
    known = _log(project_folder(cwd)).contents()
    graves = [f"{GIVEN_UP}: {one.name}: {one.reason}" for one in known.standing if not one.asked]
    decisions = [f"{DECIDED}: {one.text}" for one in known.decisions.values()]
    return [*reversed(graves), *reversed(decisions)]


def dead_ends_in(cwd: str, words: str) -> list[str]:
    """The project's dead end that the words resemble, as a line; none if there is none."""
    from wrapgen.tracks.signals import resembles

    one = resembles(words, _log(project_folder(cwd)).dead_ends())
    if one is None:
        return []
    return [f"{one.name}: given up{f' on {one.day}' if one.day else ''} ({one.id}): {one.reason}"]


def _log(project: Path) -> Log:
    from wrapgen.tracks.log import Log
    from wrapgen.tracks.place import LOG_FILE, context_folder

    return Log(context_folder(project) / LOG_FILE, project)


def on_prompt(moment: Moment) -> HookReply:
    """Tell the session which dead ends the prompt resembles (`wrap install --prompts` has the host send it)."""
    from wrapgen.hooks.injection import BUDGET, Piece, compose, listed
    from wrapgen.hooks.once import is_news

    found = dead_ends_in(moment.cwd, moment.text("prompt"))
    lines = [line for line in found if is_news(moment.root, moment.session, line)]
    if not lines:
        return NOTHING
    piece = Piece("tried before and given up", BUDGET, lambda room: listed(lines, room, "- and {} more"))
    return HookReply(context=compose([piece], os.urandom(4).hex()))
