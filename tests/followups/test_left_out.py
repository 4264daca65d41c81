"""What was offered unticked and left: it is not asked again, is counted, listed, and comes back when wanted."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date

import pytest

from tests.followups import talks
from tests.followups.talks import RETRY, orphans
from tests.support import TODAY, wrap
from wrapgen.session.answers import Answers
from wrapgen.workflows.app import App
from wrapgen.workflows.session_end import apply_answers, end_session
from wrapgen.workflows.vault_session import open_vault

UNSURE = "look at the logs"
LATER = "2026-04-25"


@pytest.fixture
def path(talk):
    """A conversation with one sure follow-up and one that rules are not sure of."""
    turns = [("user", "Fix it."), ("assistant", f"Fixed. Let's {UNSURE} tomorrow.\n\nNext session: {RETRY}.")]
    return talk(talks.neutral(turns), name="doubt.json")


def leave_out(vault, path):
    """Run a session's end at whose question nothing is ticked that was unsure."""
    app = App(vault=vault.root, today=date.fromisoformat(TODAY))
    return end_session(app, [path], lambda session: Answers(seen=tuple(session.memory.unsure)))


def listed(vault, *options, today=TODAY):
    return wrap("orphans", "--all", "--json", *options, vault=vault, today=today).json


def test_it_is_counted_and_the_screen_says_so(vault, path):
    ended = leave_out(built := vault(), path)
    said = ended.rebuilt.run.follow_ups
    assert (said.found, said.skipped, said.pending, said.unsure) == (2, 1, 1, 0)
    assert any("1 unsure left out, not asked again" in line for line in ended.applied.told())
    assert talks.pending(built) == [RETRY]
    audit = wrap("audit", "--json", vault=built).json
    (one,) = audit["skipped"]
    assert (one["text"], one["reason"], one["skipped"]) == (UNSURE, "left out", TODAY)
    assert f"{UNSURE} (left out on {TODAY})" in wrap("audit", vault=built).out


def test_all_lists_it_with_the_day_and_the_reason_and_nothing_asks_again(vault, path):
    leave_out(built := vault(), path)
    document = listed(built)
    assert [(one["text"], one["skipped"]) for one in document["orphans"]] == [(RETRY, None), (UNSURE, TODAY)]
    assert [(one["text"], one["reason"]) for one in document["dismissed"]] == [(UNSURE, "left out")]
    assert f"left out on {TODAY}" in wrap("orphans", "--all", vault=built).out
    again = orphans(built, path)
    assert [one["text"] for one in again.json["orphans"]] == [RETRY]
    assert (UNSURE, "left out") in [(one["text"], one["reason"]) for one in again.json["dismissed"]]


def test_said_again_later_it_is_offered_again(vault, talk, path):
    leave_out(built := vault(), path)
    turns = [("user", "Go on."), ("assistant", f"Done. Let's {UNSURE} tomorrow.")]
    later = talk(talks.neutral(turns, stamp=f"{LATER}T09:00:00Z"), name="later.json", changed=LATER)
    found = orphans(built, later, today=LATER).json["orphans"]
    assert [(one["text"], one["sure"]) for one in found] == [(UNSURE, False)]


def test_restore_brings_it_back_to_be_asked_about(vault, path):
    leave_out(built := vault(), path)
    handle = next(one["handle"] for one in listed(built)["orphans"] if one["text"] == UNSURE)
    result = wrap("orphans", "--restore", handle, vault=built)
    assert (result.code, f"pending again: {UNSURE}" in result.out) == (0, True)
    assert sorted(talks.pending(built)) == sorted([RETRY, UNSURE])
    assert listed(built)["dismissed"] == []
    orphans(built, path)
    assert sorted(talks.pending(built)) == sorted([RETRY, UNSURE])


def test_restore_brings_back_what_was_skipped_for_good(vault, waiting, answered):
    built = vault()
    ids = waiting(built, RETRY)
    talks.route(built, answered, talks.answer(ids[RETRY], "skip"))
    assert wrap("orphans", "--restore", ids[RETRY], "--json", vault=built).json["restored"]["text"] == RETRY
    assert talks.pending(built) == [RETRY]


@pytest.mark.parametrize("handle", ["0000", "ab", "-", "zzzz"])
def test_a_handle_that_means_nothing_is_refused_with_the_next_step(vault, path, handle):
    leave_out(built := vault(), path)
    before = talks.state(built, "skipped.jsonl")
    result = wrap("orphans", "--restore", handle, vault=built)
    assert result.code == 2
    assert "wrap orphans --all" in result.err
    assert talks.state(built, "skipped.jsonl") == before


def test_it_ages_out_of_the_audit_and_stays_in_the_list(vault, path):
    leave_out(built := vault(), path)
    late = "2027-04-24"
    assert wrap("audit", "--json", vault=built, today=late).json["skipped"] == []
    assert [one["text"] for one in listed(built, today=late)["orphans"] if one["skipped"]] == [UNSURE]


def test_what_waits_and_was_unsure_is_left_out_as_well_and_the_sure_waits_on(vault, path):
    orphans(built := vault(), path)
    app = App(vault=built.root, today=date.fromisoformat(TODAY))
    with open_vault(app) as session:
        maybe = next(one.orphan for one in session.memory.unsure.values())
        session.memory.wait_for([replace(maybe, by="reader")], app.day)
    assert talks.pending(built) == [RETRY, UNSURE]
    with open_vault(app) as session:
        apply_answers(session, Answers(seen=(maybe.id,)))
    assert talks.pending(built) == [RETRY]
    assert [one["reason"] for one in listed(built)["dismissed"]] == ["left out"]


def test_no_answer_but_what_was_shown_leaves_anything_out(vault, path):
    orphans(built := vault(), path)
    with open_vault(App(vault=built.root)) as session:
        apply_answers(session, Answers(seen=("0123456789ab",)))
        assert [one.orphan.text for one in session.memory.unsure.values()] == [UNSURE]
    assert talks.state(built, "skipped.jsonl") == []


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_at_the_question_enter_leaves_it_out_and_says_so(vault, path):
    from tests.terminal import ENTER, Wrap

    built = vault()
    with Wrap("--vault", built.root, "--today", TODAY, "--transcript", path, columns=140) as terminal:
        terminal.see("1 to file, 1 unsure left out, not asked again").press(ENTER)
        terminal.see("1 unsure left out, not asked again: `wrap orphans --all`", "routed 1, skipped 1, pending 0")
        assert terminal.finish() == 0
    assert [one["why"] for one in talks.state(built, "skipped.jsonl")] == ["left out"]
