"""What a run prints cannot be written: what it has done is done, and it ends well; who only tells could not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stage.kit import PLAN
from tests.support import TODAY, child_environment, wrap

FULL = Path("/dev/full")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full"),
]

WEB = "projects/web/todos.md"
LISTS = {WEB: "## Next Session\n\n- [ ] Paint the fence\n- [ ] Oil the hinges\n"}


def unheard(vault, *words, stderr=subprocess.PIPE, **options):
    """Run the program with an output that takes nothing."""
    command = [sys.executable, "-m", "wrapgen", "--vault", str(vault.root), "--today", TODAY, *map(str, words)]
    with FULL.open("wb") as full:
        return subprocess.run(
            command, stdout=full, stderr=stderr, check=False, timeout=60, **{"env": child_environment(), **options}
        )


@pytest.fixture
def lists(vault):
    built = vault(LISTS)
    assert wrap("list", vault=built).code == 0  # numbers mean the list that was printed
    return built


def test_an_item_that_is_done_is_done(lists):
    result = unheard(lists, "done", "1")
    assert result.returncode == 0
    assert result.stderr == (
        b"wrap: it is done, but what it prints cannot be written (No space left on device). Do not run it again.\n"
    )
    text = lists.path(WEB).read_text()
    assert (text.count("[x]"), text.count("[ ]")) == (1, 1)
    assert "hinges" in lists.page


@pytest.mark.parametrize("words", [("list", "hinges"), ("list", "hinges", "--json")])
def test_numbers_do_not_mean_a_list_that_nobody_could_read(lists, words):
    before = lists.path(".wrapgen/state/listed.jsonl").read_bytes()
    assert unheard(lists, *words).returncode == 1
    assert lists.path(".wrapgen/state/listed.jsonl").read_bytes() == before


def test_what_is_refused_is_not_called_done(lists):
    """The page is rebuilt before, which is written."""
    result = unheard(lists, "done", "9")
    assert result.returncode == 2
    assert b"has no number 9" in result.stderr
    assert b"it is done" not in result.stderr
    assert "[x]" not in lists.path(WEB).read_text()


def test_the_first_line_that_cannot_be_printed_stops_nothing(lists):
    """Without a buffer the system refuses before the work is done."""
    environment = child_environment() | {"PYTHONUNBUFFERED": "1"}
    result = unheard(lists, "done", "1", "2", env=environment)
    assert result.returncode == 0, result.stderr
    assert lists.path(WEB).read_text().count("[x]") == 2
    assert "hinges" not in lists.page


@pytest.mark.parametrize(
    "words",
    [
        ("add", "Water the plants", "-p", "web"),
        ("snooze", "1", "3"),
        ("keep", "1"),
        ("undo",),
        (),
        ("--json",),
        ("regen",),
        ("page",),
        ("sources", "add", "notes/*.md", "--as", "lists"),
        ("stage", "write", *PLAN),
        ("stage", "archive", "TUNE-0254"),
        ("agent", "record", "Use the queue", "--session", "s", "--kind", "decision"),
        ("agent", "task", "add", "Review the parser", "--json"),
    ],
    ids=" ".join,
)
@pytest.mark.slow
def test_every_verb_that_writes(lists, words):
    if words == ("undo",):
        assert wrap("done", "1", vault=lists).code == 0
    if words[1:] == ("archive", "TUNE-0254"):
        assert unheard(lists, "stage", "write", *PLAN, input=b"The plan.\n").returncode == 0
    if words == ("keep", "1"):
        lists.write("projects/web/PROGRESS.md", "## Next Session\n\n- [ ] Paint the fence\n")
        words = ("keep", "projects/web/PROGRESS.md:3")
    result = unheard(lists, *words, **({"input": b"The plan.\n"} if words[:2] == ("stage", "write") else {}))
    assert (result.returncode, b"it is done" in result.stderr) == (0, True), result.stderr


@pytest.mark.parametrize("words", [("list",), ("audit",), ("explain", "1"), ("sources",)], ids=" ".join)
def test_who_only_tells_could_not(lists, words):
    result = unheard(lists, *words)
    assert result.returncode == 1
    assert result.stderr == b"wrap: No space left on device. Free some space on the disk and run again.\n"


def test_nor_does_a_full_error_output_stop_what_is_written(vault):
    built = vault({"README.md": "Mine.\n"} | LISTS, config='output = "README.md"')
    assert wrap("list", vault=built).code == 0
    with FULL.open("wb") as full:
        assert unheard(built, "done", "1", stderr=full).returncode == 0
    assert "hinges" in built.path("README.md").read_text()


def test_nobody_reads_on(lists):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        command = [sys.executable, "-m", "wrapgen", "--vault", str(lists.root), "--today", TODAY, "done", "1"]
        assert subprocess.run(command, stdout=pipe, env=child_environment(), check=False, timeout=60).returncode == 0
    assert "hinges" in lists.page
