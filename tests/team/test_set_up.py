"""`wrap init --git`: git is told once what a shared vault needs, and what is somebody's own stays."""

import os
import shutil

import pytest

from tests.clones import cloned, opened, started
from tests.support import wrap
from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.workflows import git_setup
from wrapgen.workflows.app import App

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(os.name == "nt", reason="hooks are run by a shell"),
]
NOTES = {"projects/web/todos.md": "# web\n", "journals/2026/04/2026-04-20.md": "# 2026-04-20\n"}
HOOKS = ("post-merge", "post-rewrite")
PAGES = pytest.mark.parametrize("page", ["ignore", "merge"])


@pytest.fixture
def clone(vault):
    return started(vault(NOTES))


def init(clone, *words):
    return wrap("init", "--git", *words, clone.root, "--no-default")


def told(clone):
    """Everything that git is told by, with its bytes."""
    names = (VAULT_FILE, ".gitattributes", ".gitignore", ".git/config", *(f".git/hooks/{name}" for name in HOOKS))
    return {name: clone.path(name).read_bytes() if clone.path(name).exists() else None for name in names}


def config(clone):
    return load(clone.path(VAULT_FILE), Config)


def doctor(clone):
    found = wrap("doctor", "--json", vault=clone).json["findings"]
    return next((one["level"], one["mend"]) for one in found if one["check"] == "merging")


@PAGES
def test_twice_gives_the_same_bytes(clone, page):
    assert init(clone, "--page", page).code == 0
    before = told(clone)
    again = init(clone)
    assert (again.code, again.err) == (0, "")
    assert "nothing was changed" in again.out
    assert told(clone) == before


@PAGES
def test_the_other_answer_leaves_no_trace_of_the_first(clone, page):
    other = {"ignore": "merge", "merge": "ignore"}[page]
    init(clone, "--page", page)
    before = told(clone)
    init(clone, "--page", other)
    assert told(clone)[".gitattributes"] != before[".gitattributes"]
    init(clone, "--page", page)
    assert {**told(clone), ".git/config": b""} == {**before, ".git/config": b""}


class TestWithoutAnAnswer:
    def test_a_page_that_git_tracks_is_committed_and_any_other_ignored(self, vault):
        assert "git ignores ACTIVE-STATUS.md" in init(started(vault(NOTES, name="new"))).out
        tracked = vault(NOTES, name="old")
        wrap("regen", vault=tracked)
        assert "ACTIVE-STATUS.md never conflicts" in init(started(tracked)).out

    @PAGES
    def test_what_was_decided_in_another_clone_counts(self, clone, page):
        init(clone, "--page", page)
        clone.commit()
        ann = cloned(clone, "ann")
        assert init(ann).code == 0
        assert ann.tree_is_clean
        assert {**told(ann), ".git/config": b""} == {**told(clone), ".git/config": b""}

    @PAGES
    def test_at_a_terminal_it_asks(self, clone, monkeypatch, page):
        monkeypatch.setattr(App, "at_terminal", True)
        asked = []
        monkeypatch.setattr(git_setup.click, "prompt", lambda text, **_: (asked.append(text), page)[1])
        init(clone)
        assert "ACTIVE-STATUS.md" in asked[0]
        init(clone)
        assert len(asked) == 1


