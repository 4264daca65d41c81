"""What git says of a working folder; no git, no repository and odd names are no errors."""

import os
import subprocess

import pytest

from wrapgen.vault.git import Worktree, worktree


def git(folder, *words):
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    (folder / "sub").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.email", "me@example.com")
    git(folder, "config", "user.name", "me")
    for name in ("changed", "deleted", "renamed", "sub/inside"):
        (folder / name).write_text(f"{name}\n" * 9)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def test_a_clean_one(repository):
    assert worktree(repository) == Worktree("main")


@pytest.mark.slow
def test_every_kind_of_change(repository):
    (repository / "changed").write_text("else\n")
    (repository / "deleted").unlink()
    git(repository, "mv", "renamed", "moved")
    (repository / "staged").write_text("x\n")
    git(repository, "add", "staged")
    (repository / "untracked").write_text("x\n")
    assert dict(worktree(repository).changes) == {
        "changed": "modified",
        "deleted": "deleted",
        "moved": "renamed",
        "staged": "created",
        "untracked": "created",
    }


@pytest.mark.slow
def test_a_conflict(repository):
    git(repository, "switch", "-qc", "other")
    (repository / "changed").write_text("theirs\n")
    git(repository, "commit", "-qam", "theirs")
    git(repository, "switch", "-q", "main")
    (repository / "changed").write_text("ours\n")
    git(repository, "commit", "-qam", "ours")
    subprocess.run(["git", "-C", str(repository), "merge", "other"], check=False, capture_output=True)
    assert worktree(repository).changes == (("changed", "conflicted"),)


@pytest.mark.slow
def test_the_newest_is_last(repository):
    for day, name in enumerate(("b", "a", "c")):
        (repository / name).write_text("x\n")
        os.utime(repository / name, (day, day))
    assert [path for path, _ in worktree(repository).changes] == ["b", "a", "c"]


@pytest.mark.sampled(7)
@pytest.mark.skipif(os.name == "nt", reason="such names cannot be")
@pytest.mark.parametrize("name", ["line\nbreak", 'quo"te', "blank in it", "한글", " lead", "1 a b", "\udcff"])
def test_names_are_taken_as_they_are(repository, name):
    (repository / name).write_text("x\n")
    assert worktree(repository).changes == ((name, "created"),)
    git(repository, "add", ".")
    assert worktree(repository).changes == ((name, "created"),)


@pytest.mark.slow
def test_paths_are_those_from_the_folder(repository):
    (repository / "changed").write_text("else\n")
    (repository / "sub" / "inside").write_text("else\n")
    assert set(worktree(repository / "sub").changes) == {("../changed", "modified"), ("inside", "modified")}


@pytest.mark.slow
def test_no_commit_yet_and_no_branch(tmp_path, repository):
    git(tmp_path, "init", "-q", "-b", "trunk")
    assert worktree(tmp_path).branch == "trunk"
    git(repository, "switch", "-q", "--detach")
    assert worktree(repository) == Worktree()


def test_no_repository_no_folder_no_git(tmp_path, monkeypatch):
    assert worktree(tmp_path) == Worktree()
    assert worktree(tmp_path / "missing") == Worktree()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert worktree(tmp_path) == Worktree()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a script as a program")
def test_a_git_that_does_not_answer(tmp_path, monkeypatch):
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("wrapgen.vault.git._TIMEOUT", 0.2)
    assert worktree(tmp_path) == Worktree()


@pytest.mark.slow
def test_the_index_is_not_touched(repository):
    before = (repository / ".git" / "index").stat().st_mtime_ns
    os.utime(repository / "changed", (1, 1))
    worktree(repository)
    assert (repository / ".git" / "index").stat().st_mtime_ns == before
