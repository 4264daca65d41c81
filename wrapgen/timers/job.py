"""What is done, and how often. PURE."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from wrapgen.errors import UsageError

_UNITS = {"m": 1, "h": 60, "d": 24 * 60}
_EVERY = re.compile(r"([1-9]\d{0,4})([mhd])")
_LONGEST = 7 * 24 * 60
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Job:
    """The rebuild of one vault."""

    program: tuple[str, ...]  # the words that start wrapgen
    vault: str  # the vault, absolute
    minutes: int  # from one rebuild to the next

    @property
    def words(self) -> list[str]:
        """The command."""
        return [*self.program, "--vault", self.vault, "--quiet", "regen"]

    @property
    def name(self) -> str:
        """A name that no other vault's job has."""
        return f"wrapgen-{hashlib.sha256(self.vault.encode('utf-8', 'surrogateescape')).hexdigest()[:_SHORT]}"


def minutes(every: str) -> int:
    """The minutes of an interval such as `15m`, `2h` or `1d`.

    Raises:
        UsageError: it is none, or longer than a week.
    """
    said = _EVERY.fullmatch(every)
    number = int(said[1]) * _UNITS[said[2]] if said else 0
    if not 1 <= number <= _LONGEST:
        raise UsageError(f"{every!r} is not an interval", next_step="Write it as 15m, 2h or 1d, a week at most.")
    return number
