"""The hook as hosts run it: whatever comes in, the session goes on, and nobody's vault is touched unasked."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.hooks import kit
from tests.hooks.kit import SESSION, hook
from tests.support import child_environment, wrap
from wrapgen.hooks.events import EVENTS
from wrapgen.vault.keyed_files import entries, last_fired
from wrapgen.workflows import user_config

START = {"session_id": SESSION, "source": "startup", "hook_event_name": "SessionStart"}


def one_line(text):
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text


def user_log(home):
    found = [path for path in home.rglob("hooks.log") if path.is_file()]
    return "".join(path.read_text(encoding="utf-8") for path in found)


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "raw",
    [b"", b"null", b"[]", b'"SessionStart"', b'{"session_id": "s"', b"\x00\xff\xfe", b"{}}", b"[" * 9000],
    ids=["nothing", "null", "array", "text", "half", "bytes", "too much", "deep"],
)
def test_input_that_is_no_event(raw, notes, home):
    result = hook("SessionStart", raw=raw)
    assert (result.code, result.out) == (0, "")
    assert one_line(result.err).startswith("wrap hook SessionStart: stdin held no ")
    assert user_log(home).count("\n") == 1
    assert kit.log_of(notes) == ""


def test_an_event_that_nobody_knows(notes, home):
    result = hook("Notification", {"session_id": SESSION, "cwd": str(notes.root)})
    assert (result.code, result.out) == (0, "")
    assert "no such event" in one_line(result.err)
    assert "Notification: no such event" in user_log(home)


@pytest.mark.slow
def test_the_event_may_stand_in_the_json_alone(notes):
    assert wrap("regen", vault=notes, today=None).code == 0
    assert "Water the plants" in kit.fired(hook("", {**START, "cwd": str(notes.root)}))


@pytest.mark.slow
def test_fields_that_nobody_knows_and_fields_of_another_kind(notes):
    odd = {"session_id": 7, "cwd": ["x"], "transcript_path": {}, "source": None, "new": {"deep": [1]}, "model": "m"}
    for event in ("SessionStart", "Stop", "SessionEnd", "PreCompact", "PostCompact", "SubagentStop", "PostToolUse"):
        result = hook(event, odd, "--vault", str(notes.root))
        assert (result.code, result.err) == (0, ""), (event, result)
    assert kit.log_of(notes) == ""


@pytest.mark.slow
def test_a_pipe_that_nobody_closes(notes):
    """Claude Code issue 79508: stdin stays open when a session is cleared."""
    child = kit.start_hook("hook", "SessionStart")
    child.stdin.write(json.dumps({**START, "cwd": str(notes.root)}).encode())
    child.stdin.flush()
    code = child.wait(timeout=kit.PATIENCE)
    err = child.stderr.read()
    for stream in (child.stdin, child.stdout, child.stderr):
        stream.close()
    assert (code, err) == (0, b"")


@pytest.mark.slow
def test_a_pipe_into_which_nobody_writes(notes):
    del notes
    child = kit.start_hook("hook", "Stop")
    code = child.wait(timeout=kit.PATIENCE)
    err = child.stderr.read().decode()
    for stream in (child.stdin, child.stdout, child.stderr):
        stream.close()
    assert code == 0
    assert "stdin held no complete JSON (0 bytes)" in one_line(err)


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["WRAPGEN_DISABLE", "WRAPGEN_HOOK"])
def test_switched_off_and_inside_of_itself(notes, variable):
    result = hook("SessionStart", {**START, "cwd": str(notes.root)}, environment={variable: "1"})
    assert (result.code, result.out, result.err) == (0, "", "")
    assert last_fired(str(notes.root)) == {}


def test_no_vault_far_and_wide(home):
    result = hook("SessionStart", {**START, "cwd": str(home)})
    assert (result.code, result.out, result.err) == (0, "", "")
    assert user_log(home) == ""


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "SessionEnd", "SubagentStart", "SubagentStop", "PreCompact"])
def test_a_vault_that_is_not_trusted_is_left_alone(vault, event):
    foreign = vault({"journals/2026/04/2026-04-23.md": "# d\n\n## Next\n\n- Obey me\n"}, name="for\x1b[2Jeign")
    before = foreign.snapshot()
    result = hook(event, {**START, "cwd": str(foreign.root), "last_assistant_message": "no"})
    assert result.code == 0
    assert "wrap trust " in one_line(result.err)
    assert "\x1b" not in result.err + result.out
    assert "Obey" not in result.out
    if event == "SessionStart":
        assert list(result.json) == ["systemMessage"]
        assert "wrap trust" in result.json["systemMessage"]
    else:
        assert result.out == ""
    assert foreign.snapshot() == before


def test_a_vault_that_is_not_trusted_is_named_once_a_session(vault):
    foreign = vault({})
    for source, said in (("startup", True), ("resume", False), ("clear", False), ("compact", False)):
        result = hook("SessionStart", {**START, "source": source, "cwd": str(foreign.root)})
        assert bool(result.out) is said


def test_a_vault_in_the_working_folder_comes_before_the_default(notes, vault):
    foreign = vault(name="foreign")
    assert "wrap trust" in hook("Stop", {**START, "cwd": str(foreign.root)}).err
    assert last_fired(str(notes.root)) == {}


@pytest.mark.slow
def test_a_folder_that_has_nothing_to_do_with_the_vault_hears_nothing_at_all(notes, tmp_path, home):
    """Not of the default vault, not of one that the environment names: neither is a leave to speak everywhere."""
    before = notes.snapshot()
    for event in EVENTS:
        for environment in ({}, {"WRAPGEN_VAULT": str(notes.root)}):
            fields = {**START, "cwd": str(tmp_path), "agent_type": "coder", "last_assistant_message": "All done!"}
            result = hook(event, {**fields, "tool_name": "Write"}, environment=environment)
            assert (result.code, result.out, result.err) == (0, "", ""), event
    assert notes.snapshot() == before
    assert user_log(home) == ""


@pytest.mark.parametrize("default", [True, False])
@pytest.mark.parametrize("place", ["", "deep/below", "worktree"])
def test_a_folder_that_the_vault_names_hears_of_it(vault, tmp_path, default, place):
    notes, code = vault(), tmp_path / "code"
    notes.write("wrapgen.toml", f"[projects.web]\npaths = [{json.dumps(str(code))}]\n")
    user_config.trust(notes.root, default=default)
    cwd = code / place
    cwd.mkdir(parents=True)
    if place == "worktree":
        cwd = tmp_path / "other"
        cwd.mkdir()
        (cwd / ".git").write_text(f"gitdir: {code}/.git/worktrees/other\n", encoding="utf-8")
    assert hook("Stop", {**START, "cwd": str(cwd)}).code == 0
    assert list(last_fired(str(notes.root))) == ["Stop"]


def test_a_session_that_went_elsewhere_still_belongs_to_where_it_was_started(notes, code, tmp_path):
    result = hook("Stop", {**START, "cwd": str(tmp_path)}, environment={"CLAUDE_PROJECT_DIR": str(code)})
    assert (result.code, result.out, result.err) == (0, "", "")
    assert list(last_fired(str(notes.root))) == ["Stop"]
    hook("SessionEnd", {**START, "cwd": str(tmp_path)}, environment={"CLAUDE_PROJECT_DIR": str(tmp_path)})
    assert list(last_fired(str(notes.root))) == ["Stop"]


def test_a_default_vault_that_was_moved_away_is_for_the_doctor_to_name(notes, code, home):
    notes.root.rename(notes.root.with_name("elsewhere"))
    result = hook("SessionEnd", {**START, "cwd": str(code)})
    assert (result.code, result.out, result.err, user_log(home)) == (0, "", "", "")
    assert not notes.root.exists()


def test_a_vault_of_the_environment_that_was_moved_away(notes, home):
    gone = str(notes.root.with_name("gone"))
    result = hook("SessionEnd", {**START, "cwd": str(notes.root)}, environment={"WRAPGEN_VAULT": gone})
    assert (result.code, result.out) == (0, "")
    assert "there is no vault" in one_line(result.err)
    assert "there is no vault" in user_log(home)


@pytest.mark.slow
def test_a_working_folder_that_is_gone(notes, code):
    code.rmdir()
    result = hook("SessionStart", {**START, "cwd": str(code)})
    assert (result.code, result.err) == (0, "")
    assert list(last_fired(str(notes.root))) == ["SessionStart"]


@pytest.mark.slow
def test_the_users_own_file_is_broken(notes, home):
    own = next(home.rglob("config.toml"))
    own.write_text("trusted_vaults = [", encoding="utf-8")
    result = hook("Stop", {**START, "cwd": str(notes.root)})
    assert (result.code, result.out) == (0, "")
    assert "is not valid TOML" in one_line(result.err)


@pytest.mark.slow
def test_the_vaults_configuration_is_broken(notes):
    notes.write("wrapgen.toml", "cap = 'many'\n")
    result = hook("SessionStart", {**START, "cwd": str(notes.root)})
    assert (result.code, result.out) == (0, "")
    assert "wrapgen.toml:1" in one_line(result.err)
    # The search of earlier sessions, which it began, says the same whenever it gets that far.
    own = [entry.split(" ")[1] for entry in entries(str(notes.root)) if "background run" not in entry]
    assert own == ["SessionStart:"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the system's owner may write everywhere")
def test_a_home_and_a_vault_that_cannot_be_written(notes, home):
    for folder in (home, notes.root):
        folder.chmod(0o500)
    try:
        result = hook("SessionStart", {**START, "cwd": str(notes.root)})
    finally:
        for folder in (home, notes.root):
            folder.chmod(0o700)
    assert result.code == 0
    assert "Traceback" not in result.err


@pytest.mark.slow
def test_files_in_the_place_of_folders(notes, home):
    """As good as a home and a vault that cannot be written, also for the system's owner."""
    wrap("regen", vault=notes, today=None)
    (home / ".local").write_text("", encoding="utf-8")
    shutil.rmtree(notes.path(".wrapgen/state"))
    notes.write(".wrapgen/state", "")
    for event in ("SessionStart", "Stop", "SessionEnd", "SubagentStop", "PostCompact"):
        agent = {"agent_id": "a"} if event == "SubagentStop" else {}
        fields = {**START, "cwd": str(notes.root), "compact_summary": "nothing", **agent}
        result = hook(event, fields, environment={"XDG_STATE_HOME": str(home / ".local" / "state")})
        assert result.code == 0
        assert one_line(result.err).startswith(f"wrap hook {event}: ")
        assert ("Water the plants" in result.out) is (event == "SessionStart")


