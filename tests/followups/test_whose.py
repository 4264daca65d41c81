"""Whose a conversation is: worktrees, gone or there; copies of one session; archives; folders that are gone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, said
from tests.support import Vault, wrap
from wrapgen.session.folders import Folders
from wrapgen.vault.git import note_worktrees
from wrapgen.whereabouts import main_vault, nearest_vault, repository, vault_owning

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
WHO = {f"GIT_{one}_{what}": "a@b" for one in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder, *words):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, env={**os.environ, **WHO})


@pytest.fixture
def shop(tmp_path):
    """A repository with a worktree beside it."""
    code = tmp_path / "shop"
    git(code, "init", "-q", "-b", "main")
    git(code, "commit", "-q", "--allow-empty", "-m", "a")
    git(code, "worktree", "add", "-q", tmp_path / "shop-fix", "-b", "fix")
    return code


@pytest.fixture
def bare(tmp_path):
    """A bare repository with its worktrees beside it."""
    project = tmp_path / "project"
    seed = tmp_path / "seed"
    git(seed, "init", "-q", "-b", "main")
    git(seed, "commit", "-q", "--allow-empty", "-m", "a")
    git(tmp_path, "clone", "-q", "--bare", seed, project / ".bare")
    (project / ".git").write_text("gitdir: ./.bare\n")
    git(project, "worktree", "add", "-q", "main")
    git(project, "worktree", "add", "-q", "feature", "-b", "feature")
    return project


def test_every_worktree_names_one_repository(shop, bare, tmp_path):
    assert repository(str(shop))[:2] == repository(str(tmp_path / "shop-fix"))[:2]
    assert repository(str(shop / "deep"))[1] == "deep"
    assert repository(str(bare / "main")) == repository(str(bare / "feature"))
    assert repository(str(bare))[0] == repository(str(bare / "main"))[0] != repository(str(shop))[0]
    assert repository(str(tmp_path)) is None


@pytest.mark.parametrize("mark", ["", "gitdir:", "gitdir: /", "gitdir: .", "nonsense", "gitdir: /worktrees/x", "\0"])
def test_a_mark_that_leads_nowhere(tmp_path, mark):
    (tmp_path / ".git").write_text(mark)
    found = repository(str(tmp_path))
    assert found is None or not found.is_linked


def test_a_folder_that_a_project_names_means_all_worktrees(shop, bare, tmp_path):
    folders = Folders.of(str(tmp_path / "notes"), ())
    named = Folders(folders.vault, ((str(shop), "shop"), (str(bare / "main"), "bare")))
    assert named.project_of(str(tmp_path / "shop-fix")) == (True, "shop")
    assert named.project_of(str(bare / "feature" / "src")) == (True, "bare")
    assert named.project_of(str(bare)) == (True, "bare")
    (bare / "other").mkdir()
    git(bare / "other", "init", "-q")
    assert named.project_of(str(bare / "other")) == (False, None)  # a repository of its own


def test_a_folder_inside_is_the_same_folder_of_each_worktree(shop, tmp_path):
    named = Folders(str(tmp_path / "notes"), ((str(shop / "web"), "web"),))
    assert named.project_of(str(tmp_path / "shop-fix" / "web" / "src")) == (True, "web")
    assert named.project_of(str(tmp_path / "shop-fix" / "api")) == (False, None)


def test_a_worktree_that_was_seen_is_known_when_it_is_gone(shop, tmp_path, home):
    named = Folders(str(tmp_path / "notes"), ((str(shop), "shop"),))
    fix = tmp_path / "shop-fix"
    note_worktrees([str(shop)])
    git(shop, "worktree", "remove", fix)
    assert named.project_of(str(fix / "src")) == (True, "shop")
    assert named.project_of(str(tmp_path / "shop-never")) == (False, None)
    note_worktrees([str(shop)])  # it stays known
    assert named.project_of(str(fix)) == (True, "shop")


def test_what_is_remembered_may_be_damaged(shop, tmp_path, home, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    (home / "wrapgen").mkdir()
    for rubbish in ("{", "[]", '{"/x": 3}'):
        (home / "wrapgen" / "worktrees.json").write_text(rubbish)
        assert repository(str(tmp_path / "gone")) is None
    note_worktrees([str(shop)])
    assert json.loads((home / "wrapgen" / "worktrees.json").read_text()) == {
        str(tmp_path / "shop-fix"): str(shop / ".git")
    }


@pytest.fixture
def session(home):
    def write(cwd, data=None, name="5e551011"):
        folder = home / ".claude" / "projects" / str(cwd).replace("/", "-")
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{name}.jsonl"
        file.write_bytes(data or talks.claude(said(RETRY), cwd=str(cwd)))
        return file

    return write


def found(*words, vault):
    result = wrap("orphans", "--json", *words, vault=vault)
    return {one["text"] for one in result.json["orphans"]}, result


class TestVaultInARepository:
    @pytest.fixture
    def notes(self, shop, tmp_path):
        built = Vault(shop)
        built.write("wrapgen.toml", "")
        git(shop, "add", "-A")
        git(shop, "commit", "-qm", "b")
        git(tmp_path / "shop-fix", "merge", "-q", "main")
        return built

    def test_its_worktrees_are_the_one_vault(self, notes, tmp_path):
        fix = str(tmp_path / "shop-fix")
        assert (tmp_path / "shop-fix" / "wrapgen.toml").is_file()
        assert nearest_vault(f"{fix}/deep") == main_vault(fix) == str(notes.root)
        assert vault_owning(fix, [str(notes.root)]) == str(notes.root)

    def test_a_main_checkout_without_a_vault_leaves_the_worktree_its_own(self, notes, tmp_path):
        notes.path("wrapgen.toml").unlink()
        assert nearest_vault(str(tmp_path / "shop-fix")) == str(tmp_path / "shop-fix")

    @pytest.mark.slow
    def test_what_was_said_in_a_worktree_waits_in_the_one_memory(self, notes, tmp_path, session):
        assert wrap("trust", vault=notes).code == 0
        session(tmp_path / "shop-fix")
        assert found(vault=Vault(tmp_path / "shop-fix"))[0] == {RETRY}
        assert not (tmp_path / "shop-fix" / ".wrapgen").exists()
        git(notes.root, "worktree", "remove", tmp_path / "shop-fix")
        assert found(vault=notes)[0] == {RETRY}

    def test_of_a_bare_repository_it_is_that_of_its_branch(self, bare):
        for name in ("main", "feature"):
            (bare / name / "wrapgen.toml").touch()
        assert main_vault(str(bare / "feature")) == str(bare / "main")


class TestFoldersThatAreGone:
    @pytest.fixture
    def built(self, vault, tmp_path):
        (tmp_path / "code").mkdir()
        return vault(
            {"projects/web/todos.md": "# web\n"}, config=f"[projects.web]\npaths = ['{tmp_path}/code']\n", trusted=True
        )

    @pytest.mark.slow
    def test_a_conversation_that_cannot_be_placed_is_said(self, built, tmp_path, session):
        file = session(tmp_path / "was-here")
        orphans, result = found(vault=built)
        assert orphans == set()
        assert str(tmp_path / "was-here") in result.err
        assert f"wrap orphans --transcript {file}" in result.err
        findings = wrap("doctor", "--json", vault=built, today=None).json["findings"]
        assert any(str(file) == one["where"] and "gone" in one["what"] for one in findings)

    def test_one_of_another_folder_that_is_there_is_not(self, built, tmp_path, session):
        (tmp_path / "elsewhere").mkdir()
        session(tmp_path / "elsewhere")
        assert found(vault=built)[1].err == ""


def chained(*turns, session_id="s1", start=0):
    """Claude Code's form, each line below the one before."""
    lines, above = [], None
    for number, (role, text) in enumerate(turns):
        uuid = f"m{number}-{len(text)}"
        content = text if role == "user" else [{"type": "text", "text": text}]
        fields = {"uuid": uuid, "parentUuid": above, "sessionId": session_id}
        lines.append(talks.claude_line(role, content, number + 1, **fields))
        above = uuid
    return talks.json_lines(lines)


