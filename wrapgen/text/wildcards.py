r"""Words in which `*` stands for any others: `THE NEXT TASK*`, `Signal: *`; `\*` and `\#` are themselves. PURE."""

import re
from collections.abc import Callable

from wrapgen.late_pattern import late

_STARS = late(r"(?<!\\)\*+")
_BOLD = late(r"(?<![*\\])\*\*(?=[^\s*])([^*]*[^\s*])\*\*(?!\*)")


def words_pattern(written: str, compared: Callable[[str], str]) -> str:
    """Return the expression that fits the compared form of all words that are meant.

    A blank beside a star is where a word ends or begins: `Next *` means `Next` and `Next steps`, not `Nextcloud`.

    Args:
        compared: gives the form in which words are compared, without blanks at their ends.
    """
    parts = _STARS.split(_BOLD.sub(r"\1", written))
    fits = [_part(part, compared, first=at == 0, last=at == len(parts) - 1) for at, part in enumerate(parts)]
    if len(fits) == 1:
        return fits[0]
    # The first place where a part fits is as good as any later one, so that the others are never tried.
    return fits[0] + "".join(f"(?>.*?{one})" for one in fits[1:-1]) + f".*{fits[-1]}"


def stars(written: str) -> int:
    """Return how often other words may stand."""
    return len(_STARS.findall(_BOLD.sub(r"\1", written)))


def _part(part: str, compared: Callable[[str], str], *, first: bool, last: bool) -> str:
    words = re.escape(compared(part.replace("\\#", "#").replace("\\*", "*")))
    begins = "(?<![^ ])" if not first and words and part[:1].isspace() else ""
    ends = "(?![^ ])" if not last and words and part[-1:].isspace() else ""
    return f"{begins}{words}{ends}"
