from wrapgen.session.proposals import Proposal, verify
from wrapgen.session.transcript import Turn

TURNS = [
    Turn("user", "please\nadd a   retry", 3, "u-1"),
    Turn("assistant", "Done. The docs are\nstill missing.", 7, "u-2"),
    Turn("assistant", "The docs are still missing.", 9, "u-3"),
]


def test_word_for_word_white_space_aside():
    kept, refused = verify([Proposal("add a retry", "add a retry to the uploader")], TURNS)
    assert refused == []
    (one,) = kept
    assert (one.quote, one.text, one.turn, one.line, one.uuid) == (
        "add a   retry",
        "add a retry to the uploader",
        0,
        3,
        "u-1",
    )


def test_the_last_mention_is_reported_and_the_text_defaults_to_the_quote():
    ((one,), _) = verify([Proposal(" The docs are still\tmissing ")], TURNS)
    assert (one.turn, one.text) == (2, "The docs are still missing")


def test_what_was_not_said_is_refused_by_name():
    proposals = [Proposal("rotate the keys"), Proposal("  "), Proposal("Add a retry")]
    kept, refused = verify(proposals, TURNS)
    assert kept == []
    assert [one.proposal for one in refused] == proposals
    assert [one.reason for one in refused] == [
        "the quote does not stand in the transcript",
        "the quote is too short",
        "the quote does not stand in the transcript",
    ]