BEGUN = [("user", "Please fix the login form."), ("assistant", f"It works again. Next session: {RETRY}.")]
DONE = [("user", f"Now {RETRY}."), ("assistant", f"Done: {RETRY}, the tests pass.")]


class TestCopies:
    @pytest.fixture
    def files(self, tmp_path):
        def write(*talks_):
            names = [tmp_path / f"s{number}.jsonl" for number in range(len(talks_))]
            for name, talk in zip(names, talks_, strict=True):
                name.write_bytes(talk)
            return [word for name in names for word in ("--transcript", name)]

        return write

    def test_what_a_resumed_file_says_of_a_message_counts_for_its_copy(self, vault, files):
        words = files(chained(*BEGUN), chained(*BEGUN, *DONE, session_id="s2"))
        assert found(*words, vault=vault())[0] == set()
        assert found(*words[2:], *words[:2], vault=vault(name="b"))[0] == set()  # in whatever order they are named

    def test_an_earlier_file_says_nothing_of_what_is_open_in_a_later_one(self, vault, files):
        words = files(chained(*BEGUN, *DONE), chained(*BEGUN, ("user", "Thanks."), session_id="s2"))
        assert found(*words, vault=vault())[0] == {RETRY}

    def test_other_messages_of_the_same_words_stay(self, vault, files):
        other = [("user", "Something else."), ("assistant", f"Fine. Next session: {GUIDE}."), *DONE]
        assert found(*files(chained(*BEGUN), chained(*other)), vault=vault())[0] == {RETRY, GUIDE}

    def test_what_waits_from_the_first_file_is_settled_by_the_second(self, vault, files):
        built, words = vault(), files(chained(*BEGUN), chained(*BEGUN, *DONE, session_id="s2"))
        assert found(*words[:2], vault=built)[0] == {RETRY}
        found(*words[2:], vault=built)
        assert found(vault=built)[0] == set()


