"""Files by which one session tells the next what to do, by their names. PURE."""

import re

_HANDS_OVER = (
    r"hand[-_ ]?(?:off|over)|next[-_ ]?(?:session|steps?|up|actions?)|resume|pick[-_ ]?up|인수인계|引き?継ぎ?|交接"
)
_STATE = (
    r"next|now|status|state|progress|queue|session|continue|continuation|to[-_ ]?dos?|tasks?|plan[-_ ]?of[-_ ]?record"
    r"|current|active|open[-_ ]?(?:items|loops|threads|questions)|할[-_ ]?일|待办|进度|進捗"
)
_PARTS = r"(?:.*[-_ .])?(?:{})s?(?:[-_ .].*)?"
_FLAT = re.compile(_PARTS.format(_HANDS_OVER), re.IGNORECASE)
_ANY = re.compile(_PARTS.format(f"{_HANDS_OVER}|{_STATE}"), re.IGNORECASE)


def is_hand_over(path: str) -> bool:
    """Whether a file's name says that one session hands over to the next in it: a flat list there is what is next."""
    return _stem(path).casefold() == "next" or _FLAT.fullmatch(_stem(path)) is not None


def may_hand_over(path: str) -> bool:
    """The same, or that it says how things stand, what is queued, what is to be done."""
    return _ANY.fullmatch(_stem(path)) is not None


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.rpartition(".")[0] or name)
