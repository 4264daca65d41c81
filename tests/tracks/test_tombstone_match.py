"""A dead end that somebody is about to try again, and texts that only mention one."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.tracks.record import Quoted, Tombstone
from wrapgen.tracks.signals import resembles, same_thing


def tombstone(name: str, *story: str) -> Tombstone:
    return Tombstone(name, "it failed", date(2026, 3, 5), tuple(Quoted(at, text) for at, text in enumerate(story, 1)))


STREAMING = tombstone(
    "streaming the CSV with a generator",
    "Let me try streaming the CSV with a generator so only one chunk is held.",
    "I changed `load_rows` to yield chunks.",
    "Still killed by the OOM reaper.",
    "I'm dropping the streaming approach, the generator holds no memory.",
)
REDIS = tombstone(
    "cache the session tokens in redis",
    "maybe we can cache the session tokens in redis",
    "I added a Redis cache in front of `SessionStore.get`.",
    "they get the stale token",
    "forget the redis thing",
)
GITHUB = tombstone(
    "creating the GitHub repository by a script",
    "Let me create the GitHub repository by a script against the GitHub API.",
    "GitHub answers 403, so the script goes.",
)
GRPC = tombstone(
    "gRPC between the sidecar and the gateway",
    "I'll try gRPC between the sidecar and the gateway.",
    "Implemented the gRPC server.",
    "the gRPC calls fail behind the corporate proxy",
    "then scrap gRPC.",
)
WEBSOCKET = tombstone(
    "WebSocket 推送进度",
    "是不是可以用 WebSocket 推送进度？",
    "我实现了一下 WebSocket 推送。",
    "30 秒就掉线，不行",
    "那就放弃 WebSocket 吧",
)
PREFIX = tombstone(
    "加个 LIKE 前缀索引",
    "搜索也许加个 LIKE 前缀索引就行。",
    "搜索加了前缀索引。",
    "执行计划根本没走索引",
    "删掉前缀索引，改用全文检索。",
)
KAFKA = tombstone(
    "작업 큐를 Kafka로",
    "작업 큐를 Kafka로 해 보면 어때요?",
    "Kafka 프로듀서를 추가했습니다.",
    "Kafka가 안 떠요",
    "그럼 Kafka는 빼고 갑시다",
)
SCROLL = tombstone(
    "가상 스크롤을",
    "로그 화면에 가상 스크롤을 시도해 볼까?",
    "가상 스크롤을 구현했습니다.",
    "행이 튀어",
    "가상 스크롤은 포기하겠습니다.",
)
ALL = (STREAMING, REDIS, GRPC, WEBSOCKET, PREFIX, KAFKA, SCROLL)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rewrite the importer to stream the CSV through a generator", STREAMING),
        ("Try streaming with generators once more for the big tenant", STREAMING),
        ("Put a Redis cache before the session lookup", REDIS),
        ("Add redis for caching login sessions", REDIS),
        ("Plan: 1. define the proto 2. serve gRPC from the sidecar 3. switch the gateway", GRPC),
        ("Use gRPC for the sidecar", GRPC),
        ("用 WebSocket 给前端推送任务进度", WEBSOCKET),
        ("任务进度改为 WebSocket 推送", WEBSOCKET),
        ("给标题字段建前缀索引来加速搜索", PREFIX),
        ("작업 큐를 Kafka로 옮기기", KAFKA),
        ("주문 이벤트에 Kafka 도입", KAFKA),
        ("로그 화면에 가상 스크롤 적용", SCROLL),
    ],
)
def test_a_text_that_repeats_a_dead_end(text: str, expected: Tombstone) -> None:
    assert resembles(text, ALL) is expected


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "Write the changelog",
        "Export the invoices as CSV",
        "Stream the logs to the browser",
        "Clear the browser cache in the e2e tests",
        "Rotate the session tokens of the staging users",
        "Put the gateway behind the new load balancer",
        "Remove the leftover gRPC stubs",
        "Document why the Redis cache for sessions was abandoned",
        "Use plain JSON instead of gRPC for the sidecar",
        "给列表页加分页",
        "给订单表的创建时间加索引",
        "清理 WebSocket 残留代码",
        "复盘为什么 WebSocket 推送不行",
        "推送代码到主干",
        "작업 목록 화면 정렬",
        "큐 모니터링 알림 추가",
        "Kafka 관련 남은 설정 삭제",
        "로그 화면에 필터 추가",
        "가상 환경 다시 만들기",
    ],
)
def test_a_text_that_only_comes_near(text: str) -> None:
    assert resembles(text, ALL) is None


def test_a_name_that_the_story_repeats_is_not_the_dead_end() -> None:
    assert resembles("Link the GitHub page in the footer", [GITHUB]) is None
    assert resembles("Create the GitHub repository with a script", [GITHUB]) is GITHUB


def test_nothing_is_buried() -> None:
    assert resembles("Use gRPC for the sidecar", ()) is None


def test_the_nearest_dead_end_is_told() -> None:
    other = tombstone(
        "gRPC in the mobile app", "maybe gRPC in the mobile app", "did", "no", "drop gRPC in the mobile app"
    )
    assert resembles("Use gRPC in the mobile app", (GRPC, other)) is other


def test_two_names_of_one_dead_end() -> None:
    assert same_thing(STREAMING.name, "a generator for streaming the CSV rows")
    assert not same_thing(STREAMING.name, REDIS.name)
    assert same_thing("it", "It")


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=4))
def test_any_text_can_be_asked(text: str, names: list[str]) -> None:
    buried = [tombstone(name, name) for name in names]
    found = resembles(text, buried)
    assert found is None or found in buried
