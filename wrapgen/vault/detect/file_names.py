"""What names of files say of notes that nobody has declared: that one session hands over to the next in them. PURE."""

import re
from functools import lru_cache

from wrapgen import resources


def any_word(matter: str) -> str:
    """Return a pattern that fits whatever people call something; `cues/files.toml` has what only guesses need."""
    return resources.any_word(matter, "vault/detect")


_STATE, _LISTED = any_word("state_file"), any_word("list_file")
_FLAT = re.compile(rf"(?:.*[-_ .])?{any_word('hand_over_file')}s?(?:[-_ .].*)?", re.IGNORECASE)
# These stand last in a name, but for a number, or a date and what is behind it: "celery-task-3-notes" is about a task.
_END = r"s?(?:[-_ .\d]*|[-_ .]\d{4}[-_.]\d\d[-_.]\d\d[-_ .].*)"
_LAST_STATE = re.compile(rf"(?:.*[-_ .])?{_STATE}{_END}", re.IGNORECASE)
_LAST_LISTED = re.compile(rf"(?:.*[-_ .])?{_LISTED}{_END}", re.IGNORECASE)


@lru_cache(maxsize=10_000)
def is_hand_over(path: str) -> bool:
    """Tell whether a file's or folder's name says that one session hands over to the next in it."""
    return _stem(path).casefold() == "next" or _FLAT.fullmatch(_stem(path)) is not None


@lru_cache(maxsize=10_000)
def says_state(path: str) -> bool:
    """Tell whether a file's name says how things stand: `PROJECT_STATE.md`, `progress.md`."""
    return _LAST_STATE.fullmatch(_stem(path)) is not None


def may_hand_over(path: str) -> bool:
    """Tell whether either is so, or the name says that what is to be done stands there."""
    return is_hand_over(path) or says_state(path) or _LAST_LISTED.fullmatch(_stem(path)) is not None


def is_state_file(path: str) -> bool:
    """Tell whether that is all that a name says: `STATE.md`, `todo.md`."""
    return re.fullmatch(f"{_STATE}|{_LISTED}", _stem(path), re.IGNORECASE) is not None


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.rpartition(".")[0] or name)
