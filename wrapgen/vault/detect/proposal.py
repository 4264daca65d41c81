"""What a look at somebody's notes proposes for `wrapgen.toml`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Key = Literal["journals", "lists", "ignore"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One glob."""

    key: Key  # of `[sources]`
    glob: str  # as it would stand there
    why: str  # what these files are, and who says so


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What the settings of other tools say."""

    proposals: tuple[Proposal, ...] = ()  # where daily notes are, and what is none
    task_filter: str = ""  # what a line must hold to be a task; "" for nothing
    # what the characters in boxes mean: `open`, `done`, `cancelled` or `ignored`
    states: dict[str, str] = field(default_factory=dict)


def literal(path: str) -> str:
    """A path as a glob that fits it: what would mean something else is any character."""
    return re.sub(r"[\[\]{}<>*!]", "?", path)


def joined(*parts: str) -> str:
    """Folders and a name as one path; empty parts are left out."""
    return "/".join(part.strip("/") for part in parts if part.strip("/"))
