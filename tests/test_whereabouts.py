"""Where vaults are looked for, without loading anything large."""

import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from tests.support import child_environment
from wrapgen.whereabouts import as_written, is_listed, nearest_vault, user_config_file


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


@pytest.mark.parametrize("module", ["wrapgen.hooks.entry", "wrapgen.hooks.statusline"])
def test_a_hook_with_nothing_to_do_loads_nothing_large(module):
    script = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], env=child_environment(), capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert not loaded & {"click", "msgspec", "pathlib", "dataclasses", "platformdirs", "subprocess", "threading"}
