"""What files contain, according to the tool calls of a session alone: written, edited, patched, moved, deleted. PURE.

The names of the tools and their arguments are those of Claude Code and Codex. Of a file that was never written whole
the transcript tells only parts; what is known of it are those.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from wrapgen.tracks.record import FileState

_SHELLS = frozenset({"Bash", "shell", "exec_command", "local_shell_call", "container.exec"})
_PATCH = re.compile(r"\*\*\* Begin Patch.*?(?:\*\*\* End Patch|\Z)", re.DOTALL)
# Longer ones are programs, not commands that delete something.
_LONGEST_COMMAND = 10_000


def changes_files(tool: str, arguments: Mapping[str, object]) -> bool:
    """Whether a call may change files, as far as its words say."""
    if tool in _TOOLS:
        return True
    text = _command(arguments)
    return "*** Begin Patch" in text or (tool in _SHELLS and re.search(r"\b(?:rm|mv)\b", text) is not None)


class Files:
    """The files of a session as they stand after the calls so far."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def apply(
        self, tool: str, arguments: Mapping[str, object], *, before: str | None = None, seen: str = "", cwd: str = ""
    ) -> list[FileState]:
        """What a call that did not fail made of its files; arguments of a wrong kind are skipped.

        `before` is what its file held and `seen` the part of it after the call, as far as the host says so; `cwd` is
        for what a shell names.
        """
        if change := _TOOLS.get(tool):
            path = _text(arguments, "file_path") or _text(arguments, "notebook_path") or _text(arguments, "path")
            if not path:
                return []
            text = change(arguments, self._texts.get(path), before)
            return [self._hold(path, text if text is not None else self._patched(path, seen, arguments))]
        command = _command(arguments)
        states = [state for patch in _PATCH.findall(command) for one in changes(patch) for state in self._take(one)]
        if not states and tool in _SHELLS and len(command) <= _LONGEST_COMMAND:
            states = [state for words in _commands(command) for state in self._shell(words, cwd)]
        return states

    def _hold(self, path: str, text: str) -> FileState:
        self._texts[path] = text
        return FileState(path, text)

    def _drop(self, path: str) -> FileState:
        self._texts.pop(path, None)
        return FileState(path, gone=True)

    def _patched(self, path: str, seen: str, arguments: Mapping[str, object]) -> str:
        """What is known about a file whose full text was never shown: the parts that were seen, each once."""
        parts = [self._texts.get(path, ""), seen or "\n".join(new for _, new, _ in _edits(arguments))]
        return "\n".join(dict.fromkeys(part for part in parts if part))

    def _take(self, change: PatchedFile) -> Iterator[FileState]:
        if change.kind == "delete":
            yield self._drop(change.path)
            return
        text = change.text if change.kind == "add" else change.applied(self._texts.get(change.path, ""))
        if change.moved_to:
            yield self._drop(change.path)
        yield self._hold(change.moved_to or change.path, text)

    def _shell(self, words: list[str], cwd: str) -> Iterator[FileState]:
        """Files that `rm` and `mv` name plainly; only those that the session has changed are looked at."""
        words = words[1:] if words[:1] in (["sudo"], ["git"]) else words
        named = [word for word in words[1:] if not word.startswith("-")]
        if words[:1] == ["rm"]:
            for path in [path for name in named for path in self._below(name, cwd)]:
                yield self._drop(path)
        elif words[:1] == ["mv"] and len(named) == 2:
            for path in self._below(named[0], cwd):
                text = self._texts[path]
                yield self._drop(path)
                yield self._hold(self._target(path, named, cwd), text)

    def _below(self, name: str, cwd: str) -> list[str]:
        """The known files that a name means: the file, or all in the folder."""
        whole = posixpath.normpath(posixpath.join(cwd, name))
        meant = {whole, posixpath.normpath(name)}
        return [path for path in self._texts if any(path == one or path.startswith(f"{one}/") for one in meant)]

    def _target(self, path: str, named: list[str], cwd: str) -> str:
        base = cwd if path.startswith("/") else ""
        source, target = (posixpath.normpath(posixpath.join(base, name)) for name in named)
        if path != source:  # a file of the folder that was moved
            return posixpath.join(target, posixpath.relpath(path, source))
        known_folder = any(other.startswith(f"{target}/") for other in self._texts)
        return posixpath.join(target, posixpath.basename(path)) if named[1].endswith("/") or known_folder else target


