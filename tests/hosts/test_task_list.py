"""`wrap install claude --task-list`: the variable that gives newer models their list, put in and taken back."""

import json

import pytest

from tests.support import wrap

NAME = "CLAUDE_CODE_ENABLE_TODO_TOOLS"


@pytest.mark.parametrize(
    "before", [b"", b"{}\n", b'{"env": {"A": "b"}}\n', b'{\n  "env": {}\n}\n', b'{"model": "x"}\n']
)
def test_it_is_there_once_and_goes_without_a_trace(claude, before):
    if before:
        claude.write(before)
    result = claude.install("--task-list")
    assert result.code == 0, result.err
    assert f"{NAME}=1" in result.out
    once = claude.settings.read_bytes()
    assert json.loads(once)["env"][NAME] == "1"
    claude.install("--task-list")
    claude.install()  # and stays where nobody asks
    assert claude.settings.read_bytes() == once
    assert wrap("uninstall", "claude").code == 0
    assert (claude.settings.read_bytes() if claude.settings.exists() else b"") == before


def test_it_can_be_taken_back_alone_and_when_others_have_written_since(claude):
    claude.install("--task-list")
    claude.install("--no-task-list")
    assert "env" not in json.loads(claude.settings.read_bytes())
    claude.install("--task-list")
    settings = json.loads(claude.settings.read_bytes())
    claude.write(json.dumps({**settings, "model": "x"}).encode())
    assert wrap("uninstall", "claude").code == 0
    assert json.loads(claude.settings.read_bytes()) == {"model": "x"}


@pytest.mark.parametrize("own", ["0", "1"])
def test_somebodys_own_stays(claude, own):
    before = json.dumps({"env": {NAME: own}}).encode()
    claude.write(before)
    claude.install("--task-list")
    assert json.loads(claude.settings.read_bytes())["env"] == {NAME: own}
    settings = json.loads(claude.settings.read_bytes())
    claude.write(json.dumps({**settings, "model": "x"}).encode())
    wrap("uninstall", "claude")
    assert json.loads(claude.settings.read_bytes())["env"] == {NAME: own}


def test_settings_that_are_broken_stay(claude):
    claude.write(b'{"env": []}')
    result = wrap("install", "claude", "--task-list")
    assert (result.code, "`env` is a list" in result.err) == (1, True)
    assert claude.settings.read_bytes() == b'{"env": []}'


def test_other_agents_have_none(home):
    assert wrap("install", "codex", "--task-list").code == 2
