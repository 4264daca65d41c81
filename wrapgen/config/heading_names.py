"""The names of headings that are understood from the start; `[sections]` in `wrapgen.toml` replaces them."""

NEXT_NAMES = (
    "next", "now", "doing", "in progress", "next session", "next session priorities", "next session tasks",
    "next session goals", "next step", "next steps", "next action", "next actions", "next up", "what's next",
    "follow-up", "follow-ups", "action items", "to do", "todo", "todos", "to-dos", "to do next", "for next session",
    "for the next session", "for the next instance", "remaining", "remaining work", "remaining tasks",
    "remaining items", "left to do", "still to do", "open items", "open tasks", "open issues", "pending",
    "carry over", "tomorrow",
    "다음", "다음 세션", "다음 단계", "다음 작업", "다음 할 일", "다음에 할 일", "할 일", "할일", "후속 작업",
    "남은 작업", "남은 일", "미완료", "내일 할 일",
    "下一步", "下一步行动", "下次", "后续", "后续工作", "待办", "待办事项", "遗留问题", "未完成", "待处理", "明日计划",
    "次回", "次のステップ", "残タスク", "残作業", "やること",
    "próximos pasos", "pendiente", "pendientes", "siguiente", "siguientes",
    "nächste Schritte", "offen",
    "prochaines étapes", "à faire", "reste à faire",
)  # fmt: skip
BACKLOG_NAMES = ("backlog", "someday", "icebox", "ideas", "archive", "later")
DONE_NAMES = (
    "done", "completed", "what was done", "shipped", "finished",
    "완료", "완료된 작업", "한 일", "오늘 한 일",
    "已完成", "今日完成", "完成",
    "完了", "やったこと",
)  # fmt: skip
DECISION_NAMES = (
    "decision", "decisions", "decisions made", "key decisions", "recent decisions",
    "결정", "결정 사항", "결정사항", "주요 결정", "최근 결정",
    "决定", "决策", "关键决策", "最近决定", "決定", "決策", "決定事項",
)  # fmt: skip
SESSION_NAMES = ("session", "세션", "会话", "會話", "セッション")
