"""Where the hosts keep what wrapgen puts there, the skills among it, and how they start this very program."""

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from wrapgen.errors import UsageError
from wrapgen.hosts.host import CLAUDE, CODEX, CURSOR, HOSTS, Host, Scope
from wrapgen.resources import resource

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
