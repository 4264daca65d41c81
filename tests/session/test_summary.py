"""What a compaction's summary calls pending, and what becomes of it in the rest of the conversation."""

import pytest

from tests.support import each
from wrapgen.session.detection import follow_ups
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.lexicon import load_cues
from wrapgen.session.outcome import WENT_ON
from wrapgen.session.transcript import Summary, Turn

BEFORE = [Turn("user", "Please fix the uploader.", 1), Turn("assistant", "I am on it.", 2)]


def summary(pending: str, following: str = "None.", line: int = 3) -> Summary:
    text = (
        "This session is being continued.\n\nAnalysis:\n7. Pending Tasks:\n   - water the plants\n\nSummary:\n"
        f"1. Primary Request and Intent:\n   Fix it.\n\n7. Pending Tasks:\n{pending}\n\n8. Current Work:\n"
        f"   - painting the fence\n\n9. Optional Next Step:\n   {following}\n"
    )
    return Summary(text, 1, line, f"u-{line}")


def said(*turns: str) -> list[Turn]:
    """Turns after the summary, the user's and the assistant's in turn."""
    roles = ("user", "assistant")
    return [Turn(roles[at % 2], text, 10 + at) for at, text in enumerate(turns)]


def found(*events: Turn | Summary) -> list[tuple[FollowUp, str]]:
    return follow_ups([*BEFORE, *events], load_cues(()))


def texts(finds: list[tuple[FollowUp, str]]) -> list[str]:
    return [one.text for one, why in finds if not why]


def test_each_outer_item_of_the_summary_alone_is_a_find_of_the_host():
    finds = found(summary("   - Rotate the staging keys\n     - first in the cellar\n   - **Docs**: write the guide"))
    assert texts(finds) == ["Rotate the staging keys", "Docs: write the guide"]
    first = finds[0][0]
    assert (first.by, first.sure, first.turn, first.line, first.cue) == ("state", True, 1, 3, "compaction summary")
    assert first.quote == "Rotate the staging keys"


@each(
    [
        "None",
        "No explicit pending tasks.",
        "Dark mode (offered, not requested)",
        "The user may want a page for it",
        "Deploy once the user confirms",
        "The parser (completed)",
        "✅ The parser",
    ]
)
def test_what_the_summary_itself_calls_an_offer_done_or_nothing_is_none(item):
    assert found(summary(f"   - {item}")) == []


def test_what_is_reported_done_after_it_is_settled():
    finds = found(
        summary("   - Fix the login form\n   - Write the guide"),
        *said("go on", "I fixed the login form.", "fine"),
    )
    assert texts(finds) == ["Write the guide"]


def test_when_the_talk_goes_on_it_is_offered_unticked_and_after_three_turns_of_the_user_no_more():
    items = summary("   - Rotate the staging keys")
    ((soon, why),) = found(items, *said("What about the lamp?", "It flickers."))
    assert (why, soon.sure) == ("", False)
    ((_, why),) = found(items, *said("One?", "Yes.", "Two?", "Yes.", "Three?", "Yes.", "Four?", "Yes."))
    assert why == WENT_ON


def test_the_next_step_counts_where_nothing_comes_next():
    step = summary("   - None", "Rotate the staging keys. It was asked for.")
    assert texts(found(step)) == ["Rotate the staging keys"]
    assert texts(found(step, *said("go on", "Looking."))) == []
    assert found(summary("   - None", "Rotate the keys, but only if the user confirms.")) == []


def test_only_the_last_summary_counts():
    finds = found(summary("   - Rotate the keys\n   - Write the guide"), summary("   - Write the guide", line=9))
    assert texts(finds) == ["Write the guide"]
    (guide,) = [one for one, why in finds if not why]
    assert guide.line == 9


@pytest.mark.parametrize(
    "heading", ["7. **Pending Tasks:**", "## 7. Pending Tasks", "7. Pending Tasks (from TodoWrite):"]
)
def test_the_heading_has_several_styles(heading):
    text = f"Summary:\n{heading}\n   - Rotate the keys\n8. Current Work:\n   - none of it\n"
    assert texts(found(Summary(text, 1, 3))) == ["Rotate the keys"]
