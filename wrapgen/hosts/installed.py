"""What is in the hosts' settings now: read for `wrap doctor`, nothing is written."""

import os
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wrapgen.hosts import jsontext
from wrapgen.hosts.host import CLAUDE, CODEX, HOSTS, NAME, command_of
from wrapgen.hosts.jsontext import JsonTextError, line_of
from wrapgen.hosts.places import HostFiles, claude_folder, codex_folder, places
from wrapgen.hosts.settings import HookEntry, Wanted, entries, merge
from wrapgen.vault import disk

_KEPT_DAYS = 30  # docs/claude-directory.md
_LONGEST_SECONDS = 3_600  # of a hook; ours ask for 30 at most
_SHORTEST_MILLISECONDS = 1_000
_HOOK = "hook"


@dataclass(frozen=True, slots=True)
class Setup:
    """A settings file that is there."""

    places: HostFiles  # whose it is
    text: str = ""  # what it says; "" when it cannot be read
    value: dict[str, Any] = field(default_factory=dict)  # the same, decoded; {} when it cannot be read
    entries: tuple[HookEntry, ...] = ()  # our own entries
    trouble: tuple[str, int] | None = None  # why it cannot be read, with its line; None when it can

    @property
    def program(self) -> tuple[str, ...]:
        return _program(self.entries[0]) if self.entries else ()

    def line(self, *keys: str) -> int:
        node = jsontext.parse(self.text, comments=self.places.host.comments)
        for key in keys:
            node = node.at(key) or node
        return line_of(self.text, node.start)

    def says(self, *keys: str) -> object:
        value: object = self.value
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    @property
    def is_current(self) -> bool:
        try:
            return merge(self.text, Wanted(self.places.host, self.program)) == self.text
        except JsonTextError:
            return False

    @property
    def missing(self) -> str:
        """The program that an entry calls and that is not there; "" when all are."""
        for entry in self.entries:
            name = _program(entry)[0]
            if not (shutil.which(name) if os.path.basename(name) == name else os.access(name, os.X_OK)):  # noqa: PTH119
                return name
        return ""

    @property
    def wrong_unit(self) -> HookEntry | None:
        """An entry whose timeout can only be meant in another unit than the host's."""
        for entry in self.entries:
            timeout = entry.handler.get("timeout")
            if isinstance(timeout, (int, float)) and (
                timeout < _SHORTEST_MILLISECONDS if self.places.host.milliseconds else timeout > _LONGEST_SECONDS
            ):
                return entry
        return None


def _program(entry: HookEntry) -> tuple[str, ...]:
    words = entry.handler.get("args")
    if isinstance(words, list):
        all_words = [entry.handler["command"], *map(str, words)]
    else:
        try:
            all_words = shlex.split(command_of(entry.handler), posix=os.name == "posix")
        except ValueError:
            all_words = command_of(entry.handler).split()
    own = [word for word in all_words[: all_words.index(_HOOK)] if "=" not in word] if _HOOK in all_words else all_words
    return tuple(own or all_words[:1])


def setups(project: Path) -> list[Setup]:
    """Every settings file that a host started in a folder reads and that is there, each once."""
    found: dict[str, Setup] = {}
    for host in HOSTS.values():
        for scope in host.scopes:
            there = places(host, scope, project)
            setup = _setup(there)
            if setup is not None:
                found.setdefault(os.path.realpath(there.settings), setup)
    return list(found.values())


def _setup(there: HostFiles) -> Setup | None:
    try:
        data = disk.whole(there.settings)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Setup(there, trouble=(f"cannot be read ({error.strerror or error})", 1))
    try:
        text = data.decode("utf-8-sig")
        if not text.strip():
            return Setup(there, text, {})
        value = jsontext.parse(text, comments=there.host.comments).value
        return Setup(there, text, value if isinstance(value, dict) else {}, tuple(entries(text, there.host)))
    except UnicodeDecodeError as error:
        return Setup(there, trouble=("is not UTF-8", data[: error.start].count(b"\n") + 1))
    except JsonTextError as error:
        return Setup(there, trouble=(error.what, error.line))


def plugin_setup(found: list[Setup]) -> Setup | None:
    """The settings of Claude Code that switch wrapgen's plugin on; None when none do."""
    for one in found:
        enabled = one.says("enabledPlugins")
        if isinstance(enabled, dict) and any(
            name.partition("@")[0] == NAME and on is True for name, on in enabled.items()
        ):
            return one
    return None


def kept_days(found: list[Setup]) -> int:
    """After how many days Claude Code deletes a conversation; of several settings the shortest time counts."""
    said = [one.says("cleanupPeriodDays") for one in found if one.places.host is CLAUDE]
    days = [value for value in said if isinstance(value, int) and not isinstance(value, bool) and value > 0]
    return min(days, default=_KEPT_DAYS)


def session_folders(found: list[Setup]) -> Iterator[Path]:
    """The folders with conversations of the hosts that call wrapgen."""
    calling = {one.places.host.name for one in found if one.entries}
    if CLAUDE.name in calling or plugin_setup(found):
        yield claude_folder() / "projects"
    if CODEX.name in calling:
        yield codex_folder() / "sessions"
