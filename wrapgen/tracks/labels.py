"""The labels of the tracks in three languages; the Chinese ones are those of the seed template. PURE."""

from __future__ import annotations

from dataclasses import dataclass, fields

Head = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class TrackLabels:
    """The lines of HOT_TRACK.md and COLD_TRACK.md that do not come from a conversation.

    Attributes:
        more: says how many are left out (`{n}`) and where they stand (`{where}`).
        done, open: states of the progress.
        moved: says where added text that did not fit is (`{where}`).
        kept: says where a previous COLD_TRACK.md that wrapgen did not write is (`{where}`).
    """

    hot: str
    generated: str
    version: str
    state: str
    goal: str
    progress: str
    progress_head: Head
    done: str
    open: str
    written: str
    blockers: str
    problem: str
    interfaces: str
    tombstones: str
    tombstone_head: Head
    decisions: str
    decision_head: Head
    by_hand: str
    tokens: str
    none: str
    more: str
    moved: str
    cold: str
    created: str
    graves: str
    reason: str
    day: str
    story: str
    decided: str
    history: str
    statistics: str
    interactions: str
    buried: str
    earliest: str
    kept: str


_LABELS = {
    "zh": TrackLabels(
        hot="热轨快照",
        generated="生成时间",
        version="快照版本",
        state="项目状态",
        goal="当前目标",
        progress="进度概览",
        progress_head=("模块", "状态", "说明"),
        done="完成",
        open="未完成",
        written="写过的文件",
        blockers="当下阻塞",
        problem="问题",
        interfaces="已确定接口（骨架）",
        tombstones="避坑墓碑",
        tombstone_head=("死胡同", "失败原因", "日期"),
        decisions="关键决策",
        decision_head=("决策", "理由", "日期"),
        by_hand="手动补充",
        tokens="Token 数",
        none="无",
        more="另有 {n} 条，见 {where}",
        moved="更多手动补充见 {where}",
        cold="冷轨归档",
        created="创建时间",
        graves="墓碑区",
        reason="失败原因",
        day="放弃日期",
        story="尝试过程",
        decided="决策区",
        history="历史记录区",
        statistics="统计",
        interactions="总交互数",
        buried="墓碑数",
        earliest="最早记录",
        kept="此前的文件保存在 {where}",
    ),
    "en": TrackLabels(
        hot="Hot track",
        generated="Generated",
        version="Snapshot version",
        state="Project state",
        goal="Goal",
        progress="Progress",
        progress_head=("Part", "State", "Note"),
        done="done",
        open="open",
        written="Files written",
        blockers="Blockers",
        problem="Problem",
        interfaces="Interfaces (skeleton)",
        tombstones="Tombstones",
        tombstone_head=("Dead end", "Why it failed", "Day"),
        decisions="Key decisions",
        decision_head=("Decision", "Reason", "Day"),
        by_hand="Added by hand",
        tokens="Tokens",
        none="none",
        more="{n} more, see {where}",
        moved="more that was added by hand: {where}",
        cold="Cold track",
        created="Created",
        graves="Tombstones",
        reason="Why it failed",
        day="Given up on",
        story="What was tried",
        decided="Decisions",
        history="History",
        statistics="Statistics",
        interactions="Turns",
        buried="Tombstones",
        earliest="Earliest record",
        kept="the former file is kept as {where}",
    ),
    "ko": TrackLabels(
        hot="핫 트랙 스냅샷",
        generated="생성 시각",
        version="스냅샷 버전",
        state="프로젝트 상태",
        goal="현재 목표",
        progress="진행 상황",
        progress_head=("모듈", "상태", "설명"),
        done="완료",
        open="미완료",
        written="작성한 파일",
        blockers="현재 막힘",
        problem="문제",
        interfaces="확정된 인터페이스 (골격)",
        tombstones="묘비",
        tombstone_head=("막다른 길", "실패 원인", "날짜"),
        decisions="주요 결정",
        decision_head=("결정", "이유", "날짜"),
        by_hand="직접 추가",
        tokens="토큰 수",
        none="없음",
        more="{n}개 더 있음, {where} 참고",
        moved="직접 추가한 나머지: {where}",
        cold="콜드 트랙 보관",
        created="생성일",
        graves="묘비",
        reason="실패 원인",
        day="포기한 날",
        story="시도 과정",
        decided="결정",
        history="기록",
        statistics="통계",
        interactions="총 대화 수",
        buried="묘비 수",
        earliest="가장 이른 기록",
        kept="이전 파일: {where}",
    ),
}


def labels(lang: str) -> TrackLabels:
    """The words of a language; English for one that is not among them.

    Args:
        lang: `zh`, `en` or `ko`.
    """
    return _LABELS.get(lang, _LABELS["en"])


def in_all_languages(name: str) -> tuple[str, ...]:
    """The words of one label in every language."""
    assert name in {one.name for one in fields(TrackLabels)}
    return tuple(str(getattr(one, name)) for one in _LABELS.values())


def all_labels() -> tuple[TrackLabels, ...]:
    """The labels of every language."""
    return tuple(_LABELS.values())
