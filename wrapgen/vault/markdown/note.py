"""What a note says of itself: its status, and whether it is a task of Backlog.md, TaskNotes and their like. PURE.

Such a note is one item: its title, on its first line. Its status is done, or its title another, by one line of its
front matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from wrapgen.days import iso_day
from wrapgen.late_pattern import late
from wrapgen.notes import Document, Entry, Priority
from wrapgen.resources import any_word, words_for
from wrapgen.text.display import one_line
from wrapgen.text.headings import day_named
from wrapgen.vault.markdown.boxes import LINE_BREAK, box_at
from wrapgen.vault.markdown.marks.fields import priority_named

_FRONT_MATTER = late(
    r"---[ \t]*(?:\r\n?+|\n)(?P<lines>(?:(?!---[ \t]*(?:[\r\n]|$))[^\r\n]*+(?:\r\n?+|\n))*+)---[ \t]*(?:[\r\n]|$)"
)
_FIRST_KEY = late(r"[^\s:#-][^:]*:(?:\s|$)")
KEY = late(r"(?P<key>[\w.-]+(?: [\w.-]+)*)[ \t]*:(?:[ \t]+(?P<value>\S(?:.*\S)?))?[ \t]*$")
COMMENT = late(r"(?:^|\s)#.*$")
_FIRST_LINES = 1_500  # characters of a note in which its status stands, if it says one
_UPDATED = late(
    r"^[\s>*_|-]{0,8}(?:last[ _-]?)?(?:updated?|refreshed|regenerated|rewritten|revised|最終更新|更新日期?|最后更新"
    r"|最終更新日|최종 ?(?:수정|업데이트)|업데이트|zuletzt aktualisiert|última actualización|mis à jour)[^\n\d]{0,24}"
    r"(?P<day>\d{4}[^\n]{0,12})",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS_LINE = late(
    r"^[>*_\s-]*(?:status|상태|状态|狀態|状態|ステータス)[*_]*[ \t]*[:：][*_ \t]*(?P<value>\S.*)$", re.IGNORECASE
)
# A line that is put on top of a note once all of it is done: "> ✅ **RESOLVED 2026-06-08 (live).** ...".
_BANNER = late(
    r"^(?:>[*_ ]{0,8}|[*_ ]{0,8}(?=[✅✔☑]))[✅✔☑]?\ufe0f?[*_ ]{0,8}"
    r"(?P<value>(?:RESOLVED|DONE|COMPLETED?|CLOSED|SHIPPED|SUPERSEDED|OBSOLETE|ARCHIVED)\b[^.*\n]{0,60})"
)
_CLOSED = late(
    rf"[\W_]*{any_word('closed_status')}"
    r"(?=[\W_]*$|\s*[\d(（\[,.;:—–|/✅]|\s+-\s|\s+(?:in|on|by|with|via|as|at|and|since)\b)",
    re.IGNORECASE,
)
_NOT_QUITE = late(
    r"partial|remain|except|\bbut\b|phase|pending|to[ -]?do|open|unless|부분|일부|一部|部分", re.IGNORECASE
)
_OPEN = frozenset(words_for("open_status"))
_TICKET = late(r"[A-Za-z][A-Za-z0-9]*-[0-9]+(?:\.[0-9]+)*$")
# What only tools that keep one note a task write beside a status.
_OF_TASKS = frozenset(("assignee", "dependencies", "ordinal", "created_date", "datecreated"))
_DAYS = {
    "due": ("due", "due_date", "duedate", "deadline"), "scheduled": ("scheduled", "scheduled_date"),
    "created": ("created", "created_date", "datecreated", "created_at"),
    "finished": ("completed_date", "completeddate", "completed", "done_date"),
}  # fmt: skip
_DEPENDS = ("dependencies", "depends_on", "dependson", "blockedby", "blocked_by")
_URGENT = {"urgent": Priority.HIGHEST, "critical": Priority.HIGHEST, "normal": None}

Properties = dict[str, tuple[str, ...]]


def with_own_status(document: Document, text: str) -> Document:
    """A document with the status that its note says of itself, and with the item that the note is, if it is one."""
    front = front_matter(text)
    said = properties(front) if front is not None else {}
    status = _status_of(text, said, front)
    updated = _UPDATED.search(text[:_FIRST_LINES])
    if updated and (day := day_named(updated["day"])):
        document = replace(document, written=day)
    if not status:
        return document
    first = next((one.title for one in document.sections if one.level == 1), "")
    entry = _task_entry(said, first)
    entries = document.entries if entry is None else (entry, *document.entries)
    return replace(document, entries=entries, status=status, task=entry is not None)


def is_task_note(text: str) -> bool:
    """Whether a note is a task itself, by its front matter."""
    front = front_matter(text)
    return front is not None and _task_entry(properties(front), "any") is not None


def front_matter(text: str) -> str | None:
    """What stands between two rules at a file's very beginning, if it is a mapping: its first line names a key."""
    found = _FRONT_MATTER.match(text) if text.startswith("---") else None
    if found is None:
        return None
    lines = [line for line in LINE_BREAK.split(found["lines"]) if line.strip() and not line.startswith("#")]
    shown = any(not line[:1].isspace() and box_at(line) is not None for line in lines)
    return found["lines"] if lines and _FIRST_KEY.match(lines[0]) and not shown else None


