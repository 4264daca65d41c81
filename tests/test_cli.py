"""The border: which vault, which words, which exit code, and what is printed where."""

import json
import os
import sys
from pathlib import Path

import pytest

import wrapgen
from tests.support import CHECKOUT, Result, finish, journal, next_list, spawn, wrap
from wrapgen.cli import COMMANDS, GROUPS

GOOD = journal("2026-04-23", next_list("Fix the login"))
LAST_LINE = (
    "collected 1 = shown 1 + resolved 0 + duplicate 0 + overflow 0 + expired 0 · "
    "follow-ups 0: durable 0, routed 0, skipped 0, pending 0"
)


# Which vault


def test_no_vault_anywhere():
    result = wrap("regen")
    assert result.code == 1
    assert "wrap init" in result.err


@pytest.mark.parametrize("words", [("regen",), ("audit",), ("list",), ("explain", "x"), ()])
def test_no_vault_is_an_error_of_every_command(words):
    assert wrap(*words).code == 1


def test_a_named_folder_that_is_no_vault(tmp_path):
    for folder in (tmp_path, tmp_path / "missing"):
        result = wrap("regen", vault=folder)
        assert result.code == 1
        assert str(folder) in result.err
    assert list(tmp_path.iterdir()) == []


def test_the_option_comes_before_the_variable_before_the_parent_before_the_user(vault, monkeypatch):
    from wrapgen.config import user_config_path

    vaults = {name: vault(GOOD, name=name) for name in ("option", "variable", "parent", "user")}
    own = user_config_path()
    own.parent.mkdir(parents=True)
    own.write_text(f"default_vault = '{vaults['user'].root}'\n", encoding="utf-8")

    def used(*words):
        return wrap(*words, "audit", "--json").json["vault"]

    assert used() == str(vaults["user"].root)
    owner = vault(GOOD, name="owner", config=f"[projects.here]\npaths = ['{Path.cwd()}']\n")
    own.write_text(f"default_vault = '{vaults['user'].root}'\ntrusted_vaults = ['{owner.root}']\n", encoding="utf-8")
    assert used() == str(owner.root)
    (vaults["parent"].root / "journals" / "2026").mkdir(exist_ok=True)
    monkeypatch.chdir(vaults["parent"].root / "journals" / "2026")
    assert used() == str(vaults["parent"].root)
    monkeypatch.setenv("WRAPGEN_VAULT", str(vaults["variable"].root))
    assert used() == str(vaults["variable"].root)
    assert used("--vault", vaults["option"].root) == str(vaults["option"].root)


def test_the_nearest_parent_is_the_vault(vault, monkeypatch):
    built = vault({**GOOD, "inner/wrapgen.toml": "", "inner/deep/note.md": ""})
    monkeypatch.chdir(built.root / "inner" / "deep")
    assert wrap("audit", "--json").json["vault"] == str(built.root / "inner")


def test_a_relative_vault_is_named_absolutely(vault, monkeypatch):
    built = vault(GOOD)
    monkeypatch.chdir(built.root.parent)
    assert wrap("audit", "--json", vault=built.root.relative_to(built.root.parent)).json["vault"] == str(built.root)


# Words


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("regen", "--nonsense"),
        ("--today", "yesterday", "regen"),
        ("--today", "2026-02-30", "regen"),
        ("explain",),
        ("match", "one"),
        ("match", "one", "two", "three"),
        ("audit", "--strict=nonsense"),
        ("regen", "too", "many"),
        ("--json", "regen"),
    ],
)
def test_a_usage_error_is_exit_2(vault, words):
    built = vault(GOOD)
    result = wrap(*words, vault=built)
    assert (result.code, result.out) == (2, "")
    assert result.err
    assert not built.dashboard.exists()


@pytest.mark.parametrize("words", ["help all", "--help", "-h"])
def test_help_names_commands(words):
    result = wrap(*words.split())
    assert result.code == 0
    for command in ("regen", "audit", "match", "list", "explain", "init")[0 if words == "help all" else 3 :]:
        assert f"  {command} " in result.out


@pytest.mark.parametrize("group", ["stage", "agent", "track", "plugin"])
def test_a_group_without_a_command_prints_its_help(group):
    result = wrap(group)
    assert (result.code, result.err) == (0, "")
    assert result.out == wrap(group, "--help").out
    assert result.out.startswith(f"Usage: wrap {group} ")


def test_a_complaint_of_several_lines_is_one_paragraph():
    result = wrap("sources", "add", "notes/*.md")
    assert result.code == 2
    assert "Choose from: journals, active_todos" in result.err


def test_every_command_has_one_group():
    placed = [name for names in GROUPS.values() for name in names]
    assert sorted(placed) == sorted(COMMANDS), "name the new command in a group of wrapgen/cli.py"


