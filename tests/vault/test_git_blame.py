"""A tick means the day of its line's commit, not the day of the checkout."""

import shutil
import subprocess

import pytest

from tests.clones import cloned, opened, started
from tests.followups import talks
from tests.support import audit, journal, next_list, wrap
from wrapgen.vault import cache, git_blame
from wrapgen.vault.git import Git
from wrapgen.vault.git_blame import line_days

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
LISTED = "projects/web/todos.md"
OPEN = journal("2026-04-20", next_list("(web) Fix the login form")) | journal(
    "2026-04-22", next_list("(web) Add the upload retry")
)
TICKS = "## Backlog\n- [x] Fix the login form\n- [x] Add the upload retry\n"
FENCE, SHELVES = "Paint the wooden garden fence", "Sort the workshop shelves"
THE_FIRST = {"Fix the login form": "resolved", "Add the upload retry": "shown"}


def days(clone, path=LISTED):
    return {line: day.isoformat() for line, day in line_days(Git(clone.root), path).items()}


def asked(monkeypatch):
    """The git commands that are run, each with its last word."""
    commands = []
    run = subprocess.run

    def noted(words, **options):
        if words[:2] == ["git", "--no-pager"]:
            commands.append((words[4], words[-1]))
        return run(words, **options)

    monkeypatch.setattr(subprocess, "run", noted)
    return commands


def test_the_commit_of_the_line_counts(vault):
    built = vault({**OPEN, LISTED: TICKS})
    started(built, "2026-04-21")
    assert audit(built).fates == THE_FIRST


def test_a_line_that_is_not_committed_has_the_time_of_its_file(vault):
    built = vault({**OPEN, LISTED: TICKS.replace("- [x] Add the upload retry\n", "")})
    started(built, "2026-04-19")
    built.write(LISTED, TICKS, changed="2026-04-23")
    assert audit(built).fates == {"Fix the login form": "shown", "Add the upload retry": "resolved"}


def test_a_box_without_a_day_that_was_committed_after_the_tick_stays_open(vault):
    built = vault({"projects/web/PROGRESS.md": "- [x] Fix the login form\n- [x] Add the upload retry\n"})
    built.write(LISTED, "- [ ] Add the upload retry\n")
    clone = started(built, "2026-01-01")
    built.write(LISTED, "- [ ] Add the upload retry\n- [ ] Fix the login form\n")
    clone.commit("2026-04-20")
    result = audit(built)
    assert result.fates == {"Fix the login form": "shown", "Add the upload retry": "resolved"}
    (doubted,) = result.json["probably_done"]
    assert doubted["doubt"] == "added later: 2026-04-20, finished 2026-01-01"


def test_a_tick_of_an_old_next_list_is_dated_by_its_line_and_one_of_a_done_list_by_its_journal(vault):
    old = next_list("[x] Fix the login form") + "## Done\n\n- [x] Add the upload retry\n"
    built = vault({"projects/web/PROGRESS.md": "", **OPEN} | journal("2026-04-18", old))
    started(built, "2026-04-21")
    assert audit(built).fates == THE_FIRST


def test_a_vault_that_is_no_repository(vault):
    built = vault({**OPEN, LISTED: TICKS})
    assert audit(built).fates == {"Fix the login form": "resolved", "Add the upload retry": "resolved"}


@pytest.mark.parametrize("zone", ["+0900", "-0330", "+9900", "-2400", "+51800"])
def test_the_zone_of_the_committer_counts_where_there_is_such_a_one(vault, zone):
    """Tools that import histories have written zones that no place on earth has."""
    built = started(vault({**OPEN, LISTED: TICKS}), "2026-04-21")
    rewrite_last_commit(built, lambda made: made.replace("+0000", zone))
    assert audit(built).fates == {"Fix the login form": "resolved", "Add the upload retry": "shown"}


def rewrite_last_commit(built, change):
    """Put another commit in the place of the last one."""
    made = change(built.git("cat-file", "commit", "HEAD"))
    other = subprocess.run(
        ["git", "hash-object", "--literally", "-t", "commit", "-w", "--stdin"],
        cwd=built.root, input=made.encode(), capture_output=True, check=True,
    )  # fmt: skip
    built.git("reset", "-q", "--soft", other.stdout.decode().strip())


