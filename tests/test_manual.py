"""The manual page says what the program's help says, in words that every reader of such pages takes."""

import shutil
import subprocess

import pytest

from tests.commandtree import every_command
from tests.manual import PAGE
from tests.support import child_environment

TEXT = PAGE.read_text(encoding="utf-8")


def shown(*words):
    done = subprocess.run(
        words,
        env=child_environment() | {"LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MANPAGER": "cat"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def man_db():
    """Whether `man` is the one that says what is wrong with a page; some are others, or stand in for one."""
    return shutil.which("man") is not None and shown("man", "--version")[1].startswith("man 2")


def test_no_line_is_one_that_roff_would_obey_by_accident():
    requests = {line.split()[0] for line in TEXT.splitlines() if line.startswith((".", "'"))}
    assert requests == {'.\\"', ".TH", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi"}


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_mandoc_finds_nothing_wrong():
    assert shown("mandoc", "-T", "lint", "-W", "warning", PAGE) == (0, "", "")


@pytest.mark.skipif(not man_db(), reason="man-db is not installed")
def test_man_shows_every_command_with_its_examples():
    code, out, err = shown("man", "--warnings", "--no-hyphenation", "--local-file", PAGE)
    assert (code, err) == (0, "")
    lines = {line.strip() for line in out.splitlines()}
    for node in every_command():
        assert node.name in lines or node.words == ("wrap",)
        assert lines.issuperset(node.examples)