class TestCodex:
    @pytest.fixture
    def built(self, vault):
        return vault({"projects/web/todos.md": "# web\n"}, trusted=True)

    def rollout(self, home, built, task, place):
        file = home / ".codex" / place / "rollout-2026-04-24T09-00-00-a.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(talks.codex(said(task), cwd=str(built.root)))
        return file

    def test_archived_ones_are_read(self, built, home):
        self.rollout(home, built, RETRY, "archived_sessions")
        self.rollout(home, built, ROTATE, "sessions/2026/04/24")
        assert found(vault=built)[0] == {RETRY, ROTATE}

    def test_packed_ones_are_read_where_that_is_possible(self, built, home):
        zstandard = pytest.importorskip("zstandard")
        file = self.rollout(home, built, RETRY, "sessions/2026/04/24")
        file.with_suffix(".jsonl.zst").write_bytes(zstandard.compress(file.read_bytes()))
        file.unlink()
        assert found(vault=built)[0] == {RETRY}

    def test_else_they_are_counted_and_said(self, built, home, monkeypatch):
        monkeypatch.setattr("wrapgen.workflows.unread_sessions.can_unpack", lambda: False)
        self.rollout(home, built, RETRY, "sessions/2026/04/24").rename(
            home / ".codex/sessions/2026/04/24/rollout-2026-04-24T09-00-00-a.jsonl.zst"
        )
        orphans, result = found(vault=built)
        assert (orphans, "1 conversation packed with zstd cannot be read here" in result.err) == (set(), True)
        assert "`zstd -d FILE`" in result.err

    def test_one_that_was_read_before_it_was_packed_is_not_read_again(self, built, home):
        file = self.rollout(home, built, RETRY, "sessions/2026/04/24")
        assert wrap("--no-prompt", vault=built).code == 0
        file.rename(f"{file}.zst")
        result = wrap("--no-prompt", vault=built)
        assert (result.code, result.err) == (0, "")