def _edit(arguments: Mapping[str, object], known: str | None, before: str | None) -> str | None:
    """The file after the replacements; None when none of the texts it could have held fits them."""
    return next(
        (text for base in (known, before) if base is not None and (text := _replaced(base, arguments)) is not None),
        None,
    )


def _replaced(text: str, arguments: Mapping[str, object]) -> str | None:
    for old, new, everywhere in _edits(arguments):
        if not old and not text:
            text = new
        elif old and old in text:
            text = text.replace(old, new, -1 if everywhere else 1)
        else:
            return None
    return text


def _edits(arguments: Mapping[str, object]) -> Iterator[tuple[str, str, bool]]:
    edits = arguments.get("edits")
    for one in edits if isinstance(edits, list) else [arguments]:
        if isinstance(one, dict):
            yield _text(one, "old_string"), _text(one, "new_string"), one.get("replace_all") is True


def _notebook(arguments: Mapping[str, object], known: str | None, _before: str | None) -> str | None:
    """Notebooks are known by the sources of the cells that were written: the host shows nothing else."""
    return "\n\n".join(part for part in (known or "", _text(arguments, "new_source")) if part)


_TOOLS = {
    "Write": lambda arguments, _known, _before: _text(arguments, "content"),
    "Edit": _edit,
    "MultiEdit": _edit,
    "NotebookEdit": _notebook,
}


def _text(arguments: Mapping[str, object], name: str) -> str:
    value = arguments.get(name)
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _command(arguments: Mapping[str, object]) -> str:
    """The words of a shell call or the text of a patch, as one text."""
    for name in ("command", "cmd", "input", "patch"):
        value = arguments.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            words = [word for word in value if isinstance(word, str)]
            inner = words[2:3] if words[1:2] in (["-c"], ["-lc"]) else []
            return inner[0] if inner else "\n".join(words) if "apply_patch" in words[:1] else shlex.join(words)
    return ""


def _commands(text: str) -> Iterator[list[str]]:
    """The simple commands of a shell line; what follows one that cannot be read is left alone."""
    for part in re.split(r"[;&|\n]+", text):
        try:
            yield shlex.split(part, comments=True)
        except ValueError:  # a quotation that goes on
            return


_FILE = re.compile(r"\*\*\* (Add|Delete|Update) File: (.+)")
_MOVE = re.compile(r"\*\*\* Move to: (.+)")
_KINDS: dict[str, Literal["add", "delete", "update"]] = {"Add": "add", "Delete": "delete", "Update": "update"}


@dataclass(slots=True)
class PatchedFile:
    """What a patch does to one file."""

    kind: Literal["add", "delete", "update"]
    path: str  # as the patch names it
    moved_to: str = ""  # its new name, empty when it keeps the old one
    hunks: list[list[str]] = field(default_factory=lambda: [[]])  # lines of the patch, each with its sign

    @property
    def text(self) -> str:
        return "".join(f"{line[1:]}\n" for hunk in self.hunks for line in hunk if line.startswith("+"))

    def applied(self, text: str) -> str:
        """What is known of a file, after the patch; a hunk that matches nowhere contributes the new lines it shows."""
        for hunk in filter(None, self.hunks):
            old = "".join(f"{line[1:]}\n" for line in hunk if line[:1] in {" ", "-"} or not line)
            new = "".join(f"{line[1:]}\n" for line in hunk if line[:1] in {" ", "+"} or not line)
            found = old and old in text
            text = text.replace(old, new, 1) if found else f"{text}\n{new}" if text else new
        return text


def changes(patch: str) -> list[PatchedFile]:
    """The files that a patch changes; what is outside of a file is skipped."""
    found: list[PatchedFile] = []
    for line in patch.splitlines():
        if head := _FILE.fullmatch(line):
            found.append(PatchedFile(_KINDS[head[1]], head[2].strip()))
        elif found and (move := _MOVE.fullmatch(line)):
            found[-1].moved_to = move[1].strip()
        elif found and line.startswith("@@"):
            found[-1].hunks.append([])
        elif found and not line.startswith("***"):
            found[-1].hunks[-1].append(line)
    return found
