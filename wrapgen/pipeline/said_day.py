"""The day that an item's last words say without a date: "by Friday" is the first after it was written down. PURE.

Items get it once they are merged: copied into next week's note, the same words still mean the first Friday.
"""

import re

from msgspec.structs import replace

from wrapgen.late_pattern import late
from wrapgen.model import Item
from wrapgen.text.due_day import due_day

_SAID_DAY = late(
    r"(?:\b(?:by|before|until|due)\s\w+|(?:요일|내일)까지|(?:之前|前|まで|までに))[\s.!)]*$", re.IGNORECASE
)
_SAID_LENGTH = 30  # characters at the end of a text in which it stands


def with_said_day(item: Item) -> Item:
    """Give an item that ends in "by Friday" its day: the first after it was written down first."""
    if item.due or not item.raised or not _SAID_DAY.search(tail := item.text[-_SAID_LENGTH:]):
        return item
    return replace(item, due=due_day(tail, item.raised))
