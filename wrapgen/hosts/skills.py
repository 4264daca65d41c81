"""The skills for agents: the templates, with the command that starts this program. Writes nothing."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from wrapgen.resources import resource

if TYPE_CHECKING:
    from pathlib import Path

FILE = "SKILL.md"
CONTRACT = frozenset({"compress-output", "compress-review"})
"""Skills that only make sense where sub-agents have a contract."""
# `wrap` where it is a command: at the beginning of inline code or of a line, and in the list of allowed tools.
_COMMAND = re.compile(r"(`|^ *|Bash\()wrap(?=[ `])", re.MULTILINE)


def skills(program: tuple[str, ...]) -> dict[str, str]:
    """The text of each skill by the name of its folder.

    Args:
        program: the words by which an agent's shell finds wrapgen.
    """
    folder = resource("templates") / "skills"
    return {file.parent.name: _spoken(file, program) for file in sorted(folder.glob(f"*/{FILE}"))}


def _spoken(file: Path, program: tuple[str, ...]) -> str:
    text = file.read_text(encoding="utf-8")
    words = shlex.join(program)
    return _COMMAND.sub(lambda found: found[1] + words, text)
