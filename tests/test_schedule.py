"""`wrap schedule`: our own line alone, in words that each scheduler understands, and gone when it should be."""

import json
import os
import plistlib
import shlex
import shutil
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import child_environment, examples, wrap
from wrapgen import timers
from wrapgen.errors import UsageError
from wrapgen.timers import Job, launchd_list, minutes, systemd_units

pytestmark = pytest.mark.skipif(os.name != "posix", reason="cron, systemd and launchd are POSIX")

CRONTAB = """\
case "$1" in
-l) [ -f "$FAKE/table" ] || { echo "no crontab for me" >&2; exit 1; }; cat "$FAKE/table" ;;
-r) rm "$FAKE/table" ;;
-) cat >"$FAKE/table" ;;
esac
"""
REFUSES = 'echo "you (me) are not allowed to use this program" >&2; exit 1\n'
FOREIGN = "MAILTO=me\n# a comment\n\n0 5 * * 1\ttar -zcf /backups.tgz /home/ # é\n*/5 * * * * date +\\%H"
NASTY = [
    "plain",
    "with blank",
    "it's",
    'a "quoted" one',
    "100%",
    "a\\b",
    "\\%",
    "$HOME",
    "노트",
    "semi;colon&more",
    "a # b",
]


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Puts programs on the PATH, and nothing else but the shell's own."""
    folder = tmp_path / "fake"
    folder.mkdir()
    monkeypatch.setenv("FAKE", str(folder))
    monkeypatch.setenv("PATH", str(folder))
    for name in ("cat", "rm", "sh"):
        (folder / name).symlink_to(shutil.which(name, path="/usr/bin:/bin"))

    def build(**programs):
        for name, script in programs.items():
            (folder / name).write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
            (folder / name).chmod(0o755)
        return folder

    return build


@pytest.fixture
def notes(vault):
    return vault({}, name="my notes 100%")


def test_the_line_comes_once_and_goes(fake, notes):
    folder = fake(crontab=CRONTAB)
    table = folder / "table"
    table.write_text(FOREIGN + "\n", encoding="utf-8")
    assert "is rebuilt every 15m" in wrap("schedule", "--install", vault=notes).out
    first = table.read_bytes()
    assert first.startswith(f"{FOREIGN}\n".encode())
    assert first.count(b"--quiet regen") == 1
    assert "as before" in wrap("schedule", "--install", vault=notes).out
    assert table.read_bytes() == first
    assert wrap("schedule", "--install", "--every", "1h", vault=notes).code == 0
    assert b"0 * * * * " in table.read_bytes()
    assert table.read_bytes().count(b"--quiet regen") == 1
    assert wrap("schedule", "--remove", vault=notes).code == 0
    assert table.read_bytes() == f"{FOREIGN}\n".encode()
    assert "not on a schedule" in wrap("schedule", "--remove", vault=notes).out


def test_where_there_was_no_crontab_there_is_none_again(fake, notes):
    folder = fake(crontab=CRONTAB)
    wrap("schedule", "--install", vault=notes)
    assert (folder / "table").exists()
    wrap("schedule", "--remove", vault=notes)
    assert not (folder / "table").exists()


def test_each_vault_has_its_own(fake, vault):
    folder = fake(crontab=CRONTAB)
    one, other = vault({}, name="one"), vault({}, name="other")
    wrap("schedule", "--install", vault=one)
    alone = (folder / "table").read_bytes()
    wrap("schedule", "--install", vault=other)
    assert (folder / "table").read_bytes().count(b"--quiet regen") == 2
    wrap("schedule", "--remove", vault=other)
    assert (folder / "table").read_bytes() == alone


def test_one_whose_vault_is_gone_can_still_go(fake, vault):
    folder = fake(crontab=CRONTAB)
    built = vault({})
    wrap("schedule", "--install", vault=built)
    shutil.rmtree(built.root)
    assert wrap("schedule", "--remove", vault=built).code == 0
    assert not (folder / "table").exists()


def test_printing_writes_nothing(fake, notes, home):
    folder = fake(crontab=CRONTAB)
    result = wrap("schedule", vault=notes)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0] == "# crontab"
    assert r"my notes 100\%" in result.out.splitlines()[1]
    assert "OnUnitActiveSec=15min" in result.out
    assert "<key>StartInterval</key>" in result.out
    assert not (folder / "table").exists()
    assert not list(home.rglob("*wrapgen-*"))


def test_one_who_may_not_is_told(fake, notes):
    fake(crontab=REFUSES)
    result = wrap("schedule", "--install", vault=notes)
    assert result.code == 1
    assert "not allowed" in result.err


def test_an_interval_without_words(fake, notes):
    folder = fake(crontab=CRONTAB)
    result = wrap("schedule", "--install", "--every", "7m", vault=notes)
    assert result.code == 2
    assert "5m" in result.err
    assert not (folder / "table").exists()


