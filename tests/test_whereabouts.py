"""Where vaults are looked for, without loading anything large."""

import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from tests.support import child_environment
from wrapgen.whereabouts import as_written, is_listed, nearest_vault, user_config_file, vault_owning


@pytest.mark.parametrize("value", [None, "", "  ", "/some/where", "relative"])
def test_the_users_own_file_is_where_platformdirs_says(monkeypatch, value):
    if value is None:
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
    expected = Path(platformdirs.user_config_dir("wrapgen", appauthor=False)) / "config.toml"
    assert Path(user_config_file()) == expected


def test_the_nearest_vault(tmp_path):
    inner = tmp_path / "a" / "b"
    (inner / "c").mkdir(parents=True)
    assert nearest_vault(str(inner / "c")) is None
    (tmp_path / "wrapgen.toml").touch()
    assert nearest_vault(str(inner / "c")) == str(tmp_path)
    (inner / "wrapgen.toml").touch()
    assert nearest_vault(str(inner / "c" / "gone")) == str(inner)
    (inner / "c" / "wrapgen.toml").mkdir()
    assert nearest_vault(str(inner / "c")) == str(inner)


def test_the_list_is_taken_as_it_is_written(tmp_path, home):
    vault = tmp_path / "vault"
    vault.mkdir()
    assert is_listed(str(vault), [str(tmp_path / "x" / ".." / "vault")])
    assert not is_listed(str(vault), [])
    assert as_written("~/notes") == as_written(str(home / "notes"))


@pytest.mark.slow
@pytest.mark.parametrize("module", ["wrapgen.hooks.entry", "wrapgen.hooks.statusline"])
def test_a_hook_with_nothing_to_do_loads_nothing_large(module):
    script = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], env=child_environment(), capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert not loaded & {"click", "msgspec", "pathlib", "dataclasses", "platformdirs", "subprocess", "threading"}


def test_the_vault_that_owns_a_folder(tmp_path):
    code, vaults = tmp_path / "code", [tmp_path / "wide", tmp_path / "close"]
    for vault, named in zip(vaults, (code, code / "web"), strict=True):
        vault.mkdir()
        (vault / "wrapgen.toml").write_text(f"[projects.x]\npaths = ['{named}']\n", encoding="utf-8")
    listed = [*map(str, vaults), str(tmp_path / "gone")]
    assert vault_owning(str(code / "api"), listed) == str(vaults[0])
    assert vault_owning(str(code / "web" / "src"), listed) == str(vaults[1])
    assert vault_owning(str(vaults[0] / "notes"), listed) == str(vaults[0])
    assert vault_owning(str(tmp_path / "codes"), listed) is None


@pytest.mark.parametrize("text", ["projects = 3", "[projects]\nx = 3", "[projects.x]\npaths = [3, '\\u0000']", "["])
def test_a_vault_whose_configuration_is_broken_owns_its_own_folder_alone(tmp_path, text):
    (tmp_path / "wrapgen.toml").write_text(text, encoding="utf-8")
    assert vault_owning("/", [str(tmp_path)]) is None
    assert vault_owning(str(tmp_path / "notes"), [str(tmp_path)]) == str(tmp_path)
