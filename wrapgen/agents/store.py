"""The records of sub-agents: who they were, what they answered, what others should know.

Texts are kept without the secrets that are recognised, and what an agent answered is never replaced by nothing.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from wrapgen.agents import sql
from wrapgen.agents.actor import NO_USAGE
from wrapgen.agents.context_query import find
from wrapgen.agents.rows import ACTIVE, AGENT_SUMMARY, COMPLETED, stamp
from wrapgen.redact import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from types import TracebackType

    from wrapgen.agents.actor import Usage, Who, WorkFolder
    from wrapgen.agents.context import Asking, StepRows
    from wrapgen.agents.database import Database
    from wrapgen.agents.operations import Operation


class Store:
    """The store, open; to be used in a `with` block.

    Every method raises `StoreError` when the database cannot do it; then nothing of it was done.
    """

    trouble = ""  # here every problem is an error, and nothing is queued: see `TeamStore`
    behind = False

    def __init__(self, database: Database) -> None:
        self.database = database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.database.close()

    def open_session(self, session: str, place: WorkFolder | None, now: datetime) -> None:
        """Note that a session is at work.

        Args:
            place: where it works, None when nothing is known; a session that has a project keeps it.
        """
        with self.database.writing():
            self._open_session(session, place, now)

    def end_session(self, session: str, now: datetime) -> None:
        """Note that a session has ended, and its agents with it."""
        with self.database.writing():
            self.database.rows(sql.END_SESSION, {"id": session, "now": stamp(now)})
            self.database.rows(sql.END_AGENTS, {"id": session, "now": stamp(now)})

    def start(self, who: Who, place: WorkFolder | None, now: datetime) -> int | None:
        """Record that an agent has started, and assign it the oldest open task for its name or type.

        Args:
            who: the agent; one that is known already has been resumed.
            place: where its session works.

        Returns:
            the id of the task that it takes on, None for none. No two agents take the same one on.
        """
        with self.database.writing():
            self._open_session(who.session, place, now)
            self._put_agent(who, ACTIVE, now)
            return self._claim(who, now)

    def stop(
        self,
        who: Who,
        text: str | None,
        *,
        place: WorkFolder | None,
        usage: Usage,
        accepted: bool,
        finished: str,
        now: datetime,
    ) -> None:
        """Note what an agent answered; it need not be known that it started.

        Args:
            text: its answer; None or blank changes nothing of an earlier one.
            place: where its session works.
            usage: what it used; zeros change nothing.
            accepted: false when it is sent back, and will answer once more.
            finished: the state that its tasks get when it is done with them.
        """
        answer = kept(text)
        with self.database.writing():
            self._open_session(who.session, place, now)
            self._put_agent(who, COMPLETED, now, answer, usage)
            if answer:
                self._keep_output(who.session, who.id, answer, now)
                self.database.rows(sql.FORGET_SUMMARY, {"id": who.id})
                self._add_entry(who.session, AGENT_SUMMARY, answer, who.id, ("auto", who.name), now)
                if accepted:
                    self._finish_tasks(who, answer, finished, now)

    def keep_output(self, session: str, agent: str, text: str, place: WorkFolder | None, now: datetime) -> None:
        """Keep a full text that an agent returned, once.

        Args:
            session: the leader's session.
            text: the text; its secrets are removed before.
        """
        with self.database.writing():
            self._open_session(session, place, now)
            self._keep_output(session, agent, kept(text) or "", now)

    def add_entry(
        self,
        session: str,
        kind: str,
        content: str,
        *,
        place: WorkFolder | None,
        agent: str | None,
        tags: Sequence[str],
        now: datetime,
    ) -> int:
        """Note a decision, a blocker or whatever else later agents should know.

        Args:
            kind: decision, blocker, handoff, note, or another word.
            agent: who says so; None, or one that is not known, for the leader.
            tags: names or types of agents whom it is for, or "all".

        Returns:
            its id.
        """
        with self.database.writing():
            self._open_session(session, place, now)
            return self._add_entry(session, kind, kept(content) or "", agent, tags, now)

    def add_file_change(self, session: str, agent: str | None, path: str, change: str, now: datetime) -> None:
        """Note that an agent wrote a file.

        Args:
            session: its session; one that is not known is noted too.
            change: `create` or `edit`.
        """
        with self.database.writing():
            self._open_session(session, None, now)
            row = {"id": None, "session_id": session, "agent_id": agent, "file_path": path, "change_type": change}
            self.database.rows(sql.ADD_FILE_CHANGE, {**row, "created_at": stamp(now)})

    def do(self, operation: Operation) -> object:
        """Run an operation; returns its result."""
        return operation.do(self)

    def keep(self, operation: Operation) -> None:
        """Run an operation that need not be sent."""
        self.do(operation)

    def find(self, asking: Asking) -> StepRows:
        """What could be given to an agent, see `wrapgen.agents.context_query`."""
        return find(self.database, asking)

    def project_of(self, session: str) -> str | None:
        """The project of a session, None when it has none or is not known."""
        found = self.database.rows(sql.PROJECT_OF_SESSION, {"id": session})
        return found[0][0] if found else None

    def project_at(self, place: WorkFolder, now: datetime) -> str:
        """The id of a project, which is noted when it is new."""
        row = {"id": place.id, "name": place.name, "path": place.path, "created_at": stamp(now)}
        self.database.rows(sql.ADD_PROJECT, row)
        found = self.database.rows(sql.PROJECT_AT, {"path": place.path})
        return str(found[0][0]) if found else place.id

    def move_session(self, session: str, project: str) -> None:
        """Give a session, its agents and entries a project, unless it has one; inside a transaction of the caller."""
        if self.database.rows(sql.MOVE_SESSION, {"id": session, "project_id": project}):
            for statement in (sql.MOVE_AGENTS, sql.MOVE_ENTRIES):
                self.database.rows(statement, {"id": session, "project_id": project})

    def old(self, now: datetime, keep_days: int) -> int:
        """How many rows `expire` would delete, or slightly fewer: it also deletes rows that only they refer to."""
        before = {"before": _before(now, keep_days)}
        return sum(int(self.database.rows(statement, before)[0][0]) for statement in sql.COUNT_OLD.values())

    def expire(self, now: datetime, keep_days: int) -> dict[str, int]:
        """Forget what is older than so many days; tasks that are not done are never forgotten.

        Args:
            keep_days: `agents.keep_days` of the configuration.

        Returns:
            how many rows went, by table; tables that lost none are left out.
        """
        before = {"before": _before(now, keep_days)}
        gone: dict[str, int] = {}
        with self.database.writing(alone=True):
            for table, statement in sql.EXPIRE.items():
                number = len(self.database.rows(f"{statement} RETURNING 1", before))
                if number:
                    gone[table] = number
        if gone:
            self.database.compact()
        return gone

    def _open_session(self, session: str, place: WorkFolder | None, now: datetime) -> None:
        project = self.project_at(place, now) if place else None
        row = {"id": session, "project_id": project, "started_at": stamp(now), "ended_at": None, "status": ACTIVE}
        self.database.rows(sql.ADD_SESSION, row)
        # Two that write of one session do so one after the other: else a row could miss the project it moves to.
        self.database.rows(sql.LOCK_SESSION, {"id": session})
        self.database.rows(sql.RESUME_SESSION, {"id": session})
        if project:
            self.move_session(session, project)

    def _put_agent(
        self, who: Who, status: str, now: datetime, text: str | None = None, usage: Usage = NO_USAGE
    ) -> None:
        row = {
            "id": who.id,
            "session_id": who.session,
            "agent_name": who.name,
            "agent_type": who.type,
            "parent_agent_id": who.parent,
            "status": status,
            "started_at": stamp(now),
            "completed_at": stamp(now) if status == COMPLETED else None,
            "context_summary": text,
            "input_tokens": max(0, usage.input),
            "output_tokens": max(0, usage.output),
        }
        self.database.rows(sql.PUT_AGENT, row)

    def _add_entry(
        self, session: str, kind: str, content: str, agent: str | None, tags: Sequence[str], now: datetime
    ) -> int:
        known = agent is not None and bool(self.database.rows(sql.HAS_AGENT, {"id": agent}))
        row = {
            "id": None,
            "session_id": session,
            "agent_id": agent if known else None,
            "entry_type": kind,
            "content": content,
            "tags": tags_as_text(tags),
            "created_at": stamp(now),
        }
        entry = int(self.database.rows(sql.ADD_ENTRY, row)[0][0])
        self.database.many(sql.ADD_TAG, ({**row, "entry_id": entry, "tag": tag} for tag in tags))
        return entry

    def _keep_output(self, session: str, agent: str, text: str, now: datetime) -> None:
        row = {"session_id": session, "agent_id": agent, "content": text, "created_at": stamp(now)}
        self.database.rows(sql.ADD_OUTPUT, row)

    def _claim(self, who: Who, now: datetime) -> int | None:
        project = self.project_of(who.session)
        if project is None or self.database.rows(sql.HAS_TASK, {"agent": who.id}):
            return None
        values = {"project": project, "name": who.name, "type": who.type or who.name, "agent": who.id}
        claimed = self.database.rows(sql.CLAIM_TASK, {**values, "now": stamp(now)})
        if not claimed:
            return None
        task = int(claimed[0][0])
        self._comment(task, "status_change", f"taken on by agent {who.name}", "system", now)
        return task

    def _finish_tasks(self, who: Who, text: str, status: str, now: datetime) -> None:
        values = {"agent": who.id, "status": status, "now": stamp(now)}
        for (task,) in self.database.rows(sql.FINISH_TASKS, values):
            self._comment(task, "result", text, who.name, now)
            self._comment(task, "status_change", f"{status} when agent {who.name} stopped", "system", now)

    def _comment(self, task: int, kind: str, text: str, author: str, now: datetime) -> None:
        row = {"id": None, "task_id": task, "author": author, "comment_type": kind, "content": text}
        self.database.rows(sql.ADD_COMMENT, {**row, "created_at": stamp(now)})


def _before(now: datetime, keep_days: int) -> str:
    try:
        return stamp(now - timedelta(days=keep_days))
    except OverflowError:
        return ""  # before all time


def tags_as_text(tags: Sequence[str] | None) -> str | None:
    """Tags as a column holds them: a JSON list, None for none."""
    return json.dumps(list(tags), ensure_ascii=False) if tags else None


def kept(text: str | None) -> str | None:
    """A text as it is stored: without the secrets that are recognised; None for a blank one."""
    return redact(text)[0] if text and text.strip() else None