def test_a_machine_without_cron_has_the_printed_texts(fake, notes):
    fake()
    result = wrap("schedule", "--install", vault=notes)
    assert result.code == 1
    assert "crontab cannot be run" in result.err
    assert "ExecStart=" in wrap("schedule", vault=notes).out


def as_cron_reads(line):
    """The command of a line, as Vixie cron takes it apart: load_entry and do_command."""
    command, words, escaped = "", line.split(" ", 5)[5], False
    for letter in words:
        if escaped:
            command += "" if letter == "%" else "\\"
        elif letter == "%":
            return command
        escaped = letter == "\\"
        command += "" if escaped else letter
    return command + ("\\" if escaped else "")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NASTY)
def test_cron_and_its_shell_find_the_very_words(name):
    job = Job(("/bin/echo",), f"/notes/{name}", 15)
    line = timers.crontab_line(job)
    echo = shlex.join([sys.executable, "-c", "import json, sys; print(json.dumps(sys.argv[1:]))"])
    command = as_cron_reads(line).replace("/bin/echo", echo, 1)
    said = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True, timeout=60).stdout
    assert json.loads(said) == job.words[1:]


def test_a_path_that_breaks_the_line_is_refused():
    with pytest.raises(UsageError, match="no scheduler can name"):
        timers.crontab_line(Job(("wrap",), "/notes\n* * * * * true", 15))


@settings(max_examples=examples(60))
@given(st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line and b"\r" not in line), max_size=6))
def test_foreign_lines_stay_byte_for_byte(lines):
    table = b"".join(line + b"\n" for line in lines)
    job, other = Job(("wrap",), "/notes", 15), Job(("wrap",), "/others", 30)
    more = timers.merged(timers.merged(table, job), other)
    assert timers.merged(more, job) == more
    assert timers.without(timers.without(more, job), other) == table
    theirs = timers.merged(table, other)
    assert timers.without(timers.merged(theirs, Job(("wrap",), "/notes", 60)), job) == theirs


@pytest.mark.parametrize(
    ("every", "fields"),
    [
        ("1m", "* * * * *"), ("15m", "*/15 * * * *"), ("60m", "0 * * * *"), ("1h", "0 * * * *"), ("6h", "0 */6 * * *"),
        ("24h", "0 0 * * *"), ("1d", "0 0 * * *"),
    ],
)  # fmt: skip
def test_the_fields_of_an_interval(every, fields):
    assert timers.schedule(minutes(every)) == fields


@pytest.mark.parametrize("every", ["", "0m", "15", "m", "-5m", "1.5h", "8d", "15 m", "99999d"])
def test_what_is_no_interval(every):
    with pytest.raises(UsageError):
        timers.schedule(minutes(every))


@pytest.mark.sampled(4)
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("name", NASTY)
def test_systemd_takes_the_units(tmp_path, name):
    job = Job((shutil.which("true"),), f"/notes/{name}", 15)
    units = {tmp_path / file.rpartition("/")[2]: text for file, text in systemd_units(job).items()}
    for file, text in units.items():
        file.write_text(text, encoding="utf-8")
    answer = subprocess.run(
        ["systemd-analyze", "--user", "verify", *units],
        capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    said = [line for line in answer.stderr.splitlines() if job.name in line]
    assert said == [], answer.stderr


def test_the_words_are_quoted_as_systemd_reads_them():
    service = next(iter(systemd_units(Job(("/a b/wrap",), '/no"tes/100%/$x\\y', 15)).values()))
    assert r'ExecStart="/a b/wrap" "--vault" "/no\"tes/100%%/$$x\\y" "--quiet" "regen"' in service


@pytest.mark.parametrize("name", NASTY)
def test_the_property_list_says_the_very_words(name):
    job = Job(("/a b/wrap",), f"/notes/{name}", 15)
    said = plistlib.loads(launchd_list(job).encode())
    assert said["ProgramArguments"] == job.words
    assert (said["Label"], said["StartInterval"]) == (job.name, 900)


@pytest.mark.skipif(shutil.which("plutil") is None, reason="plutil is part of macOS")
def test_plutil_takes_the_list(tmp_path):
    file = tmp_path / "x.plist"
    file.write_text(launchd_list(Job(("wrap",), "/notes", 15)), encoding="utf-8")
    assert subprocess.run(["plutil", "-lint", str(file)], check=False, timeout=60).returncode == 0


@pytest.mark.slow
def test_what_is_scheduled_can_be_run(fake, vault):
    built = vault({"projects/web/todos.md": "# Web\n\n- [ ] Add the retry\n"})
    folder = fake(crontab=CRONTAB)
    wrap("schedule", "--install", vault=built)
    line = (folder / "table").read_text(encoding="utf-8").splitlines()[0]
    answer = subprocess.run(
        ["/bin/sh", "-c", as_cron_reads(line)], capture_output=True, text=True, check=False, timeout=60,
        env={**child_environment(), "PATH": "/usr/bin:/bin"}, cwd="/",
    )  # fmt: skip
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert built.dashboard.exists()
