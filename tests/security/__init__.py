"""Hostile inputs and what each gets, as one list: `CASES`."""

from tests.security import links
from tests.security.place import CASES

__all__ = ["CASES", "links"]
