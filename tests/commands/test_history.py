"""What a rebuild adds to the history, from the notes on."""

import os
import shutil

import pytest

from tests.followups import talks
from tests.followups.conftest import PROJECTS
from tests.followups.talks import RETRY, ROTATE, answer
from tests.support import journal, next_list, wrap
from tests.trend.kit import last, lines
from wrapgen.vault import run_history

YESTERDAY, LATER = "2026-04-23", "2026-04-27"
NOTES = {
    **journal(YESTERDAY, next_list("(web) Fix the login", "(web) Add the retry", "Call the plumber again")),
    **journal("2026-01-05", next_list("Oldest of all")),
    "projects/web/todos.md": "## Next Session\n- [ ] Paint the door\n",
}


def rebuilt(built, today="2026-04-24"):
    """A rebuild; how many items are new and resolved by it."""
    before = sums(built)
    result = wrap("regen", vault=built, today=today)
    assert (result.code, result.err) == (0, "")
    return tuple(now - then for now, then in zip(sums(built), before, strict=True))


def sums(built):
    """How many items were new and resolved on all days."""
    days = run_history.days(built.root)
    return sum(one.new for one in days), sum(one.resolved for one in days)


def test_the_first_line_says_how_things_stand(vault):
    built = vault(NOTES)
    assert rebuilt(built) == (0, 0)
    found = last(built)
    assert str(found.day) == "2026-04-24"
    assert (found.collected, found.open, found.pending) == (5, 4, 0)
    assert found.fates == {"shown": 4, "resolved": 0, "duplicate": 0, "overflow": 0, "expired": 1}
    assert {kind: number for kind, number in found.sources.items() if number} == {"journal_next": 4, "project_todos": 1}
    assert found.projects == {"web": 3, "untagged": 1}
    assert found.median_age == 1
    assert (found.ages["under a week"], found.ages["undated"]) == (3, 1)


@pytest.mark.parametrize("words", [(), ("regen",), ("regen", "--json"), ("add", "Sweep the yard")])
def test_every_command_that_writes_the_page_adds_to_it(vault, words):
    built = vault(NOTES)
    assert wrap(*words, vault=built).code == 0
    assert len(lines(built)) == 1


@pytest.mark.parametrize("words", [("audit",), ("list",), ("regen", "--check")])
def test_a_command_that_writes_nothing_adds_nothing(vault, words):
    built = vault(NOTES)
    wrap(*words, vault=built)
    assert not built.path(run_history.FILE).exists()


@pytest.mark.slow
def test_an_unchanged_vault_adds_nothing_until_the_next_day(vault):
    built = vault(NOTES)
    rebuilt(built)
    before = built.path(run_history.FILE).read_bytes()
    for words in ((), ("regen",), ("regen", "--json")):
        assert wrap(*words, vault=built).code == 0
        assert built.path(run_history.FILE).read_bytes() == before
    rebuilt(built, "2026-04-25")
    assert len(lines(built)) == 2


def test_the_page_does_not_depend_on_it(vault):
    built = vault(NOTES)
    rebuilt(built)
    page = built.dashboard.read_bytes()
    built.write(run_history.FILE, b"nonsense\n")
    shutil.rmtree(built.path(".wrapgen/cache"))
    assert wrap("regen", vault=built).code == 0
    assert built.dashboard.read_bytes() == page


