"""Without `--transcript`: the hosts' sessions of this vault's projects, since the last wrap."""

from __future__ import annotations

import os
import subprocess
from datetime import datetime, timedelta

import pytest

from tests.followups import talks
from tests.followups.talks import GUIDE, RETRY, ROTATE, said
from tests.support import TODAY, wrap
from wrapgen.vault import session_registry

NOW = datetime.fromisoformat(f"{TODAY}T12:00:00").astimezone()


def orphans(vault, today=TODAY):
    result = wrap("orphans", "--json", vault=vault, today=today)
    assert result.code == 0, result.err
    return {one["text"]: one for one in result.json["orphans"]}


@pytest.fixture
def code(tmp_path):
    """Where the code of project `web` lies."""
    folder = tmp_path / "code" / "web"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def built(vault, code):
    return vault({"projects/web/todos.md": "# web\n"}, config=f"[projects.web]\npaths = ['{code}']\n", trusted=True)


@pytest.fixture
def session(home):
    """Writes a session of Claude Code as it lies in the home folder."""

    def write(cwd, *tasks, name="5e551011", days_ago=0, data=None, below=""):
        folder = home / ".claude" / "projects" / str(cwd).replace("/", "-") / below
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{name}.jsonl"
        file.write_bytes(talks.claude(said(*tasks), cwd=str(cwd)) if data is None else data)
        changed = (NOW - timedelta(days=days_ago)).timestamp()
        os.utime(file, (changed, changed))
        return file

    return write


def test_a_session_in_the_projects_folder(built, code, session):
    session(code, RETRY)
    (one,) = orphans(built).values()
    assert (one["text"], one["project"]) == (RETRY, "web")
    assert one["suggested"] == {"route": "project", "project": "web", "task": None}


def test_a_session_below_the_projects_folder(built, code, session):
    (code / "src").mkdir()
    session(code / "src", RETRY)
    assert orphans(built)[RETRY]["project"] == "web"


def test_a_folder_whose_name_only_begins_so_is_elsewhere(built, code, session):
    session(f"{code}-other", RETRY)
    assert orphans(built) == {}


def test_a_session_elsewhere_is_not_read(built, tmp_path, session):
    session(tmp_path / "elsewhere", RETRY)
    assert orphans(built) == {}


def test_a_session_in_the_vault(built, session):
    session(built.root, RETRY)
    session(built.path("projects/web"), ROTATE, name="an0ther")
    found = orphans(built)
    assert set(found) == {RETRY, ROTATE}
    assert found[ROTATE]["project"] == "web"


def test_a_home_in_the_path_is_understood(vault, home, session):
    built = vault({"projects/web/todos.md": ""}, config='[projects.web]\npaths = ["~/code/web"]\n', trusted=True)
    session(home / "code" / "web", RETRY)
    assert orphans(built)[RETRY]["project"] == "web"


def test_a_link_to_the_folder_is_the_folder(built, code, tmp_path, session):
    link = tmp_path / "link"
    link.symlink_to(code, target_is_directory=True)
    session(link, RETRY)
    assert orphans(built)[RETRY]["project"] == "web"


def test_the_inner_of_two_projects_is_meant(vault, code, session):
    inner = code / "packages" / "api"
    inner.mkdir(parents=True)
    config = f"[projects.web]\npaths = ['{code}']\n[projects.api]\npaths = ['{inner}']\n"
    session(inner, RETRY)
    assert orphans(vault(config=config, trusted=True))[RETRY]["project"] == "api"


def test_a_linked_git_worktree_of_the_project(built, code, tmp_path, session):
    tree = tmp_path / "trees" / "feature"

    def git(*words):
        author = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
        subprocess.run(["git", "-C", code, *author, *words], check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "-m", "first")
    git("worktree", "add", tree)
    (tree / "src").mkdir()
    session(tree / "src", RETRY)
    assert orphans(built)[RETRY]["project"] == "web"


def test_another_repositorys_worktree_is_elsewhere(built, tmp_path, session):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {tmp_path}/other/.git/worktrees/tree\n", "utf-8")
    session(tree, RETRY)
    assert orphans(built) == {}


