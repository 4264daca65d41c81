"""Git calls that do not let the repository run anything: commits, the state of a working folder, worktrees once seen.

A vault that came as an archive or lies in a shared folder brings its own `.git/config`, and git runs what is there:
`core.fsmonitor`, hooks, and the filters and text converters that `.gitattributes` names. All of them are switched off.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from wrapgen.late_pattern import late
from wrapgen.regular_files import put
from wrapgen.whereabouts import repository, seen_worktrees, worktrees, worktrees_file

_SWITCHED_OFF = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "log.showSignature": "false",  # else `gpg.program` is run for each signed commit
    "safe.bareRepository": "explicit",  # a folder of notes that looks like a bare repository is none
}
# Drivers bear any name, so each has to be switched off by its own.
_DRIVER = late(rb"(filter\..*\.(?:clean|smudge|process|required)|diff\..*\.(?:textconv|command))", re.DOTALL)
_OF_THE_REPOSITORY = (b"local", b"worktree")
# Variables that git sets for hooks would point these calls at another repository.
_ENVIRONMENT_OF_HOOKS = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_EXTERNAL_DIFF",
)  # fmt: skip

_LONG = 60.0  # seconds that a command may take: git itself waits forever for a pipe in the place of its files
LAST_COMMITS = 500
"""So many are looked at for hints: with more, old ones crowd out what is about an item."""
_RECORD, _FIELD = "\x1e", "\x1f"
_FORMAT = f"--format={_RECORD}%h{_FIELD}%cs{_FIELD}%s"


class Git:
    """The repository that contains a folder."""

    def __init__(self, folder: Path, timeout: float = _LONG) -> None:
        self._folder = folder
        self._timeout = timeout

    def ask(self, *words: str) -> bytes | None:
        """What a git command that only reads prints; None where there is no git, no repository or no answer in time."""
        return self._run(self._environment, words) if self._environment else None

    @cached_property
    def is_shallow(self) -> bool:
        """Whether the history was cut off when it was cloned."""
        return self.ask("rev-parse", "--is-shallow-repository") == b"true\n"

    @property
    def head(self) -> bytes | None:
        """The commit that is checked out, None where there is none."""
        return self._run(self._plain, ("rev-parse", "--quiet", "--verify", "HEAD^{commit}"))  # runs no driver

    @property
    def branch(self) -> str | None:
        """The branch that is checked out, None on none."""
        said = self.ask("symbolic-ref", "--quiet", "--short", "HEAD")
        return said.decode("utf-8", "replace").removesuffix("\n") or None if said else None

    @cached_property
    def _plain(self) -> dict[str, str]:
        """The environment for git in which drivers of single files may still run."""
        environment = {name: value for name, value in os.environ.items() if name not in _ENVIRONMENT_OF_HOOKS}
        environment |= {
            "GIT_OPTIONAL_LOCKS": "0",  # reading must not get in the way of a commit
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "none",  # older ones fetch missing objects nevertheless, by any command
            "LC_ALL": "C",
        }
        given = environment.get("GIT_CONFIG_COUNT", "")
        first = int(given) if given.isdecimal() else 0
        environment["GIT_CONFIG_COUNT"] = str(first)
        return _with_settings(environment, _SWITCHED_OFF)

    @cached_property
    def _environment(self) -> dict[str, str] | None:
        """The environment for git; None when git does not list the commands in the repository's configuration."""
        listed = self._run(self._plain, ("config", "--list", "--show-scope", "--name-only", "-z"))
        if listed is None:
            return None
        words = listed.split(b"\0")
        pairs = zip(words[::2], words[1::2], strict=False)
        drivers = [os.fsdecode(key) for scope, key in pairs if scope in _OF_THE_REPOSITORY and _DRIVER.fullmatch(key)]
        return _with_settings(self._plain, dict.fromkeys(drivers, ""))

    def _run(self, environment: dict[str, str], words: tuple[str, ...]) -> bytes | None:
        import subprocess  # late: most looks at a vault ask git nothing

        command = ["git", "--no-pager", "-C", str(self._folder), *words]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                check=True,
                stdin=subprocess.DEVNULL,
                env=environment,
                timeout=self._timeout,
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        return done.stdout


def _with_settings(environment: dict[str, str], settings: dict[str, str]) -> dict[str, str]:
    count = int(environment["GIT_CONFIG_COUNT"])
    more = {"GIT_CONFIG_COUNT": str(count + len(settings))}
    for number, (key, value) in enumerate(settings.items(), count):
        more |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return environment | more