def test_a_repository_without_a_commit(vault):
    built = vault({**OPEN, LISTED: TICKS})
    subprocess.run(["git", "init", "-q"], cwd=built.root, check=True)
    assert audit(built).fates == {"Fix the login form": "resolved", "Add the upload retry": "resolved"}


class TestClones:
    def test_the_time_of_a_checkout_says_nothing(self, vault):
        first = started(vault({**OPEN, LISTED: TICKS}), "2026-04-21")
        assert audit(cloned(first, "ann")).items == audit(first).items

    def test_a_merged_line_has_the_day_of_its_own_commit_and_not_that_of_the_merge(self, vault):
        first = started(vault({LISTED: "## Backlog\n- [ ] One\n"}), "2026-04-01")
        ann = cloned(first, "ann")
        first.write(LISTED, "## Backlog\n- [x] One\n", changed="2026-04-05")
        first.commit("2026-04-05")
        ann.write("projects/infra/todos.md", "- [x] Two\n")
        ann.commit("2026-04-10")
        ann.git("pull", "-q", "--no-rebase", "--no-edit", day="2026-04-20")
        assert days(ann) == {1: "2026-04-01", 2: "2026-04-05"}
        assert days(ann, "projects/infra/todos.md") == {1: "2026-04-10"}

    def test_the_day_is_that_of_the_committer(self, vault):
        first = started(vault({LISTED: TICKS}), "2026-04-21")
        first.git("-c", "user.name=a", "commit", "-q", "--amend", "--no-edit", day="2026-04-22")
        assert set(days(first).values()) == {"2026-04-22"}


class TestGitItself:
    def test_without_any_git_is_not_asked(self, vault, monkeypatch):
        built = vault(OPEN)
        commands = asked(monkeypatch)
        audit(built)
        assert commands == []

    def test_revisions_that_this_clone_alone_passes_over(self, vault):
        first = started(vault({LISTED: TICKS}), "2026-04-19")
        first.write(LISTED, TICKS.upper(), changed="2026-04-21")
        first.commit("2026-04-21")
        first.write("passed-over", first.git("rev-parse", "HEAD"))
        first.git("config", "blame.ignoreRevsFile", "passed-over")
        assert days(first) == {1: "2026-04-21", 2: "2026-04-21", 3: "2026-04-21"}

    def test_a_commit_of_a_year_that_no_calendar_has(self, vault):
        first = started(vault({LISTED: TICKS}), "2026-04-21")
        tree, parent = first.git("rev-parse", "HEAD^{tree}", "HEAD").split()
        who = "a <a@b> 999999999999999 +0000"
        text = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nnotes\n"
        made = subprocess.run(
            ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
            cwd=first.root, input=text.encode(), capture_output=True, check=True,
        )  # fmt: skip
        first.git("update-ref", "HEAD", made.stdout.decode().strip(), parent)
        assert days(first) == {}

    def test_lines_that_look_like_what_git_says(self, vault):
        text = f"committer-time 1\n{'a' * 40} 1 3 1\n- [x] One\n"
        assert set(days(started(vault({LISTED: text}), "2026-04-21")).values()) == {"2026-04-21"}


