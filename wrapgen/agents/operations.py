"""What is done to the store, as records: written down in the spool, and done inside a transaction by who drains it.

Texts are kept without the secrets that are recognised, and what an agent answered is never replaced by nothing. The
team's queue of pending follow-ups is one for all clones of a vault: a router claims what it is about to write, writes,
and reports the outcome. It holds no transaction open meanwhile: the claim is in the row, so a router that dies after
writing its file still blocks others until it runs again, or its lease expires.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.agents import rows, sql
from wrapgen.agents.rows import ACTIVE, AGENT_SUMMARY, COMPLETED, ProjectRow, TaskRow, Who, kept, stamp, values_of
from wrapgen.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Collection

    from wrapgen.agents.store import Store


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that an agent used; 0 where nothing is known."""

    input: int = 0
    output: int = 0


NO_USAGE = Usage()


class Start(msgspec.Struct, frozen=True, tag="start"):
    """An agent has started: it is assigned the oldest open task for its name or type."""

    who: Who  # the agent; one that is known already has been resumed
    place: ProjectRow | None  # where its session works, None when nothing is known
    now: datetime

    def do(self, store: Store) -> int | None:
        """Gives the id of the task that it takes on, None for none. No two agents take the same one on."""
        store.open_session(self.who.session, self.place, self.now)
        _put_agent(store, self.who, ACTIVE, self.now)
        return self._claim(store)

    def _claim(self, store: Store) -> int | None:
        who = self.who
        project = store.project_of(who.session)
        if project is None or store.rows(sql.HAS_TASK, {"agent": who.id}):
            return None
        values = {"project": project, "name": who.name, "type": who.type or who.name, "agent": who.id}
        claimed = store.rows(sql.CLAIM_TASK, {**values, "now": stamp(self.now)})
        if not claimed:
            return None
        task = int(claimed[0][0])
        _comment(store, task, "status_change", f"taken on by agent {who.name}", "system", self.now)
        return task


class Stop(msgspec.Struct, frozen=True, tag="stop", kw_only=True):
    """An agent has answered; it need not be known that it started."""

    who: Who
    text: str | None  # its answer; None or blank changes nothing of an earlier one
    place: ProjectRow | None  # where its session works, None when nothing is known
    usage: Usage = NO_USAGE  # what it used; zeros change nothing
    accepted: bool  # false when it is sent back, and will answer once more
    finished: str  # the state that its tasks get when it is done with them
    now: datetime

    def do(self, store: Store) -> None:
        who, answer = self.who, kept(self.text)
        store.open_session(who.session, self.place, self.now)
        _put_agent(store, who, COMPLETED, self.now, answer, self.usage)
        if answer:
            row = rows.Output(session_id=who.session, agent_id=who.id, content=answer)
            store.rows(sql.ADD_OUTPUT, values_of(row, self.now))
            store.rows(sql.FORGET_SUMMARY, {"id": who.id})
            entry = rows.ContextEntry(
                session_id=who.session, agent_id=who.id, entry_type=AGENT_SUMMARY, content=answer,
                tags=("auto", who.name),
            )  # fmt: skip
            _add_entry(store, entry, self.now)
            if self.accepted:
                values = {"agent": who.id, "status": self.finished, "now": stamp(self.now)}
                for (task,) in store.rows(sql.FINISH_TASKS, values):
                    _comment(store, task, "result", answer, who.name, self.now)
                    said = f"{self.finished} when agent {who.name} stopped"
                    _comment(store, task, "status_change", said, "system", self.now)


class KeepOutput(msgspec.Struct, frozen=True, tag="output"):
    """An agent returned a full text, which is kept once."""

    session: str  # the leader's session
    agent: str
    text: str
    place: ProjectRow | None  # where it works, None when nothing is known
    now: datetime

    def do(self, store: Store) -> None:
        store.open_session(self.session, self.place, self.now)
        row = rows.Output(session_id=self.session, agent_id=self.agent, content=self.text)
        store.rows(sql.ADD_OUTPUT, values_of(row, self.now))


