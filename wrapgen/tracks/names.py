"""What a dead end is called: the piece of a sentence that most likely names what was given up. PURE.

First every word of the story is weighed: a rare one that came up in a guess and comes back where something is left is
its name. Then every piece of a sentence is weighed by its words and by what its sentence tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wrapgen.tracks.candidates import NAME_LIMIT, pieces_of
from wrapgen.tracks.story import Story, best_two
from wrapgen.tracks.wording import cut, trimmed

if TYPE_CHECKING:
    from wrapgen.tracks.candidates import Piece
    from wrapgen.tracks.ends import End
    from wrapgen.tracks.lexicon import Cues
    from wrapgen.tracks.linear import Models

_SURE = 0.6
"""Likelihood of a word from which a name needs no second sentence."""


class Name(NamedTuple):
    """A name.

    Attributes:
        piece: its words.
        likely: how likely it is the right one, from 0 to 1.
        word: the same of its likeliest word.
    """

    piece: Piece
    likely: float
    word: float


def name_of(end: End, models: Models, cues: Cues) -> Name | None:
    """The likeliest name of what is given up; None when nothing was said before.

    Args:
        end: where it is given up.
        models: what tells names.
        cues: words without content at the edges of a name.
    """
    story = Story(end, models.rarity)
    words = {word: models.word(facts) for word, facts in story.word_evidence().items()}
    top = best_two(words)
    pieces = enumerate(pieces_of(end, cues))
    weighed = ((models.name(story.piece_evidence(one, words, top)), -at, one) for at, one in pieces)
    likely, _, piece = max(weighed, default=(0.0, 0, None))
    if piece is None:
        return None
    best = max(piece.terms, key=lambda term: (words.get(term, 0.0), term))
    sure = words.get(best, 0.0)
    return Name(_without_more(piece, best, cues) if sure >= _SURE else piece, likely, sure)


def _without_more(piece: Piece, best: str, cues: Cues) -> Piece:
    """A piece without the second sentence, when its likeliest word stands in the first."""
    text = trimmed(cut(piece.turn.text[piece.at : piece.sentence.end].lstrip(), NAME_LIMIT), cues)
    terms = piece.turn.terms_of(text)
    return piece._replace(text=text, terms=terms) if best in terms else piece
