"""`wrap stage write`: what is refused before any file is touched, where the words come from, what stands afterwards."""

import os
import stat
import subprocess
import sys
import time

import pytest

from tests.stage.kit import CALL_TO_ACTION, FILE, PLAN, TASK, body, front, write, written
from tests.support import child_environment, finish, spawn, wrap

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX")


def test_the_file(vault):
    built = vault()
    result = write(built, "The plan.\n", "--option", "/dr-do TUNE-0254 | implementation")
    assert (result.code, result.err) == (0, "")
    data = built.path(FILE).read_bytes()
    assert result.out == f"snapshot: {FILE} ({len(data)} bytes)\n"
    values = front(data)
    assert values["options"] == ["/dr-do TUNE-0254 | implementation"]
    assert (values["captured_by"], values["truncated"]) == ("agent", False)
    assert body(data) == b"The plan.\n"


def test_a_write_leaves_nothing_else_beside(vault):
    built = vault()
    written(built)
    assert sorted(path.name for path in built.path("snapshots").iterdir()) == [".gitignore", f"{TASK}.snapshot.md"]
    assert list(built.root.rglob(f"*{TASK}*")) == [built.path(FILE)], "the lock is gone with its holder"


def test_quiet(vault):
    built = vault()
    result = wrap("--quiet", "stage", "write", *PLAN, "--body-file", "/dev/null", vault=built)
    assert (result.code, result.out) == (1, "")  # a device is no regular file
    file = built.write("body.md", "x")
    result = wrap("--quiet", "stage", "write", *PLAN, "--body-file", file, vault=built)
    assert (result.code, result.out, result.err) == (0, "", "")


# What is refused


@pytest.mark.sampled(10)
@pytest.mark.parametrize(
    "task",
    [
        f"{TASK}\n", f"{TASK}\r\n", f"\n{TASK}", "Tune-0254", "../../x", "A/B-0001", "TUNE-0123456789",
        "ΤUNE-0254", "TUNE‐0254",
        "TUNE-０２５４", f"{TASK} ", "TUNE-0254\u2028", "x" * 5000, ".", "..",
    ],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["write", "show", "next", "diff", "archive"])
def test_what_is_no_task_id_is_refused_before_any_file_is_touched(vault, task, verb):
    built = vault({"x.snapshot.md": "mine\n", "snapshots/A/B-0001.snapshot.md": "mine\n"})
    before = built.snapshot()
    result = write(built, task=task) if verb == "write" else wrap("stage", verb, task, vault=built)
    assert result.code == 1
    assert "not a task id" in result.err
    assert "look like TUNE-0254 (" in result.err
    assert built.snapshot() == before


def test_an_example_is_given_only_where_it_fits(vault):
    built = vault(config='[stage]\ntask_id_pattern = "^[a-z]+-[0-9]$"\n')
    assert "look like ^[a-z]+-[0-9]$," in write(built).err


def test_the_help_marks_what_must_be_given(vault):
    out = " ".join(wrap("stage", "write", "--help").out.split())
    missing = wrap("stage", "write", vault=vault()).err
    assert "[required]" in out.partition(" --task ")[2].partition(" --")[0]
    assert "--task" in missing
    assert out.count("[required]") == 1


def test_a_task_and_a_text_are_enough(vault):
    built = vault()
    result = wrap("stage", "write", "--task", "#12", "--text", "login works; the reset mail is next", vault=built)
    assert result.code == 0, result.err
    written = built.path("snapshots/issue-12.snapshot.md").read_text("utf-8")
    for line in ("task_id: issue-12", "stage: do", "command: /do", "recommended_next: continue issue-12"):
        assert f"\n{line}\n" in written
    assert written.endswith("---\n\nlogin works; the reset mail is next")
    for task in ("#12", "12", "issue-12"):
        assert "login works" in wrap("stage", "next", task, vault=built).out
    both = wrap("stage", "write", "--task", "#12", "--text", "x", "--body-file", "-", vault=built)
    assert both.code == 2


