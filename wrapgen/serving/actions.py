"""What the page may ask for, each a command of `wrap` with its own receipt. PURE."""

from __future__ import annotations

import json
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

# Ids and handles; none begins with a dash, so none is an option.
Name = Annotated[str, Meta(pattern=r"\A[0-9a-f]{4,64}\Z")]
Project = Annotated[str, Meta(max_length=255)]


class TickAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="done"):
    """Finish an item."""

    item: Name


class SnoozeAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="snooze"):
    """Hide an item until a day, as `wrap snooze` takes it."""

    item: Name
    until: Annotated[str, Meta(pattern=r"\A[0-9a-z][0-9a-z-]{0,11}\Z")]


class KeepAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="keep"):
    """Reopen or un-merge an item."""

    item: Name


class FileAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="file"):
    """FileAction a pending follow-up, or skip it."""

    item: Name
    route: Literal["journal", "project", "active", "skip"]
    project: Project | None = None
    task: Project | None = None
    text: Annotated[str, Meta(min_length=1, max_length=5_000)] | None = None


class VerdictAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="verdict"):
    """What the owner says of an item; nobody asks them for a proof."""

    item: Name
    verdict: Literal["open", "not_work", "parked", "same_as"]
    other: Name | None = None  # for `same_as`: the item that stays


class UndoAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="undo"):
    """Take a receipt back."""

    receipt: Annotated[str, Meta(pattern=r"\A[0-9A-Za-z][0-9A-Za-z-]{3,63}\Z")]


Command = TickAction | SnoozeAction | KeepAction | FileAction | UndoAction
Action = Command | VerdictAction


class ActionCall(NamedTuple):
    """A command to run."""

    words: tuple[str, ...]  # the words after `wrap`
    given: str = ""  # what it reads on standard input


def decode_action(body: bytes) -> Action | str:
    """An action, or why the request is none."""
    try:
        action: Action = msgspec.json.decode(body, type=Action)
    except msgspec.DecodeError as error:
        return str(error)
    return action


def call_of(action: Command) -> ActionCall:
    """The command that carries an action out."""
    match action:
        case TickAction(item):
            return ActionCall(("done", "--json", item))
        case SnoozeAction(item, until):
            return ActionCall(("snooze", "--json", item, until))
        case KeepAction(item):
            return ActionCall(("keep", "--json", item))
        case UndoAction(receipt):
            return ActionCall(("undo", "--json", receipt))
        case FileAction(item, route, project, task, text):
            answer = {"id": item, "route": route, "project": project, "task": task, "text": text}
            given = {"answers": [{name: value for name, value in answer.items() if value is not None}]}
            return ActionCall(("route", "--json", "--answers", "-"), json.dumps(given))