@pytest.mark.parametrize("words", ["", "gitdir:", "gitdir: x", "\x00", "gitdir: ../../.git/modules/sub"])
def test_a_git_file_that_says_nothing_useful(built, tmp_path, session, words):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text(words, "utf-8")
    session(tree, RETRY)
    assert orphans(built) == {}


class TestSinceTheLastWrap:
    def test_the_first_time_those_inside_the_look_back(self, built, code, session):
        session(code, RETRY, name="recent", days_ago=29)
        session(code, ROTATE, name="ancient", days_ago=31)
        assert set(orphans(built)) == {RETRY}

    def test_what_did_not_change_since_is_not_read_again(self, built, code, session):
        session(code, RETRY, days_ago=3)
        wrap("--no-prompt", vault=built, today="2026-04-22")
        assert talks.pending(built) == [RETRY]
        built.path(".wrapgen/state/pending.jsonl").unlink()
        assert orphans(built) == {}

    def test_what_changed_since_is(self, built, code, session):
        session(code, RETRY, name="before", days_ago=3)
        wrap("--no-prompt", vault=built, today="2026-04-22")
        session(code, ROTATE, name="after", days_ago=0)
        assert set(orphans(built, today="2026-04-25")) == {RETRY, ROTATE}

    def test_asking_for_orphans_is_no_wrap(self, built, code, session):
        session(code, RETRY)
        orphans(built)
        built.path(".wrapgen/state/pending.jsonl").unlink()
        assert set(orphans(built)) == {RETRY}

    def test_what_waits_is_among_them(self, built, talk, code, session):
        talks.orphans(built, talk(GUIDE))
        session(code, RETRY)
        assert set(orphans(built)) == {GUIDE, RETRY}


class TestOneOrphan:
    def test_a_resumed_copy_is_a_mention(self, built, code, session):
        first = session(code, RETRY, name="first", days_ago=2)
        second = session(code, RETRY, name="second", days_ago=1)
        (one,) = orphans(built).values()
        mentions = {one["transcript"], *(also["transcript"] for also in one["also"])}
        assert mentions == {str(first), str(second)}
        assert len(one["also"]) == 1

    def test_a_copy_that_comes_later_waits_once(self, built, code, session):
        session(code, RETRY, name="first")
        orphans(built)
        session(code, RETRY, name="second")
        assert set(orphans(built)) == {RETRY}
        assert talks.pending(built) == [RETRY]


class TestFilesOfTheHosts:
    def test_sub_agents_are_not_read(self, built, code, session):
        session(code, RETRY, name="agent-77")
        session(code, ROTATE, name="agent-78", below="5e551011/subagents")
        session(code, GUIDE)
        assert set(orphans(built)) == {GUIDE}

    @pytest.mark.parametrize("data", [b"", b"\x00\x01", b"{", b"[]\n", b'{"type":"summary","summary":"x"}\n'])
    def test_a_file_that_says_nothing_does_no_harm(self, built, code, session, data):
        session(code, name="odd", data=data)
        session(code, RETRY)
        assert set(orphans(built)) == {RETRY}

    def test_a_session_whose_first_lines_name_no_folder(self, built, code, session):
        first = talks.json_lines([{"type": "summary", "summary": "A talk"}, {"type": "file-history-snapshot"}])
        session(code, data=first + talks.claude(said(RETRY), cwd=str(code)))
        assert set(orphans(built)) == {RETRY}

    def test_another_place_of_the_hosts_files(self, built, code, home, session, monkeypatch):
        file = session(code, RETRY)
        elsewhere = home / "moved" / "projects" / "x"
        elsewhere.mkdir(parents=True)
        file.rename(elsewhere / file.name)
        assert orphans(built) == {}
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "moved"))
        assert set(orphans(built)) == {RETRY}

    @pytest.mark.parametrize("moved", [False, True])
    def test_codex(self, built, code, home, monkeypatch, moved):
        top = home / ("elsewhere" if moved else ".codex")
        folder = top / "sessions" / "2026" / "04" / "24"
        folder.mkdir(parents=True)
        if moved:
            monkeypatch.setenv("CODEX_HOME", str(top))
        file = folder / "rollout-2026-04-24T10-00-00-c0de.jsonl"
        file.write_bytes(talks.codex(said(RETRY), cwd=str(code)))
        os.utime(file, (NOW.timestamp(), NOW.timestamp()))
        assert orphans(built)[RETRY]["project"] == "web"

    def test_no_host_at_all(self, built):
        assert orphans(built) == {}


