"""Coding agents: do they call wrapgen, are their conversations read and saved, and how does the reader fare."""

import os
import shlex
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path

from wrapgen.config import user_config_path
from wrapgen.errors import NoVaultError
from wrapgen.hosts.host import CLAUDE, NAME
from wrapgen.hosts.installer import Guest, one_at_a_time, state_folder
from wrapgen.hosts.places import (
    Setup,
    claude_folder,
    kept_days,
    plugin_setup,
    program,
    session_folders,
    setups,
    skills,
    spoken,
)
from wrapgen.hosts.settings import Wanted
from wrapgen.session.discover import host_sessions, working_folder
from wrapgen.session.reading import command_of
from wrapgen.text.display import count
from wrapgen.vault import disk
from wrapgen.workflows import user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.compaction import failures
from wrapgen.workflows.doctor.finding import Finding, Visit, note, ok, warning, wrong
from wrapgen.workflows.orphan_search import Search
from wrapgen.workflows.reader_run import calls_on, readings
from wrapgen.workflows.unread_sessions import UnreadSessions
from wrapgen.workflows.vault_session import VaultSession

_SLACK = 3_600  # seconds between a session's last line and its hooks' records
# Settings that turn hooks off, by host, with the value that does.
_SWITCHES = {
    "claude": ((("disableAllHooks",), True), (("allowManagedHooksOnly",), True)),
    "gemini": ((("hooksConfig", "enabled"), False), (("tools", "enableHooks"), False)),
}
_OWN_LOG = "hooks.log"
_DAY = 86_400  # seconds
_RECENT = 7 * _DAY
_WARN_DAYS = 7
_MOST = 50  # conversations; the oldest ones first


def hooks(_: Visit) -> Iterator[Finding]:
    """The hosts' settings: our entries, what they call, and what keeps them from running."""
    found = setups(Path.cwd())
    plugin = plugin_setup(found)
    calling = [one for one in found if one.entries]
    for one in found:
        title, settings = one.places.host.title, str(one.places.settings)
        if one.trouble:
            what, line = one.trouble
            yield wrong(f"{what}, so {title} runs no hooks", f"{settings}:{line}", f"fix it, then {_again(one)}")
        elif one.entries:
            what = f"{title} calls wrapgen at {count(len(one.entries), 'event')}"
            yield from list(_stale(one)) or [ok(what, settings)]
    if plugin:
        yield from _plugin(plugin, calling)
    used = {one.places.host.name for one in calling} | ({CLAUDE.name} if plugin else set())
    for one in found:
        if one.places.host.name in used:
            yield from _switched_off(one)
    for host in {one.places.host.name: one.places.host for one in found if not one.trouble}.values():
        if host.name not in used:
            yield note(f"{host.title} does not call wrapgen", mend=f"wrap install {host.name}")


def _again(one: Setup) -> str:
    return f"wrap install {one.places.host.name} --scope {one.places.scope.value}"


def _stale(one: Setup) -> Iterator[Finding]:
    settings, again = one.places.settings, _again(one)
    fix = partial(_install, one)
    unit = "milliseconds" if one.places.host.milliseconds else "seconds"
    if gone := one.missing:
        yield wrong(f"calls {gone}, which does not exist", f"{settings}:{one.entries[0].line}", again, fix)
    elif entry := one.wrong_unit:
        what = f"{entry.event}: a timeout of {entry.handler['timeout']}, but {one.places.host.title} counts in {unit}"
        yield wrong(what, f"{settings}:{entry.line}", again, fix)
    elif not one.is_current:
        yield wrong("holds entries of another version of wrapgen", f"{settings}:{one.entries[0].line}", again, fix)


def _install(one: Setup) -> Iterator[str]:
    there = Guest(one.places, skills(spoken(program())))
    wanted = Wanted(one.places.host, program())
    with one_at_a_time():
        there.install(wanted, there.plan(wanted, {}))
    yield f"installed the hooks of {one.places.host.title} again: {one.places.settings}"


def _plugin(plugin: Setup, calling: list[Setup]) -> Iterator[Finding]:
    where = f"{plugin.places.settings}:{plugin.line('enabledPlugins')}"
    twice = [one for one in calling if one.places.host is CLAUDE]
    if twice:
        what = f"the plugin and {twice[0].places.settings} both call wrapgen, so each event runs it twice"
        yield wrong(what, where, f"wrap uninstall claude --scope {twice[0].places.scope.value}")
    elif shutil.which(NAME) is None:
        yield warning(
            f"the plugin calls {NAME}, which is not on the PATH here", where, "wrap plugin build DIR --program PATH"
        )
    else:
        yield ok("Claude Code calls wrapgen through the plugin", where)


def _switched_off(one: Setup) -> Iterator[Finding]:
    for keys, bad in _SWITCHES.get(one.places.host.name, ()):
        if one.says(*keys) is bad:
            what = f"`{'.'.join(keys)}` is {str(bad).lower()}, which turns our hooks off"
            where = f"{one.places.settings}:{one.line(*keys)}"
            yield wrong(what, where, f"set it to {str(not bad).lower()}; then wrap doctor")


