"""`wrap install claude` and back: a guest who changes nothing but his own, and goes without a trace."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts.conftest import Claude, done, everything
from tests.support import finish, spawn, wrap
from wrapgen.config import Config, UserConfig, load, user_config_path
from wrapgen.hosts import installer, places
from wrapgen.vault import disk, headline

OWN_EVENTS = {
    "SessionStart", "PostToolUse", "SubagentStart", "SubagentStop", "Stop", "PreCompact", "PostCompact", "SessionEnd",
}  # fmt: skip
FOREIGN = """\
{
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "echo hi"}]}],
        "Notification": []
    },
    "env": {"A":   "1"}
}
"""
SKILLS = {"wrap", "stage-snapshot", "session-brief", "query-cold"}
posix = pytest.mark.skipif(os.name != "posix", reason="links of POSIX")


def test_a_newcomer(claude):
    result = claude.install()
    assert set(claude.json) == {"hooks"}
    assert set(claude.json["hooks"]) == OWN_EVENTS
    assert {file.parent.name for file in claude.folder.glob("skills/*/SKILL.md")} == SKILLS
    assert "wrap uninstall claude" in result.out


@pytest.mark.slow
def test_every_entry_is_one_that_the_host_takes(claude):
    claude.install("--prompts")
    for event, groups in claude.json["hooks"].items():
        (group,) = groups
        assert set(group) <= {"matcher", "hooks"}, event
        (handler,) = group["hooks"]
        assert set(handler) == {"type", "command", "args", "timeout"}, event
        assert handler["type"] == "command"
        assert Path(handler["command"]).is_absolute()
        assert os.access(handler["command"], os.X_OK)
        assert handler["args"][-2:] == ["hook", handler["args"][-1]]
        assert 1 <= handler["timeout"] <= 60  # seconds; a session's end is given no more than 60


@pytest.mark.slow
def test_what_is_installed_can_be_run(claude):
    claude.install()
    handler = claude.handlers("Stop")[0]
    answer = subprocess.run([handler["command"], "--version"], capture_output=True, text=True, check=False, timeout=60)
    assert answer.stdout.startswith("wrap ")


def test_a_program_that_was_started_otherwise(claude, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setattr(sys, "argv", ["/x/wrapgen/__main__.py"])
    claude.install()
    handler = claude.handlers("Stop")[0]
    assert [handler["command"], *handler["args"]] == ["/nowhere/python", "-m", "wrapgen", "hook", "stop"]
    claude.install()
    assert len(claude.handlers("Stop")) == 1


@pytest.mark.slow
def test_twice_gives_the_same_bytes(claude):
    claude.write(FOREIGN)
    claude.install()
    first = everything(claude.folder)
    claude.install()
    assert everything(claude.folder) == first


def test_what_others_wrote_stays_as_it_is_written(claude):
    claude.write(FOREIGN)
    claude.install()
    text = claude.data.decode()
    for line in FOREIGN.splitlines()[:3] + FOREIGN.splitlines()[-3:]:
        assert line in text
    assert claude.handlers("Stop")[0] == {"type": "command", "command": "echo hi"}
    assert '{"hooks": [{"type": "command", "command": "echo hi"}]}' in text


@pytest.mark.slow
@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "former",
    [
        FOREIGN,
        "{}",
        "{ }\n",
        "",
        "\n\n",
        '{"hooks": {}}',
        '{"hooks": {"Stop": []}}\n',
        '{\r\n\t"model": "opus"\r\n}\r\n',
        '\ufeff{"model": "opus"}',
        '{"model": "opus", "model": "haiku", "한국어": "\\ud83d\\ude00 🙂"}',
    ],
)
def test_the_former_bytes_come_back(claude, former):
    data = claude.write(former)
    before = everything(claude.folder)
    claude.install("--status-line")
    assert claude.data != data
    assert claude.uninstall().err == ""
    assert everything(claude.folder) == before


@pytest.mark.slow
def test_nothing_stays_where_nothing_was(claude, home):
    (home / "notes").write_text("x", encoding="utf-8")
    claude.install()
    claude.uninstall()
    assert not claude.folder.exists()
    kept = {name for name in everything(home) if "wrapgen/hosts" not in name and "wrapgen" in name}
    assert kept <= {"wrapgen"}


@pytest.mark.slow
def test_a_change_between_stays(claude):
    claude.write(FOREIGN)
    claude.install()
    claude.edit({"permissions": {"allow": ["Bash(ls)"]}})
    claude.uninstall()
    assert claude.json == {**json.loads(FOREIGN), "permissions": {"allow": ["Bash(ls)"]}}


@pytest.mark.slow
def test_a_change_between_two_installations_stays(claude):
    claude.write(FOREIGN)
    claude.install()
    claude.edit({"theme": "dark"})
    claude.install("--status-line")
    claude.uninstall()
    assert claude.json == {**json.loads(FOREIGN), "theme": "dark"}


@pytest.mark.slow
def test_settings_that_only_we_made_stay_when_somebody_uses_them(claude):
    claude.install()
    claude.edit({"theme": "dark"})
    claude.uninstall()
    assert claude.json == {"theme": "dark"}


@pytest.mark.slow
def test_settings_that_hold_nothing_any_more_go_with_us(claude):
    claude.install()
    claude.edit({"theme": "dark"})
    settings = claude.json
    del settings["theme"]
    claude.write(json.dumps(settings))
    claude.uninstall()
    assert not claude.folder.exists()


OLDER = [
    {"type": "command", "command": "/old/venv/bin/wrap hook stop"},
    {"type": "command", "command": "WRAPGEN_VAULT=~/notes wrap hook Stop", "timeout": 30000},
    {"type": "command", "command": "C:\\Tools\\wrapgen.exe", "args": ["hook", "stop"]},
    {"type": "command", "command": "/usr/bin/python3", "args": ["-m", "wrapgen", "hook", "stop"]},
    {"type": "command", "command": '"/with blank/wrap" hook stop'},
    {"type": "command", "command": "A='x y' ~/.venv/bin/python3.12 -m wrapgen hook stop > ~/log 2>&1\n"},
    {"type": "command", "command": "'C:\\Program Files\\wrap.exe' hook stop"},
]


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("handler", OLDER)
def test_our_own_older_entries_are_replaced(claude, handler):
    other = {"type": "command", "command": "echo wrap hook-line"}
    claude.write(json.dumps({"hooks": {"Stop": [{"hooks": [handler, other]}], "Notification": [{"hooks": [handler]}]}}))
    claude.install()
    handlers = claude.handlers("Stop")
    assert (len(handlers), handlers[0]) == (2, other)
    assert handler not in handlers
    assert "Notification" not in claude.json["hooks"]
    claude.uninstall()
    assert claude.json == {"hooks": {"Stop": [{"hooks": [other]}]}}


FOREIGN_COMMANDS = [
    "shrinkwrap hook stop", "wrap hooks", "echo wrap", "wrapper hook stop", "/opt/wrap/hook.sh stop",
    "unwrap.exe hook x", "afplay ~/done.aiff; wrap hook stop", "~/bin/x.sh wrap hook",
    "./audit.sh && wrap hook stop --host cursor", "wrap hook stop || say lost", "wrap hook stop | tee ~/log",
    "wrap hook stop & say stopped", "wrap hook stop\nsay stopped", "bash -c 'wrap hook stop'", "pytest -m wrapgen hook",
    "wrap hook $(say stopped)", "A=1 ~/bin/x.sh wrap hook",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("command", FOREIGN_COMMANDS)
def test_entries_that_only_look_like_ours_are_somebody_elses(claude, command):
    data = claude.write(json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}))
    claude.install()
    assert claude.handlers("Stop")[0]["command"] == command
    claude.edit({"theme": "dark"})
    claude.uninstall()
    assert claude.json == {**json.loads(data), "theme": "dark"}


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ('{\n  "model": "opus",\n  oops\n}\n', 3),
        ('{\n  // a comment\n  "a": 1\n}', 2),
        ('{\n  "hooks": []\n}', 2),
        ('{\n  "hooks": {\n    "Stop": {}\n  }\n}', 3),
        ("[]", 1),
        ("null", 1),
        (b'{\n"a": "\xff"}', 2),
        ("[" * 5000, 1),
    ],
)
def test_broken_settings_are_refused_untouched(claude, broken, line):
    data = claude.write(broken)
    for words in ("install", "uninstall"):
        result = wrap(words, "claude")
        if words == "uninstall" and result.code == 0:
            assert "Stop" in str(broken)  # nothing of ours is there, and nothing has to be understood
            continue
        assert result.code == 1
        assert f"{claude.settings}:{line}: " in result.err
    assert claude.data == data
    assert list(claude.folder.iterdir()) == [claude.settings]


@pytest.mark.slow
def test_a_dry_run_writes_nothing(claude, home):
    claude.write(FOREIGN)
    before = everything(home)
    result = claude.install("--dry-run", "--status-line")
    assert everything(home) == before
    assert "+" in result.out
    assert str(claude.settings) in result.out
    assert "/skills/wrap/SKILL.md" in result.out
    claude.install()
    before = everything(home)
    assert "-" in claude.uninstall("--dry-run").out
    assert everything(home) == before
    assert done(wrap("install", "claude", "--dry-run")).out.startswith("nothing would change")


def test_the_former_settings_are_kept(claude):
    claude.write(FOREIGN)
    kept = next(line for line in claude.install().out.splitlines() if "saved in" in line).rpartition(" ")[2]
    assert Path(kept).read_text(encoding="utf-8") == FOREIGN
    if os.name == "posix":
        assert Path(kept).stat().st_mode & 0o077 == 0


def test_entries_that_are_replaced_are_kept_too(claude):
    data = claude.write(
        json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "wrap hook stop"}]}]}})
    )
    kept = next(line for line in claude.install().out.splitlines() if "saved in" in line).rpartition(" ")[2]
    assert Path(kept).read_bytes() == data
    claude.install("--status-line")
    assert Path(kept).read_bytes() == data


@pytest.mark.parametrize("command", ["~/bin/my-status.sh; wrap statusline", "~/bin/x.sh wrap statusline"])
def test_a_status_line_that_is_somebody_elses_stays(claude, command):
    data = claude.write(json.dumps({"statusLine": {"type": "command", "command": command}}))
    claude.install("--status-line")
    assert claude.json["statusLine"]["command"] == command
    claude.uninstall()
    assert claude.data == data


@posix
def test_linked_settings_stay_linked(claude, tmp_path):
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text(FOREIGN, encoding="utf-8")
    claude.folder.mkdir()
    claude.settings.symlink_to(real)
    claude.install()
    assert claude.settings.is_symlink()
    assert "session-start" in real.read_text(encoding="utf-8")
    claude.uninstall()
    assert claude.settings.is_symlink()
    assert real.read_text(encoding="utf-8") == FOREIGN


@posix
def test_a_link_to_settings_that_do_not_exist_yet(claude, tmp_path):
    real = tmp_path / "dotfiles" / "claude.json"
    claude.folder.mkdir()
    claude.settings.symlink_to(real)
    claude.install()
    assert claude.settings.is_symlink()
    assert "session-start" in real.read_text(encoding="utf-8")


@posix
def test_the_mode_of_settings_stays(claude):
    claude.write(FOREIGN)
    claude.settings.chmod(0o600)
    claude.install()
    assert claude.settings.stat().st_mode & 0o777 == 0o600


def test_the_hosts_own_folder_may_be_elsewhere(claude, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    claude.install()
    assert not claude.folder.exists()
    assert (tmp_path / "elsewhere" / "settings.json").exists()
    assert (tmp_path / "elsewhere" / "skills" / "wrap" / "SKILL.md").exists()


@pytest.mark.parametrize(("scope", "name"), [("project", "settings.json"), ("local", "settings.local.json")])
def test_in_a_project(claude, tmp_path, monkeypatch, scope, name):
    monkeypatch.chdir(tmp_path)
    project = Claude(tmp_path / ".claude", name, "--scope", scope)
    project.install()
    assert set(project.json["hooks"]) == OWN_EVENTS
    assert not claude.folder.exists()
    ignored = project.folder / "skills" / "wrap" / ".gitignore"
    assert ignored.exists() is (scope == "local")
    project.uninstall()
    assert not project.folder.exists()


def test_a_folder_that_is_a_file(claude):
    claude.folder.write_text("", encoding="utf-8")
    result = wrap("install", "claude")
    assert result.code == 1
    assert str(claude.folder) in result.err


def test_a_home_that_cannot_be_written(claude, monkeypatch, home):
    for variable in ("HOME", "USERPROFILE", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(home / "a-file" / "below"))
    (home / "a-file").write_text("", encoding="utf-8")
    result = wrap("install", "claude")
    assert result.code == 1
    assert "a-file" in result.err
    assert "Traceback" not in result.err
    assert result.err.count("\n") == 1


@pytest.mark.slow
def test_two_at_once(claude):
    claude.write(FOREIGN)
    children = [spawn("install", "claude") for _ in range(3)]
    results = [finish(child) for child in children]
    assert [one.code for one in results] == [0, 0, 0], results
    assert all(len(claude.handlers(event)) == 1 for event in OWN_EVENTS - {"Stop"})
    assert len(claude.handlers("Stop")) == 2
    claude.uninstall()
    assert claude.data.decode() == FOREIGN


class TestOnRequest:
    @pytest.mark.slow
    def test_prompts_are_left_alone_unless_asked_for(self, claude):
        claude.install()
        assert "UserPromptSubmit" not in claude.json["hooks"]
        claude.install("--prompts")
        assert "UserPromptSubmit" in claude.json["hooks"]
        claude.install()
        assert "UserPromptSubmit" in claude.json["hooks"]
        claude.install("--no-prompts")
        assert "UserPromptSubmit" not in claude.json["hooks"]

    @pytest.mark.slow
    def test_the_status_line(self, claude):
        claude.install()
        assert "statusLine" not in claude.json
        claude.install("--status-line")
        assert claude.json["statusLine"]["type"] == "command"
        assert claude.json["statusLine"]["command"].endswith(" statusline")
        claude.install()
        assert "statusLine" in claude.json
        claude.install("--no-status-line")
        assert "statusLine" not in claude.json

    @pytest.mark.slow
    def test_somebody_elses_status_line_stays(self, claude):
        line = {"type": "command", "command": "~/bin/my-line"}
        claude.write(json.dumps({"statusLine": line}))
        assert "another program" in claude.install("--status-line").err
        claude.install("--no-status-line")
        assert claude.json["statusLine"] == line

    def test_another_name_for_the_program(self, claude):
        claude.install("--program", "wrapgen")
        assert claude.handlers("Stop")[0]["command"] == "wrapgen"
        assert "wrapgen orphans --review" in (claude.folder / "skills/wrap/SKILL.md").read_text(encoding="utf-8")


class TestSkills:
    @pytest.mark.slow
    def test_somebody_elses_skill_of_the_same_name_stays(self, claude):
        own = claude.folder / "skills" / "wrap" / "SKILL.md"
        own.parent.mkdir(parents=True)
        own.write_text("mine", encoding="utf-8")
        result = claude.install()
        assert f"{own}: is not wrapgen's, so it is left as is" in result.err
        assert f"3 skills in {own.parents[1]}" in result.out
        claude.uninstall()
        assert own.read_text(encoding="utf-8") == "mine"

    @pytest.mark.slow
    def test_one_that_its_user_changed_stays(self, claude):
        claude.install()
        own = claude.folder / "skills" / "wrap" / "SKILL.md"
        own.write_text("mine", encoding="utf-8")
        assert f"{own}: was changed since wrapgen wrote it" in claude.install().err
        assert str(own) in claude.uninstall().err
        assert own.read_text(encoding="utf-8") == "mine"
        assert not (own.parents[1] / "query-cold").exists()

    @pytest.mark.slow
    def test_one_of_an_older_version_is_replaced(self, claude, monkeypatch):
        claude.install("--program", "old-wrap")
        monkeypatch.setattr(places, "program", lambda: ("wrap",))
        result = claude.install()
        assert result.err == ""
        assert "old-wrap" not in (claude.folder / "skills" / "wrap" / "SKILL.md").read_text(encoding="utf-8")
        claude.uninstall()
        assert not claude.folder.exists()

    @pytest.mark.slow
    def test_an_installation_that_is_remembered_no_more_goes_too(self, claude, home):
        claude.write(FOREIGN)
        claude.install()
        shutil.rmtree(home / "wrapgen" / "hosts")
        claude.uninstall()
        assert claude.json == {**json.loads(FOREIGN), "hooks": {**json.loads(FOREIGN)["hooks"]}}
        assert not list(claude.folder.glob("skills/*"))


class TestAgents:
    TEXT = "---\nname: coder\nskills:\n  - tdd\n---\nYou write code.\n"

    @pytest.mark.slow
    def test_they_name_the_form_of_their_answers(self, claude, vault):
        agents = claude.folder / "agents"
        agents.mkdir(parents=True)
        (agents / "coder.md").write_text(self.TEXT, encoding="utf-8")
        (agents / "code-reviewer.md").write_text("---\nname: code-reviewer\n---\nReview.\n", encoding="utf-8")
        wrap("install", "claude", "--contract", "--skills-in-agents", "all", vault=vault({}))
        assert "  - tdd\n  - compress-output\n" in (agents / "coder.md").read_text(encoding="utf-8")
        assert "skills:\n  - compress-review\n" in (agents / "code-reviewer.md").read_text(encoding="utf-8")
        claude.install()
        claude.uninstall()
        assert (agents / "coder.md").read_text(encoding="utf-8") == self.TEXT

    def test_not_without_a_contract(self, claude):
        result = wrap("install", "claude", "--skills-in-agents", "all")
        assert (result.code, "Add --contract" in result.err) == (2, True)
        assert not claude.folder.exists()

    def test_one_that_is_not_there(self, claude, vault):
        result = wrap("install", "claude", "--contract", "--skills-in-agents", "nobody", vault=vault({}))
        assert result.code == 2
        assert "nobody" in result.err
        assert not claude.folder.exists()

    @pytest.mark.slow
    def test_one_that_cannot_be_understood_is_left_alone(self, claude, vault):
        agents = claude.folder / "agents"
        agents.mkdir(parents=True)
        (agents / "odd.md").write_text("no front matter\n", encoding="utf-8")
        words = ("--contract", "--skills-in-agents", "odd")
        assert "compress-output" in wrap("install", "claude", *words, vault=vault({})).err
        assert (agents / "odd.md").read_text(encoding="utf-8") == "no front matter\n"


class TestVault:
    def test_without_one_it_says_so(self, claude):
        assert "wrap init" in claude.install().out

    @pytest.mark.slow
    def test_one_that_is_named_is_trusted(self, claude, vault):
        built = vault({})
        assert done(wrap("install", "claude", "--default", vault=built)).err == ""
        own = load(user_config_path(), UserConfig)
        assert own.trusted_vaults == (os.path.realpath(built.root),)
        assert own.default_vault == str(built.root)

    def test_its_page_is_built_once_for_the_first_session(self, claude, vault):
        built = vault({"projects/web/todos.md": "# web\n\n## Next\n\n- [ ] Water the plants\n"})
        assert "built " in done(wrap("install", "claude", vault=built)).out
        assert [one["text"] for one in headline.items(str(built.root))] == ["Water the plants"]
        assert "built " not in done(wrap("install", "claude", vault=built)).out

    def test_nobody_is_given_a_default_unasked_and_it_says_which_sessions_hear_of_it(self, claude, vault, monkeypatch):
        built = vault({}, config='[projects.web]\npaths = ["/code/web"]\n')
        wrap("trust", vault=built)
        monkeypatch.chdir(built.root)
        assert f"sessions in {built.root} and in /code/web hear of it, others do not" in claude.install().out
        assert load(user_config_path(), UserConfig).default_vault == ""

    @pytest.mark.slow
    def test_one_that_is_found_here_is_not_trusted_without_a_word(self, claude, vault, monkeypatch):
        monkeypatch.chdir(vault({}).root)
        assert "wrap trust" in claude.install().err
        assert load(user_config_path(), UserConfig).trusted_vaults == ()


class TestContract:
    def test_it_is_on_request_and_goes_again(self, claude, vault):
        notes = vault({}, config="cap = 3\n")
        done(wrap("install", "claude", "--contract", vault=notes))
        assert notes.path("wrapgen.toml").read_text(encoding="utf-8").endswith('[agents]\ncontract = {"*" = "warn"}\n')
        both = {"compress-output", "compress-review"}
        assert both <= {file.parent.name for file in claude.folder.glob("skills/*/SKILL.md")}
        claude.install()  # as it was asked for
        assert both <= {file.parent.name for file in claude.folder.glob("skills/*/SKILL.md")}
        assert "removed " in done(wrap("install", "claude", "--no-contract", vault=notes)).out
        assert {folder.name for folder in claude.folder.glob("skills/*")} == SKILLS
        assert notes.path("wrapgen.toml").read_text(encoding="utf-8") == "cap = 3\n"

    def test_it_goes_with_us(self, claude, vault):
        config = '# mine\n[agents.contract]\nreviewer = "block" # strict\n'
        notes = vault({}, config=config)
        done(wrap("install", "claude", "--contract", vault=notes))
        claude.install()
        assert "no longer told" in claude.uninstall().out
        assert notes.path("wrapgen.toml").read_text(encoding="utf-8") == config

    @pytest.mark.slow
    def test_what_was_changed_since_stays(self, claude, vault):
        notes = vault({}, config="cap = 3\n")
        file = notes.path("wrapgen.toml")
        done(wrap("install", "claude", "--contract", vault=notes))
        file.write_text(file.read_text(encoding="utf-8").replace("cap = 3", "cap = 4"), encoding="utf-8")
        claude.uninstall()
        assert file.read_text(encoding="utf-8").rstrip() == "cap = 4"
        done(wrap("install", "claude", "--contract", vault=notes))
        file.write_text(file.read_text(encoding="utf-8").replace("warn", "block"), encoding="utf-8")
        assert "so it stays" in claude.uninstall().err
        assert load(file, Config).agents.contract == {"*": "block"}

    @pytest.mark.slow
    def test_levels_of_the_users_own_stay(self, claude, vault):
        notes = vault({}, config='[agents.contract]\nreviewer = "block"\n')
        done(wrap("install", "claude", "--contract", vault=notes))
        assert load(notes.path("wrapgen.toml"), Config).agents.contract == {"reviewer": "block", "*": "warn"}
        done(wrap("install", "claude", "--no-contract", vault=notes))
        assert load(notes.path("wrapgen.toml"), Config).agents.contract == {"reviewer": "block"}
        claude.uninstall()
        assert not claude.folder.exists()

    def test_nothing_is_written_where_there_is_no_vault(self, claude):
        assert wrap("install", "claude", "--contract").code == 1
        assert not claude.folder.exists()

    @pytest.mark.slow
    def test_skills_that_an_older_version_installed_unasked_go(self, claude, monkeypatch):
        with monkeypatch.context() as older:
            older.setattr("wrapgen.hosts.installer.CONTRACT", frozenset())
            claude.install()
        assert (claude.folder / "skills" / "compress-output").exists()
        claude.install()
        assert {folder.name for folder in claude.folder.glob("skills/*")} == SKILLS


def test_another_installation_holds_the_lock(claude, monkeypatch):
    monkeypatch.setattr(installer, "_PATIENCE", 0.05)
    with installer.one_at_a_time():
        result = wrap("install", "claude")
    assert result.code == 4
    assert "coding agents" in result.err
    assert not claude.folder.exists()


@pytest.mark.slow
def test_the_plugin_beside_it_is_named(claude):
    claude.write('{"enabledPlugins": {"wrapgen@wrapgen": true}}')
    assert "plugin" in claude.install().err


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="leases of Linux say who has a file open")
def test_settings_that_another_program_is_writing_are_left_alone(claude):
    claude.write(FOREIGN)
    claude.install()
    before = claude.data
    with claude.settings.open("r+b"):
        result = wrap("uninstall", "claude")
    assert (result.code, claude.data) == (1, before)
    assert "open for writing" in result.err
    claude.uninstall()
    assert claude.data.decode() == FOREIGN


@pytest.mark.slow
@pytest.mark.parametrize("former", [FOREIGN, None])
def test_a_disk_that_fills_up_at_any_moment_leaves_nothing_that_cannot_be_taken_back(claude, monkeypatch, former):
    if former is not None:
        claude.write(former)
    before = everything(claude.folder)
    whole, left = disk.write_beside, [0]

    def write_beside(*words, **named):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return whole(*words, **named)

    monkeypatch.setattr(disk, "write_beside", write_beside)
    codes = []
    for number in range(12):
        left[0] = number
        codes.append(wrap("install", "claude").code)
        left[0] = 1_000
        claude.uninstall()
        assert everything(claude.folder) == before, f"after {number} files"
    assert codes == sorted(codes, reverse=True)
    assert {0, 1} == set(codes)