class TestKeptInTheVault:
    """Conversations that `sources.transcripts` names: they belong to the vault, whatever folder they ran in."""

    CONFIG = '[sources]\ntranscripts = [".specstory/history/*.md", "talks/*.json"]\n'

    @pytest.mark.parametrize("path", [".specstory/history/a.md", "talks/a.json"])
    def test_they_are_read_once(self, vault, path):
        form = talks.specstory if path.endswith(".md") else talks.neutral
        built = vault({path: form(said(RETRY))}, config=self.CONFIG)
        assert set(orphans(built)) == {RETRY}
        wrap("--no-prompt", vault=built, today=None)
        [waiting] = wrap("orphans", "--json", vault=built, today=None).json["orphans"]
        assert waiting["text"] == RETRY
        talks.route(built, built.write("answers.json", ""), talks.answer(waiting["id"], "skip"))
        assert orphans(built, today=None) == {}

    def test_others_are_not_read_and_none_outside(self, vault, tmp_path):
        (tmp_path / "outside.json").write_bytes(talks.neutral(said(ROTATE)))
        built = vault({"notes/a.json": talks.neutral(said(RETRY)), "talks/README": ""}, config=self.CONFIG)
        (built.root / "talks" / "link.json").symlink_to(tmp_path / "outside.json")
        (built.root / ".specstory").symlink_to(tmp_path, target_is_directory=True)
        assert orphans(built) == {}
        outside = vault({}, config="[sources]\ntranscripts = ['../*.json']\n", name="other")
        assert "leads outside the vault" in wrap("orphans", vault=outside).err

    def test_what_is_no_conversation_does_no_harm(self, vault):
        built = vault({"talks/a.json": "{}", "talks/b.json": talks.neutral(said(RETRY))}, config=self.CONFIG)
        assert set(orphans(built)) == {RETRY}


def test_wrap_asks_about_them_too(built, code, session):
    session(code, RETRY, ROTATE)
    result = wrap("--no-prompt", vault=built)
    assert result.out.splitlines()[-1].endswith("follow-ups 2: durable 0, routed 0, skipped 0, pending 2")


def test_conversations_that_a_hook_was_told_of_are_read_for_trusted_vaults_alone(projects, talk, tmp_path):
    """The notes of hooks may have come with somebody's vault, and name anybody's conversations."""
    file = talk("add retry to the uploader", name="of-somebody-else.json", changed=TODAY)
    session_registry.tell(
        str(projects.root), session_registry.RegisteredSession("s", transcript=str(file), cwd=str(tmp_path))
    )
    assert wrap("orphans", "--json", vault=projects).json["orphans"] == []
    assert "names 1 conversation to read" in wrap("trust", vault=projects).out
    assert [one["text"] for one in wrap("orphans", "--json", vault=projects).json["orphans"]] == [
        "add retry to the uploader"
    ]


@pytest.mark.slow
def test_a_conversation_that_is_told_of_after_a_wrap_that_began_after_its_last_line(projects, talk, tmp_path):
    """Of many sessions that end at once one begins the wrap, and others have not told of themselves yet."""
    file = talk("add retry to the uploader", name="late.json", changed=TODAY)
    wrap("trust", vault=projects)
    wrap("--no-prompt", vault=projects, today=None)
    assert wrap("orphans", "--json", vault=projects, today=None).json["orphans"] == []
    session_registry.tell(
        str(projects.root), session_registry.RegisteredSession("s", transcript=str(file), cwd=str(tmp_path))
    )
    assert [one["text"] for one in wrap("orphans", "--json", vault=projects, today=None).json["orphans"]] == [
        "add retry to the uploader"
    ]
