"""A vault that hooks act for, and no process that outlives a test of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.followups.conftest import PROJECTS, no_hosts, talk, waiting
from tests.hooks import kit
from wrapgen.hooks import detach

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support import Vault

__all__ = ["no_hosts", "talk", "waiting"]


@pytest.fixture(autouse=True)
def no_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a host that runs the tests themselves."""
    for name in ("WRAPGEN_DISABLE", "WRAPGEN_HOOK", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def notes(vault: Callable[..., Vault]) -> Vault:
    """A trusted vault with two projects."""
    return kit.trusted(vault(PROJECTS))


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A working folder of the vault's that says nothing about a project."""
    folder = tmp_path / "vault" / "code"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The vaults for which a background run would have been started; none is."""
    vaults: list[str] = []
    monkeypatch.setattr(detach, "_start", lambda root, *_: vaults.append(root))
    return vaults
