"""Who is sent back, and who may stop."""

import pytest

from wrapgen.agents.stopping import Verdict, decide, level_of

GOOD = "[COMPRESSED] agent_type: worker\nChanged files: a.ts\nResult: done"
BAD = "I have done everything.\n\n[COMPRESSED] agent_type: worker"
BLOCK = {"worker": "block", "reviewer": "block", "quiet": "off"}


@pytest.mark.parametrize(
    ("message", "active", "agent_type", "verdict"),
    [
        (GOOD, False, "worker", Verdict.PASS),
        (BAD, False, "worker", Verdict.BLOCK),
        (BAD, True, "worker", Verdict.PASS),
        (BAD, False, "other", Verdict.WARN),
        (BAD, False, None, Verdict.WARN),
        (BAD, False, "quiet", Verdict.PASS),
        (None, False, "worker", Verdict.PASS),
        (" \n", False, "worker", Verdict.PASS),
        (GOOD, False, "reviewer", Verdict.BLOCK),
        (BAD, False, "plugin:worker", Verdict.BLOCK),
    ],
)
def test_decisions(message, active, agent_type, verdict):
    assert decide(message, active=active, agent_type=agent_type, contract=BLOCK).verdict is verdict


def test_who_is_sent_back_reads_what_is_wrong_and_the_form():
    message = decide(BAD, active=False, agent_type="worker", contract=BLOCK).message
    assert "line 1: the first line must be the marker" in message
    assert "at most 10 lines" in message
    assert "\nChanged files: file1, file2\nResult: (1-3 lines)\n" in message


def test_a_reviewer_reads_the_form_of_reviewers():
    message = decide(GOOD, active=False, agent_type="reviewer", contract=BLOCK).message
    assert "at most 20 lines" in message
    assert "\nVerdict: PASS | FAIL (critical/warning counts)\n" in message


def test_a_warning_names_the_agent_and_what_is_wrong():
    long = GOOD + "\nmore" * 198
    message = decide(long, active=False, agent_type="explorer", contract={}).message
    assert "explorer" in message
    assert "201 lines; at most 10" in message


def test_the_whole_name_of_a_type_comes_first():
    contract = {"reviewer": "block", "plugin:reviewer": "off"}
    assert level_of("plugin:reviewer", contract) == "off"
    assert level_of("other:reviewer", contract) == "block"
    assert level_of(None, contract) == "warn"
