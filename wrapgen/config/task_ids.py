r"""Which words name a task: `stage.task_id_pattern`, and why a pattern from a file cannot hang the program. PURE.

An id becomes a file's name, so whatever the pattern allows it is short and made of letters that every file system
takes alike. What is matched is short, and a pattern that could be matched in too many ways is refused before it is
used: Python's engine tries them one after the other (`(A+)+` on forty letters takes a day).
"""

import re
import warnings

from wrapgen.late_pattern import late

# Not both cases in one: in `fix-TUNE-0254`, as branches are called, only the last part is the id.
DEFAULT_PATTERN = "^(?:[A-Z][A-Z0-9_-]*|[a-z][a-z0-9_-]*)-[0-9]{1,9}$"
EXAMPLE = "TUNE-0254"
# Names that stand for a pattern. This one is that of datarim, whose snapshots may be read and written too.
PRESETS = {"datarim": r"^[A-Z]{2,10}-[0-9]{4}(-[A-Za-z0-9]+)*$"}

LONGEST_ID = 100
# No dot: `ABC-1234.1` would be the file name of a previous snapshot of `ABC-1234`.
_FILE_NAME = late(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_MOST_WAYS = 1_000_000
_TOKEN = late(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<special>\(\?(?!:))|(?P<repeat_group>\)(?=[*+{]))"
    r"|(?P<choice>\|)|(?P<repeat>(?:[*+?]|\{(?P<least>\d*)(?P<open>,?)(?P<most>\d*)\})[?+]?)|(?P<other>.)",
    re.DOTALL,
)


def is_task_id(text: str, pattern: str) -> bool:
    """Whether a text as a whole is a task's id, by a pattern without `pattern_trouble` or a name of `PRESETS`."""
    # `fullmatch`: to `match`, `$` would also fit before a line break at the end.
    short = len(text) <= LONGEST_ID and _FILE_NAME.fullmatch(text) is not None
    return short and re.fullmatch(PRESETS.get(pattern, pattern), text) is not None


def pattern_trouble(pattern: str) -> str | None:
    """Why a pattern cannot be used, None when it can."""
    if pattern in PRESETS or pattern in PRESETS.values():
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is not a regular expression ({error})"
    ways = 1
    for token in _TOKEN.finditer(pattern):
        if token["special"] or token["repeat_group"] or (token["escape"] or "")[1:].isdigit():
            return "repeats a group, refers back or looks around, which can take forever"
        if token["choice"]:
            ways *= 2
        elif token["repeat"]:
            ways *= _ways(token)
    return None if ways <= _MOST_WAYS else "can match one text in too many ways, which can take forever"


def _ways(repeat: re.Match[str]) -> int:
    if repeat[0][0] == "?":
        return 2
    if repeat[0][0] != "{" or (repeat["open"] and not repeat["most"]):
        return LONGEST_ID
    if not repeat["open"]:
        return 1
    return max(1, min(LONGEST_ID, int(repeat["most"])) - int(repeat["least"] or 0) + 1)


def task_of_branch(branch: str, pattern: str) -> str | None:
    """The longest task id of whole words in a branch's name (`feature/TUNE-0254-search`) where the first begins."""
    words = list(re.finditer(r"[A-Za-z0-9]+", branch))[:_MOST_WORDS]
    for index, first in enumerate(words):
        for last in reversed(words[index:]):
            found = branch[first.start() : last.end()]
            if is_task_id(found, pattern):
                return found
    return None


_MOST_WORDS = 16  # of a branch: its tries are bounded as those of one id are