@pytest.mark.parametrize("stage", ["planning", "code-review", "step2", "plan"])
def test_any_plain_word_is_a_stage(vault, stage):
    built = vault()
    assert write(built, stage=stage).code == 0
    assert f"\nstage: {stage}\n" in built.path("snapshots").joinpath(f"{TASK}.snapshot.md").read_text("utf-8")


@pytest.mark.parametrize("stage", ["PLAN", "plan\n", "-plan", "../plan", "plan do", "x" * 99])
def test_what_is_no_stage_is_refused(vault, stage):
    built = vault()
    before = built.snapshot()
    result = write(built, stage=stage)
    assert result.code == 1
    assert "stage" in result.err
    assert "compliance" in result.err
    assert built.snapshot() == before


def test_stages_and_ids_of_the_configuration(vault):
    built = vault(config='[stage]\nnames = ["shaping"]\ntask_id_pattern = "datarim"\ndir = "datarim/snapshots"\n')
    assert write(built, stage="plan").code == 1
    assert write(built, stage="shaping", task="DEV-1438-FU-a").code == 0
    assert built.path("datarim/snapshots/DEV-1438-FU-a.snapshot.md").exists()


def test_a_missing_task_is_named(vault):
    result = wrap("stage", "write", "--task", "", "--command", "x", vault=vault())
    assert result.code == 2
    assert "missing: --task" in result.err
    assert "--task" in wrap("stage", "write").err, "the vault is not even needed to say so"


@pytest.mark.parametrize(
    "words",
    [
        ("--nonsense",), ("--root", "."), ("too", "many"), ("--task",), ("--captured-at", "yesterday"),
        ("--captured-at", "2026-13-01"), ("--captured-at", "0001-01-01T00:00:00+14:00"),
    ],
)  # fmt: skip
def test_wrong_words_are_exit_2(vault, words):
    built = vault()
    assert wrap("stage", "write", *PLAN, *words, vault=built).code == 2
    assert not built.path("snapshots").exists()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("flag", ["--command", "--captured-by", "--recommended-next", "--option", "--captured-at"])
@pytest.mark.parametrize("mark", ["\n", "\r", "\x85", "\u2028", "\x0b"])
def test_a_line_break_in_a_value_is_exit_2(vault, flag, mark):
    built = vault()
    result = wrap("stage", "write", *PLAN, flag, f"/dr-x{mark}stage: forged", vault=built)
    assert result.code == 2
    assert not built.path("snapshots").exists()


@pytest.mark.slow
@posix
def test_a_value_that_is_no_utf8_is_exit_2(vault):
    built = vault()
    child = spawn("--vault", built.root, "stage", "write", *PLAN, "--captured-by", os.fsdecode(b"\xff"))
    assert finish(child).code == 2


