"""Dead ends by rules: what is told when it was said outright, and all that only comes near."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from tests.support import examples
from tests.tracks.talk import ATTEMPT, FAILURE, FAREWELL, GUESS, TALKS, talk
from wrapgen.text.display import one_line
from wrapgen.tracks.tombstones import tombstones
from wrapgen.tracks.wording import NAME_LIMIT, REASON_LIMIT

if TYPE_CHECKING:
    from wrapgen.tracks.record import TurnStep


def told(*turns: str) -> list[tuple[str, str]]:
    return [(one.name, one.reason) for one in tombstones(talk(*turns))]


OUTRIGHT = "A: I tried a worker pool, it failed because the GIL serialises it, so I reverted it."


@pytest.mark.parametrize(
    ("said", "name", "reason"),
    [
        (OUTRIGHT[3:], "worker pool", "the GIL serialises it"),
        (
            "We tried pnpm workspaces. The build broke because of symlinks. We went back to npm.",
            "pnpm workspaces",
            "symlinks",
        ),
        (
            "I tried `Alert.alert` first. It doesn't work on the web. So I gave up on that.",
            "`Alert.alert` first",
            "It doesn't work on the web",
        ),
        (
            "I've tried rendering on the server; it crashed on `window`, so I rolled it back.",
            "rendering on the server",
            "it crashed on `window`",
        ),
        (
            "- Tried a materialized view: refreshes were too slow, so I reverted it.",
            "materialized view",
            "refreshes were too slow",
        ),
        (
            "I tried eventlet, but it's not compatible with our driver, so we switched to threads.",
            "eventlet",
            "it's not compatible with our driver",
        ),
        ("试了 Redis 集群，不行，改用单机 Redis。", "Redis 集群", "不行"),
        ("我先试了前缀索引。查询还是太慢。最后放弃了。", "前缀索引", "查询还是太慢"),
        ("已尝试了连接池，没效果，已回滚。", "连接池", "没效果"),
        ("Kafka로 해봤는데 안 돼서 되돌렸다", "Kafka", "안 돼서"),
        ("가상 스크롤을 적용해 봤는데 행이 깨져서 롤백했습니다.", "가상 스크롤", "행이 깨져서"),
        ("OpenCVを試しましたが、エラーが出たので、元に戻しました。", "OpenCV", "エラーが出たので"),
    ],
)
def test_in_one_breath(said: str, name: str, reason: str) -> None:
    assert told(f"A: {said}") == [(name, reason)]
    assert told(f"U: {said}") == [(name, reason)]


@pytest.mark.parametrize(
    ("turns", "name", "reason"),
    [
        ((GUESS, ATTEMPT, FAILURE, FAREWELL), "Redis cache in front of the session store", "login is still broken"),
        (
            (
                "U: perhaps a redis cluster helps",
                "A: I set up the Redis cluster.",
                "A: The nightly job timed out on it.",
                "A: I am giving up on the Redis cluster.",
            ),
            "Redis cluster",
            "The nightly job timed out on it",
        ),
        (
            (
                "U: 试试 Redis 缓存",
                "A: 我改了 session.py，实现了 Redis 缓存。",
                "U: 还是报错",
                "A: 算了，不用 Redis 缓存，改用视图。",
            ),
            "Redis 缓存",
            "还是报错",
        ),
        (
            (
                "U: 작업 큐를 Kafka로 해 보면 어때요?",
                "A: Kafka 프로듀서를 추가했습니다.",
                "U: 여전히 안 돼요",
                "A: Kafka는 포기하겠습니다.",
            ),
            "Kafka 프로듀서",
            "여전히 안 돼요",
        ),
    ],
)
def test_in_four_steps(turns: tuple[str, ...], name: str, reason: str) -> None:
    assert told(*turns) == [(name, reason)]
    assert told(turns[0], "U: a question", "A: an answer", *turns[1:]) == [(name, reason)], "six turns"
    assert told(turns[0], "U: a question", "A: an answer", "U: well", *turns[1:]) == [], "seven turns"


@pytest.mark.parametrize("left_out", range(4))
def test_all_four_steps_are_needed(left_out: int) -> None:
    turns = [GUESS, ATTEMPT, FAILURE, FAREWELL]
    turns[left_out] = f"{turns[left_out][0]}: ok"
    assert told(*turns) == []


def test_the_order_of_the_steps_counts() -> None:
    assert told(FAREWELL, FAILURE, ATTEMPT, GUESS) == []


def test_what_is_given_up_must_be_named() -> None:
    assert told(GUESS, ATTEMPT, FAILURE, "U: forget the login form, we add an index instead") == []
    assert told(GUESS, ATTEMPT, FAILURE, "U: forget it") == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "said",
    [
        # an error was mended, the approach stayed
        "I tried the new parser, it failed because of a missing import, so I added the import.",
        "I tried the migration, which failed on the missing extension; rolled back the transaction, and now it passed.",
        "试了 Redis 集群，报错，加了超时就好了。",
        "Kafka로 해봤는데 안 돼서 설정을 고쳤더니 잘 됩니다",
        "Kafkaを試しましたが、エラーが出たので、設定を直したら動きました。",
        # the same with other flags
        "I tried `npm ci`, it failed, so I used `npm ci --legacy-peer-deps` instead.",
        "我试了 npm install，失败了，改用 npm install --force。",
        # weighed, meant or asked, and not done
        "We could try a worker pool; if it fails because of the GIL, we revert it.",
        "I tried both parsers; the old one is slower, so we switched to the new one.",
        "I haven't tried a worker pool, it would fail because of the GIL, so I reverted nothing.",
        "I tried a worker pool, it failed because of the GIL. Shall I revert it?",
        "I tried a worker pool, it failed because of the GIL, so we could revert it.",
        "试了 Redis 集群，如果不行就改用单机。",
        # something else failed, or was left
        "I tried a worker pool, it failed at first, so I reverted the lock order.",
        "I tried a worker pool and it works well. The old test failed, so I reverted it.",
        "I tried a worker pool, it did not fail, so I reverted it.",
        # no named thing
        "I tried to reproduce the crash, it didn't work, so I went back to the logs.",
        "I tried everything, nothing worked, it failed, so I gave up.",
        "I tried it again, it failed, so I reverted it.",
        # other people's stories, and quotations
        "My colleague at another company tried istio. It failed because of latency. They dropped istio.",
        "They tried istio, it failed because of latency, so they reverted it.",
        '"I tried a worker pool, it failed because of the GIL, so I reverted it" says the note.',
        "> I tried a worker pool, it failed because of the GIL, so I reverted it.",
        "```\nI tried a worker pool, it failed because of the GIL, so I reverted it.\n```",
        "| I tried a worker pool, it failed because of the GIL, so I reverted it. | yes |",
        # too far apart
        "I tried a worker pool. It failed because of the GIL. That is odd. The docs say otherwise. I reverted it.",
        "I tried a worker pool.\n\nIt failed because of the GIL.\n\nI reverted it.",
    ],
)
def test_what_only_comes_near(said: str) -> None:
    assert told(f"A: {said}") == []


@pytest.mark.parametrize(
    "later",
    ["A: With the new build the worker pool works now.", "U: the worker pool passes all tests now, all are fixed"],
)
def test_a_later_success_of_the_same(later: str) -> None:
    assert told(OUTRIGHT, "U: hm", later) == []


@pytest.mark.parametrize("later", ["A: The new index works now.", "A: The worker pool never worked."])
def test_a_later_success_of_something_else(later: str) -> None:
    assert len(told(OUTRIGHT, later)) == 1


def test_what_was_mended_and_left_for_another_reason() -> None:
    assert told(GUESS, ATTEMPT, FAILURE, "U: works now, thanks", "U: drop the redis cache, legal says no") == []


def test_a_summary_of_the_host_tells_nothing_new() -> None:
    head = "This session is being continued from a previous conversation"
    assert told(f"U: {head}. {OUTRIGHT[3:]}\n\ndead end: redis") == []


def test_told_twice_it_is_one() -> None:
    assert len(told(OUTRIGHT, "U: and?", OUTRIGHT, "A: dead end: worker pool — the GIL")) == 1


@pytest.mark.parametrize(
    ("line", "name", "reason"),
    [
        ("tombstone: Redis cluster — cross-slot transactions fail", "Redis cluster", "cross-slot transactions fail"),
        ("Dead end: Redis cluster because it is too slow", "Redis cluster", "it is too slow"),
        ("- **Dead end:** gRPC::Server - the proxy drops it", "gRPC::Server", "the proxy drops it"),
        ("dead end: websockets: the proxy drops them", "websockets", "the proxy drops them"),
        ("tombstone: Redis cluster", "Redis cluster", ""),
        ("墓碑：Redis 集群：太慢", "Redis 集群", "太慢"),
        ("墓碑：Redis 集群，因为太慢", "Redis 集群", "太慢"),
        ("막다른 길: 웹소켓 업로드 — 부하가 걸리면 끊김", "웹소켓 업로드", "부하가 걸리면 끊김"),
    ],
)
def test_a_line_that_says_what_it_is(line: str, name: str, reason: str) -> None:
    (found,) = tombstones(talk("U: hi", f"A: Notes.\n\n{line}\n\nDone."))
    assert (found.name, found.reason, found.by, found.turns) == (name, reason, "said", (2,))


@pytest.mark.parametrize(
    "line", ["> dead end: redis", "```\ntombstone: redis\n```", "dead end:", "a dead end is near: x"]
)
def test_a_line_that_says_nothing(line: str) -> None:
    assert told(f"A: {line}") == []


def test_a_dead_end_has_its_day_and_its_story() -> None:
    (found,) = tombstones(talk(GUESS, ATTEMPT, FAILURE, FAREWELL))
    assert (found.day, found.by, found.turns) == (date(2026, 3, 5), "cue", (1, 2, 3, 4))
    assert [one.text for one in found.story] == [turn[3:] for turn in (GUESS, ATTEMPT, FAILURE, FAREWELL)]
    (undated,) = tombstones(talk(OUTRIGHT, stamp=None))
    assert undated.day is None
    assert [one.text for one in undated.story] == [OUTRIGHT[3:]]


def test_a_long_name_and_a_long_reason_end_with_a_word() -> None:
    (found,) = tombstones(
        talk(f"A: I tried {'a very long name of it ' * 12}thing, it failed on {'words ' * 20}, so I reverted it.")
    )
    assert len(found.name) <= NAME_LIMIT
    assert found.name.endswith(" a very")
    assert found.reason == "it failed on words words words words words words"


@settings(max_examples=examples(150), deadline=None)
@given(TALKS)
def test_whatever_is_said(steps: list[TurnStep]) -> None:
    for found in tombstones(steps):
        assert 0 < len(found.name) <= NAME_LIMIT
        assert len(found.reason) <= REASON_LIMIT
        said = {one.number: one_line(steps[one.number - 1].text) for one in steps}
        assert any(found.name in said[turn] for turn in found.turns)
        assert any(found.reason in said[turn] for turn in found.turns)
        assert all(part.text in said[part.turn] for part in found.story)
        assert list(found.turns) == sorted(found.turns)
        assert max(found.turns) - min(found.turns) < 6
