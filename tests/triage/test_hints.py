"""Facts that help to judge an item."""

from datetime import date

from wrapgen.model import Evidence, Item
from wrapgen.notes import Kind
from wrapgen.text.folding import fold
from wrapgen.triage.hints import CommitHints, FinishedLines, files_named, note_status
from wrapgen.vault.git import Commit


def item(text, raised=None, context=()):
    return Item("a" * 12, text, Kind.LISTS, "docs/plan.md", 4, fold(text), raised=raised, context=context)


def done(text, path="log.md", line=1):
    return Evidence(text, path, line, fold(text), Kind.LISTS, listed=False, day=date(2026, 4, 2))


def commit(number, subject, day=date(2026, 4, 20), *paths):
    return Commit(f"{number:07x}", day, subject, frozenset(paths))


def test_the_likest_finished_lines_come_first_and_are_two_at_most():
    lines = FinishedLines(
        [done("Rotate the keys of staging", line=1), done("Buy milk", line=2), done("Rotate the staging keys", line=3)]
    )
    assert [one.at for one in lines.like(item("Rotate the staging keys again"))] == ["log.md:3", "log.md:1"]
    assert lines.like(item("Paint the fence")) == []


def test_commits_that_share_rare_words_since_the_item():
    commits = CommitHints(
        [
            commit(1, "Rotate staging credentials"),
            commit(2, "Rotate staging keys", date(2026, 3, 1)),
            commit(3, "Rotate logs"),
            commit(4, "Docs"),
        ]
    )
    found = commits.about(item("Rotate the staging keys", raised=date(2026, 4, 1)))
    assert [one.at for one in found] == ["commit:0000001"]
    assert {one.at for one in commits.about(item("Rotate the staging keys"))} == {"commit:0000001", "commit:0000002"}


def test_words_of_many_commits_tell_nothing():
    commits = CommitHints([commit(number, "Update the docs page") for number in range(30)])
    assert commits.about(item("Update the docs page")) == []


def test_a_file_that_was_quiet_while_the_repository_moved():
    busy = [commit(number, "work", date(2026, 4, 20), "src/a.py") for number in range(6)]
    commits = CommitHints([*busy, commit(9, "plan", date(2026, 2, 1), "docs/plan.md")])
    (hint,) = commits.quiet("docs/plan.md")
    assert (hint.kind, hint.at) == ("quiet", "commit:0000009")
    assert "6 commits elsewhere" in hint.text
    assert commits.quiet("src/a.py") == []
    assert commits.quiet("docs/other.md") == []


def test_files_that_an_item_names():
    assert files_named(item("Write `src/app/retry.py` and README.md, e.g. soon", context=("setup.cfg",))) == [
        "setup.cfg", "src/app/retry.py", "README.md",
    ]  # fmt: skip


def test_what_a_note_says_of_itself():
    (hint,) = note_status("docs/plan.md", ["# Plan", "", "**Status:** shipped in April"])
    assert (hint.at, hint.text) == ("docs/plan.md:3", "**Status:** shipped in April")
    assert note_status("docs/plan.md", ["# Status page", "- status quo stays"]) == []
