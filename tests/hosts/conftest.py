"""A host's folder in an own home, and what an installation leaves there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import Result, wrap

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Claude:
    """Claude Code's folder of a user, or of a project."""

    def __init__(self, folder: Path, name: str = "settings.json", *scope: str) -> None:
        self.folder = folder
        self.settings = folder / name
        self.scope = scope

    def write(self, text: str | bytes) -> bytes:
        self.folder.mkdir(parents=True, exist_ok=True)
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        self.settings.write_bytes(data)
        return data

    def install(self, *words: str) -> Result:
        return done(wrap("install", "claude", *self.scope, *words))

    def uninstall(self, *words: str) -> Result:
        return done(wrap("uninstall", "claude", *self.scope, *words))

    @property
    def data(self) -> bytes:
        return self.settings.read_bytes()

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.settings.read_text(encoding="utf-8-sig"))

    def edit(self, change: Mapping[str, Any]) -> None:
        """Write settings as another program does that knows nothing of ours."""
        self.write(json.dumps({**self.json, **change}, indent=2))

    def handlers(self, event: str) -> list[dict[str, Any]]:
        return [one for group in self.json["hooks"].get(event, []) for one in group["hooks"]]


def done(result: Result) -> Result:
    assert result.code == 0, result.err
    return result


def everything(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its bytes, every folder with None."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture
def claude(home: Path, monkeypatch: pytest.MonkeyPatch) -> Claude:
    """The user's folder of Claude Code, which does not exist yet."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    return Claude(home / ".claude")
