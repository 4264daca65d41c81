"""What hand-overs say besides what comes next: how things are, what waits, that there is nothing. PURE."""

import re

from wrapgen.text.headings import fold_name

_NOTHING = re.compile(
    r"[\W_]*(?:none|nothing|n/?a|tbd|no (?:pending|open|further|remaining|more|new|outstanding|known|blockers?|blocked)"
    r"|없음|なし|无|暂无)\b|[*_]*[^\W\d][\w ()<>]{0,40}:\s*\d+(?: open)?\W*$",
    re.IGNORECASE,
)


# What a list of what comes next tells beside it: how long it takes, what is to be read at the start.
_NO_WORK = re.compile(
    r"[*_]{0,3}(?:estimated (?:time|effort|duration)|time estimate)[*_]{0,3}\s?[:：]"
    r"|[*_]{0,3}read (?:`[^`]+`|\[\[[^\[\]]+\]\]|this (?:file|document))[*_]{0,3}\s*(?:\([^()]*\)[\s.]*)?$",
    re.IGNORECASE,
)


def says_nothing(words: str) -> bool:
    """Whether words below a *Next* name are no work: that there is nothing, how many (`Open: 28`), what to read."""
    return _NOTHING.match(words) is not None or _NO_WORK.match(words) is not None


# What stands between the work of a hand-over and is none: how things are, what to know and to read.
_ASIDE = re.compile(
    r"""(?: (?:current|project|overall|repo|branch|pr|system|known|key|critical|important|useful|reference|relevant
         |related|implementation|design|technical|session|quick)?\ ?
      (?: (?:status|state)(?:$|\ as\ of\b|\ at\b|\ update|\ now$) | limitations?$ | lessons?\b | learnings?\b
        | gotchas?\b | traps?\b | pitfalls?$ | reminders?\b | references?$ | files?(?:$|\ ready) | links?$
        | resources?$ | context$ | background$ | architecture$ | environment$ | commands?$ | constraints?$
        | guardrails?$ | rules$ | facts$ | decisions$ | notes$ | metrics$ | purpose$ )
    | (?:[\w\ ]{1,30}\ )?check\ ?lists?$ | (?:[\w\ ]{1,20}:\ )?future\ (?:enhancements?|improvements?|ideas)$
    | archived?\b | anti\ context | where\ (?:to\ look|things\ stand|we\ are) | read\ (?:these|first|this)
    | reading\ order | for\ (?:quick|complete|maximum|more)\ \w+
    | what\ (?:changed|shipped|works|worked|was\ done|is\ done|landed)\b
    | do\ not\b | don't\b | how\ (?:to\ (?:run|test|verify|resume|use|start)|it\ works)
    | verification\ (?:at|status|of|results?) | [\w\ ]{0,40}\ (?:reminder|honesty|gotchas?)$
    | 確定設計 | 現状 | 背景 | 注意 | 参考 | 前提 | 現在の状態 | 関連ファイル
    | 현재\ 상태 | 참고 | 주의 | 배경 | 관련\ 파일 | 现状 | 当前状态 | 备注 | 关键文件 | 相关文件 )""",
    re.VERBOSE,
)
# What an item begins with that is not for the next session.
_PUT_OFF = re.compile(
    r"[*_]*(?:back ?burner|backlog|someday|icebox|later|deferred|parked(?:[- ]with[- ]owners)?|on hold|future"
    r"|long[- ]term)[*_]*[:：]",
    re.IGNORECASE,
)


def is_put_off(words: str) -> bool:
    """Whether an item in a hand-over begins by saying that it is not for now: `Backburner: the crest`."""
    return _PUT_OFF.match(words) is not None


# What a hand-over names beside what comes next: it is somebody's turn, if not now.
_WAITING = re.compile(
    r"blocked|blockers?|parked|waiting(?: (?:on|for)\b.*)?|awaiting\b.*|on hold|blocked (?:on|by)\b.*"
    r"|known (?:issues?|gaps|bugs)\b.*|open (?:questions?|prs?|decisions?|issues?)|needs? (?:you|owner|human)\b.*"
    r"|(?:owner|user) (?:decisions?|actions?)|블로커|막힌 것|보류|미결(?: 사항)?|결정 필요"
    r"|ブロッカー|保留(?:中|事項)?|未決(?:事項)?|要確認|阻塞|待确认|未决"
)


def is_aside_title(title: str) -> bool:
    """Whether a heading within a hand-over says how things are, what to know or to read, and no work."""
    return _ASIDE.match(fold_name(title)) is not None


_FIELD = re.compile(r"[\s*_`]*(?P<name>[^:：*`\n]{2,30}?)[*_`]{0,3}\s?[:：]")
_OTHER_FIELD = re.compile(r"(?:last )?(?:touched|updated|changed|worked on)|owner|branch|since|date")


def is_aside_field(words: str) -> bool:
    """Whether a line is a field that says how things are: `**Status:** shipped`, `Last touched: 2026-11-05`."""
    found = _FIELD.match(words)
    return found is not None and (
        is_aside_title(found["name"]) or _OTHER_FIELD.fullmatch(fold_name(found["name"])) is not None
    )


_IMMEDIATE = re.compile(
    r"(?:immediate |recommended )?next\b|(?:start|resume|pick up|continue)\b|priority (?:order|queue|list)\b"
    r"|다음|次|下一步|下次"
)


def is_immediate(title: str) -> bool:
    """Whether a *Next* name says what comes at once, and not only what is left."""
    return _IMMEDIATE.match(fold_name(title)) is not None


_UNDER_WAY = re.compile(r"(?:in )?(?:flight|progress)|doing|wip|now|current|진행 ?중|进行中|進行中")


def is_under_way(title: str) -> bool:
    """Whether a heading, as the column of a board, is for what was begun, and not for what comes then."""
    return _UNDER_WAY.fullmatch(fold_name(title)) is not None


def is_waiting(title: str) -> bool:
    """Whether a heading names what a hand-over leaves beside what comes next: blocked, parked, to be decided."""
    return _WAITING.fullmatch(fold_name(title)) is not None
