"""Where the hosts keep what wrapgen puts there, what is there now, and how they start this very program."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wrapgen.errors import UsageError
from wrapgen.hosts import jsontext
from wrapgen.hosts.host import CLAUDE, CODEX, CURSOR, HOSTS, NAME, Host, Scope, command_of
from wrapgen.hosts.jsontext import JsonTextError, line_of
from wrapgen.hosts.settings import HookEntry, Wanted, entries, merge
from wrapgen.resources import resource
from wrapgen.vault import disk

CLAUDE_FOLDER, CODEX_FOLDER = "CLAUDE_CONFIG_DIR", "CODEX_HOME"


@dataclass(frozen=True, slots=True)
class HostFiles:
    """The files of one host that one scope has."""

    host: Host  # the host
    scope: Scope  # the scope
    settings: Path  # the file with the hooks
    skills: Path  # the folder of the skills
    agents: Path | None = None  # the folder of the sub-agents' files, None where the host has none that name skills

    @property
    def private(self) -> bool:
        """Whether they lie in a project without being meant for everybody there."""
        return self.scope is Scope.LOCAL


def places(host: Host, scope: Scope, project: Path) -> HostFiles:
    """Where a host that is started in a folder looks; raises `UsageError` when it has no such scope."""
    if scope not in host.scopes:
        known = ", ".join(one.value for one in host.scopes)
        raise UsageError(f"{host.title} has no settings of the scope {scope.value}", next_step=f"Take one of: {known}.")
    user = scope is Scope.USER
    if host is CLAUDE:
        folder = claude_folder() if user else project / ".claude"
        name = "settings.local.json" if scope is Scope.LOCAL else "settings.json"
        return HostFiles(host, scope, folder / name, folder / "skills", folder / "agents")
    if host is CODEX:
        folder = codex_folder() if user else project / ".codex"
        return HostFiles(host, scope, folder / "hooks.json", (_home() if user else project) / ".agents" / "skills")
    folder = _own_folder(host) if user else project / f".{host.name}"
    return HostFiles(host, scope, folder / ("hooks.json" if host is CURSOR else "settings.json"), folder / "skills")


def found_here() -> list[Host]:
    """The hosts that this user has: one's own folder is there, or its program is on the PATH."""
    own = {CLAUDE.name: claude_folder(), CODEX.name: codex_folder()}
    return [host for name, host in HOSTS.items() if own.get(name, _own_folder(host)).is_dir() or shutil.which(name)]


def claude_folder() -> Path:
    """Claude Code's own folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    return _named(CLAUDE_FOLDER, ".claude")


def codex_folder() -> Path:
    """Codex's own folder: `$CODEX_HOME`, else `~/.codex`."""
    return _named(CODEX_FOLDER, ".codex")


def _own_folder(host: Host) -> Path:
    return _home() / f".{host.name}"


def _named(variable: str, name: str) -> Path:
    said = os.environ.get(variable)
    return Path(said).expanduser().absolute() if said else _home() / name


def _home() -> Path:
    return Path("~").expanduser()


_NAMES = ("wrap", "wrapgen")
_SUFFIXES = ("", ".exe")


def program() -> tuple[str, ...]:
    """The command line that starts the current program from any folder, without its environment.

    Links stay as they are: tools such as pipx and uv keep them when they put a new version behind.
    """
    started = Path(os.path.abspath(sys.argv[0]))
    candidates = [started] if started.stem in _NAMES else []
    scripts = Path(sys.executable).parent
    candidates += [scripts / f"{name}{suffix}" for name in _NAMES for suffix in _SUFFIXES]
    for one in candidates:
        if one.is_file() and os.access(one, os.X_OK):
            return (str(one),)
    return (sys.executable, "-m", "wrapgen")


def program_here() -> tuple[str, ...]:
    """The words by which this shell finds the current program: its name, or its whole path where PATH lacks it."""
    return _by_name(program())


def spoken(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words for an agent's shell: the name alone, where every shell of the user finds the same program by it.

    A program in a virtual environment is found only by shells in which that is active, so it keeps its whole path.
    """
    if len(words) > 1 or sys.prefix == sys.base_prefix:
        return words if len(words) > 1 else _by_name(words)
    own = Path(sys.prefix).absolute() in Path(words[0]).parents
    return words if own else _by_name(words)


def _by_name(words: tuple[str, ...]) -> tuple[str, ...]:
    found = shutil.which("wrap")
    same = found is not None and os.path.realpath(found) == os.path.realpath(words[0])
    return ("wrap",) if same else words


FILE = "SKILL.md"
CONTRACT = frozenset({"compress-output", "compress-review"})
"""Skills that only make sense where sub-agents have a contract."""
# `wrap` where it is a command: at the beginning of inline code or of a line, and in the list of allowed tools.
_COMMAND = re.compile(r"(`|^ *|Bash\()wrap(?=[ `])", re.MULTILINE)


def skills(program: tuple[str, ...]) -> dict[str, str]:
    """The text of each skill by the name of its folder; `program` are the words by which a shell finds wrapgen."""
    folder = resource("templates") / "skills"
    texts = {file.parent.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob(f"*/{FILE}"))}
    words = shlex.join(program)
    return {name: _COMMAND.sub(lambda found: found[1] + words, text) for name, text in texts.items()}


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