class AddEntry(msgspec.Struct, frozen=True, tag="entry", kw_only=True):
    """A decision, a blocker or whatever else later agents should know."""

    session: str
    kind: str  # decision, blocker, handoff, note, or another word
    text: str
    place: ProjectRow | None  # where the session works, None when nothing is known
    agent: str | None  # who says so; None, or one that is not known, for the leader
    tags: tuple[str, ...]  # names or types of agents whom it is for, or "all"
    now: datetime

    def do(self, store: Store) -> int:
        store.open_session(self.session, self.place, self.now)
        entry = rows.ContextEntry(
            session_id=self.session, agent_id=self.agent, entry_type=self.kind, content=self.text, tags=self.tags
        )
        return _add_entry(store, entry, self.now)


class AddFileChange(msgspec.Struct, frozen=True, tag="file"):
    """An agent wrote a file."""

    session: str  # its session; one that is not known is noted too
    agent: str | None
    path: str
    change: str  # `create` or `edit`
    now: datetime

    def do(self, store: Store) -> None:
        store.open_session(self.session, None, self.now)
        row = rows.FileChangeRow(
            session_id=self.session, agent_id=self.agent, file_path=self.path, change_type=self.change
        )
        add_row(store, "file_changes", values_of(row, self.now))


LEASE_SECONDS = 3600
"""How long a claim lasts: far longer than a routing, which takes less than a second, and much shorter than a day."""


