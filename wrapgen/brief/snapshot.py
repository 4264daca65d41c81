"""What a session is doing, as a record that nothing can change any more. PURE."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from wrapgen.text.display import ELLIPSIS, without_controls
from wrapgen.text.tokens import utf16_beginning, utf16_length

# Tag characters spell words that no screen shows and a model reads.
_HIDDEN = re.compile("[\U000e0000-\U000e007f]")


def field(record: object, *names: str) -> object:
    """The first of some fields of a mapping that has a value; None when there is none, or reading it fails."""
    try:
        if not isinstance(record, Mapping):
            return None
        return next((value for name in names if (value := record.get(name)) is not None), None)
    except Exception:
        return None


def elements(value: object) -> tuple[object, ...]:
    """The elements of a list or tuple; nothing of anything else, such as a text or an endless generator."""
    try:
        if isinstance(value, list):
            return tuple(list.__getitem__(value, slice(None)))
        return tuple.__getitem__(value, slice(None)) if isinstance(value, tuple) else ()
    except Exception:
        return ()


def words(value: object, limit: int | None = None) -> str:
    """A text on one line without control characters, cut to so many UTF-16 units; anything else gives none."""
    try:
        if not isinstance(value, str):
            return ""
    except Exception:
        return ""
    text = str.__str__(value)
    lines = text.splitlines()
    if lines != [text]:
        text = " ".join(filter(None, map(str.strip, lines)))
    text = _HIDDEN.sub("", without_controls(text.replace("\t", " ")))
    return text if limit is None else cut(text, limit)


def cut(text: str, limit: int) -> str:
    """Cut a text to so many UTF-16 units, the `…` that marks the cut included."""
    return text if utf16_length(text) <= limit else utf16_beginning(text, limit - 1) + ELLIPSIS


# Lengths in UTF-16 units, and how many of a list are kept: those of the first such tool, and of chapter 5.
_TASK_LENGTH = 150
_DECISION_LENGTH = 160
_PENDING_LENGTH = 100
_STAMP_LENGTH = 60
_FILES = 8
_DECISIONS = 3
_CHANGED = "modified"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that the session works on, and what became of it."""

    path: str
    change_type: str


@dataclass(frozen=True, slots=True)
class Teammate:
    """A teammate on the same work."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a session is doing. Lists are oldest first."""

    task: str = ""
    files: tuple[FileChange, ...] = ()
    decisions: tuple[str, ...] = ()
    teammates: tuple[Teammate, ...] = ()
    pending: tuple[str, ...] = ()
    files_omitted: int = 0  # how many older files the state held
    decisions_omitted: int = 0  # how many older decisions the state held
    generated_at: str = ""  # when it was made, nothing when nobody said so
    branch: str = ""  # the branch that is checked out, nothing when nobody said so


def create_snapshot(state: object) -> Snapshot:
    """Make a snapshot of a session's state; no content of it raises an error.

    It is a mapping with `task_description`, `files` (`path`, `change_type`), `decisions`, `teammates` (`name`, `role`),
    `pending`, `generated_at` and `branch`, all of them optional, camelCase names too. What is of another type counts as
    not said; an element that says nothing is left out. A snapshot stays as it is.
    """
    if type(state) is Snapshot:
        return state
    files = [file for record in elements(field(state, "files")) if (file := _file(record))]
    decisions = _texts(field(state, "decisions"), _DECISION_LENGTH)
    teammates = [mate for record in elements(field(state, "teammates")) if (mate := _teammate(record))]
    return Snapshot(
        task=words(field(state, "task_description", "taskDescription"), _TASK_LENGTH),
        files=tuple(files[-_FILES:]),
        decisions=tuple(decisions[-_DECISIONS:]),
        teammates=tuple(teammates),
        pending=tuple(_texts(field(state, "pending"), _PENDING_LENGTH)),
        files_omitted=max(0, len(files) - _FILES),
        decisions_omitted=max(0, len(decisions) - _DECISIONS),
        generated_at=words(field(state, "generated_at", "generatedAt"), _STAMP_LENGTH),
        branch=words(field(state, "branch"), _STAMP_LENGTH),
    )


def diff_snapshots(old: Snapshot, new: Snapshot) -> Snapshot:
    """What is new: the task when it is another one, and elements of lists that were not there before."""
    return Snapshot(
        task=new.task if new.task != old.task else "",
        files=_added(old.files, new.files),
        decisions=_added(old.decisions, new.decisions),
        teammates=_added(old.teammates, new.teammates),
        pending=_added(old.pending, new.pending),
        generated_at=new.generated_at,
        branch=new.branch,
    )


def _added(old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...]:
    known = set(old)
    return tuple(one for one in new if one not in known)


def _texts(value: object, limit: int) -> list[str]:
    return [text for element in elements(value) if (text := words(element, limit))]


def _file(record: object) -> FileChange | None:
    path = words(field(record, "path"))
    return FileChange(path, words(field(record, "change_type", "changeType")) or _CHANGED) if path else None


def _teammate(record: object) -> Teammate | None:
    one = Teammate(words(field(record, "name")), words(field(record, "role")))
    return one if one.name or one.role else None