class TestNewAndResolved:
    def test_a_new_item(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        built.write("projects/web/todos.md", "## Next Session\n- [ ] Paint the door\n- [ ] Oil the hinges\n")
        assert rebuilt(built) == (1, 0)

    def test_a_ticked_one_and_one_that_a_journal_finishes(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        built.write("projects/web/todos.md", "## Next Session\n- [x] Paint the door\n")
        assert rebuilt(built) == (0, 1)
        built.write("journals/2026/04/2026-04-24.md", "## Done\n- Call the plumber again\n")
        assert rebuilt(built) == (0, 1)
        assert run_history.days(built.root)[-1].resolved == 2

    def test_one_that_is_carried_forward_is_neither(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        built.write("journals/2026/04/2026-04-24.md", next_list("(web) Fix the login"))
        assert rebuilt(built) == (0, 0)

    def test_one_that_is_moved_to_another_file_is_neither(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        built.write("projects/web/PROGRESS.md", "## Next Session\n- Paint the door\n")
        built.write("projects/web/todos.md", "## Next Session\n")
        assert rebuilt(built) == (0, 0)

    def test_one_that_is_said_again_in_other_words_is_neither(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        built.write("journals/2026/04/2026-04-24.md", next_list("(web) Fix the logins"))
        assert rebuilt(built) == (0, 0)
        assert last(built).fates["duplicate"] == 1
        built.path("journals/2026/04/2026-04-24.md").unlink()
        assert rebuilt(built)[0] == 0

    def test_one_that_expires_is_not_resolved(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        built.write("journals/2026/06/2026-06-01.md", "# Nothing\n")
        assert rebuilt(built, "2026-06-01") == (0, 0)
        assert (last(built).open, last(built).fates["expired"]) == (1, 4)

    def test_one_of_two_that_read_alike(self, vault):
        """In different projects they are two."""
        notes = {f"projects/{name}/todos.md": "## Next Session\n- [ ] Write the docs\n" for name in ("web", "api")}
        built = vault(notes)
        rebuilt(built)
        built.write("projects/api/todos.md", "## Next Session\n- [x] Write the docs\n")
        assert rebuilt(built) == (0, 1)

    def test_without_the_cache_nothing_is_known_of_the_rebuild_before(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        shutil.rmtree(built.path(".wrapgen/cache"))
        built.write("projects/web/todos.md", "## Next Session\n- [ ] Oil the hinges\n")
        assert rebuilt(built) == (0, 0)

    def test_a_back_fill_is_compared_with_nothing_later(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        built.write("projects/web/todos.md", "## Next Session\n")
        assert rebuilt(built, "2026-04-20") == (0, 0)
        assert [str(one.day) for one in run_history.days(built.root)] == ["2026-04-20", "2026-04-24"]


class TestPromises:
    """Follow-ups that were only said, written down by wrapgen, and done later."""

    @pytest.fixture
    def promised(self, vault, tmp_path):
        built = vault(PROJECTS)
        (tmp_path / "talk.json").write_bytes(talks.neutral(talks.said(RETRY, ROTATE)))
        ids = {one["text"]: one["id"] for one in talks.orphans(built, tmp_path / "talk.json").json["orphans"]}
        given = answer(ids[RETRY], "journal"), answer(ids[ROTATE], "project", project="web")
        assert talks.route(built, tmp_path / "answers.json", *given).code == 0
        return built

    def counted(self, built):
        rebuilt(built)
        return last(built).made, last(built).kept

    def test_made_and_not_kept_yet(self, promised):
        assert self.counted(promised) == (2, 0)
        assert last(promised).new == 0  # there was no rebuild to compare with

    def test_kept_when_the_box_is_ticked(self, promised):
        todos = promised.path("projects/web/todos.md").read_text("utf-8")
        promised.write("projects/web/todos.md", todos.replace(f"- [ ] {ROTATE}", f"- [x] {ROTATE}"))
        assert self.counted(promised) == (2, 1)

    def test_kept_when_a_later_journal_says_so(self, promised):
        promised.write(f"journals/2026/04/{LATER}.md", f"## Done\n- {RETRY}\n")
        rebuilt(promised, LATER)
        assert (last(promised).made, last(promised).kept) == (2, 1)

    def test_not_kept_when_it_expires(self, promised):
        promised.write("journals/2026/08/2026-08-01.md", "# Nothing\n")
        rebuilt(promised, "2026-08-01")
        assert (last(promised).made, last(promised).kept) == (2, 0)

    @pytest.mark.slow
    def test_no_longer_made_when_it_is_taken_back(self, promised):
        assert wrap("undo", vault=promised).code == 0
        assert self.counted(promised) == (0, 0)


class TestTrouble:
    """A history that cannot be written stops no rebuild."""

    def check(self, built):
        result = wrap("regen", vault=built)
        assert result.code == 0
        assert result.err.startswith("wrap: the dashboard is rebuilt, but not its history: ")
        assert "history.jsonl" in result.err
        assert result.err.count("\n") == 1
        assert built.dashboard.exists()

    def test_a_folder_stands_in_its_place(self, vault):
        built = vault(NOTES)
        built.path(run_history.FILE).mkdir(parents=True)
        self.check(built)

    @pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
    def test_a_link_to_a_note_stands_in_its_place(self, vault):
        built = vault(NOTES)
        built.path(".wrapgen").mkdir()
        built.path(run_history.FILE).symlink_to(built.path("projects/web/todos.md"))
        self.check(built)
        assert built.path("projects/web/todos.md").read_text("utf-8") == NOTES["projects/web/todos.md"]

    def test_the_next_rebuild_of_an_unchanged_vault_adds_what_is_missing(self, vault):
        built = vault(NOTES)
        built.path(run_history.FILE).mkdir(parents=True)
        self.check(built)
        built.path(run_history.FILE).rmdir()
        rebuilt(built)
        assert len(lines(built)) == 1

    def test_what_was_not_written_is_not_forgotten(self, vault):
        built = vault(NOTES)
        rebuilt(built)
        kept = built.path(run_history.FILE).rename(built.root / "kept")
        built.path(run_history.FILE).mkdir()
        built.write("projects/web/todos.md", "## Next Session\n")
        self.check(built)
        built.path(run_history.FILE).rmdir()
        kept.rename(built.path(run_history.FILE))
        built.write("projects/web/todos.md", "## Next Session\n- [ ] Oil the hinges\n")
        assert rebuilt(built) == (1, 1)