class TestRemembered:
    """What git said is remembered until the file changes, or a commit touches it; a clone that never asked agrees."""

    OTHER = "projects/apä/todos.md"
    AGAIN = journal("2026-04-23", next_list(f"(apä) {FENCE}", f"(apä) {SHELVES}"))

    @pytest.fixture
    def clone(self, vault, monkeypatch):
        monkeypatch.setattr(cache, "_TICK_NS", 0)
        notes = {
            **OPEN,
            **self.AGAIN,
            LISTED: TICKS,
            self.OTHER: f"- [x] {FENCE}\n",
            ".gitignore": "ACTIVE-STATUS.md\n",
        }
        clone = started(vault(notes), "2026-04-19")
        assert wrap("regen", vault=clone).code == 0
        return clone

    @pytest.fixture
    def blamed(self, clone, monkeypatch):
        """The files that git is asked about by a rebuild, which gives what one without any memory gives."""
        commands = asked(monkeypatch)

        def rebuild():
            commands.clear()
            assert wrap("regen", vault=clone).code == 0
            found = sorted(path for what, path in commands if what == "blame")
            page = clone.page
            shutil.move(clone.path(".wrapgen/cache"), clone.path(".wrapgen/aside"))
            assert wrap("regen", "--check", vault=clone).code == 0, page
            shutil.rmtree(clone.path(".wrapgen/cache"), ignore_errors=True)
            shutil.move(clone.path(".wrapgen/aside"), clone.path(".wrapgen/cache"))
            return found

        return rebuild

    def test_nothing_changed(self, blamed):
        assert blamed() == []

    @pytest.mark.slow
    def test_a_commit_asks_about_what_it_touches(self, clone, blamed):
        clone.write(self.OTHER, f"- [x] {FENCE}\n- [x] {SHELVES}\n", changed="2026-04-20")
        assert blamed() == [self.OTHER]
        clone.commit("2026-04-20")
        assert blamed() == [self.OTHER]
        assert blamed() == []

    def test_a_signed_commit_runs_no_program_of_the_repository(self, clone, blamed):
        mark = clone.root.parent / "was-run"
        (program := clone.root.parent / "gpg").write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
        program.chmod(0o755)
        clone.git("config", "gpg.program", str(program))
        clone.git("config", "log.showSignature", "true")
        tree, parent = clone.git("rev-parse", "HEAD^{tree}", "HEAD").split()
        signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----"
        who = "a <a@b> 1776945600 +0000"
        text = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n{signature}\n\nnotes\n"
        made = subprocess.run(
            ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
            cwd=clone.root, input=text.encode(), capture_output=True, check=True,
        )  # fmt: skip
        clone.git("update-ref", "HEAD", made.stdout.decode().strip())
        assert blamed() == []
        assert not mark.exists()
        clone.git("log", "-1")
        assert mark.exists()

    def test_a_line_that_went_and_came_back(self, clone, blamed):
        for text, day in ((f"- [ ] {FENCE}\n", "2026-04-20"), (f"- [x] {FENCE}\n", "2026-04-21")):
            clone.write(self.OTHER, text, changed=day)
            clone.commit(day)
        clone.touch(self.OTHER, "2026-04-24")
        assert blamed() == [self.OTHER]

    @pytest.mark.slow
    def test_a_merge_another_branch_and_an_amended_commit_ask_anew(self, clone, blamed):
        clone.git("checkout", "-q", "-b", "side")
        clone.write(self.OTHER, f"- [x] {SHELVES}\n", changed="2026-04-20")
        clone.commit("2026-04-20")
        assert blamed() == [self.OTHER]
        clone.git("commit", "-q", "--amend", "-m", "anew", day="2026-04-22")
        assert blamed() == [self.OTHER, LISTED]
        clone.git("checkout", "-q", "main")
        assert blamed() == [self.OTHER, LISTED]
        clone.git("merge", "-q", "--no-ff", "--no-edit", "side")
        assert blamed() == [self.OTHER, LISTED]


class TestNoAnswer:
    """A tick of which git knows no day resolves nothing that is dated: the day of a checkout would resolve all."""

    RAISED_AGAIN = ("Fix the login form of members", "Add the upload retry of photos")

    @pytest.fixture
    def first(self, vault):
        ticks = "".join(f"- [x] {one}\n" for one in self.RAISED_AGAIN)
        first = started(vault({LISTED: ticks}), "2026-04-10")
        first.write("journals/2026/04/2026-04-20.md", next_list(*(f"(web) {one}" for one in self.RAISED_AGAIN)))
        first.commit("2026-04-20")
        return first

    def test_a_shallow_clone_knows_no_day_before_it(self, first):
        clone = cloned(first, "ann", "--depth", "1")
        assert audit(clone).fates == dict.fromkeys(self.RAISED_AGAIN, "shown")
        clone.git("fetch", "-q", "--unshallow")
        assert days(clone) == {1: "2026-04-10", 2: "2026-04-10"}

    def test_what_is_ticked_in_a_shallow_clone_counts(self, first):
        clone = cloned(first, "ann", "--depth", "1")
        clone.write(LISTED, f"- [x] {self.RAISED_AGAIN[1]}\nand more\n- [x] {self.RAISED_AGAIN[0]}\n")
        clone.commit("2026-04-22")
        assert "resolved" in audit(clone).fates.values()

    @pytest.mark.parametrize("way", ["no git", "another user's"])
    def test_git_that_does_not_answer(self, first, monkeypatch, way):
        clone = cloned(first, "ann")
        if way == "no git":
            monkeypatch.setenv("PATH", "")
        else:
            monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        assert audit(clone).fates == dict.fromkeys(self.RAISED_AGAIN, "shown")

    def test_a_repository_without_commits_dates_nothing(self, vault):
        built = vault({**OPEN, LISTED: TICKS})
        opened(built.root).git("init", "-q")
        assert set(audit(built).fates.values()) == {"resolved"}

    def test_a_file_that_git_does_not_know_has_its_own_day(self, vault):
        built = vault(OPEN)
        started(built, "2026-04-21")
        built.write(LISTED, TICKS, changed="2026-04-23")
        assert set(audit(built).fates.values()) == {"resolved"}


