"""What hooks leave behind for people stays small, and is theirs alone."""

import os
import stat
import sys
import threading

import pytest

from wrapgen.regular_files import put
from wrapgen.vault.keyed_files import LOG_FILE, entries, last_fired, log, log_of, note_fired


def test_the_last_time_of_each_event(vault):
    root = str(vault().root)
    assert last_fired(root) == {}
    note_fired(root, "Stop")
    os.utime(f"{root}/.wrapgen/state/hooks/fired/Stop", (5, 5))
    note_fired(root, "SessionStart")
    assert last_fired(root)["Stop"] == 5
    note_fired(root, "Stop")
    assert min(last_fired(root).values()) > 5


def test_an_entry_is_one_line_whatever_it_says(vault):
    root = str(vault().root)
    log(log_of(root), "first\nsecond \x1b[2J 한글" + "x" * 10_000)
    log(log_of(root), "again")
    first, second = entries(root)
    assert "first second \\x1b[2J 한글" in first
    assert len(first) < 2_100
    assert second.endswith(" again")
    assert first[:4].isdecimal()


def test_a_log_never_grows_beyond_its_bounds(vault):
    root = str(vault().root)
    for number in range(400):
        log(log_of(root), f"{number} " + "x" * 1_000)
    files = [path for path in vault().path(".wrapgen/state").iterdir() if path.name.startswith("hooks.log")]
    assert sum(path.stat().st_size for path in files) < 300_000
    assert entries(root)[-1].split()[1] == "399"


def test_many_write_at_once(vault):
    root = str(vault().root)
    file = log_of(root)
    writers = [threading.Thread(target=lambda n=n: [log(file, f"w{n} {i}") for i in range(20)]) for n in range(5)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert len(entries(root)) == 100


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_nobody_else_reads_it(vault):
    root = vault().root
    log(log_of(str(root)), "words")
    put(f"{root}/.wrapgen/state/hooks/fired/x", b"words")
    for path in (root / ".wrapgen").rglob("*"):
        if path.name != ".gitignore":
            assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_in_the_place_of_the_log_is_not_followed(vault, tmp_path):
    root = vault().root
    victim = tmp_path / "victim"
    victim.write_text("mine")
    file = log_of(str(root))
    (root / LOG_FILE).symlink_to(victim)
    with pytest.raises(OSError, match="symbolic"):
        log(file, "words")
    assert victim.read_text() == "mine"


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path):
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError, match=r"director|denied"):
        put(str(tmp_path / "file"), b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
