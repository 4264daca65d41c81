"""Fixtures. No test can touch the home folder: see `test_home.py`, which says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import support
from tests.installed import bin_folder, wheel
from wrapgen.whereabouts import nearest_vault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = ["bin_folder", "home", "no_vault_above", "vault", "wheel"]

HOME_VARIABLES = (
    "HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
    "CLAUDE_CONFIG_DIR",
)  # fmt: skip
UNSET_VARIABLES = (
    "WRAPGEN_VAULT", "WRAPGEN_STORE", "NO_COLOR", "FORCE_COLOR", "GIT_DIR", "GIT_WORK_TREE", "EDITOR", "VISUAL",
    "COLUMNS", "LINES",
)  # fmt: skip


# A change is judged by the same examples today and tomorrow, however busy the machine is. New ones are looked for by
# `WRAPGEN_TESTS=thorough` and by tests/fuzz.
settings.register_profile(
    "wrapgen", derandomize=not support.THOROUGH, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("wrapgen")


@pytest.fixture(scope="session", autouse=True)
def no_vault_above(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whoever asks for the vault of a test's folder must not be given one that lies above it."""
    above = nearest_vault(str(tmp_path_factory.getbasetemp()))
    if above is not None:
        pytest.exit(f"the folder of the tests lies in a vault, {above}: name another with --basetemp or TMPDIR")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, and an empty working folder outside of every vault."""
    base = tmp_path_factory.mktemp("person")
    for name in ("home", "elsewhere"):
        (base / name).mkdir()
    for variable in HOME_VARIABLES:
        monkeypatch.setenv(variable, str(base / "home"))
    for variable in UNSET_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(base / "home" / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(base / "home" / ".gitconfig-system"))
    monkeypatch.chdir(base / "elsewhere")
    return base / "home"


@pytest.fixture
def vault(tmp_path: Path) -> Callable[..., support.Vault]:
    """Builds a vault: `vault({"journals/2026/04/2026-04-23.md": "..."}, config="cap = 3")`.

    `changed` says which day a file was last changed, by its path; otherwise it is the day that tests stand for.
    """

    def build(
        files: Mapping[str, str | bytes] | None = None,
        config: str = "",
        changed: Mapping[str, str] | None = None,
        name: str = "vault",
    ) -> support.Vault:
        built = support.Vault(tmp_path / name)
        built.write("wrapgen.toml", config)
        for path, text in (files or {}).items():
            built.write(path, text, (changed or {}).get(path, support.TODAY))
        return built

    return build
