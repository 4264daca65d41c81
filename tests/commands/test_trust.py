"""`wrap trust`: hooks act for the vaults in the user's own list, known by their real paths, and for no other."""

import os
import shutil

import pytest

from tests.support import finish, spawn, wrap
from wrapgen.config import UserConfig, load, user_config_path
from wrapgen.errors import ConfigError
from wrapgen.vault.layout import is_trusted

links = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


def listed():
    return list(load(user_config_path(), UserConfig).trusted_vaults)


def test_nothing_is_trusted_by_itself(vault):
    assert not is_trusted(vault().root)
    assert wrap("trust", "--list").out == "no vault is trusted yet; `wrap trust DIR` adds one\n"


@pytest.mark.parametrize("how", ["named", "here", "--vault"])
def test_a_vault_is_trusted_and_no_longer(vault, monkeypatch, how):
    built = vault()
    words = (built.root,) if how == "named" else ()
    given = built if how == "--vault" else None
    if how == "here":
        monkeypatch.chdir(built.root)
    assert wrap("trust", *words, vault=given).code == 0
    assert is_trusted(built.root)
    assert listed() == [os.path.realpath(built.root)]
    assert wrap("trust", "--remove", *words, vault=given).code == 0
    assert not is_trusted(built.root)
    assert listed() == []


def test_twice_is_once(vault):
    built = vault()
    wrap("trust", built.root)
    before = user_config_path().read_bytes()
    result = wrap("trust", f"{built.root}/.")
    assert (result.code, user_config_path().read_bytes()) == (0, before)
    assert "already" in result.out


def test_what_init_made_is_trusted(tmp_path):
    wrap("init", tmp_path / "notes")
    assert is_trusted(tmp_path / "notes")


@links
def test_a_vault_is_known_by_its_real_path(vault, tmp_path):
    built = vault()
    (tmp_path / "link").symlink_to(built.root)
    wrap("trust", tmp_path / "link")
    assert listed() == [os.path.realpath(built.root)]
    assert is_trusted(built.root)
    assert is_trusted(tmp_path / "link")
    assert not is_trusted(built.root.parent)
    assert not is_trusted(built.root / "journals")


@links
def test_another_vault_in_its_place_is_another_one(vault, tmp_path):
    built, cloned = vault(name="mine"), vault(name="cloned")
    wrap("trust", built.root)
    shutil.move(built.root, tmp_path / "moved")
    built.root.symlink_to(cloned.root)
    assert not is_trusted(built.root)
    assert not is_trusted(tmp_path / "moved")


def test_a_line_that_was_written_by_hand(vault, home):
    built = vault()
    user_config_path().parent.mkdir(parents=True)
    shutil.move(built.root, home / "notes")
    user_config_path().write_text('trusted_vaults = ["~/notes"] # mine\n', encoding="utf-8")
    assert is_trusted(home / "notes")
    assert wrap("trust", "--remove", home / "notes").code == 0
    assert listed() == []


def test_a_vault_that_is_gone_can_be_taken_off(vault):
    built = vault()
    wrap("trust", built.root)
    shutil.rmtree(built.root)
    assert "(no longer a vault)" in wrap("trust", "--list").out
    assert wrap("trust", "--remove", built.root).code == 0
    assert listed() == []


def test_what_is_not_in_the_list_cannot_be_taken_off(vault):
    result = wrap("trust", "--remove", vault().root)
    assert result.code == 1
    assert "wrap trust --list" in result.err


@links
def test_a_line_that_leads_through_a_link_is_another_vault(vault, home):
    """What the link leads to may change."""
    built = vault()
    (home / "notes").symlink_to(built.root)
    user_config_path().parent.mkdir(parents=True)
    user_config_path().write_text('trusted_vaults = ["~/notes"]\n', encoding="utf-8")
    assert not is_trusted(home / "notes")
    assert wrap("trust", home / "notes").code == 0
    assert is_trusted(home / "notes")


def test_the_rest_of_the_file_stays(vault):
    user_config_path().parent.mkdir(parents=True)
    user_config_path().write_text('# mine\ndefault_vault = ""  # none\n', encoding="utf-8")
    wrap("trust", vault().root)
    assert user_config_path().read_text(encoding="utf-8").startswith('# mine\ndefault_vault = ""  # none\n')


@links
def test_the_file_may_be_a_link_into_a_folder_of_dotfiles(vault, home):
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "wrapgen.toml").write_text("# mine\n", encoding="utf-8")
    user_config_path().parent.mkdir(parents=True)
    user_config_path().symlink_to(home / "dotfiles" / "wrapgen.toml")
    assert wrap("trust", vault().root).code == 0
    assert user_config_path().is_symlink()
    assert len(listed()) == 1


def test_only_vaults_can_be_trusted(tmp_path):
    result = wrap("trust", tmp_path)
    assert result.code == 1
    assert "wrap init" in result.err


def test_what_it_brings_along_is_said_first(vault):
    built = vault(config='follow = ["notes"]\n[projects.web]\npaths = ["~/code"]\n')
    built.write(".wrapgen/templates/ACTIVE-STATUS.md.j2", "x")
    lines = wrap("trust", vault=built).out.splitlines()
    assert [word for word in ("notes", "~/code", "templates") if any(word in line for line in lines[:-1])] == [
        "notes", "~/code", "templates",
    ]  # fmt: skip


@pytest.mark.parametrize("words", [("--list", "--remove"), ("--list", ".")])
def test_words_that_do_not_fit_together(words):
    assert wrap("trust", *words).code == 2


def test_a_broken_file_of_the_users_trusts_nobody(vault):
    built = vault()
    wrap("trust", built.root)
    user_config_path().write_text("nothing = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        is_trusted(built.root)
    assert wrap("trust", built.root).code == 1
    assert user_config_path().read_text() == "nothing = 1\n"


@pytest.mark.slow
def test_in_a_process_of_its_own(vault):
    built = vault()
    assert finish(spawn("trust", built.root)).code == 0
    assert is_trusted(built.root)
