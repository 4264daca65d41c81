"""Standard streams that whoever started the program had closed, or that nobody reads any more."""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False  # `typing` takes a fifth of what a hook may take
if TYPE_CHECKING:
    from typing import BinaryIO, TextIO

# The names of those that were closed when the program began.
closed: set[str] = set()


def open_missing() -> None:
    """Open closed ones on nothing: else the next file that is opened takes their place, and words go into it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            closed.add(name)
            nothing = os.open(os.devnull, os.O_RDWR)
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            os.set_inheritable(number, True)
            # Left open to the end, like those that Python opens itself.
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115


def given_input() -> BinaryIO:
    """Standard input, where somebody named it.

    Raises `OSError` when it was closed as the program began: to read nothing would be taken for an empty text.
    """
    if "stdin" in closed:
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer


def drop(stream: TextIO) -> None:
    """Send what is left of a stream nowhere; Python would complain at its end that it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
