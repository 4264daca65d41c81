"""`wrap doctor` and the hosts: each broken set-up is found and named with the command that mends it."""

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import child_environment, wrap
from wrapgen.vault import keyed_files

DAY = 86_400
posix = pytest.mark.skipif(os.name != "posix", reason="programs of POSIX")


@dataclass
class Setting:
    """A vault, and Claude Code's folder of its user."""

    vault: object
    claude: Path

    @property
    def settings(self):
        return self.claude / "settings.json"

    def edit(self, change):
        said = json.loads(self.settings.read_text(encoding="utf-8"))
        change(said)
        self.settings.write_text(json.dumps(said, indent=2), encoding="utf-8")

    def handlers(self, said):
        return [one for groups in said["hooks"].values() for group in groups for one in group["hooks"]]

    def session(self, name, *said, days=0):
        """A conversation in the vault's folder, last changed some days ago."""
        file = self.claude / "projects" / "-x" / f"{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            {"type": role, "sessionId": name, "uuid": f"{number}", "cwd": str(self.vault.root), "version": "2.1.0",
             "timestamp": "2026-03-24T10:00:00.000Z", "message": {"role": role, "content": text}}
            for number, (role, text) in enumerate(said)
        ]  # fmt: skip
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        then = time.time() - days * DAY
        os.utime(file, (then, then))
        return file


