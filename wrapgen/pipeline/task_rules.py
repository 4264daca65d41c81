"""Which entries of a file are open items, by its kind and by what the vault says about its boxes. PURE."""

import re
from enum import Enum, auto

from msgspec.structs import replace

from wrapgen.config import Tasks
from wrapgen.notes import Entry, Kind
from wrapgen.text.headings import NEXT


class TaskStanding(Enum):
    """What an entry that is not done is.

    Attributes:
        ITEM: an open item.
        BACKLOG: an open box that is not next: the ledger counts it apart.
        NOTHING: a line of a list that is no work.
    """

    ITEM = auto()
    BACKLOG = auto()
    NOTHING = auto()


def standing(kind: Kind, role: str, entry: Entry, *, has_next: bool, tasks: Tasks) -> TaskStanding:
    """Say what an entry is that is not done."""
    if kind is Kind.JOURNAL_NEXT and entry.row and role != NEXT:
        return TaskStanding.NOTHING  # a table in a journal is a list of items only there
    if entry.box and tasks.filter and tasks.filter not in entry.text:
        return TaskStanding.BACKLOG
    if role == NEXT and kind is not Kind.ACTIVE_TODOS:
        return TaskStanding.ITEM
    if not entry.box:
        return TaskStanding.NOTHING
    everywhere = kind in (Kind.JOURNAL_NEXT, Kind.ACTIVE_TODOS) or not has_next
    return TaskStanding.ITEM if everywhere else TaskStanding.BACKLOG


def in_own_states(entry: Entry, tasks: Tasks) -> Entry | None:
    """An entry in the vault's own states, None where its mark means that it is no task."""
    state = tasks.states.get(entry.mark)
    if state is None:
        return entry
    if state == "ignored":
        return None
    return replace(entry, done=state != "open", conflict=entry.conflict and state == "open")


def without_filter(text: str, tasks: Tasks) -> str:
    """An item's text without the tag that all tasks of the vault bear."""
    if not tasks.filter or tasks.filter not in text:
        return text
    return " ".join(re.sub(rf"(?<!\S){re.escape(tasks.filter)}(?!\S)", " ", text).split()) or text
