"""The statements of a team's queue of follow-ups. Only PostgreSQL has it. PURE."""

from typing import Final

STEPS: Final = (
    """
-- one row for each follow-up: day is since when it waits, or when it was settled, said is when it was said last
CREATE TABLE follow_ups (
 vault TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, record TEXT NOT NULL, day TEXT NOT NULL,
 said TEXT NOT NULL, who TEXT, clone TEXT, changed_at TIMESTAMPTZ NOT NULL DEFAULT now(), PRIMARY KEY (vault, id));
CREATE INDEX follow_ups_state ON follow_ups (vault, state, day);
""",
)

_WAIT_OR_CLAIMED = "state IN ('waiting', 'claimed')"
_SETTLED = "state IN ('settled', 'skipped')"

# An answer covers mentions up to its day, in whatever order the two arrive.
WAIT = f"""
INSERT INTO follow_ups (vault, id, state, record, day, said) VALUES (:vault, :id, 'waiting', :record, :day, :said)
ON CONFLICT (vault, id) DO UPDATE SET state = 'waiting', record = excluded.record, day = excluded.day, who = NULL,
 said = excluded.said, clone = NULL, changed_at = now()
WHERE follow_ups.{_SETTLED} AND (:again OR :said > follow_ups.day)"""
SAY_AGAIN = f"""
UPDATE follow_ups SET said = :said WHERE vault = :vault AND id = :id AND {_WAIT_OR_CLAIMED} AND said < :said"""
SETTLE = """
INSERT INTO follow_ups (vault, id, state, record, day, said, who)
VALUES (:vault, :id, :state, :record, :day, '', :who)
ON CONFLICT (vault, id) DO UPDATE SET state = excluded.state, record = excluded.record, day = excluded.day,
 who = excluded.who, clone = NULL, changed_at = now()
WHERE follow_ups.said <= :day OR (follow_ups.state = 'claimed' AND follow_ups.clone = :clone)"""
CLAIM = """
UPDATE follow_ups SET state = 'claimed', clone = :clone, who = :who, changed_at = now()
WHERE vault = :vault AND id IN (
 SELECT id FROM follow_ups WHERE vault = :vault AND id = ANY(:ids) AND (state = 'waiting'
  OR (state = 'claimed' AND (clone = :clone OR changed_at < now() - make_interval(secs => :lease))))
 ORDER BY id FOR UPDATE SKIP LOCKED) RETURNING id"""
RELEASE = """
UPDATE follow_ups SET state = 'waiting', clone = NULL, who = NULL, changed_at = now()
WHERE vault = :vault AND state = 'claimed' AND clone = :clone"""
WAITING = f"SELECT id, record FROM follow_ups WHERE vault = :vault AND {_WAIT_OR_CLAIMED} ORDER BY day, id"
SETTLED = f"""
SELECT id, state, day, who, record FROM follow_ups WHERE vault = :vault AND {_SETTLED} AND day >= :since
ORDER BY day, id"""
STATES = "SELECT id, state, who FROM follow_ups WHERE vault = :vault AND id = ANY(:ids)"
FORGET = f"DELETE FROM follow_ups WHERE vault = :vault AND {_SETTLED} AND day < :before"
