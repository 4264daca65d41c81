"""What is done and how often, and asking the programs that start others."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from dataclasses import dataclass

from wrapgen.errors import UsageError, WrapgenError
from wrapgen.text.display import one_line, shorten, visible

_UNITS = {"m": 1, "h": 60, "d": 24 * 60}
_EVERY = re.compile(r"([1-9]\d{0,4})([mhd])")
_WEEK = 7 * 24 * 60
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Job:
    """The rebuild of one vault."""

    program: tuple[str, ...]  # the words that start wrapgen
    vault: str  # the vault, absolute
    minutes: int  # from one rebuild to the next

    @property
    def words(self) -> list[str]:
        return [*self.program, "--vault", self.vault, "--quiet", "regen"]

    @property
    def name(self) -> str:
        return f"wrapgen-{hashlib.sha256(self.vault.encode('utf-8', 'surrogateescape')).hexdigest()[:_SHORT]}"


def minutes(every: str) -> int:
    """The minutes of an interval such as `15m`, `2h` or `1d`, a week at most; raises `UsageError`."""
    said = _EVERY.fullmatch(every)
    number = int(said[1]) * _UNITS[said[2]] if said else 0
    if not 1 <= number <= _WEEK:
        raise UsageError(f"{every!r} is not an interval", next_step="Write it as 15m, 2h or 1d, a week at most.")
    return number


_PATIENCE = 30  # seconds
_LONGEST = 300  # characters


@dataclass(frozen=True, slots=True)
class ProgramOutput:
    """What a program answered."""

    code: int
    out: bytes
    err: bytes

    @property
    def said(self) -> str:
        words = one_line((self.err or self.out).decode("utf-8", "replace"))
        return shorten(visible(words), _LONGEST) or f"exit code {self.code}"


def run(*words: str, given: bytes = b"") -> ProgramOutput:
    """Run a program to its end; raises `WrapgenError` when it is not there, cannot be started, or does not end."""
    try:
        done = subprocess.run(
            words,
            input=given,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            env={**os.environ, "LC_ALL": "C"},  # what it says is compared with English words
        )
    except FileNotFoundError:
        raise WrapgenError(
            f"the program {words[0]} is not installed",
            next_step="Install it, choose another --backend, or see what it would run: `wrap schedule --print`.",
        ) from None
    except subprocess.TimeoutExpired:
        raise WrapgenError(f"{words[0]} did not end within {_PATIENCE} seconds", next_step="Run again later.") from None
    except OSError as error:
        raise WrapgenError(f"{words[0]} cannot be started ({error.strerror or error})") from error
    return ProgramOutput(done.returncode, done.stdout, done.stderr)