def test_the_commands_of_a_week_are_on_the_first_screen_and_the_others_are_named(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = wrap("--help").out
    first = "\n".join(text.splitlines()[:24])
    assert [
        name for name in ("init", "list", "add", "done", "snooze", "undo", "serve") if f"  {name} " not in first
    ] == []
    assert "The others: wrap help all" in text
    assert len([name for name in COMMANDS if f"\n  {name} " in text]) <= 14


def test_help_of_everything_and_of_one():
    everything = wrap("help", "all").out
    assert [name for name in COMMANDS if f"\n  {name} " not in everything] == []
    assert wrap("help").out == wrap("--help").out
    assert wrap("help", "stage", "write").out == wrap("stage", "write", "--help").out


@pytest.mark.parametrize(
    ("words", "named"), [(["stag"], "wrap stage"), (["list", "x"], "wrap list"), (["stage", "x"], "stage")]
)
def test_help_of_what_is_no_command(words, named):
    result = wrap("help", *words)
    assert (result.code, result.out) == (2, "")
    assert named in result.err


@pytest.mark.parametrize("command", ["regen", "audit", "list", "explain", "match", "init"])
def test_each_command_has_help_with_examples(command):
    result = wrap(command, "--help")
    assert result.code == 0
    assert f"wrap {command}" in result.out


def test_the_version():
    assert wrap("--version").out == f"wrap {wrapgen.__version__}\n"
    assert finish(spawn("--version")).out == f"wrap {wrapgen.__version__}\n"


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day(vault, day):
    built = vault(
        GOOD | journal("0001-01-01", next_list("At the beginning")) | journal("9999-12-31", next_list("At the end"))
    )
    assert wrap("regen", vault=built, today=day).code == 0


# What is printed where


def test_bare_wrap_rebuilds_and_prints_the_audit(vault):
    built = vault(GOOD)
    result = wrap(vault=built)
    assert (result.code, result.err) == (0, "")
    assert built.dashboard.exists()
    assert result.out.rstrip("\n").splitlines()[-1] == LAST_LINE


def test_quiet_prints_errors_only(vault, tmp_path):
    built = vault(GOOD)
    for words in ((), ("regen",), ("audit",), ("list",)):
        assert wrap("--quiet", *words, vault=built) == Result(0, "", "")
    assert wrap("--quiet", "regen", vault=tmp_path / "missing").err


@pytest.mark.parametrize(
    "words", [("--json",), ("regen", "--json"), ("audit", "--json"), ("list", "--json"), ("explain", "login", "--json")]
)
def test_json_is_one_document_and_nothing_else(vault, words):
    result = wrap(*words, vault=vault(GOOD))
    assert (result.code, result.err) == (0, "")
    assert isinstance(json.loads(result.out), dict)


@pytest.mark.slow
def test_a_pipe_gets_no_control_characters(vault):
    built = vault(journal("2026-04-23", next_list("Paint \x1b[31mred", "Fix \u202ethe login")))
    for words in ((), ("regen",), ("audit",), ("list", "--all"), ("explain", "paint")):
        out = finish(spawn("--vault", built.root, "--today", "2026-04-24", *words)).out
        assert not [char for char in out if ord(char) < 32 and char != "\n"]
        assert "\u202e" not in out


@pytest.mark.parametrize("verbose", [False, True])
def test_a_traceback_only_when_it_is_asked_for(vault, monkeypatch, verbose):
    def fail(*_, **__):
        raise RuntimeError("a defect")

    built = vault(GOOD)
    monkeypatch.setattr("wrapgen.workflows.rebuild.publish_run", fail)
    result = wrap(*(["--verbose"] if verbose else []), "regen", vault=built)
    assert result.code == 1
    assert "a defect" in result.err
    assert ("Traceback" in result.err) is verbose
    assert not built.dashboard.exists()


def test_an_interrupted_run_is_exit_130(vault, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    built = vault(GOOD)
    monkeypatch.setattr("wrapgen.workflows.rebuild.publish_run", interrupt)
    assert wrap("regen", vault=built).code == 130
    monkeypatch.undo()
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_leaves_is_no_error(vault):
    """As `head` does; what is printed must be more than a pipe holds."""
    built = vault(
        journal("2026-04-23", next_list(*(f"{letter * 1000}" for letter in "abcdefghijklmnopqrstuvwxyz" * 4)))
    )
    child = spawn("--vault", built.root, "--today", "2026-04-24", "audit", "--json")
    assert child.stdout.read(10)
    child.stdout.close()
    err = child.stderr.read().decode()
    child.stderr.close()
    child.wait(60)
    assert err == ""


@pytest.mark.slow
def test_a_screen_that_knows_no_unicode(vault, monkeypatch):
    built = vault(journal("2026-04-23", next_list("로그인 오류 수정")))
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("LC_ALL", "C")
    for words in ((), ("list",), ("regen", "--json")):
        assert finish(spawn("--vault", built.root, "--today", "2026-04-24", *words)).code == 0


def test_the_tests_run_the_checkout():
    assert type(CHECKOUT)(__file__).resolve().parent.parent == CHECKOUT
    assert wrapgen.__name__ in sys.modules


@pytest.mark.parametrize(
    ("words", "near"), [(["lst"], "`wrap list`?"), (["reegn"], "`wrap regen`?"), (["stage", "shw"], "'show'?")]
)
def test_a_mistyped_command_names_the_nearest(words, near):
    result = wrap(*words)
    assert result.code == 2
    assert f"Did you mean {near} See" in result.err
