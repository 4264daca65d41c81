"""What hand-overs say besides what comes next: how things are, what waits, that there is nothing. PURE."""

import re

from wrapgen.resources import any_word
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
_ASIDE = re.compile(rf"{any_word('aside_of')}? ?{any_word('aside')}|{any_word('aside_whole')}")
# What an item begins with that is not for the next session.
_PUT_OFF = re.compile(rf"[*_]*{any_word('put_off_label')}[*_]*[:：]", re.IGNORECASE)


def is_put_off(words: str) -> bool:
    """Whether an item in a hand-over begins by saying that it is not for now: `Backburner: the crest`."""
    return _PUT_OFF.match(words) is not None


# What a hand-over names beside what comes next: it is somebody's turn, if not now.
_WAITING = re.compile(any_word("waiting"))


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