class TestGuest:
    def test_a_hook_of_somebodys_own_stays_and_the_line_for_it_is_told_until_it_is_there(self, clone):
        own = "#!/bin/sh\nmake\n"
        clone.write(".git/hooks/post-merge", own)
        line = init(clone).err.partition("add this line to it: ")[2].strip()
        assert clone.text(".git/hooks/post-merge") == own
        assert "regen" in line
        clone.write(".git/hooks/post-merge", f"{own}{line}\n")
        assert init(clone).err == ""

    def test_hooks_that_are_kept_elsewhere(self, clone):
        clone.git("config", "core.hooksPath", ".husky")
        result = init(clone)
        assert ".husky" in result.err
        assert not clone.path(".husky").exists()
        assert not clone.path(".git/hooks/post-merge").exists()

    def test_others_lines_stay_byte_for_byte(self, clone):
        clone.write(".gitattributes", b"*.png binary\r\n")
        clone.write(".gitignore", b"*.tmp")
        init(clone)
        assert clone.path(".gitattributes").read_bytes().startswith(b"*.png binary\r\n# >>> wrapgen")
        assert clone.path(".gitignore").read_bytes().startswith(b"*.tmp\n# >>> wrapgen")
        init(clone, "--page", "merge")
        assert clone.path(".gitignore").read_bytes() == b"*.tmp\n"

    def test_a_page_that_git_tracks_is_not_taken_out_behind_its_owners_back(self, vault):
        built = vault(NOTES)
        wrap("regen", vault=built)
        clone = started(built)
        assert "git rm --cached ACTIVE-STATUS.md" in init(clone, "--page", "ignore").err
        assert clone.git("ls-files", "ACTIVE-STATUS.md")


def test_a_vault_in_a_folder_of_its_repository(tmp_path, vault):
    vault(NOTES, name="repository/my notes")
    top = opened(tmp_path / "repository")
    top.git("init", "-q", "-b", "main")
    notes = opened(top.root / "my notes")
    init(notes, "--page", "merge")
    assert "merge: union" in notes.git("check-attr", "merge", "projects/web/todos.md")
    assert "merge: wrapgen" in notes.git("check-attr", "merge", "ACTIVE-STATUS.md")
    assert "'my notes'" in top.text(".git/hooks/post-merge")
    assert doctor(notes)[0] == "ok"


@pytest.mark.parametrize("words", [("--git",), ("--git", "--page", "merge")])
def test_outside_of_git_nothing_is_written(tmp_path, words):
    result = wrap("init", tmp_path / "notes", *words)
    assert (result.code, "git init" in result.err) == (2, True)
    assert list((tmp_path / "notes").iterdir()) == []


def test_page_alone_says_nothing(tmp_path):
    assert wrap("init", tmp_path / "notes", "--page", "merge").code == 2


def test_init_offers_it_in_a_repository_until_it_is_done(clone):
    assert "wrap init --git" in wrap("init", clone.root, "--no-default").out
    init(clone)
    assert "wrap init --git" not in wrap("init", clone.root, "--no-default").out


class TestDoctor:
    def test_outside_of_git(self, vault):
        assert doctor(vault(NOTES))[0] == "ok"

    def test_in_git_it_is_told_and_then_well(self, clone):
        level, mend = doctor(clone)
        assert (level, mend.startswith("wrap init "), mend.endswith(" --git")) == ("note", True, True)
        init(clone)
        assert doctor(clone) == ("ok", None)

    @pytest.mark.slow
    def test_a_clone_that_does_not_know_how_the_page_merges_is_found_and_mended(self, clone):
        init(clone, "--page", "merge")
        clone.commit()
        ann = cloned(clone, "ann")
        assert doctor(ann)[0] == "wrong"
        fixed = wrap("doctor", "--fix", "--json", vault=ann)
        assert any("how to merge" in line for line in fixed.json["mended"])
        assert doctor(ann) == ("ok", None)
        assert ann.git("config", "merge.wrapgen.driver")

    @pytest.mark.slow
    def test_lists_that_were_moved_since(self, clone):
        init(clone, "--page", "merge")
        clone.write(VAULT_FILE, clone.text(VAULT_FILE) + '[sources]\nproject_todos = ["lists/<project>.md"]\n')
        assert doctor(clone)[0] == "warning"
        init(clone)
        assert doctor(clone) == ("ok", None)
        assert "merge: union" in clone.git("check-attr", "merge", "lists/web.md")

    @pytest.mark.slow
    def test_a_clone_without_hooks(self, clone):
        init(clone)
        clone.path(".git/hooks/post-merge").unlink()
        assert doctor(clone)[0] == "warning"

    @pytest.mark.slow
    def test_a_history_that_was_cut_off(self, clone):
        init(clone)
        clone.commit()
        ann = cloned(clone, "ann", "--depth=1")
        init(ann)
        assert doctor(ann) == ("warning", "git fetch --unshallow")
