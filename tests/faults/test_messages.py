"""What is said when a part could be done: nobody is sent to do it twice, nothing is kept back."""

from __future__ import annotations

import errno
import os

import pytest

from tests.followups.conftest import PROJECTS
from tests.support import wrap
from wrapgen.errors import remedy

WEB, INFRA = "projects/web/todos.md", "projects/infra/todos.md"


@pytest.fixture
def refuse(monkeypatch):
    """Lets the system refuse to make files whose paths hold some words."""

    def arm(error, part):
        real = os.open

        def refused(path, flags, *rest, dir_fd=None):
            above = "" if dir_fd is None else os.readlink(f"/proc/self/fd/{dir_fd}")  # noqa: PTH115
            if part in f"{above}/{path}" and flags & os.O_CREAT:
                raise OSError(error, os.strerror(error), str(path))
            return real(path, flags, *rest, dir_fd=dir_fd)

        monkeypatch.setattr(os, "open", refused)

    return arm


def test_a_change_that_stands_is_not_to_be_made_again(vault, refuse):
    """Whoever is told to run `wrap done 1` again would finish another item."""
    built = vault(PROJECTS)
    refuse(errno.ENOSPC, "ACTIVE-STATUS")
    result = wrap("done", f"{WEB}:5", vault=built)
    assert "- [x] Water the plants" in built.path(WEB).read_text("utf-8")
    assert (result.code, "done: " in result.out) == (1, True)
    assert result.err.endswith("Free some space on the disk and run `wrap regen`: everything else is done.\n")


def test_what_cannot_be_changed_is_to_be_run_again(vault, refuse):
    built = vault(PROJECTS)
    refuse(errno.ENOSPC, ".todos.md.")
    result = wrap("done", f"{WEB}:5", vault=built)
    assert (result.code, result.out) == (1, "")
    assert "the existing file is unchanged (No space left on device)" in result.err
    assert result.err.endswith("Free some space on the disk and run again.\n")


def test_each_item_that_cannot_be_finished_is_told_and_the_others_are_on_the_page(vault, refuse):
    built = vault(PROJECTS)
    assert wrap("regen", vault=built).code == 0
    refuse(errno.EIO, "projects/web/")
    result = wrap("done", f"{WEB}:5", f"{INFRA}:5", "projects/web/actives/search/todos.md:3", vault=built)
    assert result.code == 1
    assert result.err.count("Check the disk") == 2
    assert "Paint the fence" not in built.page


def test_a_vault_that_cannot_be_listed_is_not_one_without_the_project(vault, monkeypatch):
    built = vault(PROJECTS)

    def refusing(real):
        def listed(path="."):
            if str(path).startswith(str(built.root)):
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
            return real(path)

        return listed

    for name in ("scandir", "listdir"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    result = wrap("add", "Rotate the keys", "-p", "web", vault=built)
    assert result.code == 1
    assert "its projects are not known (Input/output error)" in result.err


@pytest.mark.parametrize("torn", [None, b""])
def test_a_folder_that_a_killed_run_left_open_is_ignored_by_git_before_words_come_in(vault, torn):
    built = vault(PROJECTS)
    built.path(".wrapgen").mkdir()
    if torn is not None:
        built.path(".wrapgen/.gitignore").write_bytes(torn)
    assert wrap("add", "Rotate the keys", vault=built).code == 0
    assert built.path(".wrapgen/.gitignore").read_text("utf-8") == "*\n!/said.jsonl\n"


@pytest.mark.parametrize("short", [b"*\n", b"*\r\n", b"*"])
def test_what_clones_share_is_let_through_where_an_earlier_version_hid_it(vault, short):
    built = vault(PROJECTS)
    built.write(".wrapgen/.gitignore", short)
    built.write(".wrapgen/said.jsonl", "")
    result = wrap("regen", vault=built)
    assert (result.code, result.err) == (0, "")
    assert built.path(".wrapgen/.gitignore").read_text("utf-8") == "*\n!/said.jsonl\n"


def test_a_folder_that_ignores_everything_gets_no_second_word(vault):
    built = vault({**PROJECTS, ".wrapgen/.gitignore": "# not for everybody\n*\n"})
    assert wrap("add", "Rotate the keys", vault=built).code == 0
    assert not built.path(".wrapgen/state/.gitignore").exists()


@pytest.mark.parametrize(
    ("number", "step"),
    [
        (errno.ENOSPC, "Free some space on the disk and run again."),
        (errno.EROFS, "The file system is read-only: make it writable and run again; `wrap audit` writes nothing."),
        (errno.EMFILE, "Let a process open more files (`ulimit -n`) and run again."),
        (errno.ESTALE, "Fix the cause and run again."),
    ],
)
def test_every_refusal_has_a_next_step(number, step):
    assert remedy(OSError(number, os.strerror(number))) == step