def properties(front: str) -> Properties:
    """The keys of a front matter, in lower case, each with its values; nested mappings are left out."""
    found: Properties = {}
    key = ""
    for line in LINE_BREAK.split(front):
        if (named := KEY.match(line)) and not line[0].isspace():
            key = named["key"].casefold()
            value = COMMENT.sub("", named["value"] or "") if not (named["value"] or "").startswith(("'", '"')) else ""
            value = value.strip() or (named["value"] or "").strip()
            listed = value[1:-1].split(",") if value.startswith("[") and value.endswith("]") else [value]
            found[key] = tuple(filter(None, map(unquoted, listed)))
        elif key and (one := re.match(r"\s*-\s+(.*)", line)):
            found[key] = (*found[key], unquoted(one[1]))
    return found


def unquoted(value: str) -> str:
    """A scalar without the quotation marks around it."""
    value = value.strip()
    if value[:1] in ("'", '"') and value.endswith(value[0]) and len(value) > 1:
        return value[1:-1].replace("''" if value[0] == "'" else '\\"', value[0])
    return value


def _status_of(text: str, said: Properties, front: str | None) -> str:
    if said.get("status"):
        return said["status"][0]
    top = text[len(front) + 6 if front is not None else 0 :][:_FIRST_LINES]
    first = [line for line in LINE_BREAK.split(top) if line.strip()][:3]
    said_on_top = (_STATUS_LINE.match(line) or _BANNER.match(line) for line in first)
    return next((found["value"] for found in said_on_top if found), "")


def is_closed(status: str) -> bool:
    """Whether a status says that nothing is left to be done."""
    found = _CLOSED.match(status)
    return found is not None and _NOT_QUITE.search(status, found.end()) is None


def _task_entry(said: Properties, heading: str) -> Entry | None:
    """A note, called by its first heading if by nothing else, as one item; None for one that is no task."""
    status = said.get("status", ("",))[0] if said.get("status") else ""
    title = one_line(" ".join(said.get("title", ())) or heading)
    if not title or not _is_task(said, status):
        return None
    first = {name: next((one for key in keys for one in said.get(key, ())), None) for name, keys in _DAYS.items()}
    days = {name: iso_day((value or "")[:10]) for name, value in first.items()}
    urgency = (said.get("priority") or ("",))[0].casefold()
    depends = tuple(one.strip("[]") for key in _DEPENDS for one in said.get(key, ()))
    return Entry(
        text=title,
        line=1,
        section=-1,
        done=is_closed(status),
        box=True,
        due=days["due"],
        priority=_URGENT[urgency] if urgency in _URGENT else priority_named(urgency),
        created=days["created"],
        finished=days["finished"] if is_closed(status) else None,
        mark=status,
        scheduled=days["scheduled"],
        ident=(said.get("id") or (None,))[0],
        depends=depends,
    )


def _is_task(said: Mapping[str, tuple[str, ...]], status: str) -> bool:
    """Whether a front matter is that of a task: a status, and a type or tag that says so, or a ticket's id.

    A record of decisions has an id and a status, too ("accepted"): beside an id the status must be one of work, or what
    only such tools write must stand there.
    """
    if not status:
        return False
    tags = {tag.lstrip("#").casefold() for key in ("tags", "tag", "type") for tag in said.get(key, ())}
    if tags & {"task", "tasks"}:
        return True
    ticket = _TICKET.match((said.get("id") or ("",))[0]) is not None
    known = status.replace("-", " ").replace("_", " ").casefold() in _OPEN or is_closed(status)
    return ticket and "title" in said and (known or not _OF_TASKS.isdisjoint(said))
