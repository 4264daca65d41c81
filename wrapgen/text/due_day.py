"""The day that words name: "before Friday", "내일까지", "周五之前", "金曜までに", "2026-12-09". PURE."""

import re
from datetime import date

from wrapgen.days import day_meant
from wrapgen.text.words import Folded

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMES = re.compile(
    r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)"
    r"|(?P<next>\btomorrow\b|내일|明天|明日)"
    r"|\b(?:before|by|until|till|on|due|this|next) (?P<en>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b"
    r"|(?P<ko>[월화수목금토일])요일"
    r"|(?<!下)(?:周|週|星期|礼拜|禮拜)(?P<zh>[一二三四五六日])"
    r"|(?P<ja>[月火水木金土日])曜"
)
_WEEKS = {"ko": "월화수목금토일", "zh": "一二三四五六日", "ja": "月火水木金土日"}


def due_day(words: str, said_on: date) -> date | None:
    """The first day to come that words name, as somebody who said them on a day means it; None for none."""
    for found in _NAMES.finditer(Folded(words).text):
        if day := day_meant(_word(found), said_on):
            return day
    return None


def _word(found: re.Match[str]) -> str:
    if found["iso"] or found["en"]:
        return found["iso"] or found["en"]
    if found["next"]:
        return "tomorrow"
    return next(_DAYS[week.index(found[lang])] for lang, week in _WEEKS.items() if found[lang])
