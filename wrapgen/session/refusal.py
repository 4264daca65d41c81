"""What is wrong with an entry of an answer. PURE."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """An entry of an answer that is rejected.

    Attributes:
        what: its words, the id or the question that it names, or where it is in the answer.
        why: what is wrong with it.
    """

    what: str
    why: str
