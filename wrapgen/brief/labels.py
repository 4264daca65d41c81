"""The words of the brief in four languages. PURE."""

from __future__ import annotations

from dataclasses import dataclass

LANGUAGES = ("ko", "en", "zh", "ja")


@dataclass(frozen=True, slots=True)
class BriefLabels:
    """The lines that the brief itself writes."""

    task: str
    files: str
    decisions: str
    teammates: str
    pending: str
    none: str  # is in an empty list
    as_of: str  # before the time and the branch


_LABELS = {
    "ko": BriefLabels("현재 작업", "주요 파일", "최근 결정", "팀원", "미완료", "없음", "기준"),
    "en": BriefLabels("Current task", "Key files", "Recent decisions", "Teammates", "Pending", "none", "As of"),
    "zh": BriefLabels("当前任务", "主要文件", "最近决定", "团队成员", "未完成", "无", "截至"),
    "ja": BriefLabels("現在の作業", "主なファイル", "最近の決定", "チームメンバー", "未完了", "なし", "時点"),
}


def labels(lang: str) -> BriefLabels:
    """The words of a language; English for one that is not among `LANGUAGES`."""
    return _LABELS.get(lang, _LABELS["en"])
