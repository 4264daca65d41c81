"""What the tracks hold are words of conversations: private to you, and not committed by accident."""

import os
import stat
import subprocess

import pytest

from tests.support import wrap
from tests.tracks.kit import CONTEXT, Talk, snapshot


@pytest.fixture
def file(tmp_path):
    return Talk().user("hello").to(tmp_path / "t.jsonl")


def git(folder, *words):
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_files_are_closed_whatever_the_umask(tmp_path, file):
    former = os.umask(0)
    try:
        snapshot(tmp_path / "p", file)
        snapshot(tmp_path / "p", file)
        wrap("track", "query", "hello", "--dir", tmp_path / "p")
    finally:
        os.umask(former)
    for path in (tmp_path / "p" / CONTEXT).rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        if path.name in {".gitignore", "track.lock"}:
            continue  # they hold no words
        assert mode == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE((tmp_path / "p" / CONTEXT).stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_folder_that_was_open_is_closed(tmp_path, file):
    folder = tmp_path / "p" / CONTEXT
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    snapshot(tmp_path / "p", file)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_git_leaves_it_out(tmp_path, file):
    project = tmp_path / "p"
    project.mkdir()
    git(project, "init", "-q")
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text("{}", "utf-8")
    snapshot(project, file)
    assert git(project, "status", "--porcelain", "-uall").split() == ["??", ".claude/settings.json"]


def test_a_folder_with_files_that_nobody_tracks_is_left_out_too(tmp_path, file):
    project = tmp_path / "p"
    (project / CONTEXT).mkdir(parents=True)
    git(project, "init", "-q")
    (project / CONTEXT / "HOT_TRACK.md").write_text("# 热轨快照\n", "utf-8")
    snapshot(project, file)
    assert git(project, "status", "--porcelain", "-uall") == ""


def test_what_a_project_tracks_stays_tracked_and_nothing_else_comes_along(tmp_path, file):
    project = tmp_path / "p"
    (project / CONTEXT).mkdir(parents=True)
    git(project, "init", "-q")
    (project / CONTEXT / "HOT_TRACK.md").write_text("# 热轨快照\n", "utf-8")
    git(project, "add", "-A")
    snapshot(project, file)
    wrap("track", "query", "hello", "--dir", project)
    assert git(project, "status", "--porcelain", "-uall").split() == ["AM", f"{CONTEXT}/HOT_TRACK.md"]


def test_a_gitignore_of_somebodys_stays(tmp_path, file):
    folder = tmp_path / "p" / CONTEXT
    folder.mkdir(parents=True)
    (folder / ".gitignore").write_text("*.jsonl\n", "utf-8")
    snapshot(tmp_path / "p", file)
    assert (folder / ".gitignore").read_text("utf-8") == "*.jsonl\n"


@pytest.mark.parametrize("name", [".claude", CONTEXT, f"{CONTEXT}/HOT_TRACK.md", f"{CONTEXT}/COLD_TRACK.md"])
def test_links_that_lead_out_of_the_project_are_refused(tmp_path, file, name):
    project = tmp_path / "p"
    outside = tmp_path / "outside"
    outside.mkdir()
    link = project / name
    link.parent.mkdir(parents=True)
    link.symlink_to(outside / "HOT_TRACK.md" if name.endswith(".md") else outside)
    result = wrap("track", "snapshot", "--transcript", file, "--dir", project)
    assert result.code == 1
    assert "leads out" in result.err
    assert list(outside.iterdir()) == []
