"""The commit that is checked out is read from git's own files, as git would say it."""

import shutil

import pytest

from tests.clones import started
from wrapgen.vault.git_head import head_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def clone(vault):
    return started(vault({"notes/a.md": "- [x] One\n"}), "2026-04-20")


def said(clone, folder):
    return clone.git("-C", str(folder), "rev-parse", "HEAD").strip().encode()


@pytest.mark.parametrize("how", ["as it is", "packed", "detached", "below", "work tree"])
def test_it_is_what_git_says(clone, tmp_path, how):
    folder = clone.root
    if how == "packed":
        clone.git("pack-refs", "--all")
    elif how == "detached":
        clone.git("checkout", "-q", "--detach")
    elif how == "below":
        folder = clone.path("notes")
    elif how == "work tree":
        folder = tmp_path / "tree"
        clone.git("worktree", "add", "-q", "-b", "side", str(folder))
    assert head_of(folder) == said(clone, folder)
    clone.write("notes/a.md", "- [x] One and two\n")
    clone.commit("2026-04-21")
    assert head_of(folder) == said(clone, folder)


@pytest.mark.parametrize("head", ["", "ref: refs/heads/none", "ref: ../../secret", "x" * 40, "ref: a\0b"])
def test_what_is_no_commit_is_none(clone, head):
    clone.write(".git/HEAD", head)
    clone.write("secret", "words\n")
    assert head_of(clone.root) is None


def test_outside_of_a_checkout(tmp_path):
    assert head_of(tmp_path) is None