def is_below_git(folder: Path) -> bool:
    """Whether a folder is in a work tree, whether git can read it or not."""
    return any(os.path.lexists(one / ".git") for one in (folder, *folder.parents))


def head_of(folder: Path, seconds: float = 5.0) -> bytes | None:
    """The commit that is checked out around a folder; None outside of a work tree, or without an answer in time."""
    return Git(folder, timeout=seconds).head if is_below_git(folder) else None


def branch_of(folder: Path, seconds: float = 2.0) -> str | None:
    """The branch that is checked out in a folder, None outside of git, on none, or when git does not answer in time."""
    return Git(folder, timeout=seconds).branch


class Commit(NamedTuple):
    """A commit of the repository that holds the notes."""

    hash: str  # abbreviated
    day: date
    subject: str
    paths: frozenset[str] = frozenset()  # what it touched, relative to the vault

    @property
    def at(self) -> str:
        """How a proof names it."""
        return f"commit:{self.hash}"


def last_commits(git: Git, most: int = LAST_COMMITS) -> list[Commit]:
    """The last commits, newest first; none outside of git."""
    said = git.ask(
        "-c", "core.quotePath=off", "log", f"--max-count={most}", "--no-renames", "--relative", "--name-only", _FORMAT
    )
    records = os.fsdecode(said or b"").split(_RECORD)[1:]
    return [one for record in records if (one := _commit(record))]


def commit_named(git: Git, name: str) -> Commit | None:
    """The commit with a hash or its beginning; None where there is none, or several."""
    said = git.ask("log", "--max-count=1", _FORMAT, "--end-of-options", f"{name}^{{commit}}", "--")
    return _commit(os.fsdecode(said).partition(_RECORD)[2]) if said else None


def _commit(record: str) -> Commit | None:
    head, *paths = record.split("\n")
    fields = head.split(_FIELD, 2)
    try:
        return Commit(fields[0], date.fromisoformat(fields[1]), fields[2], frozenset(filter(None, paths)))
    except (IndexError, ValueError):  # a year outside of the calendar
        return None


_TIMEOUT = 5.0  # seconds; the caller waits for the answer
_MOST_SEEN = 2_000  # worktrees that are remembered
_BOTH_SIDES = ("AA", "DD")
_CHANGES = {"A": "created", "C": "created", "?": "created", "D": "deleted", "R": "renamed"}


class Worktree(NamedTuple):
    """The state of a working folder."""

    branch: str = ""  # the branch that is checked out, nothing when there is none
    # path relative to the folder, and what became of the file, the oldest change first
    changes: tuple[tuple[str, str], ...] = ()


def worktree(folder: Path) -> Worktree:
    """The state of a folder; nothing where there is no git, no repository or no answer in time."""
    git = Git(folder, timeout=_TIMEOUT)
    # For files in a submodule git would start itself again there, running what the submodule configures.
    status = git.ask("status", "--porcelain", "--ignore-submodules=dirty", "-z")
    if status is None:
        return Worktree()
    # With -z the paths are those from the top of the repository.
    top = next((one for one in (folder, *folder.parents) if (one / ".git").exists()), folder)
    rows = iter(os.fsdecode(status).split("\0"))
    changed: list[tuple[int, str, str]] = []
    for states, path in ((row[:2], row[3:]) for row in rows if row):
        if "R" in states or "C" in states:
            next(rows, None)  # where it was before
        change = next((_CHANGES[one] for one in states if one in _CHANGES), "modified")
        change = "conflicted" if "U" in states or states in _BOTH_SIDES else change
        changed.append((_changed_at(top / path), path, change))
    paths = ((os.path.relpath(top / path, folder).replace(os.sep, "/"), change) for _, path, change in sorted(changed))
    return Worktree(git.branch or "", tuple(paths))


def _changed_at(file: Path) -> int:
    try:
        return file.lstat().st_mtime_ns
    except OSError:
        return 0


def note_worktrees(folders: Iterable[str]) -> None:
    """Remember the worktrees of the repositories of some folders, so that they are known when they are gone.

    Nothing depends on it but that: where it cannot be written, a conversation of a worktree that is gone has no place.
    """
    known = seen_worktrees()
    homes = {home.git for one in folders if (home := repository(os.path.realpath(one)))}
    new = {top: git for git in homes for top, _ in worktrees(git) if known.get(top) != git}
    if new:
        file = worktrees_file()
        with suppress(OSError):
            os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
            put(file, json.dumps(dict([*known.items(), *new.items()][-_MOST_SEEN:])).encode())
