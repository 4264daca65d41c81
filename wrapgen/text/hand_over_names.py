"""Files by which one session tells the next what to do, by their names. PURE."""

import re

_HANDS_OVER = (
    r"hand[-_ ]?(?:off|over)|next[-_ ]?(?:session|steps?|up|actions?)|resume|pick[-_ ]?up|인수인계|引き?継ぎ?|交接"
)
_STATE = (
    r"next|now|status|state|progress|queue|session|continue|continuation|to[-_ ]?dos?|tasks?|plan[-_ ]?of[-_ ]?record"
    r"|current|active|open[-_ ]?(?:items|loops|threads|questions)|할[-_ ]?일|待办|进度|進捗"
)
_FLAT = re.compile(rf"(?:.*[-_ .])?(?:{_HANDS_OVER})s?(?:[-_ .].*)?", re.IGNORECASE)
# These stand last in a name, but for a date or number: "celery-task-3-notes" is about a task.
_LAST = re.compile(rf"(?:.*[-_ .])?(?:{_STATE})s?[-_ .\d]*", re.IGNORECASE)


def is_hand_over(path: str) -> bool:
    """Whether a file's name says that one session hands over to the next in it: a flat list there is what is next."""
    return _stem(path).casefold() == "next" or _FLAT.fullmatch(_stem(path)) is not None


def may_hand_over(path: str) -> bool:
    """The same, or that it says how things stand, what is queued, what is to be done."""
    return is_hand_over(path) or _LAST.fullmatch(_stem(path)) is not None


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.rpartition(".")[0] or name)