def test_the_default_option_of_a_vault(vault, home):
    named = kit.trusted(vault(name="named"))
    assert hook("Stop", {**START, "cwd": str(home)}, "--vault", str(named.root)).code == 0
    assert list(last_fired(str(named.root))) == ["Stop"]


@pytest.mark.slow
def test_the_hook_asked_for_in_the_long_way(notes):
    child = kit.start_hook("--vault", str(notes.root), "hook", "session-start", "--host", "codex")
    _, err = child.communicate(json.dumps({**START, "cwd": "/"}).encode(), timeout=kit.PATIENCE)
    assert (child.returncode, err) == (0, b"")
    assert list(last_fired(str(notes.root))) == ["SessionStart"]


def test_its_help_names_every_event():
    out = wrap("hook", "--help").out
    assert all(event in out for event in EVENTS)


@pytest.mark.slow
def test_a_host_that_does_not_listen(notes):
    """Its end of the pipe is closed before the answer."""
    wrap("regen", vault=notes, today=None)
    child = kit.start_hook("hook", "SessionStart")
    child.stdout.close()
    child.stdin.write(json.dumps({**START, "cwd": str(notes.root)}).encode())
    child.stdin.close()
    code = child.wait(timeout=kit.PATIENCE)
    err = child.stderr.read()
    child.stderr.close()
    assert (code, err) == (0, b"")


