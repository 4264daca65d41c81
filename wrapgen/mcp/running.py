"""Runs a command as a process of its own, with the words that `wrap mcp` was started with."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrapgen.mcp.tools import ToolCall


class CommandResult(NamedTuple):
    """What came of a command."""

    code: int  # its exit code
    out: str  # what it printed
    err: str  # what it said on standard error


async def run(call: ToolCall, options: Sequence[str]) -> CommandResult:
    """Run a command to its end, after some options; it ends when the client no longer waits for it."""
    # -P: do not import from the working folder, which may be anyone's checkout.
    words = [sys.executable, "-P", "-m", "wrapgen", *options, *call.words]
    child = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        out, err = await child.communicate(call.given.encode("utf-8", "replace"))
    finally:
        with suppress(ProcessLookupError):
            child.terminate()
    return CommandResult(child.returncode or 0, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))
