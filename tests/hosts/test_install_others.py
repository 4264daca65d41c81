"""`wrap install codex` and `gemini`: the same guest, in the form that each of them takes."""

import json
import shlex

import pytest

from tests.hosts.conftest import done, everything
from tests.support import each, wrap
from wrapgen.hooks.events import event_named
from wrapgen.hosts.host import HOSTS

# As the hosts' own contracts say: Codex, codex-rs/config/src/hook_config.rs; Gemini CLI, docs/hooks/reference.md.
CODEX_KEYS = {"type", "command", "timeout", "additionalContextLimit"}
GEMINI_KEYS = {"name", "type", "command", "timeout"}


@pytest.fixture
def file(home, monkeypatch):
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return {"codex": home / ".codex" / "hooks.json", "gemini": home / ".gemini" / "settings.json"}


def handlers(file):
    said = json.loads(file.read_text(encoding="utf-8"))
    return {event: group["hooks"][0] for event, (group,) in said["hooks"].items()}


@pytest.mark.slow
@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_come_twice_and_gone(host, file, home):
    before = everything(home)
    done(wrap("install", host))
    first = everything(home)
    done(wrap("install", host))
    assert everything(home) == first
    done(wrap("uninstall", host))
    left = {name for name in everything(home) if name not in before and not name.startswith("wrapgen")}
    assert left == set()


def test_geminis_hooks_fit_whatever_a_session_starts_from(file):
    """It compares a start's matcher letter by letter: `startup|resume` fits neither."""
    done(wrap("install", "gemini"))
    groups = json.loads(file["gemini"].read_text())["hooks"]["SessionStart"]
    assert [group.get("matcher") for group in groups] == [None]


@pytest.mark.slow
@pytest.mark.parametrize(("host", "keys"), [("codex", CODEX_KEYS), ("gemini", GEMINI_KEYS)])
def test_the_form(host, keys, file):
    done(wrap("install", host, "--prompts"))
    said = json.loads(file[host].read_text(encoding="utf-8"))
    assert set(said) == {"hooks"}
    for event, handler in handlers(file[host]).items():
        assert set(handler) <= keys, event
        words = shlex.split(handler["command"])
        assert words[-2:] == ["--host", host]
        assert event_named(words[words.index("hook") + 1]) == event_named(event)


def test_gemini_counts_in_milliseconds(file):
    done(wrap("install", "gemini"))
    assert {handler["timeout"] for handler in handlers(file["gemini"]).values()} == {10_000}


@pytest.mark.slow
def test_codex_gives_a_sessions_end_three_seconds(file):
    done(wrap("install", "codex"))
    assert handlers(file["codex"])["SessionEnd"]["timeout"] == 3


