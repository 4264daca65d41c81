"""Whose words a turn holds: said here, pasted from elsewhere, or written for somebody else."""

from wrapgen.session.judging import Judge
from wrapgen.session.transcript import Turn
from wrapgen.words import Folded

PASTED_LENGTH = 1_500
"""Characters. Users type less than this; longer texts of theirs are pasted plans, logs and documents."""
_PASTED_HEAD = 400
_REQUEST_LENGTH = 200
_HEADINGS = 3


def is_pasted(turn: Turn, judge: Judge) -> bool:
    """Whether a user's text was pasted (a plan, a skill, a log) rather than said."""
    if turn.role != "user":
        return False
    if len(turn.text) > PASTED_LENGTH or judge.says("pasted", Folded(turn.text[:_PASTED_HEAD]).text):
        return True
    return sum(line.startswith("#") for line in turn.text.split("\n")) >= _HEADINGS


def is_draft(turn: Turn, asked: str, judge: Judge) -> bool:
    """Whether a turn presents a text that the user has asked for: release notes, an e-mail, a README.

    Args:
        turn: the turn.
        asked: what the user said last before it.
        judge: of the turn's languages.
    """
    if turn.role == "user" or not asked or len(asked) > _REQUEST_LENGTH:
        return False
    request, beginning = Folded(asked).text, Folded(turn.text[:_REQUEST_LENGTH]).text
    presents = turn.text.lstrip().startswith("# ") or judge.says("presents", beginning)
    return presents and judge.says("write", request) and judge.says("writings", request)
