"""Asking the programs that start others."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass

from wrapgen.errors import WrapgenError
from wrapgen.text.display import one_line, shorten, visible

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
        """Its complaint in one line."""
        words = one_line((self.err or self.out).decode("utf-8", "replace"))
        return shorten(visible(words), _LONGEST) or f"exit code {self.code}"


def run(*words: str, given: bytes = b"") -> ProgramOutput:
    """Run a program to its end.

    Args:
        words: the program and its arguments.
        given: what is on its stdin.

    Raises:
        WrapgenError: it is not there, cannot be started, or does not end.
    """
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
