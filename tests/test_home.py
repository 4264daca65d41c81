"""The home folder of whoever runs these tests is out of reach."""

import os
import tempfile
from pathlib import Path

import platformdirs
import pytest

from tests.support import finish, spawn, wrap
from wrapgen.config import user_config_path


def test_the_home_folder_is_an_empty_temporary_one(home):
    assert Path.home() == home
    assert home.is_relative_to(Path(tempfile.gettempdir()).resolve()) or home.is_relative_to(tempfile.gettempdir())
    assert list(home.iterdir()) == []


def test_every_folder_of_the_user_lies_in_it(home):
    for folder in (platformdirs.user_config_dir, platformdirs.user_data_dir, platformdirs.user_state_dir):
        assert Path(folder("wrapgen")).is_relative_to(home)
    assert user_config_path().is_relative_to(home)


def test_no_vault_is_inherited_from_the_environment():
    assert "WRAPGEN_VAULT" not in os.environ
    assert wrap("regen").code == 1


@pytest.mark.slow
def test_children_see_the_same_home(home):
    result = finish(spawn("regen"))
    assert result.code == 1
    assert "wrap init" in result.err
    assert list(home.iterdir()) == []
