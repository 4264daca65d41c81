"""Every default name of the specification, in every decoration; the names are written out here, not imported."""

from datetime import date

import pytest

from tests.support import audit, journal
from wrapgen.text.headings import day_named, fold_name, session_subject

NEXT = """
next | next session | next session priorities | next session tasks | next session goals | next step | next steps |
next action | next actions | what's next | follow-up | follow-ups | action items | to do next | for next session |
tomorrow | 다음 | 다음 세션 | 다음 단계 | 다음 작업 | 다음 할 일 | 다음에 할 일 | 후속 작업 | 남은 작업 | 내일 할 일 |
下一步 | 下一步行动 | 下次 | 后续 | 后续工作 | 待办 | 明日计划 | 次回 | 次のステップ | 残タスク
"""
DONE = """
done | completed | what was done | shipped | finished | 완료 | 완료된 작업 | 한 일 | 오늘 한 일 | 已完成 |
今日完成 | 完成 |
完了 | やったこと
"""
NAMES = [
    (" ".join(name.split()), role) for names, role in ((NEXT, "next"), (DONE, "done")) for name in names.split("|")
]
DECORATIONS = [
    "{}", "{}:", "{}：", "**{}**", "**{}:**", "__{}__", "*{}*", "🚀 {}", "{} 🎯", "✅ {}", "➡️ {}", "1️⃣ {}", "1. {}",
    "12) {}", "4.2 {}",
    "III. {}", "IV) {}", "§4 {}", "§ 4 {}", "四、{}", "十二、{}", "{} (draft)", "{}（草稿）", "【draft】{}", "[web] {}",
    "{} (2026-04-24)", "{} 2026-04-24", "2026-04-24 {}", "{} ({{x}})", "📌 **3. {} (web)**:", "{} #",
]  # fmt: skip


@pytest.mark.parametrize(
    "title",
    [
        "Nextcloud", "Next year", "The next step", "Next steps for later", "Undone", "Done-ish", "Not done",
        "Notes", "(next)",
        "2026-04-24", "🚀", "", "다음 주", "下一个", "Tomorrowland", "Abandoned",
    ],
)  # fmt: skip
def test_other_names_are_other_names(title):
    assert fold_name(title) not in {fold_name(name) for name, _ in NAMES}


@pytest.mark.parametrize("decoration", DECORATIONS)
def test_decorations_are_dropped(decoration):
    for name, _ in NAMES:
        for spelled in (name, name.upper(), name.title().replace("'S", "'s"), name.replace("'", "’")):
            assert fold_name(decoration.format(spelled)) == fold_name(name), spelled


def test_names_differ_from_each_other():
    assert len({fold_name(name) for name, _ in NAMES}) == len(NAMES)


def test_every_default_name_is_known(vault):
    lines, expected = [], {}
    for number, (name, role) in enumerate(NAMES):
        lines += [f"## {name}", "", f"- {chr(0x4E00 + number) * 9}", ""]
        if role == "next":
            expected[chr(0x4E00 + number) * 9] = "shown"
    built = vault(journal("2026-04-23", "\n".join(lines)), config="cap = 100\n")
    assert audit(built).fates == expected


@pytest.mark.parametrize(
    ("title", "about"),
    [
        ("Session: web work", "web work"),
        ("📝 Session: web", "web"),
        ("**Session**: web", "web"),
        ("SESSION: WEB", "web"),
    ],
)
def test_session_headings(title, about):
    subject = session_subject(title, ("session",))
    assert subject is not None
    assert subject.strip(" :") == about


@pytest.mark.parametrize("title", ["Sessions", "Sessional work", "The session", "Notes", ""])
def test_other_headings_open_no_session(title):
    assert session_subject(title, ("session",)) is None


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("2026-04-24", date(2026, 4, 24)), ("[[2026.4.2]] Friday", date(2026, 4, 2)),
        ("2026년 4월 24일 (금)", date(2026, 4, 24)), ("From 2026/04/01 to 2026/04/24", date(2026, 4, 1)),
        ("2026-02-30", None), ("April", None), ("", None),
    ],
)  # fmt: skip
def test_the_day_that_a_heading_names(title, day):
    assert day_named(title) == day