@pytest.mark.parametrize("name", ["WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "DR_SNAPSHOT_LOCK_TIMEOUT"])
@pytest.mark.parametrize("value", ["soon", "nan", "inf", "-1", "1s", "1,5"])
@pytest.mark.parametrize("verb", ["write", "archive"])
def test_a_patience_that_is_no_number_is_exit_2(vault, monkeypatch, name, value, verb):
    built = vault()
    monkeypatch.setenv(name, value)
    result = write(built) if verb == "write" else wrap("stage", "archive", TASK, vault=built)
    assert result.code == 2
    assert name in result.err
    assert not built.path("snapshots").exists()


@pytest.mark.parametrize("name", ["WRAPGEN_DISABLE_SNAPSHOT", "DATARIM_DISABLE_SNAPSHOT"])
@pytest.mark.parametrize("words", [(), ("--nonsense", "--task"), ("--help",), (*PLAN, "--task", "../x")])
def test_the_kill_switch_comes_before_everything(vault, monkeypatch, name, words):
    built = vault(config="nonsense = 1\n")
    monkeypatch.setenv(name, "1")
    monkeypatch.setenv("WRAPGEN_SNAPSHOT_LOCK_TIMEOUT", "soon")
    before = built.snapshot()
    for where in (built, built.root / "no-vault"):
        result = wrap("stage", "write", *words, vault=where)
        assert (result.code, result.out, result.err) == (0, "", "")
    assert built.snapshot() == before


@pytest.mark.parametrize("value", ["true", "0", "", "yes"])
def test_only_one_switches_off(vault, monkeypatch, value):
    monkeypatch.setenv("WRAPGEN_DISABLE_SNAPSHOT", value)
    assert written(vault())


# Values


def test_moments_are_kept_in_utc(vault):
    built = vault()
    for given, kept in (
        ("2026-05-21T13:45:00Z", "2026-05-21T13:45:00Z"),
        ("2026-05-21T13:45:00+09:00", "2026-05-21T04:45:00Z"),
        ("2026-05-21 13:45", "2026-05-21T13:45:00Z"),
        ("2026-05-21", "2026-05-21T00:00:00Z"),
    ):
        assert f"captured_at: {kept}\n".encode() in written(built, captured_at=given)


@pytest.mark.parametrize("day", ["2026-04-24", "0001-01-01", "9999-12-31"])
def test_the_moment_is_now_on_the_pinned_day(vault, day, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    try:
        data = written(vault(), captured_at=None, today=day)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert f"captured_at: {day}T".encode() in data


def test_the_last_of_repeated_flags_wins(vault):
    assert b"recommended_next: /second\n" in written(vault(), "x", "--recommended-next", "/second")


def test_options_of_flags_and_of_a_file(vault):
    built = vault()
    file = built.write("options.txt", '  /dr-do | go\r\n\n \n/dr-qa: "test" # now\nnu\0l\nlast')
    values = front(written(built, "x", "--option", "first", "--option", "", "--options-file", str(file)))
    assert values["options"] == ["first", "  /dr-do | go", " ", '/dr-qa: "test" # now', "nul", "last"]


def test_a_file_of_options_that_is_not_there_costs_nobody_the_snapshot(vault):
    built = vault()
    for name in ("missing", "snapshots"):
        result = write(built, "x", "--options-file", built.path(name))
        assert result.code == 0
        assert "options cannot be read" in result.err
    assert front(built.path(FILE).read_bytes())["options"] is None


def test_a_file_of_endless_options(vault):
    built = vault()
    file = built.write("options.txt", "an option\n" * 100_000)
    result = write(built, "The plan.\n", "--options-file", file)
    assert result.code == 0
    assert "options left out to fit" in result.out
    data = built.path(FILE).read_bytes()
    assert front(data)["truncated"] is True
    assert body(data) == b"The plan.\n"


def test_what_is_cut_is_said(vault):
    built = vault()
    result = write(built, f"{'word ' * 4000}\n{CALL_TO_ACTION}")
    assert "the text is cut to fit" in result.out
    assert body(built.path(FILE).read_bytes()).endswith(CALL_TO_ACTION.encode())


def test_values_that_are_too_long(vault):
    built = vault()
    old = written(built)
    result = write(built, recommended_next="/" * 9000)
    assert result.code == 1
    assert built.path(FILE).read_bytes() == old


# Where the text comes from


def piped(vault, data, *words):
    """Run the program with a pipe as its stdin."""
    command = [sys.executable, "-m", "wrapgen", "--vault", str(vault.root), "stage", "write", *PLAN, *words]
    done = subprocess.run(command, input=data, capture_output=True, env=child_environment(), timeout=60, check=False)
    return done.returncode, done.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--body-file", "-")])
def test_stdin(vault, words):
    built = vault()
    text = "The plan — 계획\r\n".encode() + b"\xff no newline"
    assert piped(built, text, *words) == (0, "")
    assert body(built.path(FILE).read_bytes()) == text


@pytest.mark.slow
def test_no_text_at_all(vault):
    built = vault()
    assert piped(built, b"") == (0, "")
    assert body(built.path(FILE).read_bytes()) == b""


@pytest.mark.slow
@posix
def test_a_closed_stdin_is_no_text_unless_it_is_named(vault):
    built = vault()
    for words, code in (((), 0), (("--body-file", "-"), 1)):
        line = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "wrapgen", "--vault", str(built.root)]
        done = subprocess.run(
            [*line, "stage", "write", *PLAN, *words],
            capture_output=True,
            env=child_environment(),
            timeout=60,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert b"unexpected" not in done.stderr


@posix
def test_a_body_file_that_is_no_regular_file(vault):
    built = vault()
    old = written(built)
    secret = built.write("secret", "private\n")
    built.path("link").symlink_to(secret)
    os.mkfifo(built.path("pipe"))
    for name in ("missing", "snapshots", "link", "pipe", "missing/x"):
        result = wrap("stage", "write", *PLAN, "--body-file", built.path(name), vault=built)
        assert result.code == 1, name
        assert name in result.err
    assert built.path(FILE).read_bytes() == old


@posix
def test_a_huge_file_is_read_at_its_ends_only(vault):
    built = vault()
    file = built.root.parent / "huge"
    with file.open("wb") as out:
        out.write(b"the head\n")
        out.seek(1 << 31)
        out.write(b"\nthe tail\n")
    assert wrap("stage", "write", *PLAN, "--body-file", file, vault=built).code == 0
    data = built.path(FILE).read_bytes()
    assert body(data).startswith(b"the head\n")
    assert data.endswith(b"\nthe tail\n")
    front(data)


# Folder, modes, git


@posix
@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_modes(vault, mask):
    built = vault(config='[stage]\ndir = "datarim/snapshots"\n')
    before = os.umask(mask)
    try:
        for text in ("one", "two"):
            assert write(built, text).code == 0
    finally:
        os.umask(before)
    folder = built.path("datarim/snapshots")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = list(folder.iterdir())
    assert len(files) == 3, "the snapshot, the one before, and what keeps git away"
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(built.path(".wrapgen/state/stage.jsonl").stat().st_mode) == 0o600


CREATED = """
import os, sys
really = os.open
def spy(path, flags, mode=0o777, *rest, **named):
    if flags & os.O_CREAT and "snapshots" in os.fsdecode(path):
        sys.stderr.write(f"{mode:o} ")
    return really(path, flags, mode, *rest, **named)
os.open = spy
os.umask(0)
from wrapgen.cli import run
run(sys.argv[1:])
"""


@pytest.mark.slow
@posix
def test_the_mode_is_there_from_creation_on(vault):
    built = vault()
    words = ["--vault", str(built.root), "stage", "write", *PLAN]
    done = subprocess.run(
        [sys.executable, "-c", CREATED, *words], stdin=subprocess.DEVNULL, capture_output=True,
        env=child_environment(),
        timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr.decode().split() == ["600", "600"], "what keeps git away, and the snapshot"


@posix
def test_a_folder_that_others_may_enter_is_closed(vault):
    built = vault({"snapshots/notes.md": "mine\n"})
    built.path("snapshots").chmod(0o755)
    written(built)
    assert stat.S_IMODE(built.path("snapshots").stat().st_mode) == 0o700
    assert not built.path("snapshots/.gitignore").exists(), "whose folder it is, his is the word"


def test_a_folder_that_is_made_cannot_be_committed_by_accident(vault):
    built = vault(config='[stage]\ndir = "datarim/snapshots"\n')
    assert write(built).code == 0
    assert built.path("datarim/snapshots/.gitignore").read_text("utf-8") == "*\n"
    assert not built.path("datarim/.gitignore").exists(), "the folder above is not only ours"
    assert wrap("stage", "archive", TASK, vault=built).code == 0
    assert built.path("archive/general/snapshots/.gitignore").read_text("utf-8") == "*\n"


# What stands in the way


@posix
@pytest.mark.parametrize("kind", ["link", "dangling link", "folder", "pipe"])
def test_what_is_no_file_of_its_own_is_refused(vault, kind):
    built = vault({"note.md": "mine\n", "snapshots/other.md": "mine\n"})
    final = built.path(FILE)
    match kind:
        case "link":
            final.symlink_to(built.path("note.md"))
        case "dangling link":
            final.symlink_to(built.path("nowhere"))
        case "folder":
            final.mkdir()
        case "pipe":
            os.mkfifo(final)
    result = write(built)
    assert result.code == 1
    assert str(final) in result.err
    assert built.path("note.md").read_text("utf-8") == "mine\n"
    assert not built.path("nowhere").exists()
    assert sorted(path.name for path in built.path("snapshots").iterdir()) == sorted(["other.md", final.name])


@posix
@pytest.mark.parametrize("above", [False, True])
def test_a_folder_link_that_leads_out_of_the_vault_is_refused(vault, tmp_path, above):
    outside = tmp_path / "outside"
    outside.mkdir()
    built = vault(config='[stage]\ndir = "a/snapshots"\n')
    if above:
        built.path("a").symlink_to(outside)
    else:
        built.path("a").mkdir()
        built.path("a/snapshots").symlink_to(outside)
    (outside / f"{TASK}.snapshot.md").write_text("foreign\n", "utf-8")
    for result in (write(built), wrap("stage", "show", TASK, vault=built), wrap("stage", "archive", TASK, vault=built)):
        assert result.code == 1
        assert "outside the vault" in result.err or "no snapshot" in result.err
    assert [path.name for path in outside.iterdir()] == [f"{TASK}.snapshot.md"]


@posix
def test_a_folder_link_inside_the_vault_is_followed(vault):
    built = vault({"deep/place/.keep": ""})
    built.path("snapshots").symlink_to(built.path("deep/place"))
    written(built)
    assert built.path(f"deep/place/{TASK}.snapshot.md").exists()


def test_a_file_where_the_folder_should_be(vault):
    built = vault({"snapshots": "mine\n"})
    assert write(built).code == 1
    assert built.path("snapshots").read_text("utf-8") == "mine\n"


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_no_held_lock(vault):
    built = vault()
    old = written(built)
    built.path("snapshots").chmod(0o500)
    result = write(built, "another")
    built.path("snapshots").chmod(0o700)
    assert result.code == 1
    assert built.path(FILE).read_bytes() == old


SMALL_FILES = """
import resource, sys
from wrapgen.cli import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(run(sys.argv[2:]))
"""


@pytest.mark.slow
@pytest.mark.sampled(4)
@posix
@pytest.mark.parametrize("limit", [0, 1, 100, 250, 400])
def test_a_full_disk_leaves_the_former_snapshot(vault, limit):
    built = vault()
    old = written(built)
    words = ["--vault", str(built.root), "stage", "write", *PLAN]
    done = subprocess.run(
        [sys.executable, "-c", SMALL_FILES, str(limit), *words], input=b"x" * 6000, capture_output=True,
        env=child_environment(), timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert b"Traceback" not in done.stderr
    assert built.path(FILE).read_bytes() == old
    assert [path.name for path in built.root.rglob("*tmp*")] == []
    assert written(built, "the next one")
    assert wrap("stage", "diff", TASK, vault=built).code == 0


def test_a_list_of_branches_that_cannot_be_kept_does_not_cost_the_snapshot(vault):
    built = vault()
    built.path(".wrapgen/state/stage.jsonl").mkdir(parents=True)
    result = write(built)
    assert result.code == 0
    assert "its branch is not" in result.err
    assert built.path(FILE).exists()


def test_help():
    for verb in ("write", "show", "next", "list", "diff", "archive"):
        result = wrap("stage", verb, "--help")
        assert result.code == 0
        assert f"wrap stage {verb}" in result.out
    assert [wrap("stage", *words).code for words in ((), ("nonsense",))] == [0, 2]


@pytest.mark.parametrize("words", [("--text", " \n"), ("--text", "", "--stage", "plan")])
def test_nothing_that_says_where_the_task_stands_is_no_snapshot(vault, words):
    built = vault()
    result = wrap("stage", "write", "--task", TASK, *words, vault=built)
    assert result.code == 2
    assert '--text "' in result.err
    assert not built.path(FILE).exists()
