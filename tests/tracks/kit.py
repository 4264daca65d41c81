"""What the tests of the tracks share: transcripts of Claude Code and Codex, and a project to fold them into."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.support import wrap
from wrapgen.text.tokens import conservative_tokens

if TYPE_CHECKING:
    from pathlib import Path

CONTEXT = ".claude/context"
FOOTER = re.compile(r"^\*(?:Token 数|Tokens|토큰 수): ~([\d,]+)\*\n\Z", re.MULTILINE)


class Talk:
    """A Claude Code transcript, line by line."""

    def __init__(self, session: str = "s1", cwd: str = "/work/shop") -> None:
        self.session, self.cwd = session, cwd
        self.lines: list[dict] = []

    def _line(self, kind: str, content, **more) -> Talk:
        number = len(self.lines) + 1
        message = {"role": kind, "content": content, "id": f"m{number}" if kind == "assistant" else None}
        self.lines.append(
            {
                "type": kind, "uuid": f"{self.session}-u{number}", "sessionId": self.session, "cwd": self.cwd,
                "timestamp": f"2026-04-02T10:{number // 60 % 60:02}:{number % 60:02}.000Z", "message": message, **more,
            }
        )  # fmt: skip
        return self

    def user(self, text: str, **more) -> Talk:
        return self._line("user", text, **more)

    def assistant(self, text: str, **more) -> Talk:
        return self._line("assistant", [{"type": "text", "text": text}], **more)

    def tool(self, name: str, arguments: dict, result=None, *, error: bool = False, answered: bool = True) -> Talk:
        call = f"t{len(self.lines)}"
        self._line("assistant", [{"type": "tool_use", "id": call, "name": name, "input": arguments}])
        if answered:
            answer = {"type": "tool_result", "tool_use_id": call, "content": "said", "is_error": error}
            self._line("user", [answer], toolUseResult="Error: no" if error else result or {})
        return self

    def write(self, path: str, content: str, **how) -> Talk:
        return self.tool("Write", {"file_path": path, "content": content}, **how)

    def edit(self, path: str, old: str, new: str, *, everywhere: bool = False, **how) -> Talk:
        arguments = {"file_path": path, "old_string": old, "new_string": new, "replace_all": everywhere}
        return self.tool("Edit", arguments, **how)

    def to(self, file: Path) -> Path:
        file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines), encoding="utf-8")
        return file


def snapshot(project: Path, transcript: Path, *words: str, vault: Path | None = None):
    """Fold a transcript in; it must work."""
    project.mkdir(exist_ok=True)
    result = wrap("track", "snapshot", "--transcript", transcript, "--dir", project, "--json", *words, vault=vault)
    assert result.code == 0, result.err
    return result.json


def hot(project: Path) -> str:
    return (project / CONTEXT / "HOT_TRACK.md").read_text(encoding="utf-8")


def cold(project: Path) -> str:
    return (project / CONTEXT / "COLD_TRACK.md").read_text(encoding="utf-8")


def records(project: Path, kind: str | None = None) -> list[dict]:
    lines = (project / CONTEXT / "cold.jsonl").read_bytes().splitlines()
    found = [json.loads(line) for line in lines if line]
    return [one for one in found if kind in (None, one["kind"])]


def footer_is_true(text: str) -> int:
    """The tokens that a hot track says it has; it must have so many."""
    found = FOOTER.search(text)
    assert found, text[-200:]
    tokens = int(found[1].replace(",", ""))
    assert tokens == conservative_tokens(text)
    return tokens
