"""Every statement of the store, and the steps that build its tables. PURE.

Statements name their values (`:session`) and use what SQLite and PostgreSQL share; what PostgreSQL alone knows is in
`/*! ... */`. Each query of the context reads an index from its end and stops after a few rows.
"""

from typing import Final, get_args, get_type_hints

import msgspec

from wrapgen.agents.rows import AGENT_SUMMARY, BLOCKER, DECISION, HANDOFF, Bundle

# A store of version n has had the first n steps. Steps are never changed, only added.
STEPS: Final = (
    """
CREATE TABLE projects (
 id TEXT PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL);
CREATE TABLE sessions (
 id TEXT PRIMARY KEY, project_id TEXT REFERENCES projects(id) ON DELETE SET NULL, started_at TEXT NOT NULL,
 ended_at TEXT, status TEXT NOT NULL);
CREATE INDEX sessions_project ON sessions (project_id);

-- project_id stands here again, so that one index finds the newest rows of a project
CREATE TABLE agents (
 id TEXT PRIMARY KEY, session_id TEXT REFERENCES sessions(id) ON DELETE CASCADE, project_id TEXT,
 agent_name TEXT NOT NULL, agent_type TEXT, parent_agent_id TEXT, status TEXT NOT NULL, started_at TEXT NOT NULL,
 completed_at TEXT, context_summary TEXT, input_tokens BIGINT NOT NULL DEFAULT 0,
 output_tokens BIGINT NOT NULL DEFAULT 0);
CREATE INDEX agents_session ON agents (session_id, started_at);
CREATE INDEX agents_siblings ON agents (session_id, parent_agent_id, completed_at DESC /*! NULLS LAST */, id DESC)
 WHERE status = 'completed' AND context_summary IS NOT NULL;
CREATE INDEX agents_type ON agents
 (project_id, agent_type, completed_at DESC /*! NULLS LAST */, id DESC, session_id, parent_agent_id)
 WHERE status = 'completed' AND context_summary IS NOT NULL;

CREATE TABLE context_entries (
 id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT REFERENCES sessions(id) ON DELETE CASCADE, project_id TEXT,
 agent_id TEXT REFERENCES agents(id) ON DELETE SET NULL, entry_type TEXT NOT NULL, content TEXT NOT NULL, tags TEXT,
 created_at TEXT NOT NULL);
CREATE INDEX entries_project ON context_entries (project_id, entry_type, created_at DESC, id DESC, session_id);
CREATE INDEX entries_session ON context_entries (session_id, created_at DESC, id DESC);
CREATE INDEX entries_session_type ON context_entries (session_id, entry_type, created_at DESC, id DESC);
CREATE INDEX entries_agent ON context_entries (agent_id, entry_type);
CREATE TABLE entry_tags (
 entry_id INTEGER NOT NULL REFERENCES context_entries(id) ON DELETE CASCADE, session_id TEXT NOT NULL,
 tag TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (session_id, tag, created_at, entry_id));
CREATE INDEX entry_tags_entry ON entry_tags (entry_id);

CREATE TABLE outputs (
 id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT REFERENCES sessions(id) ON DELETE CASCADE,
 agent_id TEXT NOT NULL, content TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE INDEX outputs_agent ON outputs (agent_id);
CREATE INDEX outputs_session ON outputs (session_id);
CREATE TABLE file_changes (
 id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT REFERENCES sessions(id) ON DELETE CASCADE, agent_id TEXT,
 file_path TEXT NOT NULL, change_type TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE INDEX file_changes_session ON file_changes (session_id);

-- agent_id is who took the task on, so that only that one can finish it
CREATE TABLE tasks (
 id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT REFERENCES projects(id) ON DELETE SET NULL,
 title TEXT NOT NULL, description TEXT, status TEXT NOT NULL, assigned_to TEXT, tags TEXT, created_at TEXT NOT NULL,
 updated_at TEXT NOT NULL, agent_id TEXT);
CREATE INDEX tasks_assigned ON tasks (project_id, assigned_to, status, created_at, id);
CREATE INDEX tasks_agent ON tasks (agent_id) WHERE agent_id IS NOT NULL;
CREATE TABLE task_comments (
 id INTEGER PRIMARY KEY AUTOINCREMENT, task_id INTEGER NOT NULL REFERENCES tasks(id) ON DELETE CASCADE, author TEXT,
 comment_type TEXT NOT NULL, content TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE INDEX task_comments_kind ON task_comments (task_id, comment_type, created_at DESC, id DESC);
""",
    # A team's queue of follow-ups, one row for each: day is since when it waits, or when it was settled; said is when
    # it was said last.
    """
CREATE TABLE follow_ups (
 vault TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, record TEXT NOT NULL, day TEXT NOT NULL,
 said TEXT NOT NULL, who TEXT, clone TEXT, changed_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
 PRIMARY KEY (vault, id));
CREATE INDEX follow_ups_state ON follow_ups (vault, state, day);
""",
    # What was drained from spools, so that no line of one is done twice.
    """
CREATE TABLE sent (id TEXT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE INDEX sent_at ON sent (at);
""",
)
NUMBERED: Final = ("context_entries", "outputs", "file_changes", "tasks", "task_comments")
ROWS: Final[dict[str, type[msgspec.Struct]]] = {
    name: get_args(kind)[0] for name, kind in get_type_hints(Bundle).items()
}
"""The record of each table's rows, tables in the order in which they refer to each other."""


