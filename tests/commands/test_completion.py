"""Shell completion, in the shells themselves."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys

import pytest

from tests.readme import SAMPLE_DAY
from tests.support import child_environment, journal, next_list, wrap
from wrapgen import cli
from wrapgen.commands.demo_ import copy_demo
from wrapgen.terminal import completions

if sys.platform == "win32":
    pytest.skip("these shells are those of POSIX", allow_module_level=True)

# Each asks the script for the words that fit behind those given, as its shell does, and prints one a line.
ASK = {
    "bash": 'eval "$(cat {script})"; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); '
    '_wrap_completion wrap; printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": "compdef() {{ }}; _describe() {{ print -rl -- ${{(P)3}} }}; compadd() {{ print -rl -- ${{(P)5}} }}; "
    'eval "$(cat {script})"; words=({words}); CURRENT=$#words; _wrap_completion',
    "fish": "cat {script} | source; complete -C {line}",
}
ALONE = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}


# What the program answers is the same for each; that each shell shows it, commands, handles and numbers tell.
ONE_SHELL = pytest.mark.parametrize("offered", ["bash"], indirect=True)


@pytest.fixture
def sample(tmp_path):
    copy_demo(tmp_path / "demo", SAMPLE_DAY)
    return tmp_path / "demo"


@pytest.fixture(params=list(ASK))
def offered(request, tmp_path, sample):
    """What a shell offers for the last of some words: each with its description, where the shell shows one."""
    shell = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "wrap"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m wrapgen "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    sourced = folder / "completion"
    sourced.write_text(wrap("completion", shell).out, encoding="utf-8")

    def offer(*words):
        line = " ".join(words)
        script = ASK[shell].format(
            script=shlex.quote(str(sourced)), words=" ".join(map(shlex.quote, words)), line=shlex.quote(line)
        )
        environment = child_environment() | {
            "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
            "WRAPGEN_VAULT": str(sample),
            "LC_ALL": "C.UTF-8",
        }
        done = subprocess.run(
            [shell, *ALONE[shell], "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.stderr == ""
        separator = {"zsh": ":", "fish": "\t"}.get(shell, "\0")
        pairs = [one.partition(separator) for one in done.stdout.splitlines() if one]
        return {value: words for value, _, words in pairs}

    offer.describes = shell != "bash"
    return offer


@pytest.mark.slow
def test_commands_and_what_is_below_them(offered):
    commands = offered("wrap", "")
    assert set(cli.COMMANDS) <= set(commands)
    if offered.describes:
        assert commands["doctor"].startswith("Find problems")
    assert set(offered("wrap", "reg")) == {"regen"}
    assert set(offered("wrap", "stage", "")) >= {"write", "show", "next", "list", "diff", "archive"}


@pytest.mark.slow
@ONE_SHELL
def test_options_and_choices(offered):
    assert set(offered("wrap", "audit", "--")) == {"--json", "--strict", "--help"}
    assert set(offered("wrap", "--no-c")) == {"--no-color"}
    assert set(offered("wrap", "completion", "")) == {"bash", "zsh", "fish"}


@pytest.mark.slow
@ONE_SHELL
def test_projects(offered):
    assert set(offered("wrap", "list", "-p", "")) == {"infra", "web", "결제"}
    assert set(offered("wrap", "list", "--project", "we")) == {"web"}


@pytest.mark.slow
def test_handles_with_their_items(offered, sample):
    listed = {one["handle"]: one for one in wrap("list", "--all", "--json", vault=sample, today=None).json["items"]}
    start = min(listed)[:2]
    handles = offered("wrap", "done", start)
    assert set(handles) >= {handle for handle in listed if handle.startswith(start)}
    if offered.describes:
        assert all(listed[handle]["text"][:10] in words for handle, words in handles.items() if handle in listed)
    assert set(offered("wrap", "move", min(listed), "")) >= {"infra", "web"}


@pytest.mark.slow
def test_numbers_of_the_list_that_was_printed_last(offered, sample):
    wrap("list", vault=sample, today=None)
    listed = {str(one["number"]): one for one in wrap("list", "--json", vault=sample, today=None).json["items"]}
    numbers = offered("wrap", "done", "1")
    assert {name for name in numbers if len(name) < 4} == {number for number in listed if number.startswith("1")}
    if offered.describes:
        assert all(listed[number]["text"][:10] in words for number, words in numbers.items() if number in listed)


# In this process: what no shell may be given


def completed(monkeypatch, capsys, *words):
    monkeypatch.setenv("COMP_WORDS", shlex.join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    monkeypatch.setenv("_WRAP_COMPLETE", "zsh_complete")
    with pytest.raises(SystemExit) as left:
        cli.run([])
    assert left.value.code == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    lines = captured.out.splitlines()
    return dict(zip(lines[1::3], lines[2::3], strict=True))


def test_a_project_that_a_shell_would_expand_or_a_screen_obey_is_not_offered(vault, monkeypatch, capsys):
    names = ("web", "two words", "$(reboot)", "*", "esc\x1b[31m", "결제")
    built = vault({f"projects/{name}/todos.md": "" for name in names})
    assert completed(monkeypatch, capsys, "wrap", "--vault", str(built.root), "list", "-p", "") == {
        "web": "_",
        "결제": "_",
    }


def test_the_words_beside_a_handle_hold_no_control_character(vault, monkeypatch, capsys):
    built = vault(journal("2026-04-23", next_list("Fix \x1b]0;mine\x07 it")))
    words = ("wrap", "--today", "2026-04-24", "--vault", str(built.root), "done", "")
    assert list(completed(monkeypatch, capsys, *words).values()) == [r"(untagged) Fix \x1b]0;mine\x07 it"]


@pytest.mark.parametrize("command", [("list", "-p"), ("done",), ("explain",)])
@pytest.mark.parametrize("config", ["cap = 'much'\n", None])
def test_without_a_vault_or_with_a_broken_one_nothing_is_offered_and_nothing_said(
    vault, tmp_path, monkeypatch, capsys, command, config
):
    root = tmp_path if config is None else vault(config=config).root
    assert completed(monkeypatch, capsys, "wrap", "--vault", str(root), *command, "") == {}


def test_a_large_vault_is_not_read_for_a_key(vault, monkeypatch, capsys):

    built = vault(journal("2026-04-23", next_list("One")))
    monkeypatch.setattr(completions, "_MOST_FILES", 0)
    assert completed(monkeypatch, capsys, "wrap", "--vault", str(built.root), "done", "") == {}


def test_no_command_is_imported_to_name_them_all(monkeypatch, capsys):
    monkeypatch.setattr(cli, "import_module", lambda name: pytest.fail(f"imported {name}"))
    assert completed(monkeypatch, capsys, "wrap", "") == cli.COMMANDS


@pytest.mark.parametrize(("shell", "code"), [("/bin/zsh", 0), ("/bin/tcsh", 2), ("", 2)])
def test_the_shell_is_the_one_in_use(monkeypatch, shell, code):
    monkeypatch.setenv("SHELL", shell)
    result = wrap("completion")
    assert result.code == code
    assert ("#compdef wrap" in result.out) == (code == 0)
    assert ("wrap completion bash" in result.err) == (code != 0)
