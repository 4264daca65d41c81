"""Hostile inputs and what each gets, as one list: `CASES`."""

from tests.security import links, names, words
from tests.security.place import CASES

__all__ = ["CASES", "links", "names", "words"]