@pytest.mark.slow
def test_codex_lives_elsewhere(file, tmp_path, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    done(wrap("install", "codex"))
    assert (tmp_path / "hooks.json").exists()
    assert not file["codex"].exists()


@pytest.mark.slow
def test_skills_go_where_they_are_read(home, file):
    done(wrap("install", "codex"))
    assert (home / ".agents" / "skills" / "wrap" / "SKILL.md").exists()
    done(wrap("install", "gemini"))
    assert (home / ".gemini" / "skills" / "wrap" / "SKILL.md").exists()
    done(wrap("uninstall", "codex"))
    assert not (home / ".agents").exists()
    assert (home / ".gemini" / "skills" / "wrap" / "SKILL.md").exists()


@pytest.mark.slow
def test_comments_in_geminis_settings_stay(file):
    text = '{\n  // mine\n  "theme": "dark" /* why */\n}\n'
    file["gemini"].parent.mkdir()
    file["gemini"].write_text(text, encoding="utf-8")
    done(wrap("install", "gemini"))
    assert "// mine" in file["gemini"].read_text(encoding="utf-8")
    done(wrap("uninstall", "gemini"))
    assert file["gemini"].read_text(encoding="utf-8") == text


def test_what_else_stands_beside_geminis_events(file):
    text = '{"hooks": {"disabled": ["lint"], "enabled": true}}'
    file["gemini"].parent.mkdir()
    file["gemini"].write_text(text, encoding="utf-8")
    done(wrap("install", "gemini"))
    said = json.loads(file["gemini"].read_text(encoding="utf-8"))["hooks"]
    assert (said["disabled"], said["enabled"]) == (["lint"], True)


@pytest.mark.parametrize(
    "words",
    [("gemini", "--scope", "local"), ("codex", "--skills-in-agents", "all"), ("gemini", "--contract"), ("windsurf",)],
)
def test_what_a_host_does_not_have_is_refused(words, home):
    before = everything(home)
    assert wrap("install", *words).code == 2
    assert everything(home) == before


# As its documentation says: entries in no groups, seconds, and a version on top.
def test_cursor_takes_flat_entries(home):
    done(wrap("install", "cursor"))
    said = json.loads((home / ".cursor" / "hooks.json").read_text(encoding="utf-8"))
    assert list(said) == ["version", "hooks"]
    assert said["version"] == 1
    assert set(said["hooks"]) == {"sessionStart", "afterAgentResponse", "sessionEnd"}
    for (entry,) in said["hooks"].values():
        assert set(entry) == {"command", "timeout"}
        assert entry["timeout"] == 10
        assert shlex.split(entry["command"])[-2:] == ["--host", "cursor"]
    assert (home / ".cursor" / "skills" / "wrap" / "SKILL.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "former",
    [
        None,
        '{"version": 1, "hooks": {"stop": [{"command": "say done"}], "sessionStart": [{"command": "./mine.sh"}]}}\n',
        '{\n  "hooks": {}\n}',
        "{}",
    ],
)
def test_cursor_keeps_what_others_wrote(home, former):
    file = home / ".cursor" / "hooks.json"
    if former is not None:
        file.parent.mkdir()
        file.write_text(former, encoding="utf-8")
    before = {name: data for name, data in everything(home).items() if name.startswith(".cursor")}
    done(wrap("install", "cursor"))
    first = everything(home / ".cursor")
    done(wrap("install", "cursor"))
    assert everything(home / ".cursor") == first
    assert "say done" in file.read_text(encoding="utf-8") or "say done" not in (former or "")
    done(wrap("uninstall", "cursor"))
    assert {name: data for name, data in everything(home).items() if name.startswith(".cursor")} == before


@pytest.mark.slow
@pytest.mark.parametrize("former", [None, '{"version": 1}', "{}"])
def test_what_somebody_adds_to_cursors_entries_stays_alone(home, former):
    file = home / ".cursor" / "hooks.json"
    if former is not None:
        file.parent.mkdir()
        file.write_text(former, encoding="utf-8")
    done(wrap("install", "cursor"))
    said = json.loads(file.read_text(encoding="utf-8"))
    said["hooks"]["sessionStart"].append({"command": "mine"})
    file.write_text(json.dumps(said), encoding="utf-8")
    done(wrap("uninstall", "cursor"))
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "version": 1,
        "hooks": {"sessionStart": [{"command": "mine"}]},
    }


@each(HOSTS.values())
def test_every_event_is_one_that_wrapgen_answers(host):
    assert all(event_named(event.word) for event in host.events)
    assert len({event.name for event in host.events}) == len(host.events)


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_without_a_host_it_says_which_are_here(command, home, tmp_path, monkeypatch):
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    result = wrap(command)
    assert result.code == 2
    assert "found here: none that wrapgen knows" in result.err
    assert f"`wrap {command} claude` or `wrap {command} codex` or `wrap {command} gemini`" in result.err
    (home / ".claude").mkdir()
    program = programs / "gemini"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    result = wrap(command)
    assert result.code == 2
    assert "found here: Claude Code and Gemini CLI" in result.err
    assert f"`wrap {command} claude` or `wrap {command} gemini`." in result.err
