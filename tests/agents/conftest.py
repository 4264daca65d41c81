"""A store of its own for each test, in a file or on a server."""

from datetime import UTC, datetime, timedelta

import pytest

from wrapgen.agents import databases, sql
from wrapgen.agents.context import compose
from wrapgen.agents.databases import PostgresStore, SqliteStore
from wrapgen.agents.operations import AddEntry, Start, Stop, Who, add_task
from wrapgen.agents.rows import ProjectRow, TaskRow

WEB, API = ProjectRow(id="web", name="web", path="/code/web"), ProjectRow(id="api", name="api", path="/code/api")
CONTEXT_QUERIES = {
    "siblings": sql.SIBLINGS,
    "same type": sql.SAME_TYPE,
    "other sessions": sql.OTHER_SESSIONS,
    "relevant": sql.RELEVANT,
    "recent": sql.RECENT,
    "tasks": sql.TASKS,
}
NOON = datetime(2026, 4, 24, 12, tzinfo=UTC)


class Desk:
    """A store to write into, each write a minute after the one before, and to ask."""

    def __init__(self, store):
        self.store = store
        self.now = NOON

    def later(self):
        self.now += timedelta(minutes=1)
        return self.now

    def stop(self, agent, text, session="s1", name="worker", kind="worker", parent="lead", place=WEB, **more):
        options = {"accepted": True, "finished": "completed", **more}
        self.store.do(
            Stop(who=Who(agent, session, name, kind, parent), text=text, place=place, now=self.later(), **options)
        )

    def start(self, agent, session="s1", name="worker", kind="worker", place=WEB):
        return self.store.do(Start(Who(agent, session, name, kind, "lead"), place, self.later()))

    def note(self, content, kind="note", session="s1", tags=(), agent=None, place=WEB):
        entry = AddEntry(
            session=session, kind=kind, text=content, place=place, agent=agent, tags=tags, now=self.later()
        )
        return self.store.do(entry)

    def task(self, title, who="bob", place=WEB, **more):
        self.store.open_session("s1", WEB, self.later())
        return add_task(self.store, TaskRow(title=title, assigned_to=who, **more), place, self.later())

    def context(self, session="s1", name="bob", kind="worker", parent="lead", agent=None, tokens=1_500):
        asking = Who(agent or "", session, name, kind, parent)
        return compose(asking, self.store.find(asking), tokens)

    def sections(self, **options):
        """The lines of each section by its heading."""
        shown = self.context(**options).sections
        return {one.heading.removeprefix("## "): [entry.text for entry in one.entries] for one in shown}

    def one(self, statement, **values):
        return self.store.rows(statement, values)[0]

    def everything(self):
        """All that is stored, as text."""
        return repr([self.store.rows(f"SELECT * FROM {table}", {}) for table in (*sql.ROWS, "entry_tags")])


BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))]


@pytest.fixture(params=BOTH)
def manner(request):
    """Which of the two stores it is."""
    return request.param


@pytest.fixture
def opened(manner, tmp_path, request):
    """Opens the store of the test."""
    if manner == "sqlite":
        return lambda: SqliteStore(tmp_path)
    address = request.getfixturevalue("team")
    return lambda: PostgresStore(address)


@pytest.fixture
def desk(opened):
    made = Desk(opened())
    yield made
    made.store.close()


@pytest.fixture
def file_desk(tmp_path, monkeypatch):
    monkeypatch.setattr(databases, "BUSY_SECONDS", 0.2)
    made = Desk(SqliteStore(tmp_path))
    yield made
    made.store.close()
