"""`wrap plugin build`: the files that Claude Code takes. Its own check of them stands in `tests/e2e`."""

import json

import pytest

from tests.hosts.conftest import done, everything
from tests.support import wrap
from wrapgen import __version__


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "plugin"


def read(file):
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_files(folder):
    assert "claude plugin install wrapgen@wrapgen" in done(wrap("plugin", "build", folder)).out
    market, plugin = read(folder / ".claude-plugin/marketplace.json"), folder / "wrapgen"
    assert [(one["name"], one["source"]) for one in market["plugins"]] == [("wrapgen", "./wrapgen")]
    assert read(plugin / ".claude-plugin/plugin.json")["version"] == __version__
    assert len(list(plugin.glob("skills/*/SKILL.md"))) == 4
    assert "SessionStart" in read(plugin / "hooks/hooks.json")["hooks"]


def test_the_program_is_found_by_its_name_or_is_the_one_named(folder):
    done(wrap("plugin", "build", folder))
    hooks = read(folder / "wrapgen/hooks/hooks.json")["hooks"]
    assert {group["hooks"][0]["command"] for (group,) in hooks.values()} == {"wrapgen"}
    assert "wrapgen orphans --review" in (folder / "wrapgen/skills/wrap/SKILL.md").read_text(encoding="utf-8")
    done(wrap("plugin", "build", folder, "--program", "/opt/wrap"))
    hooks = read(folder / "wrapgen/hooks/hooks.json")["hooks"]
    assert {group["hooks"][0]["command"] for (group,) in hooks.values()} == {"/opt/wrap"}


def test_twice_gives_the_same_bytes(folder):
    done(wrap("plugin", "build", folder))
    first = everything(folder)
    done(wrap("plugin", "build", folder))
    assert everything(folder) == first


@pytest.mark.parametrize("name", ["notes.md", ".claude-plugin/marketplace.json"])
def test_a_folder_with_something_else_in_it_is_left_alone(folder, name):
    file = folder / name
    file.parent.mkdir(parents=True)
    file.write_text('{"name": "mine"}', encoding="utf-8")
    before = everything(folder)
    result = wrap("plugin", "build", folder)
    assert result.code == 1
    assert everything(folder) == before


def test_a_file_where_the_folder_should_be(folder):
    folder.write_text("x", encoding="utf-8")
    assert wrap("plugin", "build", folder).code == 1
    assert folder.read_text(encoding="utf-8") == "x"