def columns(table: str) -> tuple[str, ...]:
    """The columns of a table that are given out, in the order of its record."""
    return ROWS[table].__struct_fields__


def _added(table: str) -> str:
    """Adds a row; it gets the next number unless it has one, and an entry the project of its session."""
    values = {name: f":{name}" for name in columns(table)}
    if table in NUMBERED:
        values["id"] = f"coalesce(:id, /*! nextval(pg_get_serial_sequence('{table}', 'id')), */ NULL)"
    if table == "context_entries":
        values["project_id"] = "(SELECT project_id FROM sessions WHERE id = :session_id)"
    known = "" if table in NUMBERED else " ON CONFLICT DO NOTHING"
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())}){known} RETURNING id"


ADD: Final = {table: _added(table) for table in ("projects", "sessions", *NUMBERED)}
MARK_SENT = "INSERT INTO sent (id) VALUES (:id) ON CONFLICT DO NOTHING RETURNING id"
FORGET_SENT = "DELETE FROM sent WHERE at < :before /*! ::timestamptz */"

# What is written.
PROJECT_AT = "SELECT id FROM projects WHERE path = :path"
RESUME_SESSION = "UPDATE sessions SET status = 'active', ended_at = NULL WHERE id = :id AND status <> 'active'"
PROJECT_OF_SESSION = "SELECT project_id FROM sessions WHERE id = :id"
LOCK_SESSION = "SELECT 1 FROM sessions WHERE id = :id /*! FOR NO KEY UPDATE */"
MOVE_SESSION = "UPDATE sessions SET project_id = :project_id WHERE id = :id AND project_id IS NULL RETURNING id"
MOVE_AGENTS = "UPDATE agents SET project_id = :project_id WHERE session_id = :id"
MOVE_ENTRIES = "UPDATE context_entries SET project_id = :project_id WHERE session_id = :id"
NUMBERS_GIVEN = {
    table: f"/*! SELECT setval(numbers, greatest(nextval(numbers), (SELECT max(id) FROM {table})))"
    f" FROM pg_get_serial_sequence('{table}', 'id') AS numbers */"
    for table in NUMBERED
}
"""After rows came with numbers of their own, so that the next one is free. SQLite needs no telling."""
PUT_AGENT = """
INSERT INTO agents (id, session_id, project_id, agent_name, agent_type, parent_agent_id, status, started_at,
 completed_at, context_summary, input_tokens, output_tokens)
VALUES (:id, :session_id, (SELECT project_id FROM sessions WHERE id = :session_id), :agent_name, :agent_type,
 :parent_agent_id, :status, :started_at, :completed_at, :context_summary, :input_tokens, :output_tokens)
ON CONFLICT (id) DO UPDATE SET
 agent_type = coalesce(excluded.agent_type, agents.agent_type),
 parent_agent_id = coalesce(excluded.parent_agent_id, agents.parent_agent_id),
 status = excluded.status,
 completed_at = coalesce(excluded.completed_at, agents.completed_at),
 context_summary = coalesce(excluded.context_summary, agents.context_summary),
 input_tokens = CASE WHEN excluded.input_tokens > 0 THEN excluded.input_tokens ELSE agents.input_tokens END,
 output_tokens = CASE WHEN excluded.output_tokens > 0 THEN excluded.output_tokens ELSE agents.output_tokens END"""
ADD_OUTPUT = """
INSERT INTO outputs (session_id, agent_id, content, created_at)
SELECT :session_id, :agent_id, :content, :created_at
WHERE NOT EXISTS (SELECT 1 FROM outputs WHERE agent_id = :agent_id AND content = :content)"""
ADD_TAG = """
INSERT INTO entry_tags (entry_id, session_id, tag, created_at) VALUES (:entry_id, :session_id, :tag, :created_at)
ON CONFLICT DO NOTHING"""
FORGET_SUMMARY = f"DELETE FROM context_entries WHERE agent_id = :id AND entry_type = '{AGENT_SUMMARY}'"
CHANGE_TASK = """
UPDATE tasks SET status = coalesce(:status, status), assigned_to = coalesce(:assigned_to, assigned_to),
 updated_at = :now WHERE id = :id RETURNING status"""
