"""`dates = "git"`: a tick means the day of its line's commit, not the day of the checkout."""

import os
import re
import shutil
import subprocess

import pytest

from tests.support import audit, journal, next_list

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
LISTED = "projects/web/todos.md"
OPEN = journal("2026-04-20", next_list("(web) Fix the login")) | journal("2026-04-22", next_list("(web) Add the retry"))
TICKS = "## Backlog\n- [x] Fix the login\n- [x] Add the retry\n"


def git(built, *words, day=None):
    when = {"GIT_AUTHOR_DATE": f"{day}T12:00:00+0000", "GIT_COMMITTER_DATE": f"{day}T12:00:00+0000"} if day else {}
    who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
    who |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}
    subprocess.run(["git", *words], cwd=built.root, check=True, capture_output=True, env={**os.environ, **who, **when})


def commit(built, day):
    git(built, "init", "-q")
    git(built, "add", "-A")
    git(built, "commit", "-q", "-m", "notes", day=day)


def test_by_default_the_time_of_the_file_counts(vault):
    built = vault({**OPEN, LISTED: TICKS})
    commit(built, "2026-04-21")
    assert audit(built).fates == {"Fix the login": "resolved", "Add the retry": "resolved"}


def test_the_commit_of_the_line_counts(vault):
    built = vault({**OPEN, LISTED: TICKS}, config='dates = "git"\n')
    commit(built, "2026-04-21")
    assert audit(built).fates == {"Fix the login": "resolved", "Add the retry": "shown"}


def test_a_line_that_is_not_committed_has_the_time_of_its_file(vault):
    built = vault({**OPEN, LISTED: TICKS.replace("- [x] Add the retry\n", "")}, config='dates = "git"\n')
    commit(built, "2026-04-19")
    built.write(LISTED, TICKS, changed="2026-04-23")
    assert audit(built).fates == {"Fix the login": "shown", "Add the retry": "resolved"}


def test_a_vault_that_is_no_repository(vault):
    built = vault({**OPEN, LISTED: TICKS}, config='dates = "git"\n')
    assert audit(built).fates == {"Fix the login": "resolved", "Add the retry": "resolved"}


@pytest.mark.parametrize("zone", ["+0900", "-0330", "+9900", "-2400", "+51800"])
def test_the_zone_of_the_committer_counts_where_there_is_such_a_one(vault, zone):
    """Tools that import histories have written zones that no place on earth has."""
    built = vault({**OPEN, LISTED: TICKS}, config='dates = "git"\n')
    rewrite_last_commit(built, lambda made: made.replace("+0000", zone))
    assert audit(built).fates == {"Fix the login": "resolved", "Add the retry": "shown"}


def test_a_commit_of_no_day_dates_nothing(vault):
    built = vault({**OPEN, LISTED: TICKS}, config='dates = "git"\n')
    rewrite_last_commit(built, lambda made: re.sub(r"> \d+ ", "> 99999999999999 ", made))
    assert set(audit(built).fates) == {"Fix the login", "Add the retry"}


def rewrite_last_commit(built, change):
    """Commit the vault as of 2026-04-21, and put another commit in this one's place."""
    commit(built, "2026-04-21")
    made = change(git_says(built, "cat-file", "commit", "HEAD"))
    other = git_says(built, "hash-object", "--literally", "-t", "commit", "-w", "--stdin", text=made).strip()
    git(built, "reset", "-q", "--soft", other)


def git_says(built, *words, text=None):
    done = subprocess.run(["git", *words], cwd=built.root, check=True, capture_output=True, text=True, input=text)
    return done.stdout