def fired(visit: Visit) -> Iterator[Finding]:
    """Whether the hooks actually fire: when each event last did, and sessions that ran without any."""
    from wrapgen.vault.headline import ago
    from wrapgen.vault.keyed_files import last_fired

    found = setups(Path.cwd())
    times = last_fired(str(visit.app.root))
    if times:
        newest = sorted(times.items(), key=lambda one: -one[1])
        yield ok(", ".join(f"{event} {ago(time.time() - at)}" for event, at in newest))
    folders = list(session_folders(found))
    if not folders:
        return
    installed = [one.places.settings.stat().st_mtime for one in found if one.entries or one is plugin_setup(found)]
    since = max([*times.values(), *installed]) + _SLACK
    here = visit.app.folders
    silent = [
        path
        for path in host_sessions(since, Path.home(), os.environ)
        if any(path.is_relative_to(folder) for folder in folders)
        and (cwd := working_folder(path))
        and here.project_of(cwd)[0]
    ]
    if silent:
        what = f"{count(len(silent), 'session')} ran without any hook since {ago(time.time() - since + _SLACK)}"
        yield wrong(
            what, str(silent[-1]), "claude --debug in a session of that folder shows why; then wrap install claude"
        )
    elif not times:
        yield note("no hook has fired here yet; start a session to test it")


def reader(visit: Visit) -> Iterator[Finding]:
    """Whether the reader exists, how its last call went, and how much of its daily limit is used."""
    settings = user_config.own().reader
    command = command_of(settings)
    if not command:
        return
    if shutil.which(command[0]) is None:
        what = f"the reader `{command[0]}` is not found"
        yield wrong(what, str(user_config_path()), "install it, or configure another")
        return
    last = next(reversed(readings(visit.app.root)), None)
    if last is not None and last.error is not None:
        again = f"wrap orphans --read --transcript {shlex.quote(last.transcript)}"
        yield warning(f"it failed on {last.at:%Y-%m-%d %H:%M}: {last.error}", last.transcript, again)
    calls = calls_on(visit.app.root, visit.app.now)
    yield ok(f"{command[0]}, {calls} of {settings.per_day} calls today")


def unread(visit: Visit) -> Iterator[Finding]:
    """Conversations that no track has, that cannot be read, that nobody can place, or that are deleted soon."""
    for one in failures(visit.app.root):
        mend = f"wrap track snapshot --transcript {shlex.quote(one['transcript'])} --dir {shlex.quote(one['project'])}"
        yield wrong(f"not saved on {one['at']}: {one['error']}", one["project"], mend)
    sessions = UnreadSessions(visit.app)
    sessions.ours()
    for trouble in sessions.left:
        tell = wrong if trouble in sessions.troubles else note
        yield tell(trouble.what, trouble.where or "", trouble.next_step or "")
    yield from _vanishing(visit)


def _vanishing(visit: Visit) -> Iterator[Finding]:
    """Follow-ups in conversations that Claude Code deletes within a week."""
    kept, now = kept_days(setups(Path.cwd())), time.time()
    limit, here = now - max(0, kept - _WARN_DAYS) * _DAY, visit.app.folders
    old = [
        path
        for path in host_sessions(0, Path.home(), os.environ)
        if path.is_relative_to(claude_folder()) and path.stat().st_mtime < limit
    ]
    ours = (path for path in old if (cwd := working_folder(path)) and here.project_of(cwd)[0])
    for path in islice(ours, _MOST):
        orphans = [
            one for one in Search(visit.session).read([path]).orphans if one.id not in visit.session.memory.pending
        ]
        if orphans:
            left = max(0, kept - int((now - path.stat().st_mtime) // _DAY))
            when = f"in {count(left, 'day')}" if left else "any day now"
            yield wrong(
                f"{count(len(orphans), 'follow-up')} found only in this conversation, which Claude Code deletes {when}",
                str(path),
                f"wrap orphans --transcript {shlex.quote(str(path))}",
                partial(_keep, visit.app, path),
            )


def _keep(app: App, path: Path) -> Iterator[str]:
    session = VaultSession.look(app)  # as it is under the lock
    orphans = Search(session).read([path]).orphans
    session.memory.wait_for(orphans, app.day)
    yield f"kept {count(len(orphans), 'follow-up')} of {path}; `wrap route` files them"


def troubles(visit: Visit) -> Iterator[Finding]:
    """Hook failures of the last week, also where there was no vault to log them in; they never stop a session."""
    from wrapgen.vault.keyed_files import LOG_FILE, entries

    with suppress(NoVaultError):
        yield from _told(entries(str(visit.app.root)), LOG_FILE)
    log = state_folder() / _OWN_LOG
    with suppress(FileNotFoundError):
        yield from _told(disk.whole(log).decode("utf-8", "replace").splitlines(), str(log))


def _told(lines: list[str], log: str) -> Iterator[Finding]:
    recent = [line for line in lines if time.time() - _moment(line) < _RECENT]
    if recent:
        what = f"{count(len(recent), 'time')} in the last week a hook failed; most recently:  {recent[-1]}"
        yield warning(what, log, _mend(recent[-1]))


def _moment(line: str) -> float:
    try:
        return datetime.strptime(line.partition(" ")[0], "%Y-%m-%dT%H:%M:%S%z").timestamp()
    except ValueError:
        return 0.0


def _mend(line: str) -> str:
    if "vault" in line and "wrapgen.toml" in line:
        return "wrap init --default, in the folder where the vault is now"
    return "wrap track snapshot --transcript FILE" if "PreCompact" in line else "wrap --verbose regen"