@pytest.fixture
def setting(vault, home, monkeypatch):
    """All is well: a trusted vault, hooks installed, and fired."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    built = vault({"projects/web/todos.md": "# Web\n\n- [ ] Add the retry\n"})
    assert wrap("install", "claude", "--default", vault=built).code == 0
    assert wrap("regen", vault=built).code == 0
    keyed_files.note_fired(str(built.root), "SessionStart")
    return Setting(built, home / ".claude")


def doctor(setting, *words):
    return wrap("doctor", *words, "--json", vault=setting.vault, today=None)


def bad(result, *levels):
    return [one for one in result.json["findings"] if one["level"] in (levels or ("wrong", "warning"))]


@pytest.mark.slow
def test_all_is_well(setting):
    result = doctor(setting)
    assert (result.code, bad(result)) == (0, [])
    said = {one["check"]: one["what"] for one in result.json["findings"]}
    assert "calls wrapgen at 8 events" in said["hooks"]
    assert "SessionStart" in said["fired"]


def gone(setting):
    setting.edit(lambda said: [one.update(command="/gone/bin/wrap") for one in setting.handlers(said)])


def older(setting):
    setting.edit(lambda said: said["hooks"].pop("PreCompact"))


def other_form(setting):
    setting.edit(
        lambda said: said["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "wrap hook stop"})
    )


def milliseconds(setting):
    setting.edit(lambda said: said["hooks"]["Stop"][0]["hooks"][0].update(timeout=30_000))


def plugin_too(setting):
    setting.edit(lambda said: said.update(enabledPlugins={"wrapgen@wrapgen": True}))


def disabled(setting):
    setting.edit(lambda said: said.update(disableAllHooks=True))


def broken(setting):
    setting.settings.write_text('{\n  "hooks": {,}\n}\n', encoding="utf-8")


def silent(setting):
    old = time.time() - 10 * DAY
    os.utime(setting.settings, (old, old))
    os.utime(setting.vault.path(".wrapgen/state/hooks/fired/SessionStart"), (old, old))
    setting.session("one", ("user", "Hello"), days=1)


def vanishing(setting):
    setting.session("old", ("user", "Fix it"), ("assistant", "Next session: add retry to the uploader."), days=27)


def untrusted(setting):
    assert wrap("trust", "--remove", vault=setting.vault).code == 0


def moved(setting):
    setting.vault.root.rename(setting.vault.root.with_name("moved"))


def not_executable(setting):
    program = setting.claude / "wrap"
    program.write_text("", encoding="utf-8")
    setting.edit(lambda said: [one.update(command=str(program)) for one in setting.handlers(said)])


def failed(setting):
    keyed_files.log(
        keyed_files.log_of(str(setting.vault.root)), "PreCompact: cannot be written (No space left on device)"
    )


BROKEN = {
    gone: ("hooks", "wrong", "wrap install claude --scope user", "/gone/bin/wrap"),
    older: ("hooks", "wrong", "wrap install claude --scope user", "another version"),
    other_form: ("hooks", "wrong", "wrap install claude --scope user", "another version"),
    milliseconds: ("hooks", "wrong", "wrap install claude --scope user", "30000"),
    plugin_too: ("hooks", "wrong", "wrap uninstall claude --scope user", "twice"),
    disabled: ("hooks", "wrong", "wrap doctor", "disableAllHooks"),
    broken: ("hooks", "wrong", "wrap install claude --scope user", "not valid JSON"),
    silent: ("fired", "wrong", "wrap install claude", "1 session"),
    vanishing: ("conversations", "wrong", "wrap orphans --transcript", "1 follow-up"),
    untrusted: ("trust", "warning", "wrap trust", "trusted"),
    moved: ("vault", "wrong", "wrap init", "no"),
    failed: ("hook log", "warning", "wrap track snapshot", "No space left"),
}


@pytest.mark.slow
@pytest.mark.sampled(8)
@pytest.mark.parametrize("breaks", BROKEN, ids=lambda one: one.__name__)
def test_each_broken_set_up_is_found_and_named(setting, breaks):
    check, level, command, words = BROKEN[breaks]
    breaks(setting)
    result = doctor(setting)
    found = [one for one in bad(result, level) if one["check"] == check]
    assert len(found) == 1, result.json["findings"]
    assert words in found[0]["what"]
    assert command in f"{found[0]['mend']}"
    assert result.code == (3 if level == "wrong" else 0)


@pytest.mark.slow
@posix
def test_a_program_that_cannot_be_run(setting):
    not_executable(setting)
    assert "which does not exist" in bad(doctor(setting))[0]["what"]


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("breaks", [gone, older, other_form, milliseconds, vanishing], ids=lambda one: one.__name__)
def test_what_is_safe_is_mended(setting, breaks):
    breaks(setting)
    assert bad(doctor(setting))[0]["fixable"]
    result = doctor(setting, "--fix")
    assert (result.code, bad(result)) == (0, [])
    assert len(result.json["mended"]) == 1
    assert doctor(setting, "--fix").json["mended"] == []


@pytest.mark.slow
def test_the_line_is_named(setting):
    milliseconds(setting)
    where, _, line = bad(doctor(setting))[0]["where"].rpartition(":")
    assert where == str(setting.settings)
    lines = setting.settings.read_text(encoding="utf-8").splitlines()
    assert "30000" in "".join(lines[int(line) - 1 : int(line) + 9])


@pytest.mark.slow
def test_what_is_mended_leaves_other_entries_alone(setting):
    other = {"type": "command", "command": "echo hi"}
    setting.edit(lambda said: said["hooks"]["Stop"].append({"hooks": [other]}))
    gone(setting)
    setting.edit(lambda said: said["hooks"]["Stop"][1]["hooks"][0].update(other))
    doctor(setting, "--fix")
    assert other in setting.handlers(json.loads(setting.settings.read_text(encoding="utf-8")))


class TestConversations:
    @pytest.mark.slow
    def test_the_hosts_own_setting_says_when(self, setting):
        setting.session("old", ("assistant", "Next session: add retry to the uploader."), days=5)
        assert bad(doctor(setting), "wrong") == []
        setting.edit(lambda said: said.update(cleanupPeriodDays=10))
        assert "in 5 days" in bad(doctor(setting), "wrong")[0]["what"]

    @pytest.mark.slow
    def test_what_waits_already_is_safe(self, setting):
        file = setting.session("old", ("assistant", "Next session: add retry to the uploader."), days=27)
        assert wrap("orphans", "--transcript", file, vault=setting.vault).code == 0
        assert bad(doctor(setting), "wrong") == []

    @pytest.mark.slow
    def test_one_without_anything_is_no_finding(self, setting):
        setting.session("old", ("assistant", "All done."), days=29)
        assert bad(doctor(setting)) == []

    @pytest.mark.slow
    def test_another_folders_is_none_of_ours(self, setting, tmp_path):
        file = setting.session("old", ("assistant", "Next session: add retry to the uploader."), days=27)
        stamp = file.stat().st_mtime
        file.write_text(file.read_text(encoding="utf-8").replace(str(setting.vault.root), str(tmp_path / "x")), "utf-8")
        os.utime(file, (stamp, stamp))
        assert bad(doctor(setting)) == []


@pytest.mark.slow
def test_a_host_that_is_there_and_calls_nothing(setting, home):
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("{}", encoding="utf-8")
    result = doctor(setting)
    assert result.code == 0
    assert "wrap install gemini" in [one["mend"] for one in result.json["findings"] if one["level"] == "note"]


@pytest.mark.slow
def test_gemini_switched_off(setting, home):
    assert wrap("install", "gemini").code == 0
    file = home / ".gemini" / "settings.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**said, "tools": {"enableHooks": False}}), encoding="utf-8")
    (found,) = bad(doctor(setting))
    assert "tools.enableHooks" in found["what"]


@pytest.mark.slow
def test_a_plugin_whose_program_is_nowhere(setting, monkeypatch):
    assert wrap("uninstall", "claude").code == 0
    setting.claude.mkdir(exist_ok=True)
    setting.settings.write_text('{"enabledPlugins": {"wrapgen@x": true}}', encoding="utf-8")
    monkeypatch.setenv("PATH", str(setting.claude))
    (found,) = [one for one in bad(doctor(setting)) if one["check"] == "hooks"]
    assert "PATH" in found["what"]


@pytest.mark.slow
def test_a_hook_that_found_its_vault_gone_is_remembered(setting, monkeypatch):
    import subprocess
    import sys

    moved(setting)
    done = subprocess.run(
        [sys.executable, "-m", "wrapgen", "hook", "session-start"],
        input=json.dumps({"session_id": "s", "cwd": str(setting.claude), "source": "startup"}),
        capture_output=True, text=True, check=False, timeout=60,
        env={**child_environment(), "WRAPGEN_VAULT": str(setting.vault.root)},
    )  # fmt: skip
    assert done.returncode == 0
    found = [one for one in bad(wrap("doctor", "--json", today=None)) if one["check"] == "hook log"]
    assert "wrap init" in found[0]["mend"]