class QueueState(StrEnum):
    """What has become of a follow-up."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    SETTLED = "settled"
    SKIPPED = "skipped"


class Wait(msgspec.Struct, frozen=True, tag="wait", kw_only=True):
    """A follow-up that waits."""

    vault: str
    id: str
    record: str  # what is known about it, as JSON
    day: str  # since when, ISO 8601
    said: str  # the day on which it was said last, "" where that is not known
    again: bool  # it is to wait although it was settled before

    def do(self, store: Store) -> None:
        store.rows(sql.QUEUE_WAIT, msgspec.structs.asdict(self))
        store.rows(sql.QUEUE_SAY_AGAIN, msgspec.structs.asdict(self))


class Settle(msgspec.Struct, frozen=True, tag="settle", kw_only=True):
    """A follow-up that is no longer pending."""

    vault: str
    id: str
    state: str  # `QueueState.SETTLED` or `QueueState.SKIPPED`
    record: str  # what is known about it, as JSON
    day: str  # when it was settled, ISO 8601; what was said later still waits
    who: str  # who did it, for people
    clone: str  # where that was

    def do(self, store: Store) -> None:
        store.rows(sql.QUEUE_SETTLE, msgspec.structs.asdict(self))


Operation = Start | Stop | KeepOutput | AddEntry | AddFileChange | Settle | Wait


def written(operation: Operation) -> str:
    """An operation as text, without the secrets that are recognised."""
    if isinstance(operation, (Stop, KeepOutput, AddEntry)):
        operation = msgspec.structs.replace(operation, text=kept(operation.text) or "")
    # ASCII, so that lone surrogates come back as they were, and numbers of any size.
    return json.dumps(msgspec.to_builtins(operation))


def read(document: object) -> Operation:
    """An operation that was written down; raises `StoreError` for none, or one of a newer wrapgen."""
    try:
        operation: Operation = msgspec.convert(document, Operation)
    except (ValueError, RecursionError) as error:  # msgspec's ValidationError is one
        raise StoreError(f"what waits for the store cannot be read ({error})") from error
    return operation


def _put_agent(
    store: Store, who: Who, status: str, now: datetime, text: str | None = None, usage: Usage = NO_USAGE
) -> None:
    row = rows.Agent(
        id=who.id, session_id=who.session, agent_name=who.name, agent_type=who.type, parent_agent_id=who.parent,
        status=status, completed_at=stamp(now) if status == COMPLETED else None, context_summary=text,
        input_tokens=max(0, usage.input), output_tokens=max(0, usage.output),
    )  # fmt: skip
    store.rows(sql.PUT_AGENT, values_of(row, now))


def _add_entry(store: Store, entry: rows.ContextEntry, now: datetime) -> int:
    known = entry.agent_id is not None and store.rows(sql.HAS_AGENT, {"id": entry.agent_id})
    return add_row(store, "context_entries", values_of(entry, now) | ({} if known else {"agent_id": None}))


def add_row(store: Store, table: str, row: dict[str, Any]) -> int:
    """Add a row to a table whose rows have numbers, an entry with its tags; returns the number."""
    number = int(store.rows(sql.ADD[table], row)[0][0])
    if table == "context_entries" and row["session_id"]:
        tags = json.loads(row["tags"] or "[]")
        store.many(sql.ADD_TAG, ({**row, "entry_id": number, "tag": tag} for tag in tags))
    return number


def _comment(store: Store, task: int, kind: str, text: str, author: str | None, now: datetime) -> int:
    row = rows.Comment(task_id=task, author=author, comment_type=kind, content=text)
    return add_row(store, "task_comments", values_of(row, now))


def add_task(store: Store, task: TaskRow, place: ProjectRow, now: datetime) -> int:
    """Note a task, whose project and moments are filled in; returns its id."""
    with store.writing():
        return add_row(store, "tasks", values_of(task, now) | {"project_id": store.project_at(place, now)})


def change_task(store: Store, task: int, now: datetime, *, status: str | None, assigned_to: str | None) -> None:
    """Give a task another state or assignee, None leaves it; raises `StoreError` where there is no such task."""
    values = {"id": task, "status": status, "assigned_to": assigned_to, "now": stamp(now)}
    with store.writing():
        if not store.rows(sql.CHANGE_TASK, values):
            raise _no_such_task(task)


def comment_task(store: Store, task: int, kind: str, text: str, author: str | None, now: datetime) -> int:
    """Say something about a task, of which agents see the newest `plan`; raises `StoreError` where there is none."""
    with store.writing():
        if not store.rows(sql.ONE["tasks"], {"id": task}):
            raise _no_such_task(task)
        return _comment(store, task, kind, text, author, now)


def _no_such_task(task: int) -> StoreError:
    return StoreError(f"no task {task}", next_step="See `wrap agent list tasks`.")


class Settled(msgspec.Struct, frozen=True, array_like=True):
    """A row of what was settled; see `Settle`."""

    id: str
    state: QueueState
    day: str
    who: str | None
    record: str


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue of a vault on a server, as one clone sees it.

    Every method raises `UnavailableError` when the server is not there any more.
    """

    vault: str  # the vault's name in the store
    clone: str  # what tells this clone of it from all others
    who: str  # the person, for people

    def claim(self, store: Store, ids: Collection[str]) -> set[str]:
        """Claim follow-ups, so that no one else routes them: of these, what waited or whose lease was over."""
        return {found for (found,) in self._rows(store, sql.QUEUE_CLAIM, ids=list(ids), lease=LEASE_SECONDS)}

    def release(self, store: Store) -> None:
        """Release this clone's open claims; none of its routers may be running."""
        self._rows(store, sql.QUEUE_RELEASE)

    def waiting(self, store: Store) -> dict[str, str]:
        """The pending records by id, including claimed ones; oldest first."""
        return dict(self._rows(store, sql.QUEUE_WAITING))

    def settled(self, store: Store, since: str) -> list[Settled]:
        return [msgspec.convert(row, Settled) for row in self._rows(store, sql.QUEUE_SETTLED, since=since)]

    def states(self, store: Store, ids: Collection[str]) -> dict[str, tuple[QueueState, str | None]]:
        """What has become of follow-ups, and by whom; those that were never heard of are left out."""
        rows = self._rows(store, sql.QUEUE_STATES, ids=list(ids)) if ids else []
        return {found: (QueueState(state), who) for found, state, who in rows}

    def forget(self, store: Store, before: str) -> None:
        self._rows(store, sql.QUEUE_FORGET, before=before)

    def _rows(self, store: Store, statement: str, **values: object) -> list[tuple[Any, ...]]:
        return store.rows(statement, {"vault": self.vault, "clone": self.clone, "who": self.who, **values})