CLAIM_TASK = """
UPDATE tasks SET status = 'in_progress', assigned_to = :name, agent_id = :agent, updated_at = :now
WHERE id = (SELECT id FROM tasks WHERE project_id = :project AND status = 'pending' AND assigned_to IN (:name, :type)
 ORDER BY created_at, id LIMIT 1 /*! FOR UPDATE SKIP LOCKED */) RETURNING id"""
FINISH_TASKS = """
UPDATE tasks SET status = :status, updated_at = :now WHERE agent_id = :agent AND status = 'in_progress' RETURNING id"""
HAS_AGENT = "SELECT 1 FROM agents WHERE id = :id"
HAS_TASK = "SELECT 1 FROM tasks WHERE agent_id = :agent AND status = 'in_progress'"

# What the context is chosen from.
_SUMMARISED = "status = 'completed' AND context_summary IS NOT NULL"
SIBLINGS = f"""
SELECT id, agent_name, context_summary, session_id FROM agents
WHERE session_id = :session AND parent_agent_id = :parent AND {_SUMMARISED}
ORDER BY completed_at DESC /*! NULLS LAST */, id DESC LIMIT :limit"""
SAME_TYPE = f"""
SELECT id, agent_name, context_summary, session_id FROM agents
WHERE project_id = :project AND agent_type = :type AND {_SUMMARISED}
 AND (session_id <> :session OR parent_agent_id IS NULL OR parent_agent_id <> :parent)
ORDER BY completed_at DESC /*! NULLS LAST */, id DESC LIMIT :limit"""
_NEWEST = "ORDER BY created_at DESC, id DESC LIMIT :limit"
_ENTRY = "id, agent_id, entry_type, content, created_at"


def _newest_of(branches: list[str]) -> str:
    """The newest rows of several indexes, each read from its end, with the name of the agent that wrote them."""
    either = "\nUNION\n".join(f"SELECT * FROM ({branch} {_NEWEST}) AS branch" for branch in branches)
    return f"""
SELECT entries.id, agent_id, agent_name, entry_type, content FROM ({either}) AS entries
LEFT JOIN agents ON agents.id = entries.agent_id ORDER BY entries.created_at DESC, entries.id DESC LIMIT :limit"""


OTHER_SESSIONS = _newest_of(
    [
        f"SELECT {_ENTRY} FROM context_entries WHERE project_id = :project AND entry_type = '{kind}'"
        " AND session_id <> :session"
        for kind in (AGENT_SUMMARY, DECISION, BLOCKER, HANDOFF)
    ]
)
RELEVANT = _newest_of(
    [
        *(
            f"SELECT {_ENTRY} FROM context_entries WHERE session_id = :session AND entry_type = '{kind}'"
            for kind in (DECISION, BLOCKER, HANDOFF)
        ),
        *(
            "SELECT entry_id AS id, agent_id, entry_type, content, entry_tags.created_at AS created_at FROM entry_tags"
            " JOIN context_entries ON context_entries.id = entry_id"
            f" WHERE entry_tags.session_id = :session AND tag = :{tag}"
            for tag in ("name", "type", "everyone")
        ),
    ]
)
RECENT = f"SELECT id, agent_id, NULL, entry_type, content FROM context_entries WHERE session_id = :session {_NEWEST}"
TASKS = """
SELECT id, status, title, tags, description, (SELECT content FROM task_comments
 WHERE task_id = tasks.id AND comment_type = 'plan' ORDER BY created_at DESC, id DESC LIMIT 1)
FROM tasks WHERE project_id = :project AND assigned_to = :name AND status NOT IN ('completed', 'idea')
ORDER BY CASE status WHEN 'in_progress' THEN 1 WHEN 'pending' THEN 2 WHEN 'planned' THEN 3 ELSE 4 END, created_at, id"""

# What people and scripts look at.
PROJECT_NAMED = "SELECT id FROM projects WHERE id = :name OR name = :name OR path = :name ORDER BY id LIMIT 1"


