"""What names of files say of notes that nobody has declared: that one session hands over to the next in them. PURE."""

import re
from functools import lru_cache

from wrapgen.resources import any_word

_STATE = any_word("state_file")
_FLAT = re.compile(rf"(?:.*[-_ .])?{any_word('hand_over_file')}s?(?:[-_ .].*)?", re.IGNORECASE)
# These stand last in a name, but for a number, or a date and what is behind it: "celery-task-3-notes" is about a task.
_LAST = re.compile(rf"(?:.*[-_ .])?{_STATE}s?(?:[-_ .\d]*|[-_ .]\d{{4}}[-_.]\d\d[-_.]\d\d[-_ .].*)", re.IGNORECASE)


@lru_cache(maxsize=10_000)
def is_hand_over(path: str) -> bool:
    """Whether a file's name says that one session hands over to the next in it: a flat list there is what is next."""
    return _stem(path).casefold() == "next" or _FLAT.fullmatch(_stem(path)) is not None


@lru_cache(maxsize=10_000)
def may_hand_over(path: str) -> bool:
    """The same, or that it says how things stand, what is queued, what is to be done."""
    return is_hand_over(path) or _LAST.fullmatch(_stem(path)) is not None


def is_state_file(path: str) -> bool:
    """Whether that is all that its name says: `STATE.md`, `todo.md`."""
    return re.fullmatch(_STATE, _stem(path), re.IGNORECASE) is not None


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.rpartition(".")[0] or name)