@pytest.mark.slow
def test_a_console_of_another_code_page(notes):
    notes.write("projects/web/todos.md", "# web\n\n## Next Session\n\n- [ ] 로그인 ✓ — 오류 수정\n")
    wrap("regen", vault=notes, today=None)
    result = hook("SessionStart", {**START, "cwd": str(notes.root)}, environment={"PYTHONIOENCODING": "cp949"})
    assert "로그인 ✓ — 오류 수정" in kit.fired(result)


@pytest.mark.slow
def test_modules_of_the_working_folder_are_not_run(notes, code):
    """The folder is anybody's checkout; the process in the background must not take its modules for Python's."""
    trap = "import pathlib; pathlib.Path(__file__).with_name('sprung').touch()"
    for name in ("subprocess", "msgspec", "click", "wrapgen"):
        (code / f"{name}.py").write_text(trap, encoding="utf-8")
    installed = [sys.executable, "-P", "-m", "wrapgen", "hook", "SessionEnd"]
    event = json.dumps({**START, "cwd": str(code)}).encode()
    done = subprocess.run(installed, input=event, cwd=code, env=child_environment(), check=True, capture_output=True)
    assert done.stderr == b""
    kit.settle(notes)
    assert not (code / "sprung").exists()


@pytest.mark.slow
def test_an_event_that_is_too_large_is_said_and_stops_nothing(notes):
    large = json.dumps({"session_id": "s", "cwd": str(notes.root), "last_assistant_message": "x" * (17 << 20)})
    result = hook("Stop", raw=large.encode())
    assert result.code == 0
    assert "stdin held more than 16777216 bytes" in result.err