EVERYTHING = {table: f"SELECT {', '.join(columns(table))} FROM {table} ORDER BY id" for table in ROWS}
OUTPUTS_OF = f"SELECT {', '.join(columns('outputs'))} FROM outputs WHERE agent_id = :agent ORDER BY id"
ONE = {table: f"SELECT {', '.join(columns(table))} FROM {table} WHERE id = :id" for table in ROWS}
# PostgreSQL infers a parameter's type from its first use.
_OF_PROJECT = "(project_id = :project OR :project IS NULL)"
_OF_SESSION = f"(session_id = :session OR :session IS NULL) AND {_OF_PROJECT}"
LISTS = {
    table: f"SELECT {', '.join(columns(table))} FROM {table} WHERE {condition} ORDER BY {order} LIMIT :limit"
    for table, condition, order in (
        ("agents", _OF_SESSION, "started_at DESC, id DESC"),
        ("context_entries", _OF_SESSION, "created_at DESC, id DESC"),
        ("tasks", _OF_PROJECT, "created_at DESC, id DESC"),
        ("sessions", f"(id = :session OR :session IS NULL) AND {_OF_PROJECT}", "started_at DESC, id DESC"),
        ("projects", "(id = :project OR :project IS NULL)", "name, id"),
    )
}

# What is too old: open tasks never are.
EXPIRE = {
    "context_entries": "DELETE FROM context_entries WHERE created_at < :before",
    "outputs": "DELETE FROM outputs WHERE created_at < :before",
    "file_changes": "DELETE FROM file_changes WHERE created_at < :before",
    "agents": """
DELETE FROM agents WHERE coalesce(completed_at, started_at) < :before
 AND NOT EXISTS (SELECT 1 FROM context_entries WHERE agent_id = agents.id)""",
    "sessions": """
DELETE FROM sessions WHERE started_at < :before AND NOT EXISTS (SELECT 1 FROM agents WHERE session_id = sessions.id)
 AND NOT EXISTS (SELECT 1 FROM context_entries WHERE session_id = sessions.id)
 AND NOT EXISTS (SELECT 1 FROM outputs WHERE session_id = sessions.id)
 AND NOT EXISTS (SELECT 1 FROM file_changes WHERE session_id = sessions.id)""",
    "tasks": "DELETE FROM tasks WHERE status = 'completed' AND updated_at < :before",
}
COUNT_OLD = {table: statement.replace("DELETE FROM", "SELECT count(*) FROM", 1) for table, statement in EXPIRE.items()}

# A team's queue, on PostgreSQL alone.
_WAIT_OR_CLAIMED = "state IN ('waiting', 'claimed')"
_SETTLED = "state IN ('settled', 'skipped')"

# An answer covers mentions up to its day, in whatever order the two arrive.
QUEUE_WAIT = f"""
INSERT INTO follow_ups (vault, id, state, record, day, said) VALUES (:vault, :id, 'waiting', :record, :day, :said)
ON CONFLICT (vault, id) DO UPDATE SET state = 'waiting', record = excluded.record, day = excluded.day, who = NULL,
 said = excluded.said, clone = NULL, changed_at = now()
WHERE follow_ups.{_SETTLED} AND (:again OR :said > follow_ups.day)"""
QUEUE_SAY_AGAIN = f"""
UPDATE follow_ups SET said = :said WHERE vault = :vault AND id = :id AND {_WAIT_OR_CLAIMED} AND said < :said"""
QUEUE_SETTLE = """
INSERT INTO follow_ups (vault, id, state, record, day, said, who)
VALUES (:vault, :id, :state, :record, :day, '', :who)
ON CONFLICT (vault, id) DO UPDATE SET state = excluded.state, record = excluded.record, day = excluded.day,
 who = excluded.who, clone = NULL, changed_at = now()
WHERE follow_ups.said <= :day OR (follow_ups.state = 'claimed' AND follow_ups.clone = :clone)"""
QUEUE_CLAIM = """
UPDATE follow_ups SET state = 'claimed', clone = :clone, who = :who, changed_at = now()
WHERE vault = :vault AND id IN (
 SELECT id FROM follow_ups WHERE vault = :vault AND id = ANY(:ids) AND (state = 'waiting'
  OR (state = 'claimed' AND (clone = :clone OR changed_at < now() - make_interval(secs => :lease))))
 ORDER BY id FOR UPDATE SKIP LOCKED) RETURNING id"""
QUEUE_RELEASE = """
UPDATE follow_ups SET state = 'waiting', clone = NULL, who = NULL, changed_at = now()
WHERE vault = :vault AND state = 'claimed' AND clone = :clone"""
QUEUE_WAITING = f"SELECT id, record FROM follow_ups WHERE vault = :vault AND {_WAIT_OR_CLAIMED} ORDER BY day, id"
QUEUE_SETTLED = f"""
SELECT id, state, day, who, record FROM follow_ups WHERE vault = :vault AND {_SETTLED} AND day >= :since
ORDER BY day, id"""
QUEUE_STATES = "SELECT id, state, who FROM follow_ups WHERE vault = :vault AND id = ANY(:ids)"
QUEUE_FORGET = f"DELETE FROM follow_ups WHERE vault = :vault AND {_SETTLED} AND day < :before"
