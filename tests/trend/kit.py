"""Records of days, and the lines of a vault's history."""

from datetime import date

import msgspec

from wrapgen.vault import run_history
from wrapgen.vault.run_history import AGE_GROUPS, Day

FATES = ("shown", "resolved", "duplicate", "overflow", "expired")
KINDS = ("journal_next", "active_todos", "project_todos", "progress")


def day(on="2026-04-24", **given):
    """A day on which nothing is open, but for what is given."""
    nothing = {
        "collected": 0, "fates": dict.fromkeys(FATES, 0), "sources": dict.fromkeys(KINDS, 0), "projects": {},
        "open": 0, "new": 0, "resolved": 0, "pending": 0, "median_age": None,
        "ages": dict.fromkeys(AGE_GROUPS, 0), "made": 0, "kept": 0,
    }  # fmt: skip
    return Day(day=date.fromisoformat(on), **nothing | given)


def line(one):
    """A record as it is written."""
    return msgspec.json.encode(one)


def lines(vault):
    """The lines of a vault's history."""
    return vault.path(run_history.FILE).read_bytes().splitlines()


def last(vault):
    """The last line of a vault's history, as a record."""
    return msgspec.json.decode(lines(vault)[-1], type=Day)
