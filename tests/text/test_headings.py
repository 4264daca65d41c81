"""Every default name of the specification, in every decoration; the names are written out here, not imported."""

from datetime import date

import pytest

from tests.support import audit, each, journal
from wrapgen.config import Config
from wrapgen.notes import Section
from wrapgen.text.headings import NEXT as IS_NEXT
from wrapgen.text.headings import day_named, entry_heads, fold_name, is_parked, roles, session_subject

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


@each([
        "Nextcloud", "Next year", "The next step", "Next steps for later", "Undone", "Done-ish", "Not done",
        "Notes", "(next)",
        "2026-04-24", "🚀", "", "다음 주", "下一个", "Tomorrowland", "Abandoned",
    ])  # fmt: skip
def test_other_names_are_other_names(title):
    assert fold_name(title) not in {fold_name(name) for name, _ in NAMES}


@each(DECORATIONS)
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
        ("Session NF-071: web", "nf-071: web"),
    ],
)
def test_session_headings(title, about):
    subject = session_subject(title, ("session",))
    assert subject is not None
    assert subject.strip(" :") == about


@each(["Sessions", "Sessional work", "The session", "Notes", ""])
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


def role_of(title):
    return roles([Section(1, "Log", 1, -1), Section(2, title, 3, 0)], Config().names)[1]


@each([
        "Next session picks up", "NEXT SESSION — S066", "Next session: start here", "Next steps for the importer",
        "Next concrete action (start here):", "Resume point (EXACT)", "▶️ Pick up here", "Where we left off",
        "Left to do before Friday", "Open loops / decisions", "Remaining work, in order", "Carry-overs", "Still open",
        "🎯 Top 3 priorities today", "Tomorrow's focus (the drop)",
        "For the next session", "Recommended next steps", "To be continued …", "What’s left (yours)",
        "次回やること（追記）", "次に着手すること", "次のセッションへの引き継ぎ", "残作業リスト", "未解決・保留事項",
        "내일을 위한 한 줄", "다음 세션 즉시 작업", "남은 작업 (순서)", "내일 이어서 할 것",
        "下一步计划", "下次从这里继续", "后续任务清单", "待办优先级",
        "Что дальше по проекту", "Осталось сделать", "Próximos pasos sugeridos", "Nächste Schritte im Projekt",
        "Prochaines étapes du chantier", "▶ Open / next round", "Open findings / next-session candidates",
        "▶ EXACT NEXT ACTION — the importer", "Next move: finish the importer", "Manual verification pending",
        "Pending actions", "Reserved for the morning (with you)", "Зарезервировано на утро (вдвоём):",
    ])  # fmt: skip
def test_a_heading_that_begins_like_a_hand_over_is_one(title):
    assert role_of(title) == IS_NEXT


@each([
        "Next.js migration", "Now playing", "Open source licences", "Todo app design", "Next upgrade", "Next year",
        "For the next agent", "Next phase readiness", "Ideas / next.js", "Verification pending in the form",
        "Next step prediction", "Next session prompt", "Resume optimisation", "Resume from checkpoint", "Top 3 wins",
        "Tomorrow's weather", "Pending charges", "Open questions",
        "What's next for our readers", "次回の注意点",
        "次に読む本", "残高",
        "다음 주 일정", "남은 일정", "下一步对队列的改动", "后续影响", "待办管理系统", "遗留代码",
    ])  # fmt: skip
def test_a_heading_that_only_sounds_like_one_is_none(title):
    assert role_of(title) != IS_NEXT


@pytest.mark.parametrize(
    ("title", "parked"),
    [
        ("Next steps (deferred)", True), ("Next (later)", True), ("[ARCHIVED] Next session", True),
        ("Phase 2 (Superseded by phase 3)", True), ("Plan (implemented 2026-05-01)", True), ("残作業（保留）", True),
        ("Track B (later, by the operator): the rest", True), ("Next steps (not now)", True),
        ("Next steps", False), ("Next (later this week)", False), ("Beta (closed beta) rollout", False),
        ("Phase 1: internals — ✅ DONE (branch `x`)", True), ("Phase 2: COMPLETE", True), ("Next session ✅", True),
        ("⏸ Next steps", True), ("Next steps ⏸", False), ("More (Future Enhancements)", True), ("More (future)", True),
        ("Offene Punkte (nicht blockierend)", True), ("Open points (non-blocking)", True),
        ("Keys (future-proof)", False), ("Store (for future slices)", False),
        ("✅ Next steps", False), ("Checkout - DONE button", False), ("Next steps - done by hand", False),
        ("Next [deferred queue](queue.md)", False), ("Remove (old) keys from the store", False),
    ],
)  # fmt: skip
def test_a_bracket_says_that_a_section_was_put_off(title, parked):
    assert is_parked(title) is parked


def test_what_was_put_off_is_kept_behind_and_hides_nothing(vault):
    built = vault(
        {"todo.md": "# Work\n\n## Next (deferred)\n\n- Paint the fence\n\n## Kitchen\n\n- [ ] Oil the door\n"
         "- [ ] Fix the tap\n- [ ] Hang the lamp\n"},
        config='sources = { lists = ["todo.md"] }\n',
    )  # fmt: skip
    found = audit(built)
    assert found.fates == {"Paint the fence": "overflow", "Oil the door": "shown", "Fix the tap": "shown",
                           "Hang the lamp": "shown"}  # fmt: skip


def test_entries_of_a_log():
    titles = [
        (1, "Log", -1), (2, "[2026-06-04] session-end | #43: search", 0), (3, "Next", 1), (2, "Session 134", 0),
        (2, "5 June 2026 (Fri)", 0), (3, "Session: web (10:30)", 4), (4, "Next session (2026-06-06)", 5),
        (2, "Ship by 2026-07-01", 0), (2, "Next steps (2026-06-09)", 0), (2, "► LATEST (2026-06-10 16:29) · a host", 0),
        (2, "(2026-06-10 pm02) — shipped", 0), (2, "The bug of 2026-06-01 again", 0),
    ]  # fmt: skip
    heads = entry_heads([Section(level, title, 1, parent) for level, title, parent in titles], ("session",))
    assert [head and (head.section, head.day, head.number) for head in heads] == [
        None, (1, date(2026, 6, 4), 43), (1, date(2026, 6, 4), 43), (3, None, 134), (4, date(2026, 6, 5), 0),
        (5, date(2026, 6, 5), 630), (5, date(2026, 6, 5), 630), None, (8, date(2026, 6, 9), 0),
        (9, date(2026, 6, 10), 989), (10, date(2026, 6, 10), 102), None,
    ]  # fmt: skip


@each(
    [
        "Další kroky",
        "Zbývá: Fáze 3",
        "Następne kroki",
        "Volgende stappen",
        "Nästa steg",
        "Sonraki adımlar",
        "Bước tiếp theo",
    ]
)
def test_next_steps_are_known_in_further_languages(title):
    assert roles([Section(2, title, 1, -1)], Config().names) == [IS_NEXT]
