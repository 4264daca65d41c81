"""Who is sent back, and who may stop."""

import pytest

from wrapgen.agents.contract import decide, level_of, stated

GOOD = "[COMPRESSED] agent_type: worker\nChanged files: a.ts\nResult: done"
BAD = "I have done everything.\n\n[COMPRESSED] agent_type: worker"
BLOCK = {"worker": "block", "reviewer": "block", "quiet": "off", "mild": "warn"}


@pytest.mark.parametrize(
    ("message", "active", "agent_type", "said"),
    [
        (GOOD, False, "worker", ""),
        (BAD, False, "worker", "sent back"),
        (BAD, True, "worker", ""),
        (BAD, False, "mild", "warned"),
        (BAD, False, "other", ""),
        (BAD, False, None, ""),
        (BAD, False, "quiet", ""),
        (None, False, "worker", ""),
        (" \n", False, "worker", ""),
        (GOOD, False, "reviewer", "sent back"),
        (BAD, False, "plugin:worker", "sent back"),
    ],
)
def test_decisions(message, active, agent_type, said):
    reply = decide(message, active=active, agent_type=agent_type, contract=BLOCK)
    assert (reply.exit_code, bool(reply.stderr)) == ((2, True) if said == "sent back" else (0, False))
    assert bool(reply.warning) == (said == "warned")


def test_who_is_sent_back_reads_what_is_wrong_and_the_form():
    message = decide(BAD, active=False, agent_type="worker", contract=BLOCK).stderr
    assert "line 1: the first line must be the marker" in message
    assert "at most 10 lines" in message
    assert "\nChanged files: file1, file2\nResult: (1-3 lines)\n" in message


def test_a_reviewer_reads_the_form_of_reviewers():
    message = decide(GOOD, active=False, agent_type="reviewer", contract=BLOCK).stderr
    assert "at most 20 lines" in message
    assert "\nVerdict: PASS | FAIL (critical/warning counts)\n" in message


def test_a_warning_names_the_agent_and_what_is_wrong():
    long = GOOD + "\nmore" * 198
    message = decide(long, active=False, agent_type="explorer", contract={"*": "warn"}).warning
    assert "explorer" in message
    assert "201 lines; at most 10" in message


def test_the_whole_name_of_a_type_comes_first():
    contract = {"reviewer": "block", "plugin:reviewer": "off"}
    assert level_of("plugin:reviewer", contract) == "off"
    assert level_of("other:reviewer", contract) == "block"
    assert level_of(None, contract) == "off"
    assert level_of(None, {**contract, "*": "warn"}) == "warn"


def test_the_contract_is_stated_to_those_who_have_one():
    assert stated("other", BLOCK) == ""
    assert "at most 10 lines" in stated("worker", BLOCK)
    assert "\nVerdict: PASS | FAIL" in stated("reviewer", BLOCK)
