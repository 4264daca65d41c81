"""What the stages decided is kept while nothing changes, and not a moment longer."""

import shutil
import time

import pytest

from tests.clones import started
from tests.support import audit, journal, next_list, wrap
from wrapgen.pipeline.settle import settle as really_settle
from wrapgen.workflows import settled_run, summary_files

NOTES = {
    **journal("2026-04-22", next_list("Fix the login of the portal", "Sweep the yard", heading="### Next")),
    **journal("2026-04-23", "### Done\n\n- Fix the login of the portal\n\n### Next\n\n- (web) Deploy 1.2\n"),
    "projects/web/todos.md": "## Next Session\n\n- [ ] Deploy 1.2 to staging\n- [ ] Ask Kim about the invoice\n",
}


@pytest.fixture
def asked(monkeypatch):
    """How often the stages were asked."""
    times = []

    def settle(*given):
        times.append(given)
        return really_settle(*given)

    monkeypatch.setattr(settled_run, "_LEAST", 1)
    monkeypatch.setattr("wrapgen.pipeline.settle.settle", settle)
    return times


@pytest.fixture
def notes(vault):
    """A vault in which a rebuild has been made, and whose files are no longer young."""
    built = vault(NOTES)
    time.sleep(0.1)
    assert wrap("regen", vault=built).code == 0
    return built


def test_the_second_look_asks_nobody(notes, asked):
    first = wrap("list", vault=notes).out
    assert len(asked) == 1
    assert wrap("list", vault=notes).out == first
    assert audit(notes).json["items"]
    assert wrap("explain", "1", vault=notes).code == 0
    assert len(asked) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda notes: notes.write("projects/web/todos.md", "## Next Session\n\n- [ ] Deploy 1.3 to staging\n"),
        lambda notes: notes.write("wrapgen.toml", "cap = 1\n"),
        lambda notes: wrap("snooze", "Sweep the yard", "3d", vault=notes),
        lambda notes: wrap("keep", "Fix the login of the portal", vault=notes),
        lambda notes: notes.path("journals/2026/04/2026-04-23.md").unlink(),
        lambda notes: notes.path("projects/web").rename(notes.path("projects/api")),
    ],
    ids=["a note", "the configuration", "snoozed", "kept", "a note is gone", "a project is renamed"],
)
def test_a_change_is_seen(notes, asked, change):
    before = audit(notes).json["items"]
    change(notes)
    after = audit(notes).json["items"]
    assert after != before
    notes.path(".wrapgen/cache/settled").unlink()
    assert audit(notes).json["items"] == after


def test_another_day_is_another_run(notes, asked):
    audit(notes)
    audit(notes, today="2026-06-01")
    assert len(asked) == 2


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_another_commit_may_date_ticks_otherwise(notes, asked):
    clone = started(notes)
    audit(notes)
    clone.git("commit", "-qm", "More", "--allow-empty")
    audit(notes)
    assert len(asked) == 2


def test_a_note_that_is_young_may_change_within_the_clocks_grain(notes, asked):
    notes.write("projects/web/todos.md", "## Next Session\n\n- [ ] Deploy 1.3 to staging\n")
    audit(notes)
    audit(notes)
    assert len(asked) == 2


def test_a_look_makes_no_cache_where_there_is_none(vault, asked):
    built = vault(NOTES)
    time.sleep(0.1)
    audit(built)
    audit(built)
    assert (len(asked), built.path(".wrapgen").exists()) == (2, False)


def test_a_file_that_does_not_fit_is_no_reason_to_say_anything_else(notes, asked):
    good = audit(notes).json["items"]
    file = notes.path(".wrapgen/cache/settled")
    file.write_bytes(file.read_bytes()[:-3])
    assert audit(notes).json["items"] == good
    assert len(asked) == 2


def test_only_what_has_words_like_another_entrys_is_compared(notes, asked, monkeypatch):
    monkeypatch.setattr(summary_files, "_MANY", 1)
    notes.write("projects/web/todos.md", "## Next Session\n\n- [ ] Ask Kim about the invoice\n- [ ] Deploy 1.2\n")
    audit(notes)
    journals = {("journals/2026/04/2026-04-22.md", 3), ("journals/2026/04/2026-04-23.md", 3)}
    assert asked[-1][1].alike == journals | {("journals/2026/04/2026-04-23.md", 7), ("projects/web/todos.md", 4)}


def test_a_vault_that_was_never_compared_is_compared_whole(notes, asked):
    notes.path(".wrapgen/cache/summaries").unlink()
    audit(notes)
    assert asked[-1][1].alike is None
