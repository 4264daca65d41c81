"""Conversations for tests, one line a turn."""

from __future__ import annotations

from hypothesis import strategies as st

from wrapgen.tracks.record import TurnRecord, turn_record

GUESS = "U: maybe we can cache the session tokens in redis"
ATTEMPT = "A: I added a Redis cache in front of the session store."
FAILURE = "U: login is still broken, they get the stale token"
FAREWELL = "U: forget the redis cache, we add an index instead"


def talk(*turns: str, stamp: str | None = "2026-03-05T10:00:00Z") -> list[TurnRecord]:
    """Turns from `U: words` and `A: words`."""
    found = []
    for number, turn in enumerate(turns, 1):
        head, text = turn.split(": ", 1)
        role = "user" if head == "U" else "assistant"
        found.append(turn_record("s1", number, role, text, line=number, at=stamp))
    return found


_SENTENCES = st.sampled_from(
    [
        *(turn[3:] for turn in (GUESS, ATTEMPT, FAILURE, FAREWELL)),
        *("试试给列表加 Redis 缓存。", "我改了，加上了 Redis 缓存。", "还是报错，拿到的是别的租户的数据。"),
        *("算了，不用 Redis 缓存，改用视图。", "Kafka로 해 보겠습니다.", "Kafka를 추가했습니다.", "여전히 안 됩니다."),
        *("Kafka는 포기하겠습니다.", "👩‍👩‍👧 works now", "no", "`x`", "\n\n"),
    ]
)
_SAID = st.lists(_SENTENCES, max_size=4).map(" ".join) | st.text(max_size=120)
_WHO = st.sampled_from(["U", "A"])
TALKS = st.lists(st.tuples(_WHO, _SAID).map(": ".join), max_size=12).map(lambda turns: talk(*turns))
"""Any conversation; most tell pieces of stories."""
