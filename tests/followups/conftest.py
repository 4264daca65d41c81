"""Fixtures for follow-ups: conversations on disk, and vaults in which some wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.followups import talks
from tests.support import TODAY, Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROJECTS = {
    "projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Water the plants\n",
    "projects/web/actives/search/todos.md": "# search\n\n- [ ] Sort the shelves\n",
    "projects/infra/todos.md": "# infra\n\n## Next Session\n\n- [ ] Paint the fence\n",
    "journals/2026/04/2026-04-23.md": "# 2026-04-23\n\n## Session: web\n\n### Next\n\n- Call the plumber\n",
}


@pytest.fixture(autouse=True)
def no_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hosts' folders are those of the empty home."""
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def talk(tmp_path: Path) -> Callable[..., Path]:
    """Writes a conversation: `talk(data)` or `talk("a task", "another")`, last changed on the day of the tests."""

    def write(*what: bytes | str, name: str = "talk.json", changed: str = TODAY) -> Path:
        folder = Vault(tmp_path / "talks")
        data = what[0] if what and isinstance(what[0], bytes) else talks.neutral(talks.said(*map(str, what)))
        return folder.write(name, data, changed)

    return write


@pytest.fixture
def projects(vault: Callable[..., Vault]) -> Vault:
    """A vault with two projects, an active task and yesterday's journal."""
    return vault(PROJECTS)


@pytest.fixture
def waiting(talk: Callable[..., Path]) -> Callable[..., dict[str, str]]:
    """Has follow-ups wait in a vault; gives their ids by text."""

    def wait(vault: Vault, *tasks: str) -> dict[str, str]:
        result = talks.orphans(vault, talk(*tasks, name="waiting.json"))
        ids = {one["text"]: one["id"] for one in result.json["orphans"]}
        assert list(ids) == list(tasks), result.out
        return ids

    return wait


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """Where answers are written."""
    return tmp_path / "answers.json"
