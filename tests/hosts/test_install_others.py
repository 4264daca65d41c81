"""`wrap install codex` and `gemini`: the same guest, in the form that each of them takes."""

import json
import shlex

import pytest

from tests.hosts.conftest import done, everything
from tests.support import wrap
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


def test_codex_gives_a_sessions_end_three_seconds(file):
    done(wrap("install", "codex"))
    assert handlers(file["codex"])["SessionEnd"]["timeout"] == 3


def test_codex_lives_elsewhere(file, tmp_path, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    done(wrap("install", "codex"))
    assert (tmp_path / "hooks.json").exists()
    assert not file["codex"].exists()


def test_skills_go_where_they_are_read(home, file):
    done(wrap("install", "codex"))
    assert (home / ".agents" / "skills" / "wrap" / "SKILL.md").exists()
    done(wrap("install", "gemini"))
    assert (home / ".gemini" / "skills" / "wrap" / "SKILL.md").exists()
    done(wrap("uninstall", "codex"))
    assert not (home / ".agents").exists()
    assert (home / ".gemini" / "skills" / "wrap" / "SKILL.md").exists()


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


@pytest.mark.parametrize("words", [("gemini", "--scope", "local"), ("codex", "--skills-in-agents", "all"), ("cursor",)])
def test_what_a_host_does_not_have_is_refused(words, home):
    before = everything(home)
    assert wrap("install", *words).code == 2
    assert everything(home) == before


@pytest.mark.parametrize("host", HOSTS.values(), ids=lambda host: host.name)
def test_every_event_is_one_that_wrapgen_answers(host):
    assert all(event_named(event.word) for event in host.events)
    assert len({event.name for event in host.events}) == len(host.events)
