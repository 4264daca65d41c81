"""Patches in the form that Codex applies (`*** Begin Patch`). PURE.

The form is that of openai/codex `codex-rs/apply-patch`: files are added, deleted or updated; an update has hunks of
lines that stay (blank), go (`-`) and come (`+`), found by their words and not by line numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE = re.compile(r"\*\*\* (Add|Delete|Update) File: (.+)")
_MOVE = re.compile(r"\*\*\* Move to: (.+)")
_KINDS: dict[str, Literal["add", "delete", "update"]] = {"Add": "add", "Delete": "delete", "Update": "update"}


@dataclass(slots=True)
class PatchedFile:
    """What a patch does to one file."""

    kind: Literal["add", "delete", "update"]
    path: str  # as the patch names it
    moved_to: str = ""  # its new name, empty when it keeps the old one
    # the lines of the patch, each with its sign; a line that begins with `@@` parts two hunks
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(f"{line[1:]}\n" for line in self.lines if line.startswith("+"))

    def applied(self, text: str) -> str:
        """What is known of a file, after the patch; a hunk that matches nowhere contributes the new lines it shows."""
        for hunk in self._hunks():
            old = "".join(f"{line[1:]}\n" for line in hunk if line[:1] in {" ", "-"} or not line)
            new = "".join(f"{line[1:]}\n" for line in hunk if line[:1] in {" ", "+"} or not line)
            found = old and old in text
            text = text.replace(old, new, 1) if found else f"{text}\n{new}" if text else new
        return text

    def _hunks(self) -> Iterator[list[str]]:
        hunk: list[str] = []
        for line in self.lines:
            if line.startswith("@@"):
                if hunk:
                    yield hunk
                hunk = []
            elif not line.startswith("***"):
                hunk.append(line)
        if hunk:
            yield hunk


def changes(patch: str) -> list[PatchedFile]:
    """The files that a patch changes; what is outside of a file is skipped."""
    found: list[PatchedFile] = []
    for line in patch.splitlines():
        if head := _FILE.fullmatch(line):
            found.append(PatchedFile(_KINDS[head[1]], head[2].strip()))
        elif found and (move := _MOVE.fullmatch(line)):
            found[-1].moved_to = move[1].strip()
        elif found and not line.startswith(("*** End Patch", "*** Begin Patch")):
            found[-1].lines.append(line)
    return found
