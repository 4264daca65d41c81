"""What is wrong with an entry of an answer. PURE."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """An entry of an answer that is rejected."""

    what: str  # its words, the id or the question that it names, or where it is in the answer
    why: str  # what is wrong with it
