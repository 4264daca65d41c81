"""The first vault is the one that is used wherever no other is found, unless its user says no."""

import pytest

from tests.support import wrap
from wrapgen.config import UserConfig, load, user_config_path


def default() -> str:
    return load(user_config_path(), UserConfig).default_vault


def test_the_first_vault_is_the_default_and_says_so(tmp_path):
    result = wrap("init", tmp_path / "notes")
    assert "wherever no other vault is found" in result.out
    wrap("init", tmp_path / "work")
    assert default() == str(tmp_path / "notes")


@pytest.mark.parametrize("words", [("--no-default",), ("--demo",)])
def test_but_not_when_it_should_not_be(tmp_path, words):
    assert wrap("init", tmp_path / "notes", *words).code == 0
    assert default() == ""