class TestOfWhatMatters:
    """By default git is asked only about files whose ticks match an open item, and once."""

    RAISED_AGAIN = ("Fix the login form of members", "Add the upload retry of photos", "Write the export of invoices")
    OTHER = "projects/web/PROGRESS.md"

    @pytest.fixture
    def clone(self, vault, monkeypatch):
        monkeypatch.setattr(cache, "_TICK_NS", 0)
        ticks = "## Backlog\n\n" + "".join(f"- [x] {one}\n" for one in self.RAISED_AGAIN)
        other = "- [x] Paint the old garden fence\n"
        first = vault({LISTED: ticks, self.OTHER: other, ".gitignore": "ACTIVE-STATUS.md\n.wrapgen\n.agents\n"})
        first = started(first, "2026-04-10")
        first.write("journals/2026/04/2026-04-20.md", next_list(*(f"(web) {one}" for one in self.RAISED_AGAIN)))
        first.commit("2026-04-20")
        return cloned(first, "ann")

    def test_what_was_raised_again_stays_open_in_a_clone(self, clone):
        assert audit(clone).fates == dict.fromkeys(self.RAISED_AGAIN, "shown")
        assert "finished too early: 2026-04-10" in wrap("explain", "upload", vault=clone).out

    def test_every_way_to_rebuild_says_the_same(self, clone):
        assert wrap("regen", vault=clone).code == 0
        page = clone.page
        assert all(one in page for one in self.RAISED_AGAIN)
        assert wrap("--no-prompt", vault=clone).code == 0
        assert clone.page == page

    def test_git_is_asked_once_and_about_nothing_else(self, clone, monkeypatch):
        commands = asked(monkeypatch)
        assert wrap("regen", vault=clone).code == 0
        assert [path for what, path in commands if what == "blame"] == [LISTED]
        commands.clear()
        clone.write(self.OTHER, "- [x] Paint the new garden fence\n")
        for words in (("regen",), ("--no-prompt",), ("list",)):
            assert wrap(*words, vault=clone).code == 0
        assert not [path for what, path in commands if what == "blame"]
        clone.touch(LISTED, "2026-04-23")
        assert audit(clone).fates == dict.fromkeys(self.RAISED_AGAIN, "shown")
        assert [path for what, path in commands if what == "blame"] == [LISTED]

    def test_a_commit_dates_a_tick_that_had_none(self, clone):
        clone.write(LISTED, "- [x] Write the export of invoices\n- [ ] Water the plants\n", changed="2026-04-19")
        clone.git("commit", "-q", "--allow-empty", "-m", "empty", day="2026-04-19")
        assert wrap("regen", vault=clone).code == 0
        assert self.RAISED_AGAIN[2] in clone.page
        clone.git("rm", "-q", "--cached", LISTED)
        clone.git("commit", "-q", "-m", "gone", day="2026-04-21")
        clone.commit("2026-04-22")
        assert wrap("regen", vault=clone).code == 0
        assert self.RAISED_AGAIN[2] not in clone.page

    def test_what_git_does_not_say_in_time_proves_nothing_and_is_asked_again(self, clone, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(git_blame, "_PATIENCE", 0.0)
            assert wrap("regen", vault=clone).code == 0
            assert all(one in clone.page for one in self.RAISED_AGAIN)
        commands = asked(monkeypatch)
        assert wrap("regen", vault=clone).code == 0
        assert [path for what, path in commands if what == "blame"] == [LISTED]

    def test_a_follow_up_said_again_is_not_held_by_an_old_tick(self, clone, tmp_path):
        talk = tmp_path / "talk.json"
        talk.write_bytes(talks.neutral(talks.said("paint the old garden fence")))
        found = wrap("orphans", "--json", "--transcript", talk, vault=clone).json
        assert [one["text"] for one in found["orphans"]] == ["paint the old garden fence"]
